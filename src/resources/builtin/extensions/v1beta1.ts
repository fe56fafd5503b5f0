// Types of extensions/v1beta1.

import {
  bool,
  embedded,
  inline,
  int32,
  int64,
  intOrString,
  list,
  map,
  pointer,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { PodTemplateSpec } from '../core/pod/types.ts';
import { TypedLocalObjectReference } from '../core/reference.ts';
import { LoadBalancerStatus } from '../core/service/types.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, LabelSelector, TypeMeta } from '../meta/v1.ts';

export const DaemonSet = object('extensions/v1beta1.DaemonSet', 'extensions/v1beta1', () => ({
  spec: embedded(2, DaemonSetSpec),
  status: embedded(3, DaemonSetStatus),
}));

export const DaemonSetSpec = struct('extensions/v1beta1.DaemonSetSpec', () => ({
  selector: pointer(1, LabelSelector),
  template: embedded(2, PodTemplateSpec).required(),
  updateStrategy: embedded(3, DaemonSetUpdateStrategy),
  minReadySeconds: int32(4),
  templateGeneration: int64(5),
  revisionHistoryLimit: int32(6).pointer(),
}));

export const DaemonSetUpdateStrategy = struct('extensions/v1beta1.DaemonSetUpdateStrategy', () => ({
  type: string(1),
  rollingUpdate: pointer(2, RollingUpdateDaemonSet),
}));

export const RollingUpdateDaemonSet = struct('extensions/v1beta1.RollingUpdateDaemonSet', () => ({
  maxUnavailable: intOrString(1).pointer(),
  maxSurge: intOrString(2).pointer(),
}));

export const DaemonSetStatus = struct('extensions/v1beta1.DaemonSetStatus', () => ({
  currentNumberScheduled: int32(1).required(),
  numberMisscheduled: int32(2).required(),
  desiredNumberScheduled: int32(3).required(),
  numberReady: int32(4).required(),
  observedGeneration: int64(5),
  updatedNumberScheduled: int32(6),
  numberAvailable: int32(7),
  numberUnavailable: int32(8),
  collisionCount: int32(9).pointer(),
  conditions: list(10, DaemonSetCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(10, DaemonSetCondition).mergedBy('type')),
}));

export const DaemonSetCondition = struct('extensions/v1beta1.DaemonSetCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const DaemonSetList = objectList(DaemonSet);

export const Deployment = object('extensions/v1beta1.Deployment', 'extensions/v1beta1', () => ({
  spec: embedded(2, DeploymentSpec),
  status: embedded(3, DeploymentStatus),
}));

export const DeploymentSpec = struct('extensions/v1beta1.DeploymentSpec', () => ({
  replicas: int32(1).pointer(),
  selector: pointer(2, LabelSelector),
  template: embedded(3, PodTemplateSpec).required(),
  strategy: embedded(4, DeploymentStrategy).patchStrategy('retainKeys'),
  minReadySeconds: int32(5),
  revisionHistoryLimit: int32(6).pointer(),
  paused: bool(7),
  rollbackTo: pointer(8, RollbackConfig),
  progressDeadlineSeconds: int32(9).pointer(),
}));

export const DeploymentStrategy = struct('extensions/v1beta1.DeploymentStrategy', () => ({
  type: string(1),
  rollingUpdate: pointer(2, RollingUpdateDeployment),
}));

export const RollingUpdateDeployment = struct('extensions/v1beta1.RollingUpdateDeployment', () => ({
  maxUnavailable: intOrString(1).pointer(),
  maxSurge: intOrString(2).pointer(),
}));

export const RollbackConfig = struct('extensions/v1beta1.RollbackConfig', () => ({
  revision: int64(1),
}));

export const DeploymentStatus = struct('extensions/v1beta1.DeploymentStatus', () => ({
  observedGeneration: int64(1),
  replicas: int32(2),
  updatedReplicas: int32(3),
  readyReplicas: int32(7),
  availableReplicas: int32(4),
  unavailableReplicas: int32(5),
  terminatingReplicas: int32(9).pointer().behind('DeploymentReplicaSetTerminatingReplicas').since(33),
  conditions: list(6, DeploymentCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(6, DeploymentCondition).mergedBy('type')),
  collisionCount: int32(8).pointer(),
}));

export const DeploymentCondition = struct('extensions/v1beta1.DeploymentCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastUpdateTime: time(6),
  lastTransitionTime: time(7),
  reason: string(4),
  message: string(5),
}));

export const DeploymentList = objectList(Deployment);

export const DeploymentRollback = struct(
  'extensions/v1beta1.DeploymentRollback',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    name: string(1).required(),
    updatedAnnotations: map(2, 'string'),
    rollbackTo: embedded(3, RollbackConfig).required(),
  }),
  { kinds: ['extensions/v1beta1/DeploymentRollback'] },
);

export const Ingress = object('extensions/v1beta1.Ingress', 'extensions/v1beta1', () => ({
  spec: embedded(2, IngressSpec),
  status: embedded(3, IngressStatus),
}));

export const IngressSpec = struct('extensions/v1beta1.IngressSpec', () => ({
  ingressClassName: string(4).pointer(),
  backend: pointer(1, IngressBackend),
  tls: list(2, IngressTLS).atomic(30),
  rules: list(3, IngressRule).atomic(30),
}));

export const IngressBackend = struct('extensions/v1beta1.IngressBackend', () => ({
  serviceName: string(1),
  servicePort: intOrString(2),
  resource: pointer(3, TypedLocalObjectReference),
}));

export const IngressTLS = struct('extensions/v1beta1.IngressTLS', () => ({
  hosts: list(1, 'string').atomic(30),
  secretName: string(2),
}));

export const IngressRule = struct('extensions/v1beta1.IngressRule', () => ({
  host: string(1),
  IngressRuleValue: inline(2, IngressRuleValue).upTo(30, inline(2, IngressRuleValue)),
}));

export const IngressRuleValue = struct('extensions/v1beta1.IngressRuleValue', () => ({
  http: pointer(1, HTTPIngressRuleValue),
}));

export const HTTPIngressRuleValue = struct('extensions/v1beta1.HTTPIngressRuleValue', () => ({
  paths: list(1, HTTPIngressPath).required().atomic(30),
}));

export const HTTPIngressPath = struct('extensions/v1beta1.HTTPIngressPath', () => ({
  path: string(1),
  pathType: string(3).pointer(),
  backend: embedded(2, IngressBackend).required(),
}));

export const IngressStatus = struct('extensions/v1beta1.IngressStatus', () => ({
  loadBalancer: embedded(1, IngressLoadBalancerStatus).upTo(25, embedded(1, LoadBalancerStatus)),
}));

export const IngressLoadBalancerStatus = struct('extensions/v1beta1.IngressLoadBalancerStatus', () => ({
  ingress: list(1, IngressLoadBalancerIngress).atomic(30),
}));

export const IngressLoadBalancerIngress = struct('extensions/v1beta1.IngressLoadBalancerIngress', () => ({
  ip: string(1),
  hostname: string(2),
  ports: list(4, IngressPortStatus).atomic(),
}));

export const IngressPortStatus = struct('extensions/v1beta1.IngressPortStatus', () => ({
  port: int32(1).required(),
  protocol: string(2).required().oneOf('SCTP', 'TCP', 'UDP'),
  error: string(3).pointer(),
}));

export const IngressList = objectList(Ingress);

export const NetworkPolicy = object('extensions/v1beta1.NetworkPolicy', 'extensions/v1beta1', () => ({
  spec: embedded(2, NetworkPolicySpec),
  status: embedded(3, NetworkPolicyStatus).until(27),
}));

export const NetworkPolicyStatus = struct('extensions/v1beta1.NetworkPolicyStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
}));

export const NetworkPolicySpec = struct('extensions/v1beta1.NetworkPolicySpec', () => ({
  podSelector: embedded(1, LabelSelector).required(),
  ingress: list(2, NetworkPolicyIngressRule).atomic(30),
  egress: list(3, NetworkPolicyEgressRule).atomic(30),
  policyTypes: list(4, 'string').atomic(30),
}));

export const NetworkPolicyIngressRule = struct('extensions/v1beta1.NetworkPolicyIngressRule', () => ({
  ports: list(1, NetworkPolicyPort).atomic(30),
  from: list(2, NetworkPolicyPeer).atomic(30),
}));

export const NetworkPolicyPort = struct('extensions/v1beta1.NetworkPolicyPort', () => ({
  protocol: string(1).pointer().oneOf('SCTP', 'TCP', 'UDP'),
  port: intOrString(2).pointer(),
  endPort: int32(3).pointer(),
}));

export const NetworkPolicyPeer = struct('extensions/v1beta1.NetworkPolicyPeer', () => ({
  podSelector: pointer(1, LabelSelector),
  namespaceSelector: pointer(2, LabelSelector),
  ipBlock: pointer(3, IPBlock),
}));

export const IPBlock = struct('extensions/v1beta1.IPBlock', () => ({
  cidr: string(1).required(),
  except: list(2, 'string').atomic(30),
}));

export const NetworkPolicyEgressRule = struct('extensions/v1beta1.NetworkPolicyEgressRule', () => ({
  ports: list(1, NetworkPolicyPort).atomic(30),
  to: list(2, NetworkPolicyPeer).atomic(30),
}));

export const NetworkPolicyList = objectList(NetworkPolicy);

export const ReplicaSet = object('extensions/v1beta1.ReplicaSet', 'extensions/v1beta1', () => ({
  spec: embedded(2, ReplicaSetSpec),
  status: embedded(3, ReplicaSetStatus),
}));

export const ReplicaSetSpec = struct('extensions/v1beta1.ReplicaSetSpec', () => ({
  replicas: int32(1).pointer(),
  minReadySeconds: int32(4),
  selector: pointer(2, LabelSelector),
  template: embedded(3, PodTemplateSpec),
}));

export const ReplicaSetStatus = struct('extensions/v1beta1.ReplicaSetStatus', () => ({
  replicas: int32(1).required(),
  fullyLabeledReplicas: int32(2),
  readyReplicas: int32(4),
  availableReplicas: int32(5),
  terminatingReplicas: int32(7).pointer().behind('DeploymentReplicaSetTerminatingReplicas').since(33),
  observedGeneration: int64(3),
  conditions: list(6, ReplicaSetCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(6, ReplicaSetCondition).mergedBy('type')),
}));

export const ReplicaSetCondition = struct('extensions/v1beta1.ReplicaSetCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const ReplicaSetList = objectList(ReplicaSet);

export const Scale = object('extensions/v1beta1.Scale', 'extensions/v1beta1', () => ({
  spec: embedded(2, ScaleSpec),
  status: embedded(3, ScaleStatus),
}));

export const ScaleSpec = struct('extensions/v1beta1.ScaleSpec', () => ({
  replicas: int32(1).default(0).declarative('minimum=0').upTo(33, int32(1)),
}));

export const ScaleStatus = struct('extensions/v1beta1.ScaleStatus', () => ({
  replicas: int32(1).required(),
  selector: map(2, 'string').atomic(),
  targetSelector: string(3),
}));
