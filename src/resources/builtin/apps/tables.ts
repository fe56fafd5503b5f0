// Table columns of Deployment, DaemonSet, StatefulSet, ReplicaSet and ControllerRevision.

import { qualified } from '../../../api/group-version.ts';
import type { TableColumns } from '../../definition.ts';
import { age, containers, integer, labels, NONE, selector, table, wide } from '../../table.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './v1-objects.ts';

const POD_COLUMNS = [wide('Containers'), wide('Images')];

export const deploymentTable: TableColumns<Deployment> = table(
  ['Ready', 'Up-to-date', 'Available', 'Age', ...POD_COLUMNS, wide('Selector')],
  (deployment) => [
    `${deployment.status?.readyReplicas ?? 0}/${deployment.spec?.replicas ?? 0}`,
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    age(deployment),
    ...containers(deployment.spec?.template?.spec),
    selector(deployment.spec?.selector),
  ],
);

export const replicaSetTable: TableColumns<ReplicaSet> = table(
  [integer('Desired'), integer('Current'), integer('Ready'), 'Age', ...POD_COLUMNS, wide('Selector')],
  (set) => [
    set.spec?.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    age(set),
    ...containers(set.spec?.template?.spec),
    selector(set.spec?.selector),
  ],
);

export const statefulSetTable: TableColumns<StatefulSet> = table(['Ready', 'Age', ...POD_COLUMNS], (set) => [
  `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
  age(set),
  ...containers(set.spec?.template?.spec),
]);

export const daemonSetTable: TableColumns<DaemonSet> = table(
  [
    ...['Desired', 'Current', 'Ready', 'Up-to-date', 'Available'].map(integer),
    'Node Selector',
    'Age',
    ...POD_COLUMNS,
    wide('Selector'),
  ],
  (set) => [
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labels(set.spec?.template?.spec?.nodeSelector),
    age(set),
    ...containers(set.spec?.template?.spec),
    selector(set.spec?.selector),
  ],
);

export const controllerRevisionTable: TableColumns<ControllerRevision> = table(
  ['Controller', 'Revision', 'Age'],
  (revision) => {
    const owner = (revision.metadata?.ownerReferences ?? []).find((each) => each['controller'] === true);
    const group = (owner?.apiVersion ?? '').split('/').slice(0, -1).join('/');
    const controller = `${qualified(owner?.kind ?? '', group).toLowerCase()}/${owner?.name ?? ''}`;
    return [owner === undefined ? NONE : controller, revision.revision ?? 0, age(revision)];
  },
);
