// Types of the core group, v1: containers and probes.

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
} from '../../../../schema/build.ts';
import {
  ConfigMapKeySelector,
  FileKeySelector,
  LocalObjectReference,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from '../reference.ts';
import { SecurityContext } from './security-context.ts';

export const Container = struct('core/v1.Container', () => ({
  name: string(1).required(),
  image: string(2),
  command: list(3, 'string').atomic(30),
  args: list(4, 'string').atomic(30),
  workingDir: string(5),
  ports: list(6, ContainerPort).keyed('containerPort', 'protocol').mergedBy('containerPort'),
  envFrom: list(19, EnvFromSource).atomic(30),
  env: list(7, EnvVar).keyed('name').mergedBy('name').upTo(29, list(7, EnvVar).mergedBy('name')),
  resources: embedded(8, ResourceRequirements),
  resizePolicy: list(23, ContainerResizePolicy).atomic().behind('InPlacePodVerticalScaling').since(27),
  restartPolicy: string(24).pointer().behind('SidecarContainers').since(28),
  restartPolicyRules: list(25, ContainerRestartRule).atomic().behind('ContainerRestartRules').since(34),
  volumeMounts: list(9, VolumeMount)
    .keyed('mountPath')
    .mergedBy('mountPath')
    .upTo(29, list(9, VolumeMount).mergedBy('mountPath')),
  volumeDevices: list(21, VolumeDevice)
    .keyed('devicePath')
    .mergedBy('devicePath')
    .upTo(29, list(21, VolumeDevice).mergedBy('devicePath')),
  livenessProbe: pointer(10, Probe),
  readinessProbe: pointer(11, Probe),
  startupProbe: pointer(22, Probe),
  lifecycle: pointer(12, Lifecycle),
  terminationMessagePath: string(13),
  terminationMessagePolicy: string(20).oneOf('FallbackToLogsOnError', 'File'),
  imagePullPolicy: string(14).oneOf('Always', 'IfNotPresent', 'Never'),
  securityContext: pointer(15, SecurityContext),
  stdin: bool(16),
  stdinOnce: bool(17),
  tty: bool(18),
}));

export const ContainerPort = struct('core/v1.ContainerPort', () => ({
  name: string(1),
  hostPort: int32(2),
  containerPort: int32(3).required(),
  protocol: string(4).default('TCP').oneOf('SCTP', 'TCP', 'UDP'),
  hostIP: string(5),
}));

export const EnvFromSource = struct('core/v1.EnvFromSource', () => ({
  prefix: string(1),
  configMapRef: pointer(2, ConfigMapEnvSource),
  secretRef: pointer(3, SecretEnvSource),
}));

export const ConfigMapEnvSource = struct('core/v1.ConfigMapEnvSource', () => ({
  LocalObjectReference: inline(1, LocalObjectReference),
  optional: bool(2).pointer(),
}));

export const SecretEnvSource = struct('core/v1.SecretEnvSource', () => ({
  LocalObjectReference: inline(1, LocalObjectReference),
  optional: bool(2).pointer(),
}));

export const EnvVar = struct('core/v1.EnvVar', () => ({
  name: string(1).required(),
  value: string(2),
  valueFrom: pointer(3, EnvVarSource),
}));

export const EnvVarSource = struct('core/v1.EnvVarSource', () => ({
  fieldRef: pointer(1, ObjectFieldSelector),
  resourceFieldRef: pointer(2, ResourceFieldSelector),
  configMapKeyRef: pointer(3, ConfigMapKeySelector),
  secretKeyRef: pointer(4, SecretKeySelector),
  fileKeyRef: pointer(5, FileKeySelector).behind('EnvFiles').since(34),
}));

export const ResourceRequirements = struct('core/v1.ResourceRequirements', () => ({
  limits: map(1, 'quantity'),
  requests: map(2, 'quantity'),
  claims: list(3, ResourceClaim).keyed('name').behind('DynamicResourceAllocation').since(26),
}));

export const ResourceClaim = struct('core/v1.ResourceClaim', () => ({
  name: string(1).required(),
  request: string(2).since(31),
}));

export const ContainerResizePolicy = struct('core/v1.ContainerResizePolicy', () => ({
  resourceName: string(1).required(),
  restartPolicy: string(2).required(),
}));

export const ContainerRestartRule = struct('core/v1.ContainerRestartRule', () => ({
  action: string(1).required().omitEmpty(),
  exitCodes: pointer(2, ContainerRestartRuleOnExitCodes),
}));

export const ContainerRestartRuleOnExitCodes = struct('core/v1.ContainerRestartRuleOnExitCodes', () => ({
  operator: string(1).required().omitEmpty(),
  values: list(2, 'int32').set(),
}));

export const VolumeMount = struct('core/v1.VolumeMount', () => ({
  name: string(1).required(),
  readOnly: bool(2),
  recursiveReadOnly: string(7).pointer().behind('RecursiveReadOnlyMounts').since(30),
  mountPath: string(3).required(),
  subPath: string(4),
  mountPropagation: string(5).pointer().oneOf('Bidirectional', 'HostToContainer', 'None'),
  subPathExpr: string(6),
  bindMountOptions: list(8, 'string').set().behind('VolumeBindMountOptions').since(37),
}));

export const VolumeDevice = struct('core/v1.VolumeDevice', () => ({
  name: string(1).required(),
  devicePath: string(2).required(),
}));

export const Probe = struct('core/v1.Probe', () => ({
  ProbeHandler: inline(1, ProbeHandler),
  initialDelaySeconds: int32(2),
  timeoutSeconds: int32(3),
  periodSeconds: int32(4),
  successThreshold: int32(5),
  failureThreshold: int32(6),
  terminationGracePeriodSeconds: int64(7).pointer(),
}));

export const ProbeHandler = struct('core/v1.ProbeHandler', () => ({
  exec: pointer(1, ExecAction),
  httpGet: pointer(2, HTTPGetAction),
  tcpSocket: pointer(3, TCPSocketAction),
  grpc: pointer(4, GRPCAction),
}));

export const ExecAction = struct('core/v1.ExecAction', () => ({
  command: list(1, 'string').atomic(30),
}));

export const HTTPGetAction = struct('core/v1.HTTPGetAction', () => ({
  path: string(1),
  port: intOrString(2).required(),
  host: string(3),
  scheme: string(4).oneOf('HTTP', 'HTTPS'),
  httpHeaders: list(5, HTTPHeader).atomic(30),
  protocol: string(6).pointer().oneOf('HTTP1', 'HTTP2').behind('H2CContainerProbe').since(37),
}));

export const HTTPHeader = struct('core/v1.HTTPHeader', () => ({
  name: string(1).required(),
  value: string(2).required(),
}));

export const TCPSocketAction = struct('core/v1.TCPSocketAction', () => ({
  port: intOrString(1).required(),
  host: string(2),
}));

export const GRPCAction = struct('core/v1.GRPCAction', () => ({
  port: int32(1).required(),
  service: string(2).pointer().always().default(''),
  mode: string(3).pointer().oneOf('Plaintext', 'TLS').behind('GRPCContainerProbeTLS').since(37),
}));

export const Lifecycle = struct('core/v1.Lifecycle', () => ({
  postStart: pointer(1, LifecycleHandler),
  preStop: pointer(2, LifecycleHandler),
  stopSignal: string(3)
    .pointer()
    .oneOf(
      'SIGABRT',
      'SIGALRM',
      'SIGBUS',
      'SIGCHLD',
      'SIGCLD',
      'SIGCONT',
      'SIGFPE',
      'SIGHUP',
      'SIGILL',
      'SIGINT',
      'SIGIO',
      'SIGIOT',
      'SIGKILL',
      'SIGPIPE',
      'SIGPOLL',
      'SIGPROF',
      'SIGPWR',
      'SIGQUIT',
      'SIGRTMAX',
      'SIGRTMAX-1',
      'SIGRTMAX-10',
      'SIGRTMAX-11',
      'SIGRTMAX-12',
      'SIGRTMAX-13',
      'SIGRTMAX-14',
      'SIGRTMAX-2',
      'SIGRTMAX-3',
      'SIGRTMAX-4',
      'SIGRTMAX-5',
      'SIGRTMAX-6',
      'SIGRTMAX-7',
      'SIGRTMAX-8',
      'SIGRTMAX-9',
      'SIGRTMIN',
      'SIGRTMIN+1',
      'SIGRTMIN+10',
      'SIGRTMIN+11',
      'SIGRTMIN+12',
      'SIGRTMIN+13',
      'SIGRTMIN+14',
      'SIGRTMIN+15',
      'SIGRTMIN+2',
      'SIGRTMIN+3',
      'SIGRTMIN+4',
      'SIGRTMIN+5',
      'SIGRTMIN+6',
      'SIGRTMIN+7',
      'SIGRTMIN+8',
      'SIGRTMIN+9',
      'SIGSEGV',
      'SIGSTKFLT',
      'SIGSTOP',
      'SIGSYS',
      'SIGTERM',
      'SIGTRAP',
      'SIGTSTP',
      'SIGTTIN',
      'SIGTTOU',
      'SIGURG',
      'SIGUSR1',
      'SIGUSR2',
      'SIGVTALRM',
      'SIGWINCH',
      'SIGXCPU',
      'SIGXFSZ',
    )
    .since(33),
}));

export const LifecycleHandler = struct('core/v1.LifecycleHandler', () => ({
  exec: pointer(1, ExecAction),
  httpGet: pointer(2, HTTPGetAction),
  tcpSocket: pointer(3, TCPSocketAction),
  sleep: pointer(4, SleepAction).behind('PodLifecycleSleepAction').since(29),
}));

export const SleepAction = struct('core/v1.SleepAction', () => ({
  seconds: int64(1).required(),
}));

export const EphemeralContainer = struct('core/v1.EphemeralContainer', () => ({
  EphemeralContainerCommon: inline(1, EphemeralContainerCommon),
  targetContainerName: string(2),
}));

export const EphemeralContainerCommon = struct('core/v1.EphemeralContainerCommon', () => ({
  name: string(1).required(),
  image: string(2),
  command: list(3, 'string').atomic(30),
  args: list(4, 'string').atomic(30),
  workingDir: string(5),
  ports: list(6, ContainerPort).keyed('containerPort', 'protocol').mergedBy('containerPort'),
  envFrom: list(19, EnvFromSource).atomic(30),
  env: list(7, EnvVar).keyed('name').mergedBy('name').upTo(29, list(7, EnvVar).mergedBy('name')),
  resources: embedded(8, ResourceRequirements),
  resizePolicy: list(23, ContainerResizePolicy).atomic().behind('InPlacePodVerticalScaling').since(27),
  restartPolicy: string(24).pointer().behind('SidecarContainers').since(28),
  restartPolicyRules: list(25, ContainerRestartRule).atomic().behind('ContainerRestartRules').since(34),
  volumeMounts: list(9, VolumeMount)
    .keyed('mountPath')
    .mergedBy('mountPath')
    .upTo(29, list(9, VolumeMount).mergedBy('mountPath')),
  volumeDevices: list(21, VolumeDevice)
    .keyed('devicePath')
    .mergedBy('devicePath')
    .upTo(29, list(21, VolumeDevice).mergedBy('devicePath')),
  livenessProbe: pointer(10, Probe),
  readinessProbe: pointer(11, Probe),
  startupProbe: pointer(22, Probe),
  lifecycle: pointer(12, Lifecycle),
  terminationMessagePath: string(13),
  terminationMessagePolicy: string(20).oneOf('FallbackToLogsOnError', 'File'),
  imagePullPolicy: string(14).oneOf('Always', 'IfNotPresent', 'Never'),
  securityContext: pointer(15, SecurityContext),
  stdin: bool(16),
  stdinOnce: bool(17),
  tty: bool(18),
}));
