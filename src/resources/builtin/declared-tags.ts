// The tags of declared validation of built-in types, in the releases that enforce them: from 1.36 on. Loaded if one of
// them is served. Written by `npm run kubernetes`.

import { lookup } from '../../base/lookup.ts';

/** Tags from a release on, until the next entry. */
export type TagsSince = readonly [since: number, ...tags: string[]];

/** By type and field. */
export const DECLARED_TAGS: Readonly<Record<string, Readonly<Record<string, readonly TagsSince[]>>>> = lookup<
  Readonly<Record<string, readonly TagsSince[]>>
>({
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec': {
    policyName: [[37, 'beta(since: "1.37")=+k8s:required']],
    validationActions: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingSpec': {
    policyName: [[37, 'beta(since: "1.37")=+k8s:required']],
    validationActions: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec': {
    policyName: [[37, 'beta(since: "1.37")=+k8s:required']],
    validationActions: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'apidiscovery/v2.APIGroupDiscovery': {
    metadata: [[37, 'opaqueType']],
  },
  'apidiscovery/v2beta1.APIGroupDiscovery': {
    metadata: [[37, 'opaqueType']],
  },
  'apps/v1.StatefulSetSpec': {
    selector: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    volumeClaimTemplates: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    serviceName: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    podManagementPolicy: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'apps/v1beta1.Scale': {
    metadata: [[37, 'opaqueType']],
  },
  'apps/v1beta1.ScaleSpec': {
    replicas: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
  },
  'apps/v1beta1.StatefulSetSpec': {
    selector: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    volumeClaimTemplates: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    serviceName: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    podManagementPolicy: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'apps/v1beta2.Scale': {
    metadata: [[37, 'opaqueType']],
  },
  'apps/v1beta2.ScaleSpec': {
    replicas: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
  },
  'apps/v1beta2.StatefulSetSpec': {
    selector: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    volumeClaimTemplates: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    serviceName: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    podManagementPolicy: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'authentication/v1.SelfSubjectReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authentication/v1.TokenRequest': {
    metadata: [[37, 'opaqueType']],
  },
  'authentication/v1.TokenReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authentication/v1alpha1.SelfSubjectReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authentication/v1beta1.SelfSubjectReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authentication/v1beta1.TokenReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1.LocalSubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1.SelfSubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1.SelfSubjectRulesReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1.SubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1beta1.LocalSubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1beta1.SelfSubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1beta1.SelfSubjectRulesReview': {
    metadata: [[37, 'opaqueType']],
  },
  'authorization/v1beta1.SubjectAccessReview': {
    metadata: [[37, 'opaqueType']],
  },
  'autoscaling/v1.HorizontalPodAutoscalerSpec': {
    minReplicas: [
      [
        37,
        'beta(since: "1.37")=+k8s:ifEnabled(HPAScaleToZero)=+k8s:minimum=0',
        'beta(since: "1.37")=+k8s:ifDisabled(HPAScaleToZero)=+k8s:minimum=1',
      ],
    ],
    maxReplicas: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:minimum=1']],
  },
  'autoscaling/v1.Scale': {
    metadata: [[37, 'opaqueType']],
  },
  'autoscaling/v1.ScaleSpec': {
    replicas: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
  },
  'autoscaling/v2.HorizontalPodAutoscalerSpec': {
    minReplicas: [
      [
        37,
        'beta(since: "1.37")=+k8s:ifEnabled(HPAScaleToZero)=+k8s:minimum=0',
        'beta(since: "1.37")=+k8s:ifDisabled(HPAScaleToZero)=+k8s:minimum=1',
      ],
    ],
    maxReplicas: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:minimum=1']],
  },
  'batch/v1.CronJobSpec': {
    schedule: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'batch/v1.JobSchedulingConfiguration': {
    schedulingPolicy: [[37, 'update=NoSet', 'update=NoUnset']],
    schedulingConstraints: [[37, 'immutable']],
    disruptionMode: [[37, 'immutable']],
    resourceClaims: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable']],
  },
  'batch/v1.JobSpec': {
    scheduling: [[37, 'ifDisabled(WorkloadWithJob)=+k8s:forbidden', 'update=NoSet', 'update=NoUnset']],
  },
  'batch/v1.JobTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'batch/v1beta1.CronJobSpec': {
    schedule: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'batch/v1beta1.JobTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'certificates/v1.CertificateSigningRequestStatus': {
    conditions: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=type',
        'beta(since: "1.37")=+k8s:customUnique',
        'beta(since: "1.37")=+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember',
        'beta(since: "1.37")=+k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember',
      ],
    ],
  },
  'certificates/v1.ClusterTrustBundleSpec': {
    signerName: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'certificates/v1alpha1.ClusterTrustBundleSpec': {
    signerName: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'certificates/v1beta1.CertificateSigningRequestStatus': {
    conditions: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=type',
        'beta(since: "1.37")=+k8s:customUnique',
        'beta(since: "1.37")=+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember',
        'beta(since: "1.37")=+k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember',
      ],
    ],
  },
  'certificates/v1beta1.ClusterTrustBundleSpec': {
    signerName: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'core/v1.Binding': {
    metadata: [[37, 'opaqueType']],
  },
  'core/v1.ComponentStatus': {
    metadata: [[37, 'opaqueType']],
  },
  'core/v1.EvictionResponder': {
    name: [[37, 'required', 'format=k8s-prefixed-label-key', 'customValidation']],
    priority: [[37, 'required', 'minimum=0', 'maximum=100000', 'customValidation']],
  },
  'core/v1.NodeAllocatableMappedResources': {
    name: [[37, 'required']],
    quantity: [[37, 'required']],
  },
  'core/v1.NodeAllocatableOverheadResources': {
    name: [[37, 'required']],
  },
  'core/v1.NodeAllocatableResourceClaimStatus': {
    resourceClaimName: [[37, 'required']],
    containers: [[37, 'listType=set']],
    mapping: [[37, 'listType=map', 'listMapKey=name']],
    overhead: [[37, 'listType=map', 'listMapKey=name']],
  },
  'core/v1.NodePodPreemptionPolicy': {
    disableResizePreemption: [[37, 'listType=set', 'maxItems=20', 'eachVal=+k8s:format=k8s-label-key']],
  },
  'core/v1.NodeSpec': {
    podPreemptionPolicy: [[37, 'ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)=+k8s:forbidden']],
  },
  'core/v1.PersistentVolumeClaimTemplate': {
    metadata: [[37, 'opaqueType']],
  },
  'core/v1.PodSpec': {
    evictionResponders: [[37, 'listType=map', 'listMapKey=name', 'maxItems=10']],
  },
  'core/v1.PodStatus': {
    nodeAllocatableResourceClaimStatuses: [[37, 'listType=map', 'listMapKey=resourceClaimName']],
    volumeHealth: [[37, 'listType=map', 'listMapKey=name']],
  },
  'core/v1.PodTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'core/v1.PodVolumeHealth': {
    name: [[37, 'required']],
    healthConditions: [[37, 'listType=map', 'listMapKey=status', 'listMapKey=reason', 'maxItems=16']],
  },
  'core/v1.RangeAllocation': {
    metadata: [[37, 'opaqueType']],
  },
  'core/v1.ReplicationController': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'core/v1.ReplicationControllerSpec': {
    replicas: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
    minReadySeconds: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
  },
  'core/v1.Secret': {
    type: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'core/v1.VolumeHealthCondition': {
    status: [[37, 'enum=DataLoss|Degraded|Inaccessible', 'required']],
    reason: [[37, 'required', 'maxBytes=256']],
    message: [[37, 'maxBytes=1024']],
  },
  'core/v1.VolumeHealthStatus': {
    healthConditions: [[37, 'listType=map', 'listMapKey=status', 'listMapKey=reason', 'maxItems=16']],
  },
  'discovery/v1.Endpoint': {
    addresses: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:maxItems=100']],
  },
  'discovery/v1.EndpointSlice': {
    addressType: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [
        37,
        'beta(since: "1.37")=+k8s:enum=FQDN|IPv4|IPv6',
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:immutable',
      ],
    ],
  },
  'discovery/v1beta1.Endpoint': {
    addresses: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:maxItems=100']],
  },
  'discovery/v1beta1.EndpointSlice': {
    addressType: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [
        37,
        'beta(since: "1.37")=+k8s:enum=FQDN|IPv4|IPv6',
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:immutable',
      ],
    ],
  },
  'extensions/v1beta1.IPBlock': {
    cidr: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'extensions/v1beta1.ScaleSpec': {
    replicas: [[37, 'beta(since: "1.37")=+k8s:minimum=0']],
  },
  'flowcontrol/v1.LimitResponse': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    queuing: [[37, 'beta(since: "1.37")=+k8s:ifMode("Queue")=+k8s:required']],
  },
  'flowcontrol/v1.PriorityLevelConfigurationSpec': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    limited: [[37, 'beta(since: "1.37")=+k8s:ifMode("Limited")=+k8s:required']],
    exempt: [[37, 'beta(since: "1.37")=+k8s:ifMode("Exempt")=+k8s:optional']],
  },
  'flowcontrol/v1beta1.LimitResponse': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    queuing: [[37, 'beta(since: "1.37")=+k8s:ifMode("Queue")=+k8s:required']],
  },
  'flowcontrol/v1beta1.PriorityLevelConfigurationSpec': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    limited: [[37, 'beta(since: "1.37")=+k8s:ifMode("Limited")=+k8s:required']],
    exempt: [[37, 'beta(since: "1.37")=+k8s:ifMode("Exempt")=+k8s:optional']],
  },
  'flowcontrol/v1beta2.LimitResponse': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    queuing: [[37, 'beta(since: "1.37")=+k8s:ifMode("Queue")=+k8s:required']],
  },
  'flowcontrol/v1beta2.PriorityLevelConfigurationSpec': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    limited: [[37, 'beta(since: "1.37")=+k8s:ifMode("Limited")=+k8s:required']],
    exempt: [[37, 'beta(since: "1.37")=+k8s:ifMode("Exempt")=+k8s:optional']],
  },
  'flowcontrol/v1beta3.LimitResponse': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    queuing: [[37, 'beta(since: "1.37")=+k8s:ifMode("Queue")=+k8s:required']],
  },
  'flowcontrol/v1beta3.PriorityLevelConfigurationSpec': {
    type: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:modeDiscriminator']],
    limited: [[37, 'beta(since: "1.37")=+k8s:ifMode("Limited")=+k8s:required']],
    exempt: [[37, 'beta(since: "1.37")=+k8s:ifMode("Exempt")=+k8s:optional']],
  },
  'imagepolicy/v1alpha1.ImageReview': {
    metadata: [[37, 'opaqueType']],
  },
  'lifecycle/v1alpha1.Eviction': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'lifecycle/v1alpha1.EvictionPodReference': {
    name: [[37, 'required', 'format=k8s-long-name']],
    uid: [[37, 'required', 'format=k8s-uuid']],
  },
  'lifecycle/v1alpha1.EvictionRequest': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'lifecycle/v1alpha1.EvictionRequestPodReference': {
    name: [[37, 'required', 'format=k8s-long-name']],
    uid: [[37, 'required', 'format=k8s-uuid']],
  },
  'lifecycle/v1alpha1.EvictionRequestSpec': {
    target: [[37, 'immutable']],
    requester: [[37, 'required', 'immutable', 'format=k8s-prefixed-label-key', 'customValidation']],
    intent: [[37, 'enum=Eviction|Withdrawn', 'required']],
  },
  'lifecycle/v1alpha1.EvictionRequestStatus': {
    conditions: [[37, 'maxItems=100']],
    observedGeneration: [[37, 'minimum=1', 'update=NoUnset', 'monotonic']],
  },
  'lifecycle/v1alpha1.EvictionRequestTarget': {
    pod: [[37, 'unionMember']],
  },
  'lifecycle/v1alpha1.EvictionSpec': {
    target: [[37, 'immutable']],
  },
  'lifecycle/v1alpha1.EvictionStatus': {
    conditions: [[37, 'maxItems=100']],
    observedGeneration: [[37, 'minimum=1', 'monotonic', 'update=NoUnset']],
    requesters: [[37, 'listType=map', 'listMapKey=name', 'maxItems=100']],
    targetResponders: [[37, 'listType=map', 'listMapKey=name', 'maxItems=11']],
    responders: [[37, 'listType=map', 'listMapKey=name', 'maxItems=11']],
  },
  'lifecycle/v1alpha1.EvictionTarget': {
    pod: [[37, 'unionMember']],
  },
  'lifecycle/v1alpha1.Requester': {
    name: [[37, 'required', 'format=k8s-prefixed-label-key']],
    intent: [[37, 'enum=Eviction|Withdrawn', 'required']],
  },
  'lifecycle/v1alpha1.ResponderStatus': {
    name: [[37, 'required', 'format=k8s-prefixed-label-key']],
    startTime: [[37, 'update=NoModify', 'update=NoUnset']],
    completionTime: [[37, 'update=NoModify', 'update=NoUnset']],
    message: [[37, 'maxLength=4000']],
  },
  'lifecycle/v1alpha1.TargetResponder': {
    name: [[37, 'required', 'format=k8s-prefixed-label-key']],
    priority: [[37, 'required', 'minimum=0', 'maximum=100000', 'update=NoModify', 'update=NoUnset']],
    state: [[37, 'enum=Active|Canceled|Completed|Inactive|Interrupted', 'required']],
  },
  'meta/v1.ObjectMeta': {
    uid: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    creationTimestamp: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    deletionTimestamp: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
    deletionGracePeriodSeconds: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'meta/v1.PartialObjectMetadata': {
    metadata: [[37, 'opaqueType']],
  },
  'networking/v1.IPAddressSpec': {
    parentRef: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'networking/v1.IPBlock': {
    cidr: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'networking/v1.IngressClassParametersReference': {
    kind: [[37, 'beta(since: "1.37")=+k8s:required']],
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'networking/v1.ParentReference': {
    resource: [[37, 'beta(since: "1.37")=+k8s:required']],
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'networking/v1beta1.IPAddressSpec': {
    parentRef: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'networking/v1beta1.IngressClassParametersReference': {
    kind: [[37, 'beta(since: "1.37")=+k8s:required']],
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'networking/v1beta1.ParentReference': {
    resource: [[37, 'beta(since: "1.37")=+k8s:required']],
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'node/v1.RuntimeClass': {
    handler: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [
        37,
        'beta(since: "1.37")=+k8s:format="k8s-short-name"',
        'beta(since: "1.37")=+k8s:immutable',
        'beta(since: "1.37")=+k8s:required',
      ],
    ],
  },
  'node/v1alpha1.RuntimeClassSpec': {
    runtimeHandler: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [
        37,
        'beta(since: "1.37")=+k8s:format="k8s-short-name"',
        'beta(since: "1.37")=+k8s:immutable',
        'beta(since: "1.37")=+k8s:required',
      ],
    ],
  },
  'node/v1beta1.RuntimeClass': {
    handler: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [
        37,
        'beta(since: "1.37")=+k8s:format="k8s-short-name"',
        'beta(since: "1.37")=+k8s:immutable',
        'beta(since: "1.37")=+k8s:required',
      ],
    ],
  },
  'policy/v1.Eviction': {
    metadata: [[37, 'opaqueType']],
  },
  'policy/v1beta1.Eviction': {
    metadata: [[37, 'opaqueType']],
  },
  'rbac/v1.ClusterRoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1.PolicyRule': {
    verbs: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1.RoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1.RoleRef': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1.Subject': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1alpha1.ClusterRoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1alpha1.PolicyRule': {
    verbs: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1alpha1.RoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1alpha1.RoleRef': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1alpha1.Subject': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1beta1.ClusterRoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1beta1.PolicyRule': {
    verbs: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1beta1.RoleBinding': {
    roleRef: [[37, 'alpha(since:"1.37")=+k8s:immutable']],
  },
  'rbac/v1beta1.RoleRef': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'rbac/v1beta1.Subject': {
    name: [[37, 'beta(since: "1.37")=+k8s:required']],
  },
  'resource/v1.AllocatedDeviceStatus': {
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
  },
  'resource/v1.CounterSet': {
    name: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
  },
  'resource/v1.Device': {
    consumesCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=counterSet',
        'beta(since: "1.37")=+k8s:maxItems=2',
      ],
    ],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
  },
  'resource/v1.DeviceAllocationConfiguration': {
    source: [[37, 'beta(since: "1.37")=+k8s:enum=FromClaim|FromClass', 'beta(since: "1.37")=+k8s:required']],
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1.DeviceAllocationResult': {
    results: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=64']],
  },
  'resource/v1.DeviceAttribute': {
    int: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bool: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    string: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    version: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    ints: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bools: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    strings: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    versions: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
  },
  'resource/v1.DeviceClaim': {
    requests: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=32',
      ],
    ],
    constraints: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1.DeviceClaimConfiguration': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1.DeviceClass': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'resource/v1.DeviceClassSpec': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    extendedResourceName: [[37, 'beta(since: "1.37")=+k8s:format=k8s-extended-resource-name']],
  },
  'resource/v1.DeviceConstraint': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
    matchAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
    distinctAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
  },
  'resource/v1.DeviceCounterConsumption': {
    counterSet: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
    compatibilityGroups: [[37, 'maxItems=2', 'unique=set', 'eachVal=+k8s:format=k8s-short-name']],
  },
  'resource/v1.DeviceDerivedAttribute': {
    name: [[37, 'required', 'format=k8s-resource-fully-qualified-name']],
    expression: [[37, 'required']],
  },
  'resource/v1.DeviceRequest': {
    firstAvailable: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
  },
  'resource/v1.DeviceRequestAllocationResult': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
    pool: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-resource-pool-name']],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'resource/v1.DeviceSubRequest': {
    deviceClassName: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-long-name']],
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1.DeviceTaint': {
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None', 'beta(since: "1.37")=+k8s:required']],
  },
  'resource/v1.DeviceToleration': {
    key: [[37, 'beta(since: "1.37")=+k8s:format=k8s-label-key']],
    operator: [[37, 'beta(since: "1.37")=+k8s:enum=Equal|Exists']],
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None']],
  },
  'resource/v1.ExactDeviceRequest': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1.NetworkDeviceData': {
    interfaceName: [[37, 'beta(since: "1.37")=+k8s:maxBytes=256']],
    ips: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=16']],
    hardwareAddress: [[37, 'beta(since: "1.37")=+k8s:maxBytes=128']],
  },
  'resource/v1.NodeAllocatableMapping': {
    capacityKey: [[37, 'unionMember']],
    deviceMultiplier: [[37, 'unionMember']],
  },
  'resource/v1.OpaqueDeviceConfiguration': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
  },
  'resource/v1.ResourceClaim': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'resource/v1.ResourceClaimStatus': {
    allocation: [[37, 'beta(since: "1.37")=+k8s:update=NoModify']],
    reservedFor: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=uid',
        'beta(since: "1.37")=+k8s:maxItems=256',
      ],
    ],
    devices: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=driver',
        'beta(since: "1.37")=+k8s:listMapKey=device',
        'beta(since: "1.37")=+k8s:listMapKey=pool',
        'beta(since: "1.37")=+k8s:listMapKey=shareID',
      ],
    ],
  },
  'resource/v1.ResourceClaimTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'resource/v1.ResourceSliceSpec': {
    sharedCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
    partitionTypeAttribute: [
      [
        37,
        'ifDisabled(DRAPartitionableDevicesType)=+k8s:forbidden',
        'ifEnabled(DRAPartitionableDevicesType)=+k8s:format=k8s-resource-fully-qualified-name',
      ],
    ],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'resource/v1alpha3.DeviceTaint': {
    effect: [
      [36, 'enum=NoExecute|NoSchedule|None', 'required'],
      [37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None', 'beta(since: "1.37")=+k8s:required'],
    ],
  },
  'resource/v1alpha3.PartitionTypeStatus': {
    attribute: [[37, 'required']],
    type: [[37, 'required']],
    total: [[37, 'required', 'minimum=0']],
    allocatable: [[37, 'required', 'minimum=0']],
  },
  'resource/v1alpha3.PoolStatus': {
    driver: [[36, 'required', 'format=k8s-long-name-caseless']],
    poolName: [[36, 'required', 'format=k8s-resource-pool-name']],
    generation: [[36, 'required', 'minimum=0']],
    resourceSliceCount: [[36, 'minimum=1']],
    totalDevices: [[36, 'minimum=0']],
    allocatedDevices: [[36, 'minimum=0']],
    availableDevices: [[36, 'minimum=0']],
    unavailableDevices: [[36, 'minimum=0']],
    nodeName: [[36, 'format=k8s-long-name']],
    validationError: [[36, 'maxBytes=256']],
    partitionSummary: [[37, 'unique=map', 'listMapKey=attribute', 'listMapKey=type', 'maxItems=32']],
  },
  'resource/v1alpha3.ResourcePoolStatusRequest': {
    spec: [[36, 'immutable']],
  },
  'resource/v1alpha3.ResourcePoolStatusRequestSpec': {
    driver: [[36, 'required', 'format=k8s-long-name-caseless']],
    poolName: [[36, 'format=k8s-resource-pool-name']],
    limit: [[36, 'minimum=1', 'maximum=1000']],
    defaultPartitionTypeAttribute: [
      [
        37,
        'ifDisabled(DRAPartitionableDevicesType)=+k8s:forbidden',
        'ifEnabled(DRAPartitionableDevicesType)=+k8s:format=k8s-resource-fully-qualified-name',
      ],
    ],
  },
  'resource/v1alpha3.ResourcePoolStatusRequestStatus': {
    poolCount: [[36, 'required', 'minimum=0']],
    pools: [[36, 'maxItems=1000']],
    conditions: [
      [36, 'listType=map', 'listMapKey=type', 'maxItems=10'],
      [37, 'maxItems=10'],
    ],
  },
  'resource/v1alpha3.ShareableCapacityStatus': {
    name: [[37, 'required']],
    total: [[37, 'required']],
    consumed: [[37, 'required']],
    available: [[37, 'required']],
  },
  'resource/v1alpha3.ShareableSummaryStatus': {
    fullyAvailableDevices: [[37, 'required', 'minimum=0']],
    partiallyAvailableDevices: [[37, 'required', 'minimum=0']],
    capacity: [[37, 'maxItems=32']],
  },
  'resource/v1beta1.AllocatedDeviceStatus': {
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
  },
  'resource/v1beta1.BasicDevice': {
    consumesCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=counterSet',
        'beta(since: "1.37")=+k8s:maxItems=2',
      ],
    ],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
  },
  'resource/v1beta1.CounterSet': {
    name: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
  },
  'resource/v1beta1.DeviceAllocationConfiguration': {
    source: [[37, 'beta(since: "1.37")=+k8s:enum=FromClaim|FromClass', 'beta(since: "1.37")=+k8s:required']],
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta1.DeviceAllocationResult': {
    results: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=64']],
  },
  'resource/v1beta1.DeviceAttribute': {
    int: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bool: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    string: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    version: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    ints: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bools: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    strings: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    versions: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
  },
  'resource/v1beta1.DeviceClaim': {
    requests: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=32',
      ],
    ],
    constraints: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta1.DeviceClaimConfiguration': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta1.DeviceClass': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'resource/v1beta1.DeviceClassSpec': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    extendedResourceName: [[37, 'beta(since: "1.37")=+k8s:format=k8s-extended-resource-name']],
  },
  'resource/v1beta1.DeviceConstraint': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
    matchAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
    distinctAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
  },
  'resource/v1beta1.DeviceCounterConsumption': {
    counterSet: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
    compatibilityGroups: [[37, 'maxItems=2', 'unique=set', 'eachVal=+k8s:format=k8s-short-name']],
  },
  'resource/v1beta1.DeviceDerivedAttribute': {
    name: [[37, 'required', 'format=k8s-resource-fully-qualified-name']],
    expression: [[37, 'required']],
  },
  'resource/v1beta1.DeviceRequest': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    firstAvailable: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1beta1.DeviceRequestAllocationResult': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
    pool: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-resource-pool-name']],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'resource/v1beta1.DeviceSubRequest': {
    deviceClassName: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-long-name']],
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1beta1.DeviceTaint': {
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None', 'beta(since: "1.37")=+k8s:required']],
  },
  'resource/v1beta1.DeviceToleration': {
    key: [[37, 'beta(since: "1.37")=+k8s:format=k8s-label-key']],
    operator: [[37, 'beta(since: "1.37")=+k8s:enum=Equal|Exists']],
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None']],
  },
  'resource/v1beta1.NetworkDeviceData': {
    interfaceName: [[37, 'beta(since: "1.37")=+k8s:maxBytes=256']],
    ips: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=16']],
    hardwareAddress: [[37, 'beta(since: "1.37")=+k8s:maxBytes=128']],
  },
  'resource/v1beta1.NodeAllocatableMapping': {
    capacityKey: [[37, 'unionMember']],
    deviceMultiplier: [[37, 'unionMember']],
  },
  'resource/v1beta1.OpaqueDeviceConfiguration': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:maxLength=63',
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
      ],
    ],
  },
  'resource/v1beta1.ResourceClaim': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'resource/v1beta1.ResourceClaimStatus': {
    allocation: [[37, 'beta(since: "1.37")=+k8s:update=NoModify']],
    reservedFor: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=uid',
        'beta(since: "1.37")=+k8s:maxItems=256',
      ],
    ],
    devices: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=driver',
        'beta(since: "1.37")=+k8s:listMapKey=device',
        'beta(since: "1.37")=+k8s:listMapKey=pool',
        'beta(since: "1.37")=+k8s:listMapKey=shareID',
      ],
    ],
  },
  'resource/v1beta1.ResourceClaimTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'resource/v1beta1.ResourceSliceSpec': {
    sharedCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
    partitionTypeAttribute: [
      [
        37,
        'ifDisabled(DRAPartitionableDevicesType)=+k8s:forbidden',
        'ifEnabled(DRAPartitionableDevicesType)=+k8s:format=k8s-resource-fully-qualified-name',
      ],
    ],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'resource/v1beta2.AllocatedDeviceStatus': {
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
  },
  'resource/v1beta2.CounterSet': {
    name: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
  },
  'resource/v1beta2.Device': {
    consumesCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=counterSet',
        'beta(since: "1.37")=+k8s:maxItems=2',
      ],
    ],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
  },
  'resource/v1beta2.DeviceAllocationConfiguration': {
    source: [[37, 'beta(since: "1.37")=+k8s:enum=FromClaim|FromClass', 'beta(since: "1.37")=+k8s:required']],
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta2.DeviceAllocationResult': {
    results: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=64']],
  },
  'resource/v1beta2.DeviceAttribute': {
    int: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bool: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    string: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    version: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    ints: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    bools: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    strings: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
    versions: [[37, 'beta(since: "1.37")=+k8s:unionMember']],
  },
  'resource/v1beta2.DeviceClaim': {
    requests: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=32',
      ],
    ],
    constraints: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta2.DeviceClaimConfiguration': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
  },
  'resource/v1beta2.DeviceClass': {
    metadata: [[37, 'beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name']],
  },
  'resource/v1beta2.DeviceClassSpec': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    config: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    extendedResourceName: [[37, 'beta(since: "1.37")=+k8s:format=k8s-extended-resource-name']],
  },
  'resource/v1beta2.DeviceConstraint': {
    requests: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=32']],
    matchAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
    distinctAttribute: [[37, 'beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name']],
  },
  'resource/v1beta2.DeviceCounterConsumption': {
    counterSet: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-short-name']],
    counters: [
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name'],
    ],
    compatibilityGroups: [[37, 'maxItems=2', 'unique=set', 'eachVal=+k8s:format=k8s-short-name']],
  },
  'resource/v1beta2.DeviceDerivedAttribute': {
    name: [[37, 'required', 'format=k8s-resource-fully-qualified-name']],
    expression: [[37, 'required']],
  },
  'resource/v1beta2.DeviceRequest': {
    firstAvailable: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
  },
  'resource/v1beta2.DeviceRequestAllocationResult': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
        'beta(since: "1.37")=+k8s:maxLength=63',
        'beta(since: "1.37")=+k8s:required',
      ],
    ],
    pool: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-resource-pool-name']],
    bindingConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    bindingFailureConditions: [[37, 'beta(since: "1.37")=+k8s:maxItems=4']],
    shareID: [[37, 'beta(since: "1.37")=+k8s:format=k8s-uuid']],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'resource/v1beta2.DeviceSubRequest': {
    deviceClassName: [[37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:format=k8s-long-name']],
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1beta2.DeviceTaint': {
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None', 'beta(since: "1.37")=+k8s:required']],
  },
  'resource/v1beta2.DeviceToleration': {
    key: [[37, 'beta(since: "1.37")=+k8s:format=k8s-label-key']],
    operator: [[37, 'beta(since: "1.37")=+k8s:enum=Equal|Exists']],
    effect: [[37, 'beta(since: "1.37")=+k8s:enum=NoExecute|NoSchedule|None']],
  },
  'resource/v1beta2.ExactDeviceRequest': {
    selectors: [[37, 'beta(since: "1.37")=+k8s:maxItems=32']],
    allocationMode: [[37, 'beta(since: "1.37")=+k8s:enum=All|ExactCount']],
    derivedAttributes: [[37, 'maxItems=32']],
  },
  'resource/v1beta2.NetworkDeviceData': {
    interfaceName: [[37, 'beta(since: "1.37")=+k8s:maxBytes=256']],
    ips: [[37, 'beta(since: "1.37")=+k8s:unique=set', 'beta(since: "1.37")=+k8s:maxItems=16']],
    hardwareAddress: [[37, 'beta(since: "1.37")=+k8s:maxBytes=128']],
  },
  'resource/v1beta2.NodeAllocatableMapping': {
    capacityKey: [[37, 'unionMember']],
    deviceMultiplier: [[37, 'unionMember']],
  },
  'resource/v1beta2.OpaqueDeviceConfiguration': {
    driver: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:maxLength=63',
        'beta(since: "1.37")=+k8s:format=k8s-long-name-caseless',
      ],
    ],
  },
  'resource/v1beta2.ResourceClaim': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'resource/v1beta2.ResourceClaimStatus': {
    allocation: [[37, 'beta(since: "1.37")=+k8s:update=NoModify']],
    reservedFor: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=uid',
        'beta(since: "1.37")=+k8s:maxItems=256',
      ],
    ],
    devices: [
      [
        37,
        'beta(since: "1.37")=+k8s:listType=map',
        'beta(since: "1.37")=+k8s:listMapKey=driver',
        'beta(since: "1.37")=+k8s:listMapKey=device',
        'beta(since: "1.37")=+k8s:listMapKey=pool',
        'beta(since: "1.37")=+k8s:listMapKey=shareID',
      ],
    ],
  },
  'resource/v1beta2.ResourceClaimTemplateSpec': {
    metadata: [[37, 'opaqueType']],
  },
  'resource/v1beta2.ResourceSliceSpec': {
    sharedCounters: [
      [
        37,
        'beta(since: "1.37")=+k8s:unique=map',
        'beta(since: "1.37")=+k8s:listMapKey=name',
        'beta(since: "1.37")=+k8s:maxItems=8',
      ],
    ],
    partitionTypeAttribute: [
      [
        37,
        'ifDisabled(DRAPartitionableDevicesType)=+k8s:forbidden',
        'ifEnabled(DRAPartitionableDevicesType)=+k8s:format=k8s-resource-fully-qualified-name',
      ],
    ],
    skipNodeOperations: [[37, 'eachVal=+k8s:enum=*|NodePrepareResources|NodeUnprepareResources', 'listType=set']],
  },
  'scheduling/v1alpha2.GangSchedulingPolicy': {
    minCount: [[36, 'required', 'minimum=1'], [37]],
  },
  'scheduling/v1alpha2.PodGroupResourceClaim': {
    name: [[36, 'required', 'format=k8s-short-name'], [37]],
    resourceClaimName: [[36, 'unionMember', 'format=k8s-long-name'], [37]],
    resourceClaimTemplateName: [[36, 'unionMember', 'format=k8s-long-name'], [37]],
  },
  'scheduling/v1alpha2.PodGroupResourceClaimStatus': {
    resourceClaimName: [[36, 'format=k8s-long-name'], [37]],
  },
  'scheduling/v1alpha2.PodGroupSchedulingConstraints': {
    topology: [[36, 'maxItems=1'], [37]],
  },
  'scheduling/v1alpha2.PodGroupSchedulingPolicy': {
    basic: [[36, 'unionMember'], [37]],
    gang: [[36, 'unionMember'], [37]],
  },
  'scheduling/v1alpha2.PodGroupSpec': {
    podGroupTemplateRef: [[36, 'immutable'], [37]],
    schedulingPolicy: [[36, 'immutable'], [37]],
    schedulingConstraints: [
      [
        36,
        'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden',
        'ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:immutable',
      ],
      [37],
    ],
    resourceClaims: [[36, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'], [37]],
    disruptionMode: [
      [
        36,
        'enum=Pod|PodGroup',
        'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:immutable',
      ],
      [37],
    ],
    priorityClassName: [
      [
        36,
        'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:format=k8s-long-name',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:immutable',
      ],
      [37],
    ],
    priority: [
      [
        36,
        'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:immutable',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:maximum=1000000000 # HighestUserDefinablePriority',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:minimum=-2147483648',
      ],
      [37],
    ],
  },
  'scheduling/v1alpha2.PodGroupStatus': {
    resourceClaimStatuses: [[36, 'listType=map', 'listMapKey=name', 'maxItems=4'], [37]],
  },
  'scheduling/v1alpha2.PodGroupTemplate': {
    name: [[36, 'required', 'format=k8s-short-name'], [37]],
    schedulingConstraints: [[36, 'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden'], [37]],
    resourceClaims: [[36, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'], [37]],
    disruptionMode: [[36, 'enum=Pod|PodGroup', 'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden'], [37]],
    priorityClassName: [
      [
        36,
        'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:format=k8s-long-name',
      ],
      [37],
    ],
    priority: [
      [
        36,
        'ifDisabled("WorkloadAwarePreemption")=+k8s:forbidden',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:maximum=1000000000 # HighestUserDefinablePriority',
        'ifEnabled("WorkloadAwarePreemption")=+k8s:minimum=-2147483648',
      ],
      [37],
    ],
  },
  'scheduling/v1alpha2.PodGroupTemplateReference': {
    workload: [[36, 'unionMember'], [37]],
  },
  'scheduling/v1alpha2.TopologyConstraint': {
    key: [[36, 'required', 'format=k8s-label-key'], [37]],
  },
  'scheduling/v1alpha2.TypedLocalObjectReference': {
    apiGroup: [[36, 'format=k8s-long-name'], [37]],
    kind: [[36, 'required', 'format=k8s-path-segment-name'], [37]],
    name: [[36, 'required', 'format=k8s-path-segment-name'], [37]],
  },
  'scheduling/v1alpha2.WorkloadPodGroupTemplateReference': {
    workloadName: [[36, 'required', 'format=k8s-long-name'], [37]],
    podGroupTemplateName: [[36, 'required', 'format=k8s-short-name'], [37]],
  },
  'scheduling/v1alpha2.WorkloadSpec': {
    controllerRef: [[36, 'immutable'], [37]],
    podGroupTemplates: [[36, 'required', 'listType=map', 'listMapKey=name', 'maxItems=8', 'immutable'], [37]],
  },
  'scheduling/v1alpha3.CompositeDisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.CompositeGangSchedulingPolicy': {
    minGroupCount: [[37, 'required', 'minimum=1']],
  },
  'scheduling/v1alpha3.CompositePodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1alpha3.CompositePodGroupSchedulingPolicy': {
    basic: [[37, 'immutable', 'unionMember']],
    gang: [[37, 'unionMember', 'update=NoSet', 'update=NoUnset']],
  },
  'scheduling/v1alpha3.CompositePodGroupSpec': {
    parentCompositePodGroupName: [[37, 'immutable', 'format=k8s-long-name']],
    workloadRef: [[37, 'required', 'immutable']],
    schedulingPolicy: [[37, 'immutable']],
    schedulingConstraints: [[37, 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'format=k8s-long-name', 'immutable']],
    priority: [[37, 'immutable', 'maximum=1000000000 # HighestUserDefinablePriority']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
  },
  'scheduling/v1alpha3.CompositePodGroupTemplate': {
    name: [[37, 'required', 'format=k8s-short-name']],
    schedulingConstraints: [[37, 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'format=k8s-long-name', 'immutable']],
    priority: [[37, 'maximum=1000000000 # HighestUserDefinablePriority', 'immutable']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
    podGroupTemplates: [
      [37, 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
    compositePodGroupTemplates: [
      [37, 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
  },
  'scheduling/v1alpha3.DisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.GangSchedulingPolicy': {
    minCount: [[37, 'required', 'minimum=1']],
  },
  'scheduling/v1alpha3.PodGroupResourceClaim': {
    name: [[37, 'required', 'format=k8s-short-name']],
    resourceClaimName: [[37, 'unionMember', 'format=k8s-long-name']],
    resourceClaimTemplateName: [[37, 'unionMember', 'format=k8s-long-name']],
  },
  'scheduling/v1alpha3.PodGroupResourceClaimStatus': {
    resourceClaimName: [[37, 'format=k8s-long-name']],
  },
  'scheduling/v1alpha3.PodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1alpha3.PodGroupSchedulingPolicy': {
    basic: [[37, 'unionMember', 'immutable']],
    gang: [[37, 'unionMember', 'update=NoSet', 'update=NoUnset']],
  },
  'scheduling/v1alpha3.PodGroupSpec': {
    parentCompositePodGroupName: [
      [37, 'ifDisabled(CompositePodGroup)=+k8s:forbidden', 'immutable', 'format=k8s-long-name'],
    ],
    workloadRef: [[37, 'immutable']],
    schedulingConstraints: [
      [
        37,
        'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden',
        'ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:immutable',
      ],
    ],
    resourceClaims: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'immutable', 'format=k8s-long-name']],
    priority: [[37, 'immutable', 'maximum=1000000000 # HighestUserDefinablePriority']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
  },
  'scheduling/v1alpha3.PodGroupStatus': {
    resourceClaimStatuses: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4']],
  },
  'scheduling/v1alpha3.PodGroupTemplate': {
    name: [[37, 'required', 'format=k8s-short-name']],
    schedulingConstraints: [[37, 'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden', 'immutable']],
    resourceClaims: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'format=k8s-long-name', 'immutable']],
    priority: [[37, 'maximum=1000000000 # HighestUserDefinablePriority', 'immutable']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
  },
  'scheduling/v1alpha3.TopologyConstraint': {
    key: [[37, 'required', 'format=k8s-label-key']],
  },
  'scheduling/v1alpha3.TypedLocalObjectReference': {
    apiGroup: [[37, 'format=k8s-long-name']],
    kind: [[37, 'required', 'format=k8s-path-segment-name']],
    name: [[37, 'required', 'format=k8s-path-segment-name']],
  },
  'scheduling/v1alpha3.WorkloadCompositePodGroupDisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.WorkloadCompositePodGroupGangSchedulingPolicy': {
    minGroupCount: [[37, 'minimum=1']],
  },
  'scheduling/v1alpha3.WorkloadCompositePodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1alpha3.WorkloadCompositePodGroupSchedulingPolicy': {
    basic: [[37, 'unionMember']],
    gang: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.WorkloadPodGroupDisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy': {
    minCount: [[37, 'minimum=1']],
  },
  'scheduling/v1alpha3.WorkloadPodGroupResourceClaim': {
    name: [[37, 'required', 'format=k8s-short-name']],
    resourceClaimName: [[37, 'unionMember', 'format=k8s-long-name']],
    resourceClaimTemplateName: [[37, 'unionMember', 'format=k8s-long-name']],
  },
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy': {
    basic: [[37, 'unionMember']],
    gang: [[37, 'unionMember']],
  },
  'scheduling/v1alpha3.WorkloadReference': {
    workloadName: [[37, 'required', 'format=k8s-long-name']],
    templateName: [[37, 'required', 'format=k8s-short-name']],
  },
  'scheduling/v1alpha3.WorkloadSpec': {
    controllerRef: [[37, 'immutable']],
    podGroupTemplates: [
      [37, 'unionMember', 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
    compositePodGroupTemplates: [
      [
        37,
        'ifDisabled("CompositePodGroup")=+k8s:forbidden',
        'unionMember',
        'listType=map',
        'listMapKey=name',
        'maxItems=8',
        'update=NoAddItem',
        'update=NoRemoveItem',
      ],
    ],
  },
  'scheduling/v1beta1.CompositeDisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1beta1.CompositeGangSchedulingPolicy': {
    minGroupCount: [[37, 'required', 'minimum=1']],
  },
  'scheduling/v1beta1.CompositePodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1beta1.CompositePodGroupSchedulingPolicy': {
    basic: [[37, 'immutable', 'unionMember']],
    gang: [[37, 'unionMember', 'update=NoSet', 'update=NoUnset']],
  },
  'scheduling/v1beta1.CompositePodGroupTemplate': {
    name: [[37, 'required', 'format=k8s-short-name']],
    schedulingConstraints: [[37, 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'format=k8s-long-name', 'immutable']],
    priority: [[37, 'maximum=1000000000 # HighestUserDefinablePriority', 'immutable']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
    podGroupTemplates: [
      [37, 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
    compositePodGroupTemplates: [
      [37, 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
  },
  'scheduling/v1beta1.DisruptionMode': {
    single: [[37, 'unionMember']],
    all: [[37, 'unionMember']],
  },
  'scheduling/v1beta1.GangSchedulingPolicy': {
    minCount: [[37, 'required', 'minimum=1']],
  },
  'scheduling/v1beta1.PodGroupResourceClaim': {
    name: [[37, 'required', 'format=k8s-short-name']],
    resourceClaimName: [[37, 'unionMember', 'format=k8s-long-name']],
    resourceClaimTemplateName: [[37, 'unionMember', 'format=k8s-long-name']],
  },
  'scheduling/v1beta1.PodGroupResourceClaimStatus': {
    resourceClaimName: [[37, 'format=k8s-long-name']],
  },
  'scheduling/v1beta1.PodGroupSchedulingConstraints': {
    topology: [[37, 'maxItems=1']],
  },
  'scheduling/v1beta1.PodGroupSchedulingPolicy': {
    basic: [[37, 'unionMember', 'immutable']],
    gang: [[37, 'unionMember', 'update=NoSet', 'update=NoUnset']],
  },
  'scheduling/v1beta1.PodGroupSpec': {
    parentCompositePodGroupName: [
      [37, 'ifDisabled(CompositePodGroup)=+k8s:forbidden', 'immutable', 'format=k8s-long-name'],
    ],
    workloadRef: [[37, 'immutable']],
    schedulingConstraints: [
      [
        37,
        'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden',
        'ifEnabled(TopologyAwareWorkloadScheduling)=+k8s:immutable',
      ],
    ],
    resourceClaims: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'immutable', 'format=k8s-long-name']],
    priority: [[37, 'immutable', 'maximum=1000000000 # HighestUserDefinablePriority']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
  },
  'scheduling/v1beta1.PodGroupStatus': {
    resourceClaimStatuses: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4']],
  },
  'scheduling/v1beta1.PodGroupTemplate': {
    name: [[37, 'required', 'format=k8s-short-name']],
    schedulingConstraints: [[37, 'ifDisabled(TopologyAwareWorkloadScheduling)=+k8s:forbidden', 'immutable']],
    resourceClaims: [[37, 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable']],
    disruptionMode: [[37, 'immutable']],
    priorityClassName: [[37, 'format=k8s-long-name', 'immutable']],
    priority: [[37, 'maximum=1000000000 # HighestUserDefinablePriority', 'immutable']],
    preemptionPolicy: [
      [37, 'enum=Never|PreemptLowerPriority', 'immutable', 'ifDisabled("PodGroupPreemptionPolicy")=+k8s:forbidden'],
    ],
  },
  'scheduling/v1beta1.TopologyConstraint': {
    key: [[37, 'required', 'format=k8s-label-key']],
  },
  'scheduling/v1beta1.TypedLocalObjectReference': {
    apiGroup: [[37, 'format=k8s-long-name']],
    kind: [[37, 'required', 'format=k8s-path-segment-name']],
    name: [[37, 'required', 'format=k8s-path-segment-name']],
  },
  'scheduling/v1beta1.WorkloadReference': {
    workloadName: [[37, 'required', 'format=k8s-long-name']],
    templateName: [[37, 'required', 'format=k8s-short-name']],
  },
  'scheduling/v1beta1.WorkloadSpec': {
    controllerRef: [[37, 'immutable']],
    podGroupTemplates: [
      [37, 'unionMember', 'listType=map', 'listMapKey=name', 'maxItems=8', 'update=NoAddItem', 'update=NoRemoveItem'],
    ],
    compositePodGroupTemplates: [
      [
        37,
        'ifDisabled("CompositePodGroup")=+k8s:forbidden',
        'unionMember',
        'listType=map',
        'listMapKey=name',
        'maxItems=8',
        'update=NoAddItem',
        'update=NoRemoveItem',
      ],
    ],
  },
  'storage/v1.CSIDriverSpec': {
    volumeLifecycleModes: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'storage/v1.StorageClass': {
    provisioner: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:immutable'],
    ],
    parameters: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
    reclaimPolicy: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
    volumeBindingMode: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'storage/v1.VolumeAttachment': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'storage/v1.VolumeAttachmentSpec': {
    attacher: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:format="k8s-long-name-caseless"',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
  },
  'storage/v1alpha1.VolumeAttachment': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'storage/v1alpha1.VolumeAttachmentSpec': {
    attacher: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:format="k8s-long-name-caseless"',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
  },
  'storage/v1beta1.CSIDriverSpec': {
    volumeLifecycleModes: [[37, 'alpha(since: "1.37")=+k8s:immutable']],
  },
  'storage/v1beta1.StorageClass': {
    provisioner: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:required', 'beta(since: "1.37")=+k8s:immutable'],
    ],
    parameters: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
    reclaimPolicy: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
    volumeBindingMode: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'storage/v1beta1.VolumeAttachment': {
    spec: [
      [36, 'alpha(since: "1.36")=+k8s:immutable'],
      [37, 'beta(since: "1.37")=+k8s:immutable'],
    ],
  },
  'storage/v1beta1.VolumeAttachmentSpec': {
    attacher: [
      [
        37,
        'beta(since: "1.37")=+k8s:required',
        'beta(since: "1.37")=+k8s:format="k8s-long-name-caseless"',
        'beta(since: "1.37")=+k8s:maxLength=63',
      ],
    ],
  },
});
