// Checks that the level restricted adds to those of baseline: a pod must give up privileges that it does not need. The
// limits are those of https://kubernetes.io/docs/concepts/security/pod-security-standards/, the messages Kubernetes'.

import { seccompProfile } from './baseline-checks.ts';
import { type Check, containersThat, containersWith, distinct, named, plural, quoted, setters } from './check.ts';

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

/** The check, for pods without a user namespace of their own. */
export function unlessUserNamespace(check: Check): Check {
  return (pod) => (pod.hasUserNamespace ? undefined : check(pod));
}

/** These settings do not exist on Windows, and pods for Windows may not have them. */
export function unlessWindows(check: Check): Check {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

export const privilegeEscalation: Check = (pod) => {
  const names = containersThat(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named('container', names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: Check = (pod) => {
  const keeping = containersThat(
    pod,
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'),
  );
  const { names, values } = containersWith(pod, ({ securityContext }) =>
    (securityContext?.capabilities?.add ?? []).filter((each) => each !== 'NET_BIND_SERVICE'),
  );
  const said: string[] = [];
  if (keeping.length > 0)
    said.push(`${named('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (names.length > 0) {
    said.push(`${named('container', names)} must not include ${quoted(values)} in securityContext.capabilities.add`);
  }
  return said.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: said.join('; ') };
};

export const volumeTypes: Check = ({ spec }) => {
  const restricted = (spec.volumes ?? []).filter((volume) => !VOLUMES.some((type) => volume[type] !== undefined));
  if (restricted.length === 0) return undefined;
  const names = restricted.map(({ name = '' }) => name);
  // A volume has a name and one source.
  const types = distinct(
    restricted.map((volume) => Object.keys(volume).find((member) => member !== 'name') ?? 'unknown'),
  );
  const what = `${plural('restricted volume type', types.length)} ${quoted(types)}`;
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${names.length === 1 ? 'uses' : 'use'} ${what}`,
  };
};

export const runAsNonRoot: Check = (pod) => {
  if (pod.hasOwnUsers) return undefined;
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const refusing = containersThat(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const who = setters(ofPod === false, refusing);
  const reason = 'runAsNonRoot != true';
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const silent = containersThat(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = (pod) => {
  if (pod.hasOwnUsers) return undefined;
  const names = containersThat(pod, ({ securityContext }) => isRoot(securityContext?.runAsUser));
  const who = setters(isRoot(pod.spec.securityContext?.runAsUser), names);
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

function isRoot(user: number | bigint | undefined): boolean {
  return user !== undefined && Number(user) === 0;
}

export const requiredSeccompProfile: Check = (pod) => {
  const forbidden = seccompProfile(pod);
  if (forbidden !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return forbidden;
  const silent = containersThat(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${named('container', silent)} ${must}` };
};
