// What the metrics of an autoscaler ask for. Resources of pods are known from the simulation; nobody serves the custom
// and external metrics APIs, which makes those metrics fail as in a cluster without an adapter for them.

import { messageOf } from '../../base/error-message.ts';
import type { MetricSpec, MetricStatus } from '../../resources/builtin/autoscaling/v2-objects.ts';
import { goSelector } from '../go-text.ts';
import { MetricFailure } from './metric-failure.ts';
import { proposeByResource, type ResourceMeasurement } from './resource-metrics.ts';

interface MetricProposal {
  readonly replicas: number;
  /** Of the metric, in conditions and events. */
  readonly name: string;
  readonly status: MetricStatus;
}

type Surroundings = Pick<ResourceMeasurement, 'pods' | 'current' | 'tolerances' | 'nowMs'> & {
  readonly namespace: string;
};

/** @throws MetricFailure */
export function proposeByMetric(spec: MetricSpec, around: Surroundings): MetricProposal {
  switch (spec.type) {
    case 'Resource': {
      const { name = '', target = {} } = spec.resource ?? {};
      const measurement = { ...around, resource: name, container: '', target };
      const { replicas, status, isUtilization } = attempt('FailedGetResourceMetric', `${name} resource metric`, () =>
        proposeByResource(measurement),
      );
      const called = `${name} resource${isUtilization ? ' utilization (percentage of request)' : ''}`;
      return { replicas, name: called, status: { type: 'Resource', resource: { name, current: status } } };
    }
    case 'ContainerResource': {
      const { name = '', container = '', target = {} } = spec.containerResource ?? {};
      const measurement = { ...around, resource: name, container, target };
      const { replicas, status, isUtilization } = attempt(
        'FailedGetContainerResourceMetric',
        `${container} container metric`,
        () => proposeByResource(measurement),
      );
      const called = isUtilization
        ? `${name} container resource utilization (percentage of request)`
        : `${name} resource`;
      const containerResource = { name, container, current: status };
      return { replicas, name: called, status: { type: 'ContainerResource', containerResource } };
    }
    default:
      throw unavailable(spec, around.namespace);
  }
}

function attempt<T>(reason: string, what: string, propose: () => T): T {
  try {
    return propose();
  } catch (error) {
    const detail = messageOf(error);
    throw new MetricFailure(reason, detail, `failed to get ${what} value: ${detail}`);
  }
}

const CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

function unavailable({ type, pods, object, external }: MetricSpec, namespace: string): MetricFailure {
  if (type === 'Pods') {
    const detail = `unable to get metric ${pods?.metric?.name}: ${CUSTOM}`;
    return new MetricFailure('FailedGetPodsMetric', detail, `failed to get pods metric value: ${detail}`);
  }
  if (type === 'Object') {
    const { kind, name } = object?.describedObject ?? {};
    const metric = object?.metric?.name;
    const detail = `unable to get metric ${metric}: ${CUSTOM} on ${kind} ${namespace}/${name}`;
    const isAverage = object?.target?.type === 'AverageValue';
    const where = `failed to get object metric value: ${isAverage ? `failed to get ${metric} object metric: ` : ''}`;
    return new MetricFailure('FailedGetObjectMetric', detail, `${where}${detail}`);
  }
  const { name = '', selector } = external?.metric ?? {};
  const resource = `get ${name}.external.metrics.k8s.io`;
  const why = `unable to fetch metrics from external metrics API: the server could not find the requested resource (${resource})`;
  const detail = `unable to get external metric ${namespace}/${name}/${goSelector(selector)}: ${why}`;
  const isAverage = external?.target?.averageValue !== undefined;
  const what = isAverage ? `failed to get ${name} external metric` : `failed to get external metric ${name}`;
  const message = `failed to get ${name} external metric value: ${what}: ${detail}`;
  return new MetricFailure('FailedGetExternalMetric', detail, message);
}
