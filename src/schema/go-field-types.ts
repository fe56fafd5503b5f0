// Go's names of field types that are named although they are strings, lists or maps: `v1.PullPolicy`. Clients see them
// only in messages about values of wrong types, so they are not part of the declarations. From the modules k8s.io/api,
// apimachinery, apiextensions-apiserver and kube-aggregator.

import { once } from '../base/once.ts';

/**
 * A type and its fields, `Struct.field`, or `group/Struct.field` if groups differ; `~` stands for the version of the
 * struct.
 */
const TYPES = `
~APIServiceConditionType: APIServiceCondition.type
~AddressType: EndpointSlice.addressType
~AllocationConfigSource: DeviceAllocationConfiguration.source
~AppArmorProfileType: AppArmorProfile.type
~AzureDataDiskCachingMode: AzureDiskVolumeSource.cachingMode
~AzureDataDiskKind: AzureDiskVolumeSource.kind
[]~Capability: Capabilities.add Capabilities.drop
~CauseType: StatusCause.reason
~CompletionMode: JobSpec.completionMode
~ComponentConditionType: ComponentCondition.type
~ConcurrencyPolicy: CronJobSpec.concurrencyPolicy
~ConditionStatus: APIServiceCondition.status ComponentCondition.status Condition.status
  CustomResourceDefinitionCondition.status FlowSchemaCondition.status JobCondition.status NamespaceCondition.status
  NodeCondition.status PersistentVolumeClaimCondition.status PodCondition.status
  PodFailurePolicyOnPodConditionsPattern.status PriorityLevelConfigurationCondition.status
  ReplicationControllerCondition.status StorageVersionCondition.status TableRowCondition.status
~ContainerRestartPolicy: Container.restartPolicy EphemeralContainer.restartPolicy
~ContainerRestartRuleAction: ContainerRestartRule.action
~ContainerRestartRuleOnExitCodesOperator: ContainerRestartRuleOnExitCodes.operator
~ConversionStrategyType: CustomResourceConversion.strategy
~CustomResourceDefinitionConditionType: CustomResourceDefinitionCondition.type
~DNSPolicy: PodSpec.dnsPolicy
~DaemonSetConditionType: DaemonSetCondition.type
~DaemonSetUpdateStrategyType: DaemonSetUpdateStrategy.type
~DeletionPropagation: DeleteOptions.propagationPolicy
~DeploymentConditionType: DeploymentCondition.type
~DeploymentStrategyType: DeploymentStrategy.type
~DeviceAllocationMode: DeviceRequest.allocationMode DeviceSubRequest.allocationMode
  ExactDeviceRequest.allocationMode
~DeviceTaintEffect: DeviceTaint.effect DeviceToleration.effect
~DeviceTolerationOperator: DeviceToleration.operator
~FSGroupPolicy: CSIDriverSpec.fsGroupPolicy
~FailurePolicyType: MutatingAdmissionPolicySpec.failurePolicy MutatingWebhook.failurePolicy
  ValidatingAdmissionPolicySpec.failurePolicy ValidatingWebhook.failurePolicy
~FieldSelectorOperator: FieldSelectorRequirement.operator
~FieldValueErrorReason: ValidationRule.reason
[]~FinalizerName: NamespaceSpec.finalizers
~FlowDistinguisherMethodType: FlowDistinguisherMethod.type
~FlowSchemaConditionType: FlowSchemaCondition.type
~FullyQualifiedName: DeviceConstraint.distinctAttribute DeviceConstraint.matchAttribute
  DeviceDerivedAttribute.name ResourceSliceSpec.partitionTypeAttribute
~HPAScalingPolicyType: HPAScalingPolicy.type
~HorizontalPodAutoscalerConditionType: HorizontalPodAutoscalerCondition.type
~HostPathType: HostPathVolumeSource.type
[]~IPFamily: ServiceSpec.ipFamilies
~IPFamilyPolicy: ServiceSpec.ipFamilyPolicy
~IncludeObjectPolicy: TableOptions.includeObject
~JSONSchemaDefinitions: JSONSchemaProps.definitions
~JSONSchemaDependencies: JSONSchemaProps.dependencies
~JSONSchemaURL: JSONSchemaProps.$schema
~JobConditionType: JobCondition.type
[]~KeyUsage: CertificateSigningRequestSpec.usages
~LabelSelectorOperator: LabelSelectorRequirement.operator
~Level: PolicyRule.level
~LimitResponseType: LimitResponse.type
~LimitType: LimitRangeItem.type
~LoadBalancerIPMode: LoadBalancerIngress.ipMode
~ManagedFieldsOperationType: ManagedFieldsEntry.operation
~MatchPolicyType: MatchResources.matchPolicy MutatingWebhook.matchPolicy ValidatingWebhook.matchPolicy
~MetricSourceType: MetricSpec.type MetricStatus.type
~MetricTargetType: MetricTarget.type
~MigrationConditionType: MigrationCondition.type
~MountPropagationMode: VolumeMount.mountPropagation
~NamespaceConditionType: NamespaceCondition.type
~NamespacePhase: NamespaceStatus.phase
~NodeAddressType: NodeAddress.type
~NodeConditionType: NodeCondition.type
~NodeInclusionPolicy: TopologySpreadConstraint.nodeAffinityPolicy TopologySpreadConstraint.nodeTaintsPolicy
~NodePhase: NodeStatus.phase
~NodeSelectorOperator: NodeSelectorRequirement.operator
~OSName: PodOS.name
[]v1.OperationType: NamedRuleWithOperations.operations RuleWithOperations.operations
~ParameterNotFoundActionType: ParamRef.parameterNotFoundAction
~PatchType: Mutation.patchType
~PathType: HTTPIngressPath.pathType
[]~PersistentVolumeAccessMode: PersistentVolumeClaimSpec.accessModes PersistentVolumeClaimStatus.accessModes
  PersistentVolumeSpec.accessModes
~PersistentVolumeClaimConditionType: PersistentVolumeClaimCondition.type
~PersistentVolumeClaimModifyVolumeStatus: ModifyVolumeStatus.status
~PersistentVolumeClaimPhase: PersistentVolumeClaimStatus.phase
~PersistentVolumeClaimRetentionPolicyType: StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted
  StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled
~PersistentVolumeMode: PersistentVolumeClaimSpec.volumeMode PersistentVolumeSpec.volumeMode
~PersistentVolumePhase: PersistentVolumeStatus.phase
~PersistentVolumeReclaimPolicy: PersistentVolumeSpec.persistentVolumeReclaimPolicy
~PodConditionType: PodCondition.type PodFailurePolicyOnPodConditionsPattern.type PodReadinessGate.conditionType
~PodFSGroupChangePolicy: PodSecurityContext.fsGroupChangePolicy
~PodFailurePolicyAction: PodFailurePolicyRule.action
~PodFailurePolicyOnExitCodesOperator: PodFailurePolicyOnExitCodesRequirement.operator
~PodManagementPolicyType: StatefulSetSpec.podManagementPolicy
~PodPhase: PodStatus.phase
~PodQOSClass: PodStatus.qosClass
~PodReplacementPolicy: JobSpec.podReplacementPolicy
~PodResizeStatus: PodStatus.resize
~PodSELinuxChangePolicy: PodSecurityContext.seLinuxChangePolicy
[]~PolicyType: NetworkPolicySpec.policyTypes
~PreemptionPolicy: CompositePodGroupSpec.preemptionPolicy CompositePodGroupTemplate.preemptionPolicy
  PodGroupSpec.preemptionPolicy PodGroupTemplate.preemptionPolicy PodSpec.preemptionPolicy
~PriorityLevelConfigurationConditionType: PriorityLevelConfigurationCondition.type
~PriorityLevelEnablement: PriorityLevelConfigurationSpec.type
~ProcMountType: SecurityContext.procMount
~Protocol: ContainerPort.protocol PortStatus.protocol ServicePort.protocol
~PullPolicy: Container.imagePullPolicy EphemeralContainer.imagePullPolicy ImageVolumeSource.pullPolicy
~RecursiveReadOnlyMode: VolumeMount.recursiveReadOnly VolumeMountStatus.recursiveReadOnly
v1.ReinvocationPolicyType: MutatingAdmissionPolicySpec.reinvocationPolicy MutatingWebhook.reinvocationPolicy
~ReplicaSetConditionType: ReplicaSetCondition.type
~ReplicationControllerConditionType: ReplicationControllerCondition.type
~RequestConditionType: CertificateSigningRequestCondition.type
~ResourceHealthStatus: ResourceHealth.health
~ResourceID: ResourceHealth.resourceID
~ResourceList: ContainerStatus.allocatedResources LimitRangeItem.default LimitRangeItem.defaultRequest
  LimitRangeItem.max LimitRangeItem.maxLimitRequestRatio LimitRangeItem.min NodeStatus.allocatable
  NodeStatus.capacity PersistentVolumeClaimStatus.allocatedResources PersistentVolumeClaimStatus.capacity
  PersistentVolumeSpec.capacity PodSpec.overhead ResourceQuotaSpec.hard ResourceQuotaStatus.hard
  ResourceQuotaStatus.used ResourceRequirements.limits ResourceRequirements.requests
  VolumeResourceRequirements.limits VolumeResourceRequirements.requests
~ResourceName: ContainerResizePolicy.resourceName NodeAllocatableMappedResources.name
  NodeAllocatableOverheadResources.name ResourceStatus.name
~ResponderStateType: TargetResponder.state
~RequesterIntent: Requester.intent
[]~ResourceQuotaScope: ResourceQuotaSpec.scopes
~ResourceQuotaScope: ScopedResourceSelectorRequirement.scopeName
~ResourceResizeRestartPolicy: ContainerResizePolicy.restartPolicy
~ResourceScope: CustomResourceDefinitionSpec.scope
~ResourceVersionMatch: ListOptions.resourceVersionMatch
~RestartPolicy: PodSpec.restartPolicy
~RowConditionType: TableRowCondition.type
~ScalingPolicySelect: HPAScalingRules.selectPolicy
~ScopeSelectorOperator: ScopedResourceSelectorRequirement.operator
v1.ScopeType: NamedRuleWithOperations.scope Rule.scope RuleWithOperations.scope
~SeccompProfileType: SeccompProfile.type
~SecretType: Secret.type
~ServiceAffinity: ServiceSpec.sessionAffinity
~ServiceExternalTrafficPolicy: ServiceSpec.externalTrafficPolicy
~ServiceInternalTrafficPolicy: ServiceSpec.internalTrafficPolicy
~ServiceType: ServiceSpec.type
~SideEffectClass: MutatingWebhook.sideEffects ValidatingWebhook.sideEffects
~Signal: ContainerStatus.stopSignal Lifecycle.stopSignal
[]~Stage: Policy.omitStages PolicyRule.omitStages
~StatefulSetConditionType: StatefulSetCondition.type
~StatefulSetUpdateStrategyType: StatefulSetUpdateStrategy.type
~StatusReason: Status.reason
~StorageMedium: EmptyDirVolumeSource.medium
~StorageVersionConditionType: StorageVersionCondition.type
~SubjectKind: flowcontrol/Subject.kind
~SupplementalGroupsPolicy: PodSecurityContext.supplementalGroupsPolicy
~TaintEffect: Taint.effect Toleration.effect
~TerminationMessagePolicy: Container.terminationMessagePolicy EphemeralContainer.terminationMessagePolicy
~TolerationOperator: Toleration.operator
~URIScheme: HTTPGetAction.scheme
~UnhealthyPodEvictionPolicyType: PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy
[]~UniqueVolumeName: NodeStatus.volumesInUse
~UniqueVolumeName: AttachedVolume.name
~UnsatisfiableConstraintAction: TopologySpreadConstraint.whenUnsatisfiable
[]~ValidationAction: ValidatingAdmissionPolicyBindingSpec.validationActions
~ValidationRules: JSONSchemaProps.x-kubernetes-validations
~Verbs: APIResource.verbs
~VolumeBindingMode: StorageClass.volumeBindingMode
[]~VolumeLifecycleMode: CSIDriverSpec.volumeLifecycleModes
map[~ResourceName]~ClaimResourceStatus: PersistentVolumeClaimStatus.allocatedResourceStatuses
map[string]~ExtraValue: CertificateSigningRequestSpec.extra SubjectAccessReviewSpec.extra UserInfo.extra
map[~QualifiedName]resource.Quantity: CapacityRequirements.requests DeviceRequestAllocationResult.consumedCapacity
map[~QualifiedName]~DeviceAttribute: BasicDevice.attributes Device.attributes
map[~QualifiedName]~DeviceCapacity: BasicDevice.capacity Device.capacity
map[v1.ResourceName]~NodeAllocatableResource: BasicDevice.nodeAllocatableResources Device.nodeAllocatableResources
map[string]~AttestationValue: TokenRequestSpec.attestations
~EvictionRequestIntent: EvictionRequestSpec.intent
~GRPCProbeMode: GRPCAction.mode
~HTTPProtocol: HTTPGetAction.protocol
~QualifiedName: NodeAllocatableMapping.capacityKey
[]~SkipNodeOperation: DeviceRequestAllocationResult.skipNodeOperations ResourceSliceSpec.skipNodeOperations
~StorageHealthStatusType: StorageHealthCondition.status
~VolumeHealthStatusType: VolumeHealthCondition.status
types.NodeName: PodCertificateRequestSpec.nodeName
types.UID: BoundObjectReference.uid ConfigMapNodeConfigSource.uid ConversionRequest.uid ConversionResponse.uid
  DeviceRequestAllocationResult.shareID ObjectMeta.uid ObjectReference.uid OwnerReference.uid
  PodCertificateRequestSpec.nodeUID PodCertificateRequestSpec.podUID PodCertificateRequestSpec.serviceAccountUID
  Preconditions.uid ResourceClaimConsumerReference.uid StatusDetails.uid
[]types.UID: UncountedTerminatedPods.failed UncountedTerminatedPods.succeeded
v1.ConditionStatus: CertificateSigningRequestCondition.status DaemonSetCondition.status DeploymentCondition.status
  HorizontalPodAutoscalerCondition.status MigrationCondition.status ReplicaSetCondition.status
  StatefulSetCondition.status
v1.CoordinatedLeaseStrategy: LeaseCandidateSpec.strategy LeaseSpec.strategy
v1.PersistentVolumeReclaimPolicy: StorageClass.reclaimPolicy
v1.PreemptionPolicy: PriorityClass.preemptionPolicy
v1.Protocol: EndpointPort.protocol IngressPortStatus.protocol NetworkPolicyPort.protocol
v1.ResourceList: Overhead.podFixed
v1.ResourceName: ContainerResourceMetricSource.name ContainerResourceMetricStatus.name ResourceMetricSource.name
  ResourceMetricStatus.name
v1.StatusReason: Validation.reason
`;

/** The parsed table, created for the first error that needs it. */
const goTypes = once(readTypes);

/** @param struct by node name: `core/v1.Container` */
export function goFieldType(struct: string, field: string): string | undefined {
  const known = goTypes();
  const dot = struct.lastIndexOf('.');
  const version = struct.slice(struct.lastIndexOf('/', dot) + 1, dot);
  const name = `${struct.slice(dot + 1)}.${field}`;
  const type = known.get(`${struct.slice(0, struct.indexOf('/'))}/${name}`) ?? known.get(name);
  return type?.replaceAll('~', `${version}.`);
}

function readTypes(): Map<string, string> {
  const found = new Map<string, string>();
  // An indented line continues the fields of the previous one.
  for (const line of TYPES.trim().replaceAll('\n  ', ' ').split('\n')) {
    const [type = '', fields = ''] = line.split(': ');
    for (const field of fields.split(' ')) found.set(field, type);
  }
  return found;
}
