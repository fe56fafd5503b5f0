// The objects of core/pod/container.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type {
  ConfigMapKeySelector,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from '../reference-objects.ts';
import type { SecurityContext } from './security-context-objects.ts';

export type Container = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
};

export type ContainerPort = {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostIP?: string;
};

export type EnvFromSource = {
  readonly prefix?: string;
  readonly configMapRef?: ConfigMapEnvSource;
  readonly secretRef?: SecretEnvSource;
};

export type ConfigMapEnvSource = {
  readonly name?: string;
  readonly optional?: boolean;
};

export type SecretEnvSource = {
  readonly name?: string;
  readonly optional?: boolean;
};

export type EnvVar = {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
};

export type EnvVarSource = {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly secretKeyRef?: SecretKeySelector;
  readonly fileKeyRef?: FileKeySelector;
};

export type ResourceRequirements = {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly claims?: readonly ResourceClaim[];
};

export type ResourceClaim = {
  readonly name?: string;
  readonly request?: string;
};

export type ContainerResizePolicy = {
  readonly resourceName?: string;
  readonly restartPolicy?: string;
};

export type ContainerRestartRule = {
  readonly action?: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
};

export type ContainerRestartRuleOnExitCodes = {
  readonly operator?: string;
  readonly values?: readonly number[];
};

export type VolumeMount = {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
};

export type VolumeDevice = {
  readonly name?: string;
  readonly devicePath?: string;
};

export type Probe = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number | bigint;
};

export type ProbeHandler = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
};

export type ExecAction = {
  readonly command?: readonly string[];
};

export type HTTPGetAction = {
  readonly path?: string;
  readonly port?: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly HTTPHeader[];
};

export type HTTPHeader = {
  readonly name?: string;
  readonly value?: string;
};

export type TCPSocketAction = {
  readonly port?: number | string;
  readonly host?: string;
};

export type GRPCAction = {
  readonly port?: number;
  readonly service?: string | null;
};

export type Lifecycle = {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
};

export type LifecycleHandler = {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
};

export type SleepAction = {
  readonly seconds?: number | bigint;
};

export type EphemeralContainer = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly targetContainerName?: string;
};

export type EphemeralContainerCommon = {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
};
