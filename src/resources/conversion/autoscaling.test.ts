import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { autoscalerV1 } from './autoscaling.ts';

const v2 = autoscalerV1(34);

const SCALE_TARGET = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

function stored(): ApiObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default', annotations: { keep: 'me' } },
    spec: {
      scaleTargetRef: SCALE_TARGET,
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        {
          type: 'Pods',
          pods: {
            metric: { name: 'requests', selector: { matchLabels: { app: 'web' } } },
            target: { type: 'AverageValue', averageValue: '100' },
          },
        },
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'memory',
            container: 'main',
            target: { type: 'AverageValue', averageValue: '200Mi' },
          },
        },
        { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            metric: { name: 'hits' },
            target: { type: 'Value', value: '1k' },
          },
        },
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 10,
          selectPolicy: 'Max',
          policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }],
        },
        scaleDown: { selectPolicy: 'Disabled', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    },
    status: {
      currentReplicas: 1,
      desiredReplicas: 2,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 10, averageValue: '10m' } } },
        { type: 'Pods', pods: { metric: { name: 'requests' }, current: { averageValue: '5' } } },
      ],
      conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null, reason: 'R', message: 'm' }],
    },
  };
}

describe('autoscaling/v1', () => {
  test('autoscaling/v1 holds the CPU target in a field and the other metrics in annotations', () => {
    const v1 = v2.fromStorage(stored());
    assert.deepEqual(v1['spec'], {
      scaleTargetRef: SCALE_TARGET,
      minReplicas: 2,
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 60,
    });
    assert.deepEqual(v1['status'], { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 10 });
    assert.deepEqual(v1.metadata.annotations, {
      keep: 'me',
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Pods","pods":{"metricName":"requests","targetAverageValue":"100","selector":{"matchLabels":{"app":"web"}}}},' +
        '{"type":"ContainerResource","containerResource":{"name":"memory","targetAverageValue":"200Mi","container":"main"}},' +
        '{"type":"External","external":{"metricName":"queue","targetValue":"30"}},' +
        '{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"hits","targetValue":"1k"}}]',
      'autoscaling.alpha.kubernetes.io/behavior':
        '{"ScaleUp":{"StabilizationWindowSeconds":10,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},' +
        '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Disabled","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
      'autoscaling.alpha.kubernetes.io/current-metrics':
        '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":10,"currentAverageValue":"10m"}},' +
        '{"type":"Pods","pods":{"metricName":"requests","currentAverageValue":"5"}}]',
      'autoscaling.alpha.kubernetes.io/conditions':
        '[{"type":"AbleToScale","status":"True","lastTransitionTime":null,"reason":"R","message":"m"}]',
    });
  });

  test('autoscaling/v1 converts to v2 and back without loss', () => {
    assert.deepEqual(v2.toStorage(v2.fromStorage(stored())), stored());
  });

  test('autoscaling/v1 does not change the object that it converts', () => {
    const object = stored();
    v2.fromStorage(object);
    assert.deepEqual(object, stored());
  });

  test('autoscaling/v1 puts the CPU target after the metrics of the annotation', () => {
    const converted = v2.toStorage({
      metadata: {
        annotations: {
          'autoscaling.alpha.kubernetes.io/metrics':
            '[{"type":"External","external":{"metricName":"queue","targetValue":"30"}}]',
        },
      },
      spec: { scaleTargetRef: SCALE_TARGET, maxReplicas: 5, targetCPUUtilizationPercentage: 70 },
    });
    assert.equal(converted.metadata.annotations, undefined);
    assert.deepEqual((converted['spec'] as { metrics: unknown }).metrics, [
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]);
  });

  test('autoscaling/v1 ignores an annotation that is not JSON, and adds the default metric', () => {
    const converted = v2.toStorage({
      metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '[{' } },
      spec: { maxReplicas: 5 },
    });
    const target = { type: 'Utilization', averageUtilization: 80 };
    assert.deepEqual(converted['spec'], {
      maxReplicas: 5,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    });
  });
});

test('autoscaling/v1 has the tolerance of behavior in the annotation from 1.33 on', () => {
  const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] } };
  const autoscaler = { ...stored(), spec: { ...(stored()['spec'] as object), behavior } } as ApiObject;
  const written = (minor: number) =>
    JSON.parse(
      autoscalerV1(minor).fromStorage(autoscaler).metadata.annotations?.['autoscaling.alpha.kubernetes.io/behavior'] ??
        '',
    );
  const up = {
    StabilizationWindowSeconds: null,
    SelectPolicy: null,
    Policies: [{ Type: 'Pods', Value: 1, PeriodSeconds: 15 }],
  };
  assert.deepEqual(written(32), { ScaleUp: up, ScaleDown: null });
  assert.deepEqual(written(33), { ScaleUp: { ...up, Tolerance: null }, ScaleDown: null });
});
