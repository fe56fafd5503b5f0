// How autoscalers are listed: each metric as what is and what should be.

import type { Json } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, NONE, table, UNKNOWN, UNSET } from '../../table.ts';
import { at, listAt, numberAt, textAt } from '../../value.ts';

export const horizontalPodAutoscalerTable: TableColumns = table(
  ['Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'],
  (autoscaler) => [
    `${textAt(autoscaler, 'spec', 'scaleTargetRef', 'kind')}/${textAt(autoscaler, 'spec', 'scaleTargetRef', 'name')}`,
    targets(listAt(autoscaler, 'spec', 'metrics'), listAt(autoscaler, 'status', 'currentMetrics')),
    textAt(autoscaler, 'spec', 'minReplicas') || UNSET,
    numberAt(autoscaler, 'spec', 'maxReplicas'),
    numberAt(autoscaler, 'status', 'currentReplicas'),
    age(autoscaler),
  ],
);

const SHOWN = 2;

function targets(specs: Json[], statuses: Json[]): string {
  if (specs.length === 0) return NONE;
  const shown = specs.slice(0, SHOWN).map((spec, index) => target(spec, statuses[index]));
  const rest = specs.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} + ${rest} more...` : shown.join(', ');
}

function target(spec: Json, status: Json | undefined): string {
  switch (textAt(spec, 'type')) {
    case 'External':
      return averageOrValue('external', spec, status);
    case 'Object':
      return averageOrValue('object', spec, status);
    case 'Pods':
      return `${value(status, 'pods', 'current', 'averageValue')}/${value(spec, 'pods', 'target', 'averageValue')}`;
    case 'Resource':
      return share('resource', spec, status);
    case 'ContainerResource':
      return share('containerResource', spec, status);
    default:
      return '<unknown type>';
  }
}

function averageOrValue(member: string, spec: Json, status: Json | undefined): string {
  const average = textAt(spec, member, 'target', 'averageValue');
  if (average !== '') return `${value(status, member, 'current', 'averageValue')}/${average} (avg)`;
  return `${value(status, member, 'current', 'value')}/${value(spec, member, 'target', 'value')}`;
}

function share(member: string, spec: Json, status: Json | undefined): string {
  const name = textAt(spec, member, 'name');
  const average = textAt(spec, member, 'target', 'averageValue');
  if (average !== '') return `${name}: ${value(status, member, 'current', 'averageValue')}/${average}`;
  const current = at(status, member, 'current', 'averageUtilization');
  const wanted = at(spec, member, 'target', 'averageUtilization');
  return `${name}: ${current === undefined ? UNKNOWN : `${current}%`}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

function value(metric: Json | undefined, ...path: string[]): string {
  return textAt(metric, ...path) || UNKNOWN;
}
