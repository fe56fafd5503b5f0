// Table columns of HorizontalPodAutoscaler, with current and target values of each metric, and of Scale.

import { isSince } from '../../../lifecycle/version.ts';
import type { TableColumns } from '../../definition.ts';
import { age, column, integer, NAME, NONE, table, UNKNOWN, UNSET } from '../../table.ts';
import type { Scale } from './v1-objects.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ResourceMetricSource,
} from './v2-objects.ts';

/** From 1.30 on with the names of resources. */
export function horizontalPodAutoscalerTable(minor: number): TableColumns<HorizontalPodAutoscaler> {
  const isNamed = isSince({ minor }, 30);
  return table(['Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'], (autoscaler) => [
    `${autoscaler.spec?.scaleTargetRef?.kind ?? ''}/${autoscaler.spec?.scaleTargetRef?.name ?? ''}`,
    targets(autoscaler, isNamed),
    String(autoscaler.spec?.minReplicas ?? UNSET),
    autoscaler.spec?.maxReplicas ?? 0,
    autoscaler.status?.currentReplicas ?? 0,
    age(autoscaler),
  ]);
}

const SHOWN = 2;

function targets({ spec, status }: HorizontalPodAutoscaler, isNamed: boolean): string {
  const specs = spec?.metrics ?? [];
  const statuses = status?.currentMetrics ?? [];
  if (specs.length === 0) return NONE;
  const shown = specs.slice(0, SHOWN).map((each, index) => target(each, statuses[index], isNamed));
  const rest = specs.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} + ${rest} more...` : shown.join(', ');
}

function target(spec: MetricSpec, status: MetricStatus | undefined, isNamed: boolean): string {
  switch (spec.type ?? '') {
    case 'External':
      return averageOrValue(spec.external?.target, status?.external);
    case 'Object':
      return averageOrValue(spec.object?.target, status?.object);
    case 'Pods':
      return `${current(status?.pods, 'averageValue')}/${spec.pods?.target?.averageValue ?? NIL}`;
    case 'Resource':
      return share(spec.resource, status?.resource, isNamed);
    case 'ContainerResource':
      return share(spec.containerResource, status?.containerResource, isNamed);
    default:
      return '<unknown type>';
  }
}

/** Go's zero value of a quantity. */
const NIL = '<nil>';

type Measured = { readonly current?: MetricValueStatus } | undefined;

function averageOrValue(target: MetricTarget | undefined, status: Measured): string {
  const average = target?.averageValue;
  if (average !== undefined) return `${status?.current?.averageValue ?? UNKNOWN}/${average} (avg)`;
  return `${current(status, 'value')}/${target?.value ?? NIL}`;
}

function share(source: ResourceMetricSource | undefined, status: Measured, isNamed: boolean): string {
  const name = isNamed ? `${source?.name ?? ''}: ` : '';
  const average = source?.target?.averageValue;
  if (average !== undefined) return `${name}${current(status, 'averageValue')}/${average}`;
  const used = status?.current?.averageUtilization;
  const wanted = source?.target?.averageUtilization;
  return `${name}${used === undefined ? UNKNOWN : `${used}%`}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

function current(status: Measured, amount: 'value' | 'averageValue'): string {
  return status === undefined ? UNKNOWN : (status.current?.[amount] ?? NIL);
}

const scales = table(['Desired', 'Available'].map(integer), (scale: Scale) => [
  scale.spec?.replicas ?? 0,
  scale.status?.replicas ?? 0,
  age(scale),
]);

/** Scales of built-in kinds. */
export const scaleTable: TableColumns<Scale> = {
  columns: [{ ...NAME, format: '' }, ...scales.columns.slice(1), column('Age')],
  cells: scales.cells,
};

/** Scales of custom resources, whose columns have other descriptions, and whose cells are read from JSON: without zeros. */
export const customScaleTable: TableColumns<Scale> = {
  columns: [...scales.columns, column('Age', { type: 'date' })],
  cells: (scale, ...rest) => scales.cells(scale, ...rest).with(DESIRED, scale.spec?.replicas || null),
};

/** The place of the desired replicas in a row. */
const DESIRED = 1;
