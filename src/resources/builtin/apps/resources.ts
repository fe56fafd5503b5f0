// Workloads that keep pods running.

import { combined } from '../../combined-rules.ts';
import type { ResourceDefinition, Strategy } from '../../definition.ts';
import { group, own, scale } from '../../resource.ts';
import { CLAIM_TEMPLATE_GATES } from '../core/persistent-volume-claim/gates.ts';
import { dropGatedOfTemplate } from '../core/pod/gated-fields.ts';
import {
  daemonSetDefaults,
  deploymentDefaults,
  ROLLBACK_TO,
  replicaSetDefaults,
  statefulSetDefaults,
} from './defaults.ts';
import {
  controllerRevisionRules,
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  statefulSetRules,
} from './rules.ts';
import { beginCounting, daemonSetStrategy, TEMPLATE_GENERATION } from './strategy.ts';
import {
  controllerRevisionTable,
  daemonSetTable,
  deploymentTable,
  replicaSetTable,
  statefulSetTable,
} from './tables.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './v1-objects.ts';

const apps = group('apps', 'v1');

const countedDefaults: Strategy['defaults'] = (set, context) => {
  daemonSetDefaults(set, context);
  beginCounting(set);
};

export const appsResources: readonly ResourceDefinition[] = [
  apps<ControllerRevision>({
    resource: 'controllerrevisions',
    kind: 'ControllerRevision',
    strategy: controllerRevisionRules,
    table: controllerRevisionTable,
  }),
  apps<DaemonSet>({
    resource: 'daemonsets',
    kind: 'DaemonSet',
    shortNames: ['ds'],
    categories: ['all'],
    subresources: { status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: (minor) =>
      combined(daemonSetStrategy, daemonSetRules(minor), {
        defaults: countedDefaults,
        dropGated: dropGatedOfTemplate,
        generation: true,
      }),
    // Kubernetes stores the count elsewhere, and writes the annotation into whole objects.
    numberAnnotation: { name: TEMPLATE_GENERATION },
    table: daemonSetTable,
  }),
  apps<Deployment>({
    resource: 'deployments',
    kind: 'Deployment',
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: { scale: { ...scale, missingAs: { name: 'deployments/scale', until: 32 } }, status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: combined(deploymentRules, {
      defaults: deploymentDefaults,
      dropGated: dropGatedOfTemplate,
      generation: { also: 'annotations' },
      subresources: { status: { keeps: ['labels'] } },
    }),
    // Like the count of a DaemonSet.
    numberAnnotation: { name: ROLLBACK_TO, optional: true },
    table: deploymentTable,
  }),
  apps<ReplicaSet>({
    resource: 'replicasets',
    kind: 'ReplicaSet',
    shortNames: ['rs'],
    categories: ['all'],
    subresources: { scale, status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: (minor) => ({
      ...replicaSetRules(minor),
      defaults: replicaSetDefaults,
      dropGated: dropGatedOfTemplate,
      generation: true,
    }),
    table: replicaSetTable,
  }),
  apps<StatefulSet>({
    resource: 'statefulsets',
    kind: 'StatefulSet',
    shortNames: ['sts'],
    categories: ['all'],
    subresources: { scale, status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: { ...statefulSetRules, defaults: statefulSetDefaults, dropGated: dropGatedOfTemplate, generation: true },
    table: statefulSetTable,
  }),
];
