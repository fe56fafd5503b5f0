// Table columns of PriorityClass, PodGroup and CompositePodGroup.

import { isSince } from '../../../lifecycle/version.ts';
import { condition } from '../../conditions.ts';
import type { TableColumns } from '../../definition.ts';
import { age, boolean, column, integer, NONE, table } from '../../table.ts';
import type { PriorityClass } from './v1-objects.ts';
import type { PodGroup as PodGroupV1alpha2 } from './v1alpha2-objects.ts';
import type { CompositePodGroup } from './v1alpha3-objects.ts';
import type { PodGroup } from './v1beta1-objects.ts';

/** From 1.32 on with the preemption policy. */
export function priorityClassTable(minor: number): TableColumns<PriorityClass> {
  const hasPolicy = isSince({ minor }, 32);
  const columns = [integer('Value'), boolean('Global-Default'), 'Age', ...(hasPolicy ? ['PreemptionPolicy'] : [])];
  return table(columns, (priorityClass) => [
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    age(priorityClass),
    ...(hasPolicy ? [priorityClass.preemptionPolicy ?? ''] : []),
  ]);
}

const WORKLOAD = column('Workload', { description: 'The Workload that it was made from.' });
const STATUS = column('Status', { description: 'Whether its pods have been scheduled.' });

export const podGroupTable: TableColumns<PodGroup> = table(['Policy', WORKLOAD, STATUS, 'Age'], (podGroup) => [
  policy(podGroup),
  podGroup.spec?.workloadRef?.workloadName ?? NONE,
  podGroupStatus(podGroup, 'PodGroupInitiallyScheduled'),
  age(podGroup),
]);

export const podGroupTableV1alpha2: TableColumns<PodGroupV1alpha2> = table(
  ['Policy', WORKLOAD, STATUS, 'Age'],
  (podGroup) => [
    policy(podGroup),
    podGroup.spec?.podGroupTemplateRef?.workload?.workloadName ?? NONE,
    podGroupStatus(podGroup, 'PodGroupScheduled'),
    age(podGroup),
  ],
);

export const compositePodGroupTable: TableColumns<CompositePodGroup> = table(['Policy', WORKLOAD, 'Age'], (group) => [
  policy(group),
  group.spec?.workloadRef?.workloadName ?? NONE,
  age(group),
]);

function policy({ spec }: PodGroupV1alpha2 | PodGroup | CompositePodGroup): string {
  return spec?.schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang';
}

/** A group that is to be disrupted says why. */
function podGroupStatus(podGroup: PodGroupV1alpha2 | PodGroup, scheduled: string): string {
  const disruption = condition(podGroup, 'DisruptionTarget');
  if (disruption !== undefined) return disruption.reason ?? '';
  const found = condition(podGroup, scheduled);
  if (found === undefined) return 'Pending';
  return found.status === 'True' ? 'Scheduled' : 'Unschedulable';
}
