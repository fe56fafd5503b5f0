// PriorityClasses, and the kinds that describe groups of pods, which each release has in versions of its own: none of them
// converts to those of another release.

import { combined } from '../../combined-rules.ts';
import { type ResourceDefinition, STATUS_APART } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { namedTable } from '../../table.ts';
import { groupDefaults, podGroupDefaultsV1alpha2, priorityClassDefaults } from './defaults.ts';
import { compositePodGroupRules, podGroupRules, podGroupRulesV1alpha2 } from './pod-group-validation.ts';
import { compositePodGroupTable, podGroupTable, podGroupTableV1alpha2, priorityClassTable } from './tables.ts';
import type { PriorityClass } from './v1-objects.ts';
import type { Workload as WorkloadV1alpha1 } from './v1alpha1-objects.ts';
import type { PodGroup as PodGroupV1alpha2 } from './v1alpha2-objects.ts';
import type { CompositePodGroup } from './v1alpha3-objects.ts';
import type { PodGroup, Workload } from './v1beta1-objects.ts';
import { priorityClassRules } from './validation.ts';
import { workloadRules } from './workload-validation.ts';
import { workloadRulesV1alpha1 } from './workload-validation-v1alpha1.ts';

const scheduling = group('scheduling.k8s.io', 'v1');
/** The versions of 1.37, whose objects differ in nothing else. */
const current = ['v1beta1', 'v1alpha3'];

export const schedulingResources: readonly ResourceDefinition[] = [
  scheduling<PriorityClass>({
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    cluster: true,
    shortNames: ['pc'],
    strategy: {
      ...priorityClassRules,
      defaults: priorityClassDefaults,
      generation: { also: 'nothing' },
    },
    table: priorityClassTable,
  }),
  scheduling<WorkloadV1alpha1>({
    resource: 'workloads',
    kind: 'Workload',
    versions: ['v1alpha1'],
    strategy: workloadRulesV1alpha1,
    table: namedTable,
  }),
  scheduling({
    resource: 'workloads',
    kind: 'Workload',
    versions: ['v1alpha2'],
    table: namedTable,
  }),
  scheduling<Workload>({
    resource: 'workloads',
    kind: 'Workload',
    versions: current,
    strategy: { ...workloadRules, unconditionalUpdate: false },
    table: namedTable,
  }),
  scheduling<PodGroupV1alpha2>({
    resource: 'podgroups',
    kind: 'PodGroup',
    versions: ['v1alpha2'],
    subresources: { status: own },
    strategy: combined(STATUS_APART, podGroupRulesV1alpha2, { defaults: podGroupDefaultsV1alpha2 }),
    table: podGroupTableV1alpha2,
  }),
  scheduling<PodGroup>({
    resource: 'podgroups',
    kind: 'PodGroup',
    versions: current,
    subresources: { status: own },
    strategy: combined(STATUS_APART, podGroupRules, { defaults: groupDefaults, unconditionalUpdate: false }),
    table: podGroupTable,
  }),
  scheduling<CompositePodGroup>({
    resource: 'compositepodgroups',
    kind: 'CompositePodGroup',
    versions: ['v1alpha3'],
    subresources: { status: own },
    strategy: combined(STATUS_APART, compositePodGroupRules, { defaults: groupDefaults, unconditionalUpdate: false }),
    table: compositePodGroupTable,
  }),
];
