// Pods as rules read them: the members of decoded pods, templates and containers with their types. What was decoded by
// the schema has these types; nothing here checks it.

import type { JsonObject } from '../../../../api/object.ts';

/** Whole numbers beyond 2^53 are kept whole. */
export type Int64 = number | bigint;

export type Quantities = Readonly<Record<string, string>>;

export interface LabelSelectorShape {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly SelectorRequirement[];
}

export interface SelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

export interface PodMetadata {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface PodTemplateShape {
  readonly metadata?: PodMetadata;
  readonly spec?: PodSpecShape;
}

export interface PodSpecShape {
  readonly volumes?: readonly VolumeShape[];
  readonly initContainers?: readonly ContainerShape[];
  readonly containers?: readonly ContainerShape[] | null;
  readonly ephemeralContainers?: readonly EphemeralContainerShape[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: Int64;
  readonly activeDeadlineSeconds?: Int64;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContextShape;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: AffinityShape;
  readonly tolerations?: readonly TolerationShape[];
  readonly hostAliases?: readonly { readonly ip?: string; readonly hostnames?: readonly string[] }[];
  readonly priorityClassName?: string;
  readonly dnsConfig?: DnsConfigShape;
  readonly readinessGates?: readonly { readonly conditionType?: string }[];
  readonly runtimeClassName?: string;
  readonly preemptionPolicy?: string;
  readonly overhead?: Quantities;
  readonly topologySpreadConstraints?: readonly SpreadConstraintShape[];
  readonly os?: { readonly name?: string };
  readonly hostUsers?: boolean;
  readonly schedulingGates?: readonly { readonly name?: string }[];
  readonly resourceClaims?: readonly PodResourceClaimShape[];
  readonly resources?: ResourcesShape;
}

export interface PodResourceClaimShape {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

export interface DnsConfigShape {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly { readonly name?: string }[];
}

export interface ContainerShape {
  readonly name?: string;
  readonly image?: string;
  readonly ports?: readonly ContainerPortShape[];
  readonly envFrom?: readonly EnvFromShape[];
  readonly env?: readonly EnvShape[];
  readonly resources?: ResourcesShape;
  readonly resizePolicy?: readonly { readonly resourceName?: string; readonly restartPolicy?: string }[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly RestartRuleShape[];
  readonly volumeMounts?: readonly VolumeMountShape[];
  readonly volumeDevices?: readonly { readonly name?: string; readonly devicePath?: string }[];
  readonly livenessProbe?: ProbeShape;
  readonly readinessProbe?: ProbeShape;
  readonly startupProbe?: ProbeShape;
  readonly lifecycle?: LifecycleShape;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContextShape;
}

export interface EphemeralContainerShape extends ContainerShape {
  readonly targetContainerName?: string;
}

export interface RestartRuleShape {
  readonly action?: string;
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

export interface ContainerPortShape {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostIP?: string;
}

export interface EnvFromShape {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string };
  readonly secretRef?: { readonly name?: string };
}

export interface EnvShape {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: FieldRefShape;
    readonly resourceFieldRef?: ResourceFieldRefShape;
    readonly configMapKeyRef?: KeyRefShape;
    readonly secretKeyRef?: KeyRefShape;
    readonly fileKeyRef?: FileKeyRefShape;
  };
}

export interface FieldRefShape {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

export interface ResourceFieldRefShape {
  readonly containerName?: string;
  readonly resource?: string;
  readonly divisor?: string;
}

export interface KeyRefShape {
  readonly name?: string;
  readonly key?: string;
}

export interface FileKeyRefShape {
  readonly volumeName?: string;
  readonly path?: string;
  readonly key?: string;
}

export interface ResourcesShape {
  readonly limits?: Quantities;
  readonly requests?: Quantities;
  readonly claims?: readonly { readonly name?: string; readonly request?: string }[];
}

export interface VolumeMountShape {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
}

export interface HandlerShape {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port?: number | string;
    readonly host?: string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name?: string }[];
  };
  readonly tcpSocket?: { readonly port?: number | string; readonly host?: string };
  readonly grpc?: { readonly port?: number };
  readonly sleep?: { readonly seconds?: Int64 };
}

export interface ProbeShape extends HandlerShape {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: Int64;
}

export interface LifecycleShape {
  readonly postStart?: HandlerShape;
  readonly preStop?: HandlerShape;
}

export interface ProfileShape {
  readonly type?: string;
  readonly localhostProfile?: string;
}

export interface SeLinuxShape {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
}

export interface WindowsOptionsShape {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

export interface SecurityContextShape {
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SeLinuxShape;
  readonly windowsOptions?: WindowsOptionsShape;
  readonly runAsUser?: Int64;
  readonly runAsGroup?: Int64;
  readonly runAsNonRoot?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: ProfileShape;
  readonly appArmorProfile?: ProfileShape;
}

export interface PodSecurityContextShape {
  readonly seLinuxOptions?: SeLinuxShape;
  readonly windowsOptions?: WindowsOptionsShape;
  readonly runAsUser?: Int64;
  readonly runAsGroup?: Int64;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly Int64[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: Int64;
  readonly sysctls?: readonly { readonly name?: string }[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: ProfileShape;
  readonly appArmorProfile?: ProfileShape;
  readonly seLinuxChangePolicy?: string;
}

export interface TolerationShape {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: Int64;
}

export interface AffinityShape {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelectorShape;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredTermShape[];
  };
  readonly podAffinity?: PodAffinityShape;
  readonly podAntiAffinity?: PodAffinityShape;
}

export interface NodeSelectorShape {
  readonly nodeSelectorTerms?: readonly NodeSelectorTermShape[] | null;
}

export interface NodeSelectorTermShape {
  readonly matchExpressions?: readonly SelectorRequirement[];
  readonly matchFields?: readonly SelectorRequirement[];
}

export interface PreferredTermShape {
  readonly weight?: number;
  readonly preference?: NodeSelectorTermShape;
}

export interface PodAffinityShape {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTermShape[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number;
    readonly podAffinityTerm?: PodAffinityTermShape;
  }[];
}

export interface PodAffinityTermShape {
  readonly labelSelector?: LabelSelectorShape;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelectorShape;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface SpreadConstraintShape {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelectorShape;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

/** A volume: its name and one source, whose members the rules of that source read. */
export type VolumeShape = JsonObject;
