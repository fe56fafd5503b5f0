// The objects of core/pod/container-status.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ResourceRequirements } from './container-objects.ts';

export type ContainerStatus = {
  readonly name?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly imageID?: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMountStatus[];
  readonly user?: ContainerUser;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
  readonly stopSignal?: string;
};

export type ContainerState = {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
};

export type ContainerStateWaiting = {
  readonly reason?: string;
  readonly message?: string;
};

export type ContainerStateRunning = {
  readonly startedAt?: string | null;
};

export type ContainerStateTerminated = {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly containerID?: string;
};

export type VolumeMountStatus = {
  readonly name?: string;
  readonly mountPath?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
};

export type ContainerUser = {
  readonly linux?: LinuxContainerUser;
};

export type LinuxContainerUser = {
  readonly uid?: number | bigint;
  readonly gid?: number | bigint;
  readonly supplementalGroups?: readonly (number | bigint)[];
};

export type ResourceStatus = {
  readonly name?: string;
  readonly resources?: readonly ResourceHealth[];
};

export type ResourceHealth = {
  readonly resourceID?: string;
  readonly health?: string;
};
