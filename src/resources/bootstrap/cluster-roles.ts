// The default ClusterRoles of every Kubernetes cluster except those of controllers: user-facing roles, which are
// aggregated, and roles of components.

import { behind, type ClusterRoleFacts, on, only, urls } from './rules.ts';

export const CLUSTER_ROLES: readonly ClusterRoleFacts[] = [
  { name: 'admin', aggregated: true, rules: [] },
  { name: 'cluster-admin', rules: [on('*', '*', '*'), urls('*', '*')] },
  { name: 'edit', addedTo: 'admin', aggregated: true, rules: [] },
  {
    name: 'system:aggregate-to-admin',
    addedTo: 'admin',
    rules: [
      on('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
      on(
        'create,delete,deletecollection,get,list,patch,update,watch',
        'rbac.authorization.k8s.io',
        'rolebindings,roles',
      ),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    addedTo: 'edit',
    rules: [
      on('get,list,watch', '', 'pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy'),
      on('impersonate', '', 'serviceaccounts'),
      on('create,delete,deletecollection,patch,update', '', 'pods,pods/attach,pods/exec,pods/portforward,pods/proxy'),
      on('create', '', 'pods/eviction'),
      on(
        'create,delete,deletecollection,patch,update',
        '',
        'configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy',
      ),
      on('create', '', 'serviceaccounts/token'),
      on(
        'create,delete,deletecollection,patch,update',
        'apps',
        'daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale',
      ),
      on('create,delete,deletecollection,patch,update', 'autoscaling', 'horizontalpodautoscalers'),
      on('create,delete,deletecollection,patch,update', 'batch', 'cronjobs,jobs'),
      on(
        'create,delete,deletecollection,patch,update',
        'extensions',
        'daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale',
      ),
      on('create,delete,deletecollection,patch,update', 'policy', 'poddisruptionbudgets'),
      on('create,delete,deletecollection,patch,update', 'networking.k8s.io', 'ingresses,networkpolicies'),
      on('create,delete,deletecollection,get,list,patch,update,watch', 'coordination.k8s.io', 'leases'),
      behind(
        'DynamicResourceAllocation',
        on('create,delete,deletecollection,patch,update', 'resource.k8s.io', 'resourceclaims,resourceclaimtemplates'),
      ),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    addedTo: 'view',
    rules: [
      on(
        'get,list,watch',
        '',
        'configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status',
      ),
      on(
        'get,list,watch',
        '',
        'bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status',
      ),
      on('get,list,watch', '', 'namespaces'),
      on('get,list,watch', 'discovery.k8s.io', 'endpointslices'),
      on(
        'get,list,watch',
        'apps',
        'controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status',
      ),
      on('get,list,watch', 'autoscaling', 'horizontalpodautoscalers,horizontalpodautoscalers/status'),
      on('get,list,watch', 'batch', 'cronjobs,cronjobs/status,jobs,jobs/status'),
      on(
        'get,list,watch',
        'extensions',
        'daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale',
      ),
      on('get,list,watch', 'policy', 'poddisruptionbudgets,poddisruptionbudgets/status'),
      on('get,list,watch', 'networking.k8s.io', 'ingresses,ingresses/status,networkpolicies'),
      behind(
        'DynamicResourceAllocation',
        on('get,list,watch', 'resource.k8s.io', 'resourceclaims,resourceclaims/status,resourceclaimtemplates'),
      ),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on('create', 'authentication.k8s.io', 'tokenreviews'),
      on('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on('create', 'authorization.k8s.io', 'selfsubjectaccessreviews,selfsubjectrulesreviews'),
      on('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    rules: [on('create', 'certificates.k8s.io', 'certificatesigningrequests/nodeclient')],
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    rules: [on('create', 'certificates.k8s.io', 'certificatesigningrequests/selfnodeclient')],
  },
  {
    name: 'system:certificates.k8s.io:kube-apiserver-client-approver',
    rules: [only('kubernetes.io/kube-apiserver-client', on('approve', 'certificates.k8s.io', 'signers'))],
  },
  {
    name: 'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver',
    rules: [only('kubernetes.io/kube-apiserver-client-kubelet', on('approve', 'certificates.k8s.io', 'signers'))],
  },
  {
    name: 'system:certificates.k8s.io:kubelet-serving-approver',
    rules: [only('kubernetes.io/kubelet-serving', on('approve', 'certificates.k8s.io', 'signers'))],
  },
  {
    name: 'system:certificates.k8s.io:legacy-unknown-approver',
    rules: [only('kubernetes.io/legacy-unknown', on('approve', 'certificates.k8s.io', 'signers'))],
  },
  {
    name: 'system:discovery',
    rules: [urls('get', '/api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/')],
  },
  {
    name: 'system:heapster',
    rules: [
      on('get,list,watch', '', 'events,namespaces,nodes,pods'),
      on('get,list,watch', 'extensions', 'deployments'),
    ],
  },
  { name: 'system:kube-aggregator', rules: [on('get,list,watch', '', 'endpoints,services')] },
  {
    name: 'system:kube-controller-manager',
    rules: [
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('create', 'coordination.k8s.io', 'leases'),
      only('kube-controller-manager', on('get,update', 'coordination.k8s.io', 'leases')),
      on('create', '', 'secrets,serviceaccounts'),
      on('delete', '', 'secrets'),
      on('get', '', 'configmaps,namespaces,secrets,serviceaccounts'),
      on('update', '', 'secrets,serviceaccounts'),
      on('create', 'authentication.k8s.io', 'tokenreviews'),
      on('create', 'authorization.k8s.io', 'subjectaccessreviews'),
      on('list,watch', '*', '*'),
      on('create', '', 'serviceaccounts/token'),
    ],
  },
  { name: 'system:kube-dns', rules: [on('list,watch', '', 'endpoints,services')] },
  {
    name: 'system:kube-scheduler',
    rules: [
      on('create,patch,update', ',events.k8s.io', 'events'),
      on('create', 'coordination.k8s.io', 'leases'),
      only('kube-scheduler', on('get,list,update,watch', 'coordination.k8s.io', 'leases')),
      on('create,delete,deletecollection,get,list,patch,update,watch', 'coordination.k8s.io', 'leasecandidates'),
      on('get,list,watch', '', 'nodes'),
      on('delete,get,list,watch', '', 'pods'),
      on('create', '', 'bindings,pods/binding'),
      on('patch,update', '', 'pods/status'),
      on('get,list,watch', '', 'replicationcontrollers,services'),
      on('get,list,watch', 'apps,extensions', 'replicasets'),
      on('get,list,watch', 'apps', 'statefulsets'),
      on('get,list,watch', 'policy', 'poddisruptionbudgets'),
      on('get,list,watch', '', 'persistentvolumeclaims,persistentvolumes'),
      on('create', 'authentication.k8s.io', 'tokenreviews'),
      on('create', 'authorization.k8s.io', 'subjectaccessreviews'),
      on('get,list,watch', 'storage.k8s.io', 'csinodes'),
      on('get,list,watch', 'storage.k8s.io', 'volumeattachments'),
      on('get,list,watch', '', 'namespaces'),
      on('get,list,watch', 'storage.k8s.io', 'csidrivers'),
      on('get,list,watch', 'storage.k8s.io', 'csistoragecapacities'),
      behind('DynamicResourceAllocation', on('get,list,watch', 'resource.k8s.io', 'deviceclasses')),
      behind('DynamicResourceAllocation', on('get,list,patch,update,watch', 'resource.k8s.io', 'resourceclaims')),
      behind(
        'DynamicResourceAllocation',
        on('get,list,patch,update,watch', 'resource.k8s.io', 'resourceclaims/status'),
      ),
      behind('DynamicResourceAllocation', on('update', '', 'pods/finalizers')),
      behind('DynamicResourceAllocation', on('get,list,watch', 'resource.k8s.io', 'resourceslices')),
      behind(
        ['DynamicResourceAllocation', 'DRAExtendedResource'],
        on('create,delete', 'resource.k8s.io', 'resourceclaims'),
      ),
      behind(
        ['DynamicResourceAllocation', 'DRADeviceTaints'],
        on('get,list,watch', 'resource.k8s.io', 'devicetaintrules'),
      ),
    ],
  },
  {
    name: 'system:cluster-trust-bundle-discovery',
    gates: ['ClusterTrustBundle'],
    rules: [on('get,list,watch', 'certificates.k8s.io', 'clustertrustbundles')],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      on('get,list,watch', '', 'nodes'),
      on('proxy', '', 'nodes'),
      on('*', '', 'nodes/log,nodes/metrics,nodes/proxy,nodes/stats'),
      behind('KubeletFineGrainedAuthz', on('*', '', 'nodes/configz,nodes/healthz,nodes/pods')),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      urls('get', '/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*'),
      on('get', '', 'nodes/metrics'),
      behind('ComponentFlagz', urls('get', '/flagz')),
      behind('ComponentStatusz', urls('get', '/statusz')),
    ],
  },
  {
    name: 'system:node',
    rules: [
      on('create', 'authentication.k8s.io', 'tokenreviews'),
      on('create', 'authorization.k8s.io', 'localsubjectaccessreviews,subjectaccessreviews'),
      on('get,list,watch', '', 'services'),
      on('create,get,list,watch', '', 'nodes'),
      on('patch,update', '', 'nodes/status'),
      on('patch,update', '', 'nodes'),
      on('create,patch,update', '', 'events'),
      on('get,list,watch', '', 'pods'),
      on('create,delete', '', 'pods'),
      on('patch,update', '', 'pods/status'),
      on('create', '', 'pods/eviction'),
      on('get,list,watch', '', 'configmaps,secrets'),
      on('get', '', 'persistentvolumeclaims,persistentvolumes'),
      on('get', '', 'endpoints'),
      on('create,get,list,watch', 'certificates.k8s.io', 'certificatesigningrequests'),
      on('create,delete,get,patch,update', 'coordination.k8s.io', 'leases'),
      on('get', 'storage.k8s.io', 'volumeattachments'),
      on('create', '', 'serviceaccounts/token'),
      on('get,patch,update', '', 'persistentvolumeclaims/status'),
      on('get,list,watch', 'storage.k8s.io', 'csidrivers'),
      on('create,delete,get,patch,update', 'storage.k8s.io', 'csinodes'),
      on('get,list,watch', 'node.k8s.io', 'runtimeclasses'),
      behind('DynamicResourceAllocation', on('get', 'resource.k8s.io', 'resourceclaims')),
      behind('DynamicResourceAllocation', on('deletecollection', 'resource.k8s.io', 'resourceslices')),
      behind('ClusterTrustBundle', on('get,list,watch', 'certificates.k8s.io', 'clustertrustbundles')),
      behind('KubeletServiceAccountTokenForCredentialProviders', on('get', '', 'serviceaccounts')),
      behind('PodCertificateRequest', on('create,get,list,watch', 'certificates.k8s.io', 'podcertificaterequests')),
    ],
  },
  {
    name: 'system:node-bootstrapper',
    rules: [on('create,get,list,watch', 'certificates.k8s.io', 'certificatesigningrequests')],
  },
  {
    name: 'system:node-problem-detector',
    rules: [
      on('get', '', 'nodes'),
      on('patch', '', 'nodes/status'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  {
    name: 'system:node-proxier',
    rules: [
      on('list,watch', '', 'endpoints,services'),
      on('get,list,watch', '', 'nodes'),
      on('create,patch,update', ',events.k8s.io', 'events'),
      behind('MultiCIDRServiceAllocator', on('list,watch', 'networking.k8s.io', 'servicecidrs')),
      on('list,watch', 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      on('create,delete,get,list,watch', '', 'persistentvolumes'),
      on('get,list,update,watch', '', 'persistentvolumeclaims'),
      on('get,list,watch', 'storage.k8s.io', 'storageclasses'),
      on('watch', '', 'events'),
      on('create,patch,update', ',events.k8s.io', 'events'),
    ],
  },
  { name: 'system:public-info-viewer', rules: [urls('get', '/healthz,/livez,/readyz,/version,/version/')] },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      urls(
        'get',
        '/.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
      ),
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      on('get,list,patch,update,watch', '', 'persistentvolumes'),
      on('get,list,watch', 'storage.k8s.io', 'storageclasses'),
      on('get,list,patch,update,watch', '', 'persistentvolumeclaims'),
    ],
  },
  { name: 'view', addedTo: 'edit', aggregated: true, rules: [] },
];
