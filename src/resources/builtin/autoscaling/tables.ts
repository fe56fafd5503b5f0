// Table columns of HorizontalPodAutoscaler: each metric as what is and what should be.

import type { TableColumns } from '../../definition.ts';
import { age, NONE, table, UNKNOWN, UNSET } from '../../table.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ResourceMetricSource,
} from './v2-objects.ts';

export const horizontalPodAutoscalerTable: TableColumns<HorizontalPodAutoscaler> = table(
  ['Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'],
  (autoscaler) => [
    `${autoscaler.spec?.scaleTargetRef?.kind ?? ''}/${autoscaler.spec?.scaleTargetRef?.name ?? ''}`,
    targets(autoscaler.spec?.metrics ?? [], autoscaler.status?.currentMetrics ?? []),
    String(autoscaler.spec?.minReplicas ?? UNSET),
    autoscaler.spec?.maxReplicas ?? 0,
    autoscaler.status?.currentReplicas ?? 0,
    age(autoscaler),
  ],
);

const SHOWN = 2;

function targets(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return NONE;
  const shown = specs.slice(0, SHOWN).map((spec, index) => target(spec, statuses[index]));
  const rest = specs.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} + ${rest} more...` : shown.join(', ');
}

function target(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type ?? '') {
    case 'External':
      return averageOrValue(spec.external?.target, status?.external?.current);
    case 'Object':
      return averageOrValue(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${value(status?.pods?.current?.averageValue)}/${value(spec.pods?.target?.averageValue)}`;
    case 'Resource':
      return share(spec.resource, status?.resource?.current);
    case 'ContainerResource':
      return share(spec.containerResource, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

function averageOrValue(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  const average = target?.averageValue ?? '';
  if (average !== '') return `${value(current?.averageValue)}/${average} (avg)`;
  return `${value(current?.value)}/${value(target?.value)}`;
}

function share(source: ResourceMetricSource | undefined, current: MetricValueStatus | undefined): string {
  const name = source?.name ?? '';
  const average = source?.target?.averageValue ?? '';
  if (average !== '') return `${name}: ${value(current?.averageValue)}/${average}`;
  const used = current?.averageUtilization;
  const wanted = source?.target?.averageUtilization;
  return `${name}: ${used === undefined ? UNKNOWN : `${used}%`}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

function value(amount: string | undefined): string {
  return amount || UNKNOWN;
}
