// Revisions of a Deployment: which ReplicaSet is of its present template, and the annotations in which ReplicaSets keep
// revisions and sizes. Names and rules are Kubernetes'.

import { equalJson } from '../../api/json-equal.ts';
import type { ObjectMeta } from '../../api/object.ts';
import type { Deployment, ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';

export const HASH_LABEL = 'pod-template-hash';
export const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAXIMUM = 'deployment.kubernetes.io/max-replicas';
export const ROLLBACK = 'deprecated.deployment.rollback.to';
/** Annotations of a Deployment that its ReplicaSets do not get. */
const OWN = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  ROLLBACK,
]);
/** Characters of the history of revisions in an annotation. */
const HISTORY_LENGTH = 2000;

type Annotated = { readonly metadata: ObjectMeta };

/** The number of an object's revision, of 64 bits; 0 for none. */
export function revisionOf({ metadata }: Annotated): bigint {
  const revision = metadata.annotations?.[REVISION] ?? '';
  return /^-?\d+$/.test(revision) ? BigInt(revision) : 0n;
}

export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  return sets.map(revisionOf).reduce((most, each) => (each > most ? each : most), 0n);
}

/** The revision before the latest; 0 if there is none. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const revisions = sets.map(revisionOf).sort((one, other) => compareRevisions(other, one));
  return revisions[1] ?? 0n;
}

function compareRevisions(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

/** The oldest ReplicaSet of the Deployment's template. */
export function currentSet({ spec }: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...sets].sort(olderFirst).find((set) => isSameTemplate(set.spec?.template, spec?.template));
}

/** Whether two templates are equal but for the label with the hash. */
export function isSameTemplate(one: PodTemplateSpec | undefined, other: PodTemplateSpec | undefined): boolean {
  return equalJson(withoutHash(one), withoutHash(other));
}

/** A template without the label with its hash. */
export function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec {
  const { metadata, ...rest } = template ?? {};
  const { [HASH_LABEL]: _, ...labels } = metadata?.labels ?? {};
  const { labels: __, ...others } = metadata ?? ({} as ObjectMeta);
  const kept = Object.keys(labels).length === 0 ? others : { ...others, labels };
  return Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept };
}

export function olderFirst({ metadata: one }: Annotated, { metadata: other }: Annotated): number {
  const [first = '', second = ''] = [one.creationTimestamp, other.creationTimestamp];
  if (first !== second) return first < second ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}

export function byRevision(one: ReplicaSet, other: ReplicaSet): number {
  return compareRevisions(revisionOf(one), revisionOf(other)) || olderFirst(one, other);
}

/** How many replicas the Deployment wanted when it last looked at a ReplicaSet; undefined if that is not known. */
export function desiredOf(set: ReplicaSet): number | undefined {
  return countIn(set, DESIRED);
}

/** How many replicas the Deployment would have tolerated then. */
export function maximumOf(set: ReplicaSet): number | undefined {
  return countIn(set, MAXIMUM);
}

function countIn({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata.annotations?.[name] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The annotations of a ReplicaSet with what its Deployment wants and tolerates now. */
export function withSizes(
  { metadata }: Annotated,
  { desired, maximum }: { readonly desired: number; readonly maximum: number },
): Record<string, string> {
  return { ...metadata.annotations, [DESIRED]: `${desired}`, [MAXIMUM]: `${maximum}` };
}

/** The annotations of the ReplicaSet of the Deployment's template, which is of this revision or of a later one. */
export function withRevision(
  { metadata }: Annotated,
  deployment: Deployment,
  revision: bigint,
): Record<string, string> {
  const { annotations: inherited = {} } = deployment.metadata;
  const copied = Object.entries(inherited).filter(([name]) => !OWN.has(name));
  const next: Record<string, string> = { ...metadata.annotations, ...Object.fromEntries(copied) };
  const before = next[REVISION];
  if (before !== undefined && before !== '' && !/^-?\d+$/.test(before)) return next;
  if (BigInt(before ?? 0) >= revision) return next;
  next[REVISION] = `${revision}`;
  const history = before === undefined ? undefined : historyWith(next[HISTORY] ?? '', before);
  if (history !== undefined) next[HISTORY] = history;
  return next;
}

/** The history with one more revision, without the oldest ones that have no room; undefined if that one has none. */
function historyWith(history: string, revision: string): string | undefined {
  let kept = history === '' ? [] : history.split(',');
  while (kept.length > 0 && [...kept, revision].join().length > HISTORY_LENGTH) kept = kept.slice(1);
  return revision.length > HISTORY_LENGTH ? undefined : [...kept, revision].join();
}

/** The annotations of a Deployment that goes back to a ReplicaSet. */
export function annotationsOfRollback({ metadata }: Deployment, { metadata: of }: ReplicaSet): Record<string, string> {
  const own = Object.entries(metadata.annotations ?? {}).filter(([name]) => OWN.has(name));
  const theirs = Object.entries(of.annotations ?? {}).filter(([name]) => !OWN.has(name));
  return Object.fromEntries([...own, ...theirs]);
}
