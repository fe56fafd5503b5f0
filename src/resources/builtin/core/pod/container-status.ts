// Types of the core group, v1: container status.

import { bool, embedded, int32, int64, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { ResourceRequirements } from './container.ts';

export const ContainerStatus = struct('core/v1.ContainerStatus', () => ({
  name: string(1).required(),
  state: embedded(2, ContainerState),
  lastState: embedded(3, ContainerState),
  ready: bool(4).required(),
  restartCount: int32(5).required(),
  image: string(6).required(),
  imageID: string(7).required(),
  containerID: string(8),
  started: bool(9).pointer(),
  allocatedResources: map(10, 'quantity').behind('InPlacePodVerticalScaling').since(27),
  resources: pointer(11, ResourceRequirements).behind('InPlacePodVerticalScaling').since(27),
  volumeMounts: list(12, VolumeMountStatus)
    .keyed('mountPath')
    .mergedBy('mountPath')
    .behind('RecursiveReadOnlyMounts')
    .since(30),
  user: pointer(13, ContainerUser).behind('SupplementalGroupsPolicy').since(31),
  allocatedResourcesStatus: list(14, ResourceStatus)
    .keyed('name')
    .mergedBy('name')
    .behind('ResourceHealthStatus')
    .since(31),
  stopSignal: string(15)
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

export const ContainerState = struct('core/v1.ContainerState', () => ({
  waiting: pointer(1, ContainerStateWaiting),
  running: pointer(2, ContainerStateRunning),
  terminated: pointer(3, ContainerStateTerminated),
}));

export const ContainerStateWaiting = struct('core/v1.ContainerStateWaiting', () => ({
  reason: string(1),
  message: string(2),
}));

export const ContainerStateRunning = struct('core/v1.ContainerStateRunning', () => ({
  startedAt: time(1),
}));

export const ContainerStateTerminated = struct('core/v1.ContainerStateTerminated', () => ({
  exitCode: int32(1).required(),
  signal: int32(2),
  reason: string(3),
  message: string(4),
  startedAt: time(5),
  finishedAt: time(6),
  containerID: string(7),
}));

export const VolumeMountStatus = struct('core/v1.VolumeMountStatus', () => ({
  name: string(1).required(),
  mountPath: string(2).required(),
  readOnly: bool(3),
  recursiveReadOnly: string(4).pointer().behind('RecursiveReadOnlyMounts'),
  volumeStatus: pointer(5, VolumeStatus).since(36),
}));

export const VolumeStatus = struct('core/v1.VolumeStatus', () => ({
  image: pointer(1, ImageVolumeStatus).behind('ImageVolumeWithDigest'),
}));

export const ImageVolumeStatus = struct('core/v1.ImageVolumeStatus', () => ({
  imageRef: string(1).required().omitEmpty(),
}));

export const ContainerUser = struct('core/v1.ContainerUser', () => ({
  linux: pointer(1, LinuxContainerUser),
}));

export const LinuxContainerUser = struct('core/v1.LinuxContainerUser', () => ({
  uid: int64(1).required(),
  gid: int64(2).required(),
  supplementalGroups: list(3, 'int64').atomic(),
}));

export const ResourceStatus = struct('core/v1.ResourceStatus', () => ({
  name: string(1).required(),
  resources: list(2, ResourceHealth).keyed('resourceID'),
}));

export const ResourceHealth = struct('core/v1.ResourceHealth', () => ({
  resourceID: string(1).required(),
  health: string(2),
  message: string(6).pointer().behind('ResourceHealthStatusMessage').since(36),
}));
