// Checks of the level baseline, which forbids known privilege escalations. The limits are those of
// https://kubernetes.io/docs/concepts/security/pod-security-standards/, the messages Kubernetes'.

import { goQuote } from '../../base/go-quote.ts';
import type { Handler } from '../../resources/builtin/core/pod/handler.ts';
import type { SELinuxOptions } from '../../resources/builtin/core/pod/security-context-objects.ts';
import {
  type Check,
  containersThat,
  containersWith,
  distinct,
  named,
  nameOf,
  plural,
  quoted,
  setters,
} from './check.ts';

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const SECCOMP_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_SECCOMP_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';

const CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const appArmorProfile: Check = (pod) => {
  const ofPod = forbiddenProfile(pod.spec.securityContext?.appArmorProfile);
  const { names, values } = containersWith(pod, (each) => forbiddenProfile(each.securityContext?.appArmorProfile));
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const who = [setters(ofPod.length > 0, names)].filter((text) => text !== '');
  if (annotations.length > 0) who.push(plural('annotation', annotations.length));
  if (who.length === 0) return undefined;
  const all = [...distinct([...ofPod, ...values]), ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', all.length),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  };
};

function isAllowedAppArmor(profile: string): boolean {
  return profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
}

/** The profile type, of AppArmor or seccomp, that disables the protection. */
function forbiddenProfile(profile: { readonly type?: string } | undefined): string[] {
  if (profile === undefined) return [];
  const { type = '' } = profile;
  return type === 'RuntimeDefault' || type === 'Localhost' ? [] : [type];
}

export const addedCapabilities: Check = (pod) => {
  const { names, values } = containersWith(pod, ({ securityContext }) =>
    (securityContext?.capabilities?.add ?? []).filter((each) => !CAPABILITIES.has(each)),
  );
  if (names.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: `${named('container', names)} must not include ${quoted(values)} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Check = ({ spec }) => {
  const members = ['hostNetwork', 'hostPID', 'hostIPC'] as const;
  const shared = members.filter((member) => spec[member] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((member) => `${member}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name = '' }) => name);
  return names.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', names) };
};

export const hostPorts: Check = (pod) => {
  const { names, values } = containersWith(pod, ({ ports }) =>
    (ports ?? [])
      .map(({ hostPort = 0 }) => hostPort)
      .filter((port) => port !== 0)
      .map(String),
  );
  if (names.length === 0) return undefined;
  const ports = `${plural('hostPort', values.length)} ${values.join(', ')}`;
  return { reason: 'hostPort', detail: `${named('container', names)} ${names.length === 1 ? 'uses' : 'use'} ${ports}` };
};

export const hostsOfProbes: Check = (pod) => {
  const found = containersWith(pod, ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf),
  );
  const names = distinct(found.names);
  if (names.length === 0) return undefined;
  const who = `${named('container', names)} ${names.length === 1 ? 'uses' : 'use'}`;
  return { reason: 'probe or lifecycle host', detail: `${who} ${named('probe or lifecycle host', found.values)}` };
};

function hostsOf(handler: Handler | undefined): string[] {
  return [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''].filter((host) => host !== '');
}

export const privileged: Check = (pod) => {
  const names = containersThat(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: 'privileged', detail: `${named('container', names)} must not set securityContext.privileged=true` };
};

export const procMount: Check = (pod) => {
  if (pod.hasOwnUsers) return undefined;
  const { names, values } = containersWith(pod, ({ securityContext }) => {
    const mount = securityContext?.procMount;
    return mount === undefined || mount === 'Default' ? [] : [mount];
  });
  if (names.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${named('container', names)} must not set securityContext.procMount to ${quoted(values)}`,
  };
};

/** @param allowed the container types that may be requested */
export function seLinuxOptions(...allowed: string[]): Check {
  const types = new Set(['', ...allowed]);
  const faultsIn = (options: SELinuxOptions = {}): string[] => {
    const { type = '', user = '', role = '' } = options;
    const found: string[] = types.has(type) ? [] : [`type ${type}`];
    if (user !== '') found.push('user');
    if (role !== '') found.push('role');
    return found;
  };
  return (pod) => {
    const ofPod = faultsIn(pod.spec.securityContext?.seLinuxOptions);
    const { names, values } = containersWith(pod, (each) => faultsIn(each.securityContext?.seLinuxOptions));
    const faults = distinct([...ofPod, ...values]);
    if (faults.length === 0) return undefined;
    const badTypes = faults.filter((fault) => fault.startsWith('type ')).map((fault) => fault.slice('type '.length));
    const said = badTypes.length > 0 ? [named('type', badTypes)] : [];
    if (faults.includes('user')) said.push('user may not be set');
    if (faults.includes('role')) said.push('role may not be set');
    const who = setters(ofPod.length > 0, names);
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${said.join('; ')}`,
    };
  };
}

/** The annotation that preceded the field. */
export const seccompAnnotations: Check = ({ annotations, containers }) => {
  const keys = [SECCOMP_ANNOTATION, ...containers.map((each) => `${CONTAINER_SECCOMP_ANNOTATION}${nameOf(each)}`)];
  const forbidden = distinct(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedSeccomp(value) ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', forbidden.length)} ${forbidden.join(', ')}`,
  };
};

function isAllowedSeccomp(profile: string): boolean {
  return profile === 'runtime/default' || profile === 'docker/default' || profile.startsWith('localhost/');
}

export const seccompProfile: Check = (pod) => {
  const ofPod = forbiddenProfile(pod.spec.securityContext?.seccompProfile);
  const { names, values } = containersWith(pod, (each) => forbiddenProfile(each.securityContext?.seccompProfile));
  const who = setters(ofPod.length > 0, names);
  if (who === '') return undefined;
  const all = quoted(distinct([...ofPod, ...values]));
  return { reason: 'seccompProfile', detail: `${who} must not set securityContext.seccompProfile.type to ${all}` };
};

/** @param allowed sysctls that are namespaced */
export function sysctls(...allowed: string[]): Check {
  const safe = new Set(allowed);
  return ({ spec }) => {
    const forbidden = (spec.securityContext?.sysctls ?? []).map(nameOf).filter((name) => !safe.has(name));
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}

export const windowsHostProcess: Check = (pod) => {
  const names = containersThat(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const who = setters(pod.spec.securityContext?.windowsOptions?.hostProcess === true, names);
  if (who === '') return undefined;
  return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
};
