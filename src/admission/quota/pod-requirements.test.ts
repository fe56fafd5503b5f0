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

describe('the resources of a pod that quotas count', () => {
  const cases: readonly [string, Bound, JsonObject, JsonObject][] = [
    ['are empty without requests', 'requests', { containers: [{ name: 'a' }] }, {}],
    [
      'are the sum of the containers',
      'requests',
      { containers: [asking({ cpu: '600m', memory: '1Gi' }), asking({ cpu: '500m' })] },
      { cpu: '1100m', memory: '1Gi' },
    ],
    [
      'are the maximum of the init containers if that is more',
      'requests',
      {
        containers: [asking({ cpu: '1', memory: '1Gi' })],
        initContainers: [asking({ cpu: '3' }), asking({ cpu: '2', memory: '512Mi' })],
      },
      { cpu: '3', memory: '1Gi' },
    ],
    [
      'include sidecars beside the containers',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '2' }, 'requests', { restartPolicy: 'Always' })],
      },
      { cpu: '3' },
    ],
    [
      'include sidecars beside init containers that start later',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '1' }, 'requests', { restartPolicy: 'Always' }), asking({ cpu: '4' })],
      },
      { cpu: '5' },
    ],
    [
      'do not include sidecars beside init containers that start earlier',
      'requests',
      {
        containers: [asking({ cpu: '1' })],
        initContainers: [asking({ cpu: '4' }), asking({ cpu: '1' }, 'requests', { restartPolicy: 'Always' })],
      },
      { cpu: '4' },
    ],
    [
      'include the overhead',
      'requests',
      { containers: [asking({ cpu: '1' })], overhead: { cpu: '250m', memory: '64Mi' } },
      { cpu: '1250m', memory: '64Mi' },
    ],
    [
      'have no limits from overhead for resources without a limit',
      'limits',
      { containers: [asking({ cpu: '1' }, 'limits')], overhead: { cpu: '250m', memory: '64Mi' } },
      { cpu: '1250m' },
    ],
    [
      'are those of the pod if it has pod-level resources',
      'requests',
      {
        containers: [asking({ cpu: '1', 'ephemeral-storage': '1Gi' })],
        resources: { requests: { cpu: '3', 'ephemeral-storage': '5Gi' } },
      },
      { cpu: '3', 'ephemeral-storage': '1Gi' },
    ],
  ];
  for (const [title, bound, spec, expected] of cases) {
    it(`the resources of a pod that quotas count ${title}`, () => {
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
