// The objects of core/node/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { Taint } from '../pod/scheduling-objects.ts';

export type Node = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: NodeSpec;
  readonly status?: NodeStatus;
};

export type NodeSpec = {
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly Taint[];
  readonly configSource?: NodeConfigSource;
  readonly externalID?: string;
};

export type NodeConfigSource = {
  readonly configMap?: ConfigMapNodeConfigSource;
};

export type ConfigMapNodeConfigSource = {
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly kubeletConfigKey?: string;
};

export type NodeStatus = {
  readonly capacity?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly phase?: string;
  readonly conditions?: readonly NodeCondition[];
  readonly addresses?: readonly NodeAddress[];
  readonly daemonEndpoints?: NodeDaemonEndpoints;
  readonly nodeInfo?: NodeSystemInfo;
  readonly images?: readonly ContainerImage[];
  readonly volumesInUse?: readonly string[];
  readonly volumesAttached?: readonly AttachedVolume[];
  readonly config?: NodeConfigStatus;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  readonly features?: NodeFeatures;
};

export type NodeCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastHeartbeatTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type NodeAddress = {
  readonly type?: string;
  readonly address?: string;
};

export type NodeDaemonEndpoints = {
  readonly kubeletEndpoint?: DaemonEndpoint;
};

export type DaemonEndpoint = {
  readonly Port?: number;
};

export type NodeSystemInfo = {
  readonly machineID?: string;
  readonly systemUUID?: string;
  readonly bootID?: string;
  readonly kernelVersion?: string;
  readonly osImage?: string;
  readonly containerRuntimeVersion?: string;
  readonly kubeletVersion?: string;
  readonly kubeProxyVersion?: string;
  readonly operatingSystem?: string;
  readonly architecture?: string;
  readonly swap?: NodeSwapStatus;
};

export type NodeSwapStatus = {
  readonly capacity?: number | bigint;
};

export type ContainerImage = {
  readonly names?: readonly string[] | null;
  readonly sizeBytes?: number | bigint;
};

export type AttachedVolume = {
  readonly name?: string;
  readonly devicePath?: string;
};

export type NodeConfigStatus = {
  readonly assigned?: NodeConfigSource;
  readonly active?: NodeConfigSource;
  readonly lastKnownGood?: NodeConfigSource;
  readonly error?: string;
};

export type NodeRuntimeHandler = {
  readonly name?: string;
  readonly features?: NodeRuntimeHandlerFeatures;
};

export type NodeRuntimeHandlerFeatures = {
  readonly recursiveReadOnlyMounts?: boolean;
  readonly userNamespaces?: boolean;
};

export type NodeFeatures = {
  readonly supplementalGroupsPolicy?: boolean;
};
