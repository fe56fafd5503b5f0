import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../../api/errors.ts';
import type { JsonObject } from '../../../api/object.ts';
import type { StrategyContext } from '../../definition.ts';
import { autoscalerRules } from './validation.ts';

function context(...gates: string[]): StrategyContext {
  return {
    nowMs: 0,
    gateEnabled: (gate) => gates.includes(gate),
    user: { name: '', uid: '', groups: [], extra: {} },
  };
}

function found(change: JsonObject, rules = context()): string[] {
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 3,
    ...change,
  };
  return autoscalerRules.validate!({ metadata: {}, spec }, rules).map(
    (each) => `${each.field}: ${fieldErrorBody(each)}`,
  );
}

const metric = (type: string, source: JsonObject): JsonObject => ({ metrics: [{ type, ...source }] });
const policies = (...list: JsonObject[]): JsonObject => ({ behavior: { scaleUp: { policies: list } } });
const SHARE = { type: 'Utilization', averageUtilization: 50 };
const NO_TYPE = [
  'Required value: must specify a metric target type',
  'Invalid value: "": must be either Utilization, Value, or AverageValue',
];

describe('validation of HorizontalPodAutoscalers', () => {
  for (const [subject, change, ...expected] of [
    ['a valid metric', metric('Resource', { resource: { name: 'cpu', target: SHARE } })],
    [
      'minReplicas 0',
      { minReplicas: 0 },
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ],
    [
      'maxReplicas 0',
      { maxReplicas: 0 },
      'spec.maxReplicas: Invalid value: 0: must be greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ],
    [
      'an empty scaleTargetRef',
      { scaleTargetRef: {} },
      'spec.scaleTargetRef.kind: Required value',
      'spec.scaleTargetRef.name: Required value',
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
    [
      'a scaleTargetRef of a ReplicationController',
      { scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'web' } },
    ],
    [
      'an unknown metric type',
      metric('Guess', {}),
      'spec.metrics[0].type: Unsupported value: "Guess": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[0].type: Unsupported value: "Guess": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    [
      'a metric without its source',
      metric('Pods', {}),
      'spec.metrics[0].pods: Required value: must populate information for the given metric source',
    ],
    [
      'a metric with two sources',
      metric('Resource', { resource: { name: 'cpu', target: SHARE }, pods: {} }),
      'spec.metrics[0].pods.metric.name: Required value: must specify a metric name',
      ...NO_TYPE.map((each) => `spec.metrics[0].pods.target.type: ${each}`),
      'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
      'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
    ],
    [
      'a metric with both utilization and average value',
      metric('Resource', { resource: { name: 'cpu', target: { ...SHARE, averageValue: '1' } } }),
      'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
    ],
    [
      'a container metric without a container name',
      metric('ContainerResource', { containerResource: { name: 'cpu', container: '', target: SHARE } }),
      'spec.metrics[0].containerResource.container: Required value: must specify a container',
    ],
    [
      'an object metric with an invalid name and a negative value',
      metric('Object', {
        object: {
          describedObject: { kind: 'Service', name: 'web' },
          metric: { name: 'a/b' },
          target: { type: 'Value', value: '-1' },
        },
      }),
      'spec.metrics[0].object.metric.name: Invalid value: "a/b": may not contain \'/\'',
      'spec.metrics[0].object.target.value: Invalid value: "-1": must be positive',
    ],
    [
      'a behavior without policies',
      policies(),
      'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
    ],
    [
      'a behavior with an invalid policy',
      policies({ type: 'Nodes', value: 0, periodSeconds: 1801 }),
      'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
      'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
      'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of HorizontalPodAutoscalers checks ${subject}`, () => assert.deepEqual(found(change), expected));
  }

  it('validation of HorizontalPodAutoscalers accepts minReplicas 0 with the gate HPAScaleToZero and an external metric', () => {
    const target = { type: 'Value', value: '1' };
    const external = { ...metric('External', { external: { metric: { name: 'queue' }, target } }), minReplicas: 0 };
    assert.deepEqual(found(external, context('HPAScaleToZero')), []);
    assert.deepEqual(found(external).length, 1);
  });
});
