// The ClusterRoles of Kubernetes' controllers. Each is bound to the service account of the same name in kube-system.

import { behind, type ClusterRoleFacts, on, only } from './rules.ts';

/** By the name of the controller: `system:controller:<name>` is the name of the role and of the binding. */
export const CONTROLLER_ROLES: readonly ClusterRoleFacts[] = [
  {
    name: 'attachdetach-controller',
    rules: [
      on('list,watch', '', 'persistentvolumeclaims,persistentvolumes'),
      on('get,list,watch', '', 'nodes'),
      on('patch,update', '', 'nodes/status'),
      on('list,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('create,delete,get,list,watch', 'storage.k8s.io', 'volumeattachments'),
      on('get,list,watch', 'storage.k8s.io', 'csidrivers'),
      on('get,list,watch', 'storage.k8s.io', 'csinodes'),
    ],
  },
  {
    name: 'certificate-controller',
    rules: [
      on('delete,get,list,watch', 'certificates.k8s.io', 'certificatesigningrequests'),
      on('update', 'certificates.k8s.io', 'certificatesigningrequests/approval,certificatesigningrequests/status'),
      only('kubernetes.io/kube-apiserver-client-kubelet', on('approve', 'certificates.k8s.io', 'signers')),
      only(
        'kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown',
        on('sign', 'certificates.k8s.io', 'signers'),
      ),
      on('create', 'authorization.k8s.io', 'subjectaccessreviews'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'clusterrole-aggregation-controller',
    rules: [on('escalate,get,list,patch,update,watch', 'rbac.authorization.k8s.io', 'clusterroles')],
  },
  {
    name: 'cronjob-controller',
    rules: [
      on('get,list,update,watch', 'batch', 'cronjobs'),
      on('create,delete,get,list,patch,update,watch', 'batch', 'jobs'),
      on('update', 'batch', 'cronjobs/status'),
      on('update', 'batch', 'cronjobs/finalizers'),
      on('delete,list,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'daemon-set-controller',
    rules: [
      on('get,list,watch', 'apps,extensions', 'daemonsets'),
      on('update', 'apps,extensions', 'daemonsets/status'),
      on('update', 'apps,extensions', 'daemonsets/finalizers'),
      on('list,watch', '', 'nodes'),
      on('create,delete,list,patch,watch', '', 'pods'),
      on('create', '', 'pods/binding'),
      on('create,delete,get,list,patch,update,watch', 'apps', 'controllerrevisions'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'deployment-controller',
    rules: [
      on('get,list,update,watch', 'apps,extensions', 'deployments'),
      on('update', 'apps,extensions', 'deployments/status'),
      on('update', 'apps,extensions', 'deployments/finalizers'),
      on('create,delete,get,list,patch,update,watch', 'apps,extensions', 'replicasets'),
      on('get,list,update,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'disruption-controller',
    rules: [
      on('get,list,watch', 'apps,extensions', 'deployments'),
      on('get,list,watch', 'apps,extensions', 'replicasets'),
      on('get,list,watch', '', 'replicationcontrollers'),
      on('get,list,watch', 'policy', 'poddisruptionbudgets'),
      on('get,list,watch', 'apps', 'statefulsets'),
      on('update', 'policy', 'poddisruptionbudgets/status'),
      on('patch,update', '', 'pods/status'),
      on('get', '*', '*/scale'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpoint-controller',
    rules: [
      on('get,list,watch', '', 'pods,services'),
      on('create,delete,get,list,update,watch', '', 'endpoints'),
      on('create', '', 'endpoints/restricted'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpointslice-controller',
    rules: [
      on('get,list,watch', '', 'nodes,pods,services'),
      on('update', '', 'services/finalizers'),
      on('create,delete,get,list,update,watch', 'discovery.k8s.io', 'endpointslices'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'endpointslicemirroring-controller',
    rules: [
      on('get,list,watch', '', 'endpoints,services'),
      on('update', '', 'services/finalizers'),
      on('update', '', 'endpoints/finalizers'),
      on('create,delete,get,list,update,watch', 'discovery.k8s.io', 'endpointslices'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'ephemeral-volume-controller',
    rules: [
      on('get,list,watch', '', 'pods'),
      on('update', '', 'pods/finalizers'),
      on('create,get,list,watch', '', 'persistentvolumeclaims'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'expand-controller',
    rules: [
      on('get,list,patch,update,watch', '', 'persistentvolumes'),
      on('patch,update', '', 'persistentvolumeclaims/status'),
      on('get,list,watch', '', 'persistentvolumeclaims'),
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('get', '', 'services'),
    ],
  },
  {
    name: 'generic-garbage-collector',
    rules: [on('delete,get,list,patch,update,watch', '*', '*'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
  {
    name: 'horizontal-pod-autoscaler',
    rules: [
      on('get,list,watch', 'autoscaling', 'horizontalpodautoscalers'),
      on('update', 'autoscaling', 'horizontalpodautoscalers/status'),
      on('get,update', '*', '*/scale'),
      on('list,watch', '', 'pods'),
      on('list,watch', 'metrics.k8s.io', 'pods'),
      on('get,list,watch', 'custom.metrics.k8s.io', '*'),
      on('get,list,watch', 'external.metrics.k8s.io', '*'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'job-controller',
    rules: [
      on('get,list,patch,update,watch', 'batch', 'jobs'),
      on('update', 'batch', 'jobs/status'),
      on('update', 'batch', 'jobs/finalizers'),
      on('create,delete,list,patch,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'legacy-service-account-token-cleaner',
    rules: [
      only('kube-apiserver-legacy-service-account-token-tracking', on('get', '', 'configmaps')),
      on('delete,patch', '', 'secrets'),
    ],
  },
  {
    name: 'namespace-controller',
    rules: [
      on('delete,get,list,watch', '', 'namespaces'),
      on('update', '', 'namespaces/finalize,namespaces/status'),
      on('delete,deletecollection,get,list,watch', '*', '*'),
    ],
  },
  {
    name: 'node-controller',
    rules: [
      on('delete,get,list,patch,update,watch', '', 'nodes'),
      on('patch,update', '', 'nodes/status'),
      on('patch,update', '', 'pods/status'),
      on('delete,get,list,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'persistent-volume-binder',
    rules: [
      on('create,delete,get,list,update,watch', '', 'persistentvolumes'),
      on('update', '', 'persistentvolumes/status'),
      on('get,list,update,watch', '', 'persistentvolumeclaims'),
      on('update', '', 'persistentvolumeclaims/status'),
      on('create,delete,get,list,watch', '', 'pods'),
      on('get,list,watch', 'storage.k8s.io', 'storageclasses'),
      on('list,watch', '', 'nodes'),
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('watch', '', 'events'),
      on('get', '', 'services'),
    ],
  },
  {
    name: 'pod-garbage-collector',
    rules: [on('delete,list,watch', '', 'pods'), on('get,list,watch', '', 'nodes'), on('patch', '', 'pods/status')],
  },
  {
    name: 'pv-protection-controller',
    rules: [
      on('get,list,update,watch', '', 'persistentvolumes'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'pvc-protection-controller',
    rules: [
      on('get,list,update,watch', '', 'persistentvolumeclaims'),
      on('get,list,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'replicaset-controller',
    rules: [
      on('get,list,update,watch', 'apps,extensions', 'replicasets'),
      on('update', 'apps,extensions', 'replicasets/status'),
      on('update', 'apps,extensions', 'replicasets/finalizers'),
      on('create,delete,list,patch,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'replication-controller',
    rules: [
      on('get,list,update,watch', '', 'replicationcontrollers'),
      on('update', '', 'replicationcontrollers/status'),
      on('update', '', 'replicationcontrollers/finalizers'),
      on('create,delete,list,patch,watch', '', 'pods'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'resource-claim-controller',
    gates: ['DynamicResourceAllocation'],
    rules: [
      on('get,list,watch', '', 'pods'),
      on('update', '', 'pods/finalizers'),
      on('create,delete,get,list,watch', 'resource.k8s.io', 'resourceclaims'),
      on('patch,update', 'resource.k8s.io', 'resourceclaims,resourceclaims/status'),
      on('patch,update', '', 'pods/status'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'resourcequota-controller',
    rules: [
      on('list,watch', '*', '*'),
      on('update', '', 'resourcequotas/status'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'root-ca-cert-publisher',
    rules: [on('create,update', '', 'configmaps'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
  {
    name: 'route-controller',
    rules: [
      on('list,watch', '', 'nodes'),
      on('patch', '', 'nodes/status'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'selinux-warning-controller',
    gates: ['SELinuxChangePolicy'],
    rules: [
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('get,list,watch', '', 'persistentvolumes'),
      on('get,list,watch', '', 'persistentvolumeclaims'),
      on('get,list,watch', '', 'pods'),
      on('get,list,watch', 'storage.k8s.io', 'csidrivers'),
    ],
  },
  {
    name: 'service-account-controller',
    rules: [on('create', '', 'serviceaccounts'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
  {
    name: 'service-cidrs-controller',
    gates: ['MultiCIDRServiceAllocator'],
    rules: [
      on('get,list,patch,update,watch', 'networking.k8s.io', 'servicecidrs'),
      on('patch,update', 'networking.k8s.io', 'servicecidrs/finalizers'),
      on('patch,update', 'networking.k8s.io', 'servicecidrs/status'),
      on('get,list,watch', 'networking.k8s.io', 'ipaddresses'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'service-controller',
    rules: [
      on('get,list,watch', '', 'services'),
      on('patch,update', '', 'services/status'),
      on('list,watch', '', 'nodes'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'statefulset-controller',
    rules: [
      on('list,watch', '', 'pods'),
      on('get,list,watch', 'apps', 'statefulsets'),
      on('update', 'apps', 'statefulsets/status'),
      on('update', 'apps', 'statefulsets/finalizers'),
      on('create,delete,get,patch,update', '', 'pods'),
      on('create,delete,get,list,patch,update,watch', 'apps', 'controllerrevisions'),
      on('create,get,list,watch', '', 'persistentvolumeclaims'),
      on('create,patch,update', ',events.k8s.io', 'events'),
      behind('StatefulSetAutoDeletePVC', on('delete,update', '', 'persistentvolumeclaims')),
      behind('StatefulSetAutoDeletePVC', on('update', '', 'pods/finalizers')),
    ],
  },
  {
    name: 'ttl-after-finished-controller',
    rules: [on('delete,get,list,watch', 'batch', 'jobs'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
  {
    name: 'ttl-controller',
    rules: [on('list,patch,update,watch', '', 'nodes'), on('create,patch,update', ',events.k8s.io', 'events')],
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    rules: [
      on('get,list,watch', 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
      on('get,patch,update', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'volumeattributesclass-protection-controller',
    gates: ['VolumeAttributesClass'],
    rules: [
      on('get,list,watch', '', 'persistentvolumeclaims'),
      on('get,list,watch', '', 'persistentvolumes'),
      on('get,list,update,watch', 'storage.k8s.io', 'volumeattributesclasses'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'device-taint-eviction-controller',
    gates: ['DynamicResourceAllocation', 'DRADeviceTaints'],
    rules: [
      on('delete,get,list,watch', '', 'pods'),
      on('patch,update', '', 'pods/status'),
      on('get,list,watch', 'resource.k8s.io', 'resourceclaims'),
      on('get,list,watch', 'resource.k8s.io', 'resourceslices'),
      on('get,list,watch', 'resource.k8s.io', 'deviceclasses'),
      on('get,list,watch', 'resource.k8s.io', 'devicetaintrules'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher',
    gates: ['ClusterTrustBundle'],
    rules: [
      only('kubernetes.io/kube-apiserver-serving', on('attest', 'certificates.k8s.io', 'signers')),
      on('create,delete,list,update,watch', 'certificates.k8s.io', 'clustertrustbundles'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'podcertificaterequestcleaner',
    gates: ['PodCertificateRequest'],
    rules: [on('delete,get,list,watch', 'certificates.k8s.io', 'podcertificaterequests')],
  },
  {
    name: 'storage-version-garbage-collector',
    gates: ['StorageVersionAPI', 'APIServerIdentity'],
    rules: [
      on('get,list,watch', 'coordination.k8s.io', 'leases'),
      on('delete,get,list,patch,update,watch', 'internal.apiserver.k8s.io', 'storageversions'),
      on('get,patch,update', 'internal.apiserver.k8s.io', 'storageversions/status'),
    ],
  },
  {
    name: 'storage-version-migrator-controller',
    gates: ['StorageVersionMigrator'],
    rules: [
      on('create,list,patch,watch', '*', '*'),
      on('update', 'storagemigration.k8s.io', 'storageversionmigrations/status'),
    ],
  },
];
