// Types of the core group, v1: security contexts.

import { bool, int64, list, pointer, string, struct } from '../../../../schema/build.ts';

export const SecurityContext = struct('core/v1.SecurityContext', () => ({
  capabilities: pointer(1, Capabilities),
  privileged: bool(2).pointer(),
  seLinuxOptions: pointer(3, SELinuxOptions),
  windowsOptions: pointer(10, WindowsSecurityContextOptions),
  runAsUser: int64(4).pointer(),
  runAsGroup: int64(8).pointer(),
  runAsNonRoot: bool(5).pointer(),
  readOnlyRootFilesystem: bool(6).pointer(),
  allowPrivilegeEscalation: bool(7).pointer(),
  procMount: string(9).pointer().oneOf('Default', 'Unmasked'),
  seccompProfile: pointer(11, SeccompProfile),
  appArmorProfile: pointer(12, AppArmorProfile).since(30),
}));

export const Capabilities = struct('core/v1.Capabilities', () => ({
  add: list(1, 'string').atomic(30),
  drop: list(2, 'string').atomic(30),
}));

export const SELinuxOptions = struct('core/v1.SELinuxOptions', () => ({
  user: string(1),
  role: string(2),
  type: string(3),
  level: string(4),
}));

export const WindowsSecurityContextOptions = struct('core/v1.WindowsSecurityContextOptions', () => ({
  gmsaCredentialSpecName: string(1).pointer(),
  gmsaCredentialSpec: string(2).pointer(),
  runAsUserName: string(3).pointer(),
  hostProcess: bool(4).pointer(),
}));

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  () => ({
    type: string(1).required().oneOf('Localhost', 'RuntimeDefault', 'Unconfined').discriminator(),
    localhostProfile: string(2).pointer(),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } }] },
);

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  () => ({
    type: string(1).required().oneOf('Localhost', 'RuntimeDefault', 'Unconfined').discriminator(),
    localhostProfile: string(2).pointer(),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } }] },
);

export const PodSecurityContext = struct('core/v1.PodSecurityContext', () => ({
  seLinuxOptions: pointer(1, SELinuxOptions),
  windowsOptions: pointer(8, WindowsSecurityContextOptions),
  runAsUser: int64(2).pointer(),
  runAsGroup: int64(6).pointer(),
  runAsNonRoot: bool(3).pointer(),
  supplementalGroups: list(4, 'int64').atomic(30),
  supplementalGroupsPolicy: string(12).pointer().oneOf('Merge', 'Strict').behind('SupplementalGroupsPolicy').since(31),
  fsGroup: int64(5).pointer(),
  sysctls: list(7, Sysctl).atomic(30),
  fsGroupChangePolicy: string(9).pointer().oneOf('Always', 'OnRootMismatch'),
  seccompProfile: pointer(10, SeccompProfile),
  appArmorProfile: pointer(11, AppArmorProfile).since(30),
  seLinuxChangePolicy: string(13).pointer().behind('SELinuxChangePolicy').since(32),
}));

export const Sysctl = struct('core/v1.Sysctl', () => ({
  name: string(1).required(),
  value: string(2).required(),
}));
