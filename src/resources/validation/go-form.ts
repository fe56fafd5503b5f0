// The form that values have in messages: Kubernetes' internal types, whose fields have Go's names in Go's order, with
// zero values for what is absent. From the internal types of kubernetes/pkg/apis.

import type { Json } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';

/** By Go's name of each field: the member, and Go's zero value, or the form of the struct that is always there. */
interface GoForm {
  readonly [field: string]: readonly [member: string, zero: Json] | readonly [member: string, zero: Json, GoForm];
}

/** A value in the form of its internal type; null is null. */
export function inGoForm(value: unknown, form: GoForm): Json {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(form).map(([field, [member, zero, below]]) => {
      const given = (ownMember(value as Record<string, unknown>, member) ?? null) as Json;
      if (given === null) return [field, zero];
      if (below === undefined) return [field, given];
      return [field, Array.isArray(given) ? given.map((item) => inGoForm(item, below)) : inGoForm(given, below)];
    }),
  );
}

export const ROLE_REF: GoForm = { APIGroup: ['apiGroup', ''], Kind: ['kind', ''], Name: ['name', ''] };

export const SERVICE_PORT: GoForm = {
  Name: ['name', ''],
  Protocol: ['protocol', ''],
  AppProtocol: ['appProtocol', null],
  Port: ['port', 0],
  TargetPort: ['targetPort', 0],
  NodePort: ['nodePort', 0],
};

export const TAINT: GoForm = {
  Key: ['key', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TimeAdded: ['timeAdded', null],
};

export const TOLERATION: GoForm = {
  Key: ['key', ''],
  Operator: ['operator', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TolerationSeconds: ['tolerationSeconds', null],
};

export const DISRUPTION_BUDGET_SPEC: GoForm = {
  MinAvailable: ['minAvailable', null],
  Selector: ['selector', null],
  MaxUnavailable: ['maxUnavailable', null],
  UnhealthyPodEvictionPolicy: ['unhealthyPodEvictionPolicy', null],
};

export const ROLLING_UPDATE_STATEFUL_SET: GoForm = {
  Partition: ['partition', 0],
  MaxUnavailable: ['maxUnavailable', null],
};

export const STATEFUL_SET_UPDATE_STRATEGY: GoForm = {
  Type: ['type', ''],
  RollingUpdate: ['rollingUpdate', null, ROLLING_UPDATE_STATEFUL_SET],
};

export const POD_RESOURCE_CLAIM: GoForm = {
  Name: ['name', ''],
  ResourceClaimName: ['resourceClaimName', null],
  ResourceClaimTemplateName: ['resourceClaimTemplateName', null],
};

export const SCOPE_SELECTOR: GoForm = {
  MatchExpressions: [
    'matchExpressions',
    null,
    { ScopeName: ['scopeName', ''], Operator: ['operator', ''], Values: ['values', null] },
  ],
};

const WINDOWS_OPTIONS: GoForm = {
  GMSACredentialSpecName: ['gmsaCredentialSpecName', null],
  GMSACredentialSpec: ['gmsaCredentialSpec', null],
  RunAsUserName: ['runAsUserName', null],
  HostProcess: ['hostProcess', null],
};

export const SECURITY_CONTEXT: GoForm = {
  Capabilities: ['capabilities', null, { Add: ['add', null], Drop: ['drop', null] }],
  Privileged: ['privileged', null],
  SELinuxOptions: [
    'seLinuxOptions',
    null,
    { User: ['user', ''], Role: ['role', ''], Type: ['type', ''], Level: ['level', ''] },
  ],
  WindowsOptions: ['windowsOptions', null, WINDOWS_OPTIONS],
  RunAsUser: ['runAsUser', null],
  RunAsGroup: ['runAsGroup', null],
  RunAsNonRoot: ['runAsNonRoot', null],
  ReadOnlyRootFilesystem: ['readOnlyRootFilesystem', null],
  AllowPrivilegeEscalation: ['allowPrivilegeEscalation', null],
  ProcMount: ['procMount', null],
  SeccompProfile: ['seccompProfile', null, { Type: ['type', ''], LocalhostProfile: ['localhostProfile', null] }],
  AppArmorProfile: ['appArmorProfile', null, { Type: ['type', ''], LocalhostProfile: ['localhostProfile', null] }],
};

const SELECTOR_REQUIREMENTS: GoForm = { Key: ['key', ''], Operator: ['operator', ''], Values: ['values', null] };

export const NODE_SELECTOR_TERM: GoForm = {
  MatchExpressions: ['matchExpressions', null, SELECTOR_REQUIREMENTS],
  MatchFields: ['matchFields', null, SELECTOR_REQUIREMENTS],
};

export const VOLUME_NODE_AFFINITY: GoForm = {
  Required: ['required', null, { NodeSelectorTerms: ['nodeSelectorTerms', null, NODE_SELECTOR_TERM] }],
};

const ROLLING_UPDATE: GoForm = { MaxUnavailable: ['maxUnavailable', 0], MaxSurge: ['maxSurge', 0] };

/** Of Deployments and DaemonSets. */
export const UPDATE_STRATEGY: GoForm = { Type: ['type', ''], RollingUpdate: ['rollingUpdate', null, ROLLING_UPDATE] };

const QUEUING: GoForm = {
  Queues: ['queues', 0],
  HandSize: ['handSize', 0],
  QueueLengthLimit: ['queueLengthLimit', 0],
};

const LIMITED: GoForm = {
  NominalConcurrencyShares: ['nominalConcurrencyShares', 0],
  LimitResponse: [
    'limitResponse',
    { Type: '', Queuing: null },
    { Type: ['type', ''], Queuing: ['queuing', null, QUEUING] },
  ],
  LendablePercent: ['lendablePercent', null],
  BorrowingLimitPercent: ['borrowingLimitPercent', null],
};

export const PRIORITY_LEVEL_SPEC: GoForm = {
  Type: ['type', ''],
  Limited: ['limited', null, LIMITED],
  Exempt: [
    'exempt',
    null,
    { NominalConcurrencyShares: ['nominalConcurrencyShares', null], LendablePercent: ['lendablePercent', null] },
  ],
};

const NAMED: GoForm = { Name: ['name', ''] };

const FLOW_SUBJECT: GoForm = {
  Kind: ['kind', ''],
  User: ['user', null, NAMED],
  Group: ['group', null, NAMED],
  ServiceAccount: ['serviceAccount', null, { Namespace: ['namespace', ''], Name: ['name', ''] }],
};

const RESOURCE_RULE: GoForm = {
  Verbs: ['verbs', null],
  APIGroups: ['apiGroups', null],
  Resources: ['resources', null],
  ClusterScope: ['clusterScope', false],
  Namespaces: ['namespaces', null],
};

const FLOW_RULE: GoForm = {
  Subjects: ['subjects', null, FLOW_SUBJECT],
  ResourceRules: ['resourceRules', null, RESOURCE_RULE],
  NonResourceRules: ['nonResourceRules', null, { Verbs: ['verbs', null], NonResourceURLs: ['nonResourceURLs', null] }],
};

export const FLOW_SCHEMA_SPEC: GoForm = {
  PriorityLevelConfiguration: ['priorityLevelConfiguration', { Name: '' }, NAMED],
  MatchingPrecedence: ['matchingPrecedence', 0],
  DistinguisherMethod: ['distinguisherMethod', null, { Type: ['type', ''] }],
  Rules: ['rules', null, FLOW_RULE],
};

export const TYPED_LOCAL_REFERENCE: GoForm = {
  APIGroup: ['apiGroup', ''],
  Kind: ['kind', ''],
  Name: ['name', ''],
};

const CLAIM_STATUS: GoForm = {
  Phase: ['phase', ''],
  AccessModes: ['accessModes', null],
  Capacity: ['capacity', null],
  Conditions: [
    'conditions',
    null,
    {
      Type: ['type', ''],
      Status: ['status', ''],
      LastProbeTime: ['lastProbeTime', null],
      LastTransitionTime: ['lastTransitionTime', null],
      Reason: ['reason', ''],
      Message: ['message', ''],
    },
  ],
  AllocatedResources: ['allocatedResources', null],
  AllocatedResourceStatuses: ['allocatedResourceStatuses', null],
  CurrentVolumeAttributesClassName: ['currentVolumeAttributesClassName', null],
  ModifyVolumeStatus: [
    'modifyVolumeStatus',
    null,
    { TargetVolumeAttributesClassName: ['targetVolumeAttributesClassName', ''], Status: ['status', ''] },
  ],
  HealthStatus: ['healthStatus', null],
};

const TYPED_REFERENCE: GoForm = { APIGroup: ['apiGroup', null], Kind: ['kind', ''], Name: ['name', ''] };

const CLAIM_SPEC: GoForm = {
  AccessModes: ['accessModes', null],
  Selector: ['selector', null],
  Resources: [
    'resources',
    { Limits: null, Requests: null },
    { Limits: ['limits', null], Requests: ['requests', null] },
  ],
  VolumeName: ['volumeName', ''],
  StorageClassName: ['storageClassName', null],
  VolumeMode: ['volumeMode', null],
  DataSource: ['dataSource', null, TYPED_REFERENCE],
  DataSourceRef: ['dataSourceRef', null, { ...TYPED_REFERENCE, Namespace: ['namespace', null] }],
  VolumeAttributesClassName: ['volumeAttributesClassName', null],
};

/** A claim template of 1.37, without its metadata, whose members stand beside these. */
export const CLAIM_TEMPLATE: GoForm = {
  Spec: ['spec', inGoForm({}, CLAIM_SPEC), CLAIM_SPEC],
  Status: ['status', inGoForm({}, CLAIM_STATUS), CLAIM_STATUS],
};

const GANG: GoForm = { MinCount: ['minCount', 0] };

/** Of a Workload of 1.35. */
export const WORKLOAD_POD_GROUP: GoForm = {
  Name: ['name', ''],
  Policy: ['policy', { Basic: null, Gang: null }, { Basic: ['basic', null], Gang: ['gang', null, GANG] }],
};

const NO_POLICY = { Basic: null, Gang: null };
const TOPOLOGY: GoForm = { Topology: ['topology', null, { Key: ['key', ''] }] };
const DISRUPTION_MODE: GoForm = { Single: ['single', null], All: ['all', null] };

const POD_GROUP_TEMPLATE: GoForm = {
  Name: ['name', ''],
  SchedulingPolicy: ['schedulingPolicy', NO_POLICY, { Basic: ['basic', null], Gang: ['gang', null, GANG] }],
  SchedulingConstraints: ['schedulingConstraints', null, TOPOLOGY],
  ResourceClaims: ['resourceClaims', null, POD_RESOURCE_CLAIM],
  DisruptionMode: ['disruptionMode', null, DISRUPTION_MODE],
  PriorityClassName: ['priorityClassName', ''],
  Priority: ['priority', null],
  PreemptionPolicy: ['preemptionPolicy', null],
};

/** Of a Workload from 1.37 on; such templates contain each other. */
export const COMPOSITE_POD_GROUP_TEMPLATE: GoForm = {
  Name: ['name', ''],
  SchedulingPolicy: [
    'schedulingPolicy',
    NO_POLICY,
    { Basic: ['basic', null], Gang: ['gang', null, { MinGroupCount: ['minGroupCount', 0] }] },
  ],
  SchedulingConstraints: ['schedulingConstraints', null, TOPOLOGY],
  DisruptionMode: ['disruptionMode', null, DISRUPTION_MODE],
  PriorityClassName: ['priorityClassName', ''],
  Priority: ['priority', null],
  PreemptionPolicy: ['preemptionPolicy', null],
  PodGroupTemplates: ['podGroupTemplates', null, POD_GROUP_TEMPLATE],
  get CompositePodGroupTemplates() {
    return ['compositePodGroupTemplates', null, COMPOSITE_POD_GROUP_TEMPLATE] as const;
  },
};

export const TARGET_RESPONDER: GoForm = { Name: ['name', ''], Priority: ['priority', null], State: ['state', ''] };

export const RESPONDER_STATUS: GoForm = {
  Name: ['name', ''],
  StartTime: ['startTime', null],
  HeartbeatTime: ['heartbeatTime', null],
  ExpectedCompletionTime: ['expectedCompletionTime', null],
  CompletionTime: ['completionTime', null],
  Message: ['message', null],
};

const POOL_STATUS: GoForm = {
  Driver: ['driver', ''],
  PoolName: ['poolName', ''],
  Generation: ['generation', 0],
  ResourceSliceCount: ['resourceSliceCount', null],
  TotalDevices: ['totalDevices', null],
  AllocatedDevices: ['allocatedDevices', null],
  AvailableDevices: ['availableDevices', null],
  UnavailableDevices: ['unavailableDevices', null],
  NodeName: ['nodeName', null],
  ValidationError: ['validationError', null],
};

const PARTITION: GoForm = {
  Attribute: ['attribute', ''],
  Type: ['type', ''],
  Total: ['total', null],
  Allocatable: ['allocatable', null],
};

const SHARED_CAPACITY: GoForm = {
  Name: ['name', ''],
  Total: ['total', null],
  Consumed: ['consumed', null],
  Available: ['available', null],
};

const SHAREABLE: GoForm = {
  FullyAvailableDevices: ['fullyAvailableDevices', null],
  PartiallyAvailableDevices: ['partiallyAvailableDevices', null],
  Capacity: ['capacity', null, SHARED_CAPACITY],
};

/** The status of a ResourcePoolStatusRequest; 1.36 knows less about a pool. */
export function poolStatusAnswer(minor: number): GoForm {
  const since37: GoForm = {
    PartitionSummary: ['partitionSummary', null, PARTITION],
    ShareableSummary: ['shareableSummary', null, SHAREABLE],
  };
  return {
    PoolCount: ['poolCount', null],
    Pools: ['pools', null, minor < 37 ? POOL_STATUS : { ...POOL_STATUS, ...since37 }],
    Conditions: ['conditions', null],
  };
}
