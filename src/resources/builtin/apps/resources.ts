// Workloads that keep pods running.

import type { Behaviour, ResourceDefinition } from '../../definition.ts';
import { group, own, scale } from '../../resource.ts';
import { beginCounting, daemonSetBehaviour } from './behaviour.ts';
import { daemonSetDefaults, deploymentDefaults, replicaSetDefaults, statefulSetDefaults } from './defaults.ts';
import {
  controllerRevisionRules,
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  statefulSetRules,
} from './rules.ts';
import {
  controllerRevisionTable,
  daemonSetTable,
  deploymentTable,
  replicaSetTable,
  statefulSetTable,
} from './tables.ts';

const apps = group('apps', 'v1');

const countedDefaults: Behaviour['defaults'] = (set, context) => {
  daemonSetDefaults(set, context);
  beginCounting(set);
};

export const appsResources: readonly ResourceDefinition[] = [
  apps({
    resource: 'controllerrevisions',
    kind: 'ControllerRevision',
    hash: '85nkx63pcBU=',
    behaviour: controllerRevisionRules,
    table: controllerRevisionTable,
  }),
  apps({
    resource: 'daemonsets',
    kind: 'DaemonSet',
    hash: 'dd7pWHUlMKQ=',
    shortNames: ['ds'],
    categories: ['all'],
    subresources: { status: own },
    behaviour: { ...daemonSetBehaviour, ...daemonSetRules, defaults: countedDefaults, generation: true },
    table: daemonSetTable,
  }),
  apps({
    resource: 'deployments',
    kind: 'Deployment',
    hash: '8aSe+NMegvE=',
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: { scale, status: own },
    behaviour: {
      ...deploymentRules,
      defaults: deploymentDefaults,
      generation: true,
      generationRaisedBy: 'annotations',
      statusKeeps: ['labels'],
    },
    table: deploymentTable,
  }),
  apps({
    resource: 'replicasets',
    kind: 'ReplicaSet',
    hash: 'P1RzHs8/mWQ=',
    shortNames: ['rs'],
    categories: ['all'],
    subresources: { scale, status: own },
    behaviour: { ...replicaSetRules, defaults: replicaSetDefaults, generation: true },
    table: replicaSetTable,
  }),
  apps({
    resource: 'statefulsets',
    kind: 'StatefulSet',
    hash: 'H+vl74LkKdo=',
    shortNames: ['sts'],
    categories: ['all'],
    subresources: { scale, status: own },
    behaviour: { ...statefulSetRules, defaults: statefulSetDefaults, generation: true },
    table: statefulSetTable,
  }),
];
