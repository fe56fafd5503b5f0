// The objects of core/pod/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { LocalObjectReference, ObjectReference } from '../reference-objects.ts';
import type { Volume } from '../volume/objects.ts';
import type { Container, EphemeralContainer, ResourceRequirements } from './container-objects.ts';
import type { ContainerStatus } from './container-status-objects.ts';
import type { Affinity, PodSchedulingGate, Toleration, TopologySpreadConstraint } from './scheduling-objects.ts';
import type { PodSecurityContext } from './security-context-objects.ts';

export type Binding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly target?: ObjectReference;
};

export type Pod = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
};

export type PodSpec = {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[] | null;
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number | bigint;
  readonly activeDeadlineSeconds?: number | bigint;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly HostAlias[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly dnsConfig?: PodDNSConfig;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  readonly overhead?: Readonly<Record<string, string>>;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: PodOS;
  readonly hostUsers?: boolean;
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly hostnameOverride?: string;
};

export type HostAlias = {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
};

export type PodDNSConfig = {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly PodDNSConfigOption[];
};

export type PodDNSConfigOption = {
  readonly name?: string;
  readonly value?: string;
};

export type PodReadinessGate = {
  readonly conditionType?: string;
};

export type PodOS = {
  readonly name?: string;
};

export type PodResourceClaim = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type PodStatus = {
  readonly observedGeneration?: number | bigint;
  readonly phase?: string;
  readonly conditions?: readonly PodCondition[];
  readonly message?: string;
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly HostIP[];
  readonly podIP?: string;
  readonly podIPs?: readonly PodIP[];
  readonly startTime?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: string;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
};

export type PodCondition = {
  readonly type?: string;
  readonly observedGeneration?: number | bigint;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type HostIP = {
  readonly ip?: string;
};

export type PodIP = {
  readonly ip?: string;
};

export type PodResourceClaimStatus = {
  readonly name?: string;
  readonly resourceClaimName?: string;
};

export type PodExtendedResourceClaimStatus = {
  readonly requestMappings?: readonly ContainerExtendedResourceRequest[] | null;
  readonly resourceClaimName?: string;
};

export type ContainerExtendedResourceRequest = {
  readonly containerName?: string;
  readonly resourceName?: string;
  readonly requestName?: string;
};

export type PodStatusResult = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly status?: PodStatus;
};

export type PodTemplate = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly template?: PodTemplateSpec;
};

export type PodTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
};
