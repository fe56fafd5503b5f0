// The objects of core/pod/security-context.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

export type SecurityContext = {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number | bigint;
  readonly runAsGroup?: number | bigint;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
};

export type Capabilities = {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
};

export type SELinuxOptions = {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
};

export type WindowsSecurityContextOptions = {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
};

export type SeccompProfile = {
  readonly type?: string;
  readonly localhostProfile?: string;
};

export type AppArmorProfile = {
  readonly type?: string;
  readonly localhostProfile?: string;
};

export type PodSecurityContext = {
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number | bigint;
  readonly runAsGroup?: number | bigint;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly (number | bigint)[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number | bigint;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly seLinuxChangePolicy?: string;
};

export type Sysctl = {
  readonly name?: string;
  readonly value?: string;
};
