// The parts of a cluster by name.

import type { Controller } from '../controllers/controller.ts';
import type { ClusterControllerName } from '../controllers/controller-names.ts';
import type { ClusterContext } from './context.ts';
import { jobController } from './jobs/job.ts';
import { scheduler } from './scheduler/scheduler.ts';
import { deploymentController } from './workloads/deployment.ts';
import { replicaSetController, replicationController } from './workloads/replica-set.ts';
import { statefulSetController } from './workloads/stateful-set.ts';

export const makers: Readonly<Record<ClusterControllerName, (context: ClusterContext) => Controller>> = {
  'deployment-controller': deploymentController,
  'job-controller': jobController,
  'kube-scheduler': scheduler,
  'replicaset-controller': replicaSetController,
  'replicationcontroller-controller': replicationController,
  'statefulset-controller': statefulSetController,
};
