import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { autoscalerV2beta1, autoscalerV2beta2 } from './autoscaler.ts';
import { disruptionBudgetV1beta1 } from './disruption-budget.ts';
import { endpointSliceV1beta1 } from './endpoint-slice.ts';
import { assuredShares, nominalShares } from './flow-control.ts';
import { removedVersions } from './removed-versions.ts';

function object(members: JsonObject, annotations?: Record<string, string>): ApiObject {
  return { metadata: { name: 'a', ...(annotations === undefined ? {} : { annotations }) }, ...members } as ApiObject;
}

describe('conversion of v1beta1 PodDisruptionBudgets', () => {
  const selected = (selector: JsonObject) => object({ spec: { selector } });
  const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  const reserved = (operator: string) => ({ matchExpressions: [{ key, operator }] });

  test('conversion of v1beta1 PodDisruptionBudgets keeps an empty selector, which selects nothing in v1beta1', () => {
    const stored = disruptionBudgetV1beta1.toStorage(selected({}));
    assert.deepEqual(stored, selected(reserved('Exists')));
    assert.deepEqual(disruptionBudgetV1beta1.fromStorage(stored), selected({}));
  });

  test('conversion of v1beta1 PodDisruptionBudgets keeps the empty selector of v1, which selects everything', () => {
    const older = disruptionBudgetV1beta1.fromStorage(selected({}));
    assert.deepEqual(older, selected(reserved('DoesNotExist')));
    assert.deepEqual(disruptionBudgetV1beta1.toStorage(older), selected({}));
  });

  test('conversion of v1beta1 PodDisruptionBudgets keeps an absent selector, and removes the reserved key from others', () => {
    assert.deepEqual(disruptionBudgetV1beta1.toStorage(object({ spec: {} })), object({ spec: {} }));
    const mixed = selected({ matchLabels: { app: 'x' }, matchExpressions: [{ key, operator: 'Exists' }] });
    assert.deepEqual(disruptionBudgetV1beta1.toStorage(mixed), selected({ matchLabels: { app: 'x' } }));
  });
});

describe('conversion of concurrency shares of PriorityLevelConfigurations', () => {
  const level = (limited: JsonObject, annotations?: Record<string, string>) =>
    object({ spec: { type: 'Limited', limited } }, annotations);
  const preserve = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

  test('conversion of concurrency shares of PriorityLevelConfigurations from v1beta1 and v1beta2 renames assuredConcurrencyShares, and turns 0 into 30', () => {
    assert.deepEqual(
      assuredShares.toStorage(level({ assuredConcurrencyShares: 7 })),
      level({ nominalConcurrencyShares: 7 }),
    );
    assert.deepEqual(
      assuredShares.toStorage(level({ assuredConcurrencyShares: 0 })),
      level({ nominalConcurrencyShares: 30 }),
    );
    assert.deepEqual(assuredShares.toStorage(level({})), level({ nominalConcurrencyShares: 30 }));
    assert.deepEqual(
      assuredShares.fromStorage(level({ nominalConcurrencyShares: 0 })),
      level({ assuredConcurrencyShares: 0 }),
    );
  });

  test('conversion of concurrency shares of PriorityLevelConfigurations from v1beta3 turns 0 into 30, unless the annotation of a read preserves it', () => {
    assert.deepEqual(nominalShares.toStorage(level({})), level({ nominalConcurrencyShares: 30 }));
    const zero = level({ nominalConcurrencyShares: 0 }, { keep: 'me' });
    const read = nominalShares.fromStorage(zero);
    assert.deepEqual(read.metadata.annotations, { keep: 'me', [preserve]: '' });
    assert.deepEqual(nominalShares.toStorage(read), zero);
  });
});

describe('conversion of v1beta1 EndpointSlices', () => {
  const slice = (endpoint: JsonObject) => object({ endpoints: [endpoint] });

  test('conversion of v1beta1 EndpointSlices moves the zone to its own field, and drops the host name that repeats the node name', () => {
    const older = slice({
      addresses: ['10.0.0.1'],
      nodeName: 'n1',
      topology: { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'n1', rack: 'r' },
    });
    const stored = slice({ addresses: ['10.0.0.1'], nodeName: 'n1', deprecatedTopology: { rack: 'r' }, zone: 'z' });
    assert.deepEqual(endpointSliceV1beta1.toStorage(older), stored);
    assert.deepEqual(endpointSliceV1beta1.fromStorage(stored), older);
  });

  test('conversion of v1beta1 EndpointSlices keeps a host name that is not the node name, and drops an empty topology', () => {
    const other = { 'kubernetes.io/hostname': 'other' };
    assert.deepEqual(
      endpointSliceV1beta1.toStorage(slice({ nodeName: 'n1', topology: other })),
      slice({ nodeName: 'n1', deprecatedTopology: other }),
    );
    assert.deepEqual(endpointSliceV1beta1.toStorage(slice({ topology: {} })), slice({}));
  });
});

describe('conversion of HorizontalPodAutoscalers', () => {
  test('conversion of HorizontalPodAutoscalers to v2beta1 has flat metrics, and behavior in an annotation', () => {
    const stored = object({
      spec: {
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's' },
              target: { type: 'Value', value: '1k' },
              metric: { name: 'hits' },
            },
          },
        ],
        behavior: { scaleDown: { selectPolicy: 'Disabled' } },
      },
      status: {
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 10, averageValue: '1' } } },
        ],
      },
    });
    const older = autoscalerV2beta1.fromStorage(stored);
    assert.deepEqual((older['spec'] as JsonObject)['metrics'], [
      { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
      { type: 'Object', object: { target: { kind: 'Service', name: 's' }, metricName: 'hits', targetValue: '1k' } },
    ]);
    assert.equal((older['spec'] as JsonObject)['behavior'], undefined);
    assert.deepEqual(autoscalerV2beta1.toStorage(older), stored);
  });

  test('conversion of HorizontalPodAutoscalers to v2beta2 keeps tolerances in annotations', () => {
    const stored = object({ spec: { behavior: { scaleUp: { selectPolicy: 'Max', tolerance: '50m' } } } });
    const older = autoscalerV2beta2.fromStorage(stored);
    assert.deepEqual(
      older,
      object(
        { spec: { behavior: { scaleUp: { selectPolicy: 'Max' } } } },
        { 'autoscaling.alpha.kubernetes.io/scale-up-tolerance': '50m' },
      ),
    );
    assert.deepEqual(autoscalerV2beta2.toStorage(older), stored);
  });
});

test('every version in use that Kubernetes 1.34 has removed can be served', () => {
  const names = removedVersions
    .filter(({ served }) => served.enabledByDefault)
    .map(({ group, served, kind }) => `${group}/${served.version} ${kind}`);
  assert.deepEqual(names, [
    'flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema',
    'flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration',
    'flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema',
    'flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration',
    'flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema',
    'flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration',
    'storage.k8s.io/v1beta1 CSIStorageCapacity',
    'autoscaling/v2beta2 HorizontalPodAutoscaler',
    'autoscaling/v2beta1 HorizontalPodAutoscaler',
    'batch/v1beta1 CronJob',
    'discovery.k8s.io/v1beta1 EndpointSlice',
    'events.k8s.io/v1beta1 Event',
    'policy/v1beta1 PodDisruptionBudget',
    'node.k8s.io/v1beta1 RuntimeClass',
  ]);
});
