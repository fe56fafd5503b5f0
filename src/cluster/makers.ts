// The parts of a cluster by name.

import type { Controller } from '../controllers/controller.ts';
import type { ClusterControllerName } from '../controllers/controller-names.ts';
import { horizontalPodAutoscaler } from './autoscaling/horizontal.ts';
import { certificateApprovingController } from './certificates/approving.ts';
import { certificateCleanerController } from './certificates/cleaner.ts';
import { podCertificateRequestCleaner } from './certificates/pod-request-cleaner.ts';
import { certificateSigningController } from './certificates/signing.ts';
import { attributesClassProtection } from './cleanup/attributes-class-protection.ts';
import { podGarbageCollector } from './cleanup/pod-gc.ts';
import { ttlAfterFinishedController } from './cleanup/ttl-after-finished.ts';
import type { ClusterContext } from './context.ts';
import { resourceClaimController } from './devices/resource-claims.ts';
import { cronJobController } from './jobs/cron-job.ts';
import { jobController } from './jobs/job.ts';
import { metricsServer } from './metrics/metrics-server.ts';
import { endpointSliceController } from './network/endpoint-slices.ts';
import { endpointsController } from './network/endpoints.ts';
import { loadBalancerController } from './network/load-balancers.ts';
import { endpointSliceMirroring } from './network/slice-mirroring.ts';
import { nodeIpamController } from './node-control/node-ipam.ts';
import { nodeLifecycleController } from './node-control/node-lifecycle.ts';
import { nodeTtlController } from './node-control/node-ttl.ts';
import { taintEvictionController } from './node-control/taint-eviction.ts';
import { simulatedNodes } from './nodes/simulated-nodes.ts';
import { disruptionController } from './policy/disruption.ts';
import { resourceQuotaController } from './policy/resource-quota.ts';
import { scheduler } from './scheduler/scheduler.ts';
import { bootstrapSigner } from './tokens/bootstrap-signer.ts';
import { legacyTokenCleaner } from './tokens/legacy-token-cleaner.ts';
import { tokenCleaner } from './tokens/token-cleaner.ts';
import { attachDetachController } from './volumes/attach-detach.ts';
import { volumeBinder } from './volumes/binder.ts';
import { ephemeralVolumeController } from './volumes/ephemeral-volumes.ts';
import { volumeExpander } from './volumes/expander.ts';
import { simulatedDriver } from './volumes/simulated-driver.ts';
import { daemonSetController } from './workloads/daemon-set.ts';
import { deploymentController } from './workloads/deployment.ts';
import { replicaSetController, replicationController } from './workloads/replica-set.ts';
import { statefulSetController } from './workloads/stateful-set.ts';

export const makers: Readonly<Record<ClusterControllerName, (context: ClusterContext) => Controller>> = {
  'certificatesigningrequest-approving-controller': certificateApprovingController,
  'certificatesigningrequest-cleaner-controller': certificateCleanerController,
  'certificatesigningrequest-signing-controller': certificateSigningController,
  'cronjob-controller': cronJobController,
  'daemonset-controller': daemonSetController,
  'deployment-controller': deploymentController,
  'disruption-controller': disruptionController,
  'endpoints-controller': endpointsController,
  'endpointslice-controller': endpointSliceController,
  'ephemeral-volume-controller': ephemeralVolumeController,
  'endpointslice-mirroring-controller': endpointSliceMirroring,
  'horizontal-pod-autoscaler-controller': horizontalPodAutoscaler,
  'job-controller': jobController,
  'kube-scheduler': scheduler,
  'metrics-server': metricsServer,
  'node-ipam-controller': nodeIpamController,
  'node-lifecycle-controller': nodeLifecycleController,
  'persistentvolume-attach-detach-controller': attachDetachController,
  'persistentvolume-binder-controller': volumeBinder,
  'persistentvolume-expander-controller': volumeExpander,
  'pod-garbage-collector-controller': podGarbageCollector,
  'node-simulation': simulatedNodes,
  'replicaset-controller': replicaSetController,
  'replicationcontroller-controller': replicationController,
  'resourceclaim-controller': resourceClaimController,
  'resourcequota-controller': resourceQuotaController,
  'statefulset-controller': statefulSetController,
  'taint-eviction-controller': taintEvictionController,
  'bootstrap-signer-controller': bootstrapSigner,
  'legacy-serviceaccount-token-cleaner-controller': legacyTokenCleaner,
  'podcertificaterequest-cleaner-controller': podCertificateRequestCleaner,
  'service-lb-controller': loadBalancerController,
  'token-cleaner-controller': tokenCleaner,
  'ttl-controller': nodeTtlController,
  'volumeattributesclass-protection-controller': attributesClassProtection,
  'ttl-after-finished-controller': ttlAfterFinishedController,
  'volume-provisioner': simulatedDriver,
};
