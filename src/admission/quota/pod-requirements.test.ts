import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { amountsObject } from './amounts.ts';
import { type Bound, podRequirements } from './pod-requirements.ts';

const asking = (amounts: JsonObject, bound: Bound = 'requests', more: JsonObject = {}): JsonObject => ({
  name: 'a',
  resources: { [bound]: amounts },
  ...more,
});

describe('podRequirements', () => {
  const cases: readonly [string, Bound, JsonObject, JsonObject][] = [
    ['nothing', 'requests', { containers: [{ name: 'a' }] }, {}],
    [
      'containers together',
      'requests',
      { containers: [asking({ cpu: '600m', memory: '1Gi' }), asking({ cpu: '500m' })] },
      { cpu: '1100m', memory: '1Gi' },
    ],
    [
      'the greediest of the first containers where that is more',
      'requests',
      {
        containers: [asking({ cpu: '1', memory: '1Gi' })],
        initContainers: [asking({ cpu: '3' }), asking({ cpu: '2', memory: '512Mi' })],
      },
      { cpu: '3', memory: '1Gi' },
    ],
    [
      'what stays counts with the containers',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '2' }, 'requests', { restartPolicy: 'Always' })],
      },
      { cpu: '3' },
    ],
    [
      'and with those that are started after it',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '1' }, 'requests', { restartPolicy: 'Always' }), asking({ cpu: '4' })],
      },
      { cpu: '5' },
    ],
    [
      'but not with those before it',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '4' }), asking({ cpu: '1' }, 'requests', { restartPolicy: 'Always' })],
      },
      { cpu: '4' },
    ],
    [
      'overhead is asked for beside',
      'requests',
      { containers: [asking({ cpu: '1' })], overhead: { cpu: '250m', memory: '64Mi' } },
      { cpu: '1250m', memory: '64Mi' },
    ],
    [
      'overhead limits nothing that had no limit',
      'limits',
      { containers: [asking({ cpu: '1' }, 'limits')], overhead: { cpu: '250m', memory: '64Mi' } },
      { cpu: '1250m' },
    ],
    [
      'the pod as a whole goes before its containers',
      'requests',
      {
        containers: [asking({ cpu: '1', 'ephemeral-storage': '1Gi' })],
        resources: { requests: { cpu: '3', 'ephemeral-storage': '5Gi' } },
      },
      { cpu: '3', 'ephemeral-storage': '1Gi' },
    ],
  ];
  for (const [title, bound, spec, expected] of cases) {
    it(title, () => {
      assert.deepEqual(amountsObject(podRequirements({ metadata: {}, spec }, bound)), expected);
    });
  }

  it('the resources that a container has allocated on its node count while they exceed its requests', () => {
    const pod = {
      metadata: {},
      spec: { containers: [asking({ cpu: '1', memory: '2Gi' })] },
      status: {
        containerStatuses: [
          { name: 'a', resources: { requests: { cpu: '2' } }, allocatedResources: { memory: '1Gi' } },
        ],
      },
    };
    assert.deepEqual(amountsObject(podRequirements(pod, 'requests')), { cpu: '2', memory: '2Gi' });
  });
});
