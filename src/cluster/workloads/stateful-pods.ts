// Pods of a StatefulSet: their ordinals, names and claims, which stay the same whenever a pod is replaced.

import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { isDeleting } from '../../controllers/controller.ts';
import type { StatefulSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod, PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';
import { isAvailable, isReady } from '../pod-facts.ts';
import { podFromTemplate } from './pod-control.ts';

const REVISION_LABEL = 'controller-revision-hash';
const NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

/** The name before the ordinal, and the ordinal; -1 for a pod that has none. */
function partsOf({ metadata: { name = '' } }: Pod): { readonly parent: string; readonly ordinal: number } {
  const [, parent = '', digits = ''] = /^(.*)-(\d+)$/s.exec(name) ?? [];
  return digits === '' || Number(digits) >= 2 ** 31 ? { parent, ordinal: -1 } : { parent, ordinal: Number(digits) };
}

export function ordinalOf(pod: Pod): number {
  return partsOf(pod).ordinal;
}

/** Whether a pod has a name as those of the set. */
export function isMember({ metadata }: StatefulSet, pod: Pod): boolean {
  return partsOf(pod).parent === metadata.name;
}

export function firstOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

export function replicasOf({ spec }: StatefulSet): number {
  return spec?.replicas ?? 1;
}

/** Whether the set still wants the pod of this ordinal. */
export function isInRange(set: StatefulSet, pod: Pod): boolean {
  const position = ordinalOf(pod) - firstOrdinal(set);
  return ordinalOf(pod) >= 0 && position >= 0 && position < replicasOf(set);
}

/** The revision of a pod, by its name. */
export function revisionOf({ metadata }: Pod): string {
  return metadata.labels?.[REVISION_LABEL] ?? '';
}

/** Whether a pod is stored: those that are to be created have no phase. */
export function isCreated({ status }: Pod): boolean {
  return (status?.phase ?? '') !== '';
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isReady(pod);
}

export function isUnavailable({ spec }: StatefulSet, pod: Pod, nowMs: number): boolean {
  return isDeleting(pod) || !isAvailable(pod, spec?.minReadySeconds ?? 0, nowMs);
}

/** The claims of a pod, by the names of their volumes. */
export function claimsOf(set: StatefulSet, ordinal: number): ReadonlyMap<string, Draft<PersistentVolumeClaim>> {
  const { name = '', namespace = '' } = set.metadata;
  const claims = new Map<string, Draft<PersistentVolumeClaim>>();
  for (const template of set.spec?.volumeClaimTemplates ?? []) {
    const claim = copyJson(template) as Draft<PersistentVolumeClaim>;
    const volume = template.metadata.name ?? '';
    const labels = { ...claim.metadata.labels, ...set.spec?.selector?.matchLabels };
    delete claim.status;
    claim.metadata = { ...claim.metadata, name: `${volume}-${name}-${ordinal}`, namespace, labels };
    claims.set(volume, claim);
  }
  return claims;
}

/** A new pod of a revision. */
export function statefulPod(
  set: StatefulSet,
  ordinal: number,
  { template, revision }: { readonly template: PodTemplateSpec; readonly revision: string },
): Draft<Pod> {
  const pod = podFromTemplate(set, template);
  const { metadata } = pod;
  const spec = { ...pod.spec, hostname: nameOf(set, ordinal) };
  const { serviceName = '' } = set.spec ?? {};
  const labels = { ...metadata.labels, ...identityLabels(set, ordinal), [REVISION_LABEL]: revision };
  return {
    metadata: { ...metadata, name: nameOf(set, ordinal), labels },
    spec: {
      ...spec,
      ...(serviceName === '' ? {} : { subdomain: serviceName }),
      volumes: withClaims(set, ordinal, spec.volumes),
    },
  };
}

function nameOf({ metadata }: StatefulSet, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

function identityLabels(set: StatefulSet, ordinal: number): Record<string, string> {
  return { [NAME_LABEL]: nameOf(set, ordinal), [INDEX_LABEL]: `${ordinal}` };
}

type Volumes = NonNullable<Draft<Pod>['spec']>['volumes'];

function withClaims(set: StatefulSet, ordinal: number, volumes: Volumes): NonNullable<Volumes> {
  const claims = claimsOf(set, ordinal);
  const own = Array.from(claims, ([name, { metadata }]) => ({
    name,
    persistentVolumeClaim: { claimName: metadata.name ?? '' },
  }));
  return [...own, ...(volumes ?? []).filter(({ name }) => !claims.has(name ?? ''))];
}

/** Whether a pod has the labels and the claims of its ordinal. */
export function isConsistent(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  if (pod.metadata.labels?.[NAME_LABEL] !== pod.metadata.name) return false;
  const volumes = new Map(pod.spec?.volumes?.map((volume) => [volume.name, volume]));
  return claimsOf(set, ordinal)
    .entries()
    .every(([name, { metadata }]) => volumes.get(name)?.persistentVolumeClaim?.claimName === metadata.name);
}

/** Gives a pod the labels and claims of its ordinal. */
export function makeConsistent(set: StatefulSet, pod: Draft<Pod>): void {
  const ordinal = ordinalOf(pod as Pod);
  pod.metadata.labels = { ...pod.metadata.labels, ...identityLabels(set, ordinal) };
  pod.spec = { ...pod.spec, volumes: withClaims(set, ordinal, pod.spec?.volumes) };
}
