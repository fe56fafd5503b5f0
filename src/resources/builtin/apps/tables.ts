// How workloads that keep pods running are listed.

import { qualified } from '../../../api/group-version.ts';
import type { TableColumns } from '../../definition.ts';
import { age, containers, integer, labels, NONE, selector, table, wide } from '../../table.ts';
import { listAt, numberAt, textAt } from '../../value.ts';

const POD_COLUMNS = [wide('Containers'), wide('Images')];

export const deploymentTable: TableColumns = table(
  ['Ready', 'Up-to-date', 'Available', 'Age', ...POD_COLUMNS, wide('Selector')],
  (deployment) => [
    `${numberAt(deployment, 'status', 'readyReplicas')}/${numberAt(deployment, 'spec', 'replicas')}`,
    numberAt(deployment, 'status', 'updatedReplicas'),
    numberAt(deployment, 'status', 'availableReplicas'),
    age(deployment),
    ...containers(deployment, 'spec', 'template', 'spec'),
    selector(deployment, 'spec', 'selector'),
  ],
);

export const replicaSetTable: TableColumns = table(
  [integer('Desired'), integer('Current'), integer('Ready'), 'Age', ...POD_COLUMNS, wide('Selector')],
  (set) => [
    numberAt(set, 'spec', 'replicas'),
    numberAt(set, 'status', 'replicas'),
    numberAt(set, 'status', 'readyReplicas'),
    age(set),
    ...containers(set, 'spec', 'template', 'spec'),
    selector(set, 'spec', 'selector'),
  ],
);

export const statefulSetTable: TableColumns = table(['Ready', 'Age', ...POD_COLUMNS], (set) => [
  `${numberAt(set, 'status', 'readyReplicas')}/${numberAt(set, 'spec', 'replicas')}`,
  age(set),
  ...containers(set, 'spec', 'template', 'spec'),
]);

export const daemonSetTable: TableColumns = table(
  [
    ...['Desired', 'Current', 'Ready', 'Up-to-date', 'Available'].map(integer),
    'Node Selector',
    'Age',
    ...POD_COLUMNS,
    wide('Selector'),
  ],
  (set) => [
    numberAt(set, 'status', 'desiredNumberScheduled'),
    numberAt(set, 'status', 'currentNumberScheduled'),
    numberAt(set, 'status', 'numberReady'),
    numberAt(set, 'status', 'updatedNumberScheduled'),
    numberAt(set, 'status', 'numberAvailable'),
    labels(set, 'spec', 'template', 'spec', 'nodeSelector'),
    age(set),
    ...containers(set, 'spec', 'template', 'spec'),
    selector(set, 'spec', 'selector'),
  ],
);

export const controllerRevisionTable: TableColumns = table(['Controller', 'Revision', 'Age'], (revision) => {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find((each) => textAt(each, 'controller') === 'true');
  const group = textAt(owner, 'apiVersion').split('/').slice(0, -1).join('/');
  const controller = `${qualified(textAt(owner, 'kind'), group).toLowerCase()}/${textAt(owner, 'name')}`;
  return [owner === undefined ? NONE : controller, numberAt(revision, 'revision'), age(revision)];
});
