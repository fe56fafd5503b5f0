// History of a StatefulSet or DaemonSet: a ControllerRevision for each of its pod templates, numbered upwards. Pods tell
// by a label of which revision they are. Kubernetes keeps templates as patches of the owner, and so do these.

import { isTaken } from '../../api/error-reasons.ts';
import { setMember } from '../../api/json-decoder.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { ControllerRevision } from '../../resources/builtin/apps/v1-objects.ts';
import type { PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { Informed, Informer } from '../informer.ts';
import { controlledBy } from '../owners.ts';
import { contentHash } from './pod-template-hash.ts';

/** The longest part of an owner's name in that of a revision. */
const LONGEST_PREFIX = 223;

/** An owner of revisions. */
type RevisionOwner = Informed & {
  readonly spec?: { readonly template?: PodTemplateSpec };
  readonly status?: { readonly collisionCount?: number };
};

interface History {
  readonly revisions: Informer<ControllerRevision>;
  readonly objects: ClusterObjects;
  /** The label with the hash: `controller.kubernetes.io/hash` or `controller-revision-hash`. */
  readonly hashLabel: string;
}

/** The revision of an owner's present template, and the collisions of names that it took. */
interface Present {
  readonly revision: ControllerRevision;
  readonly collisions: number;
}

/** Revisions in their order. */
export function inOrder(revisions: readonly ControllerRevision[]): ControllerRevision[] {
  const since = ({ metadata }: ControllerRevision) => metadata.creationTimestamp ?? '';
  const nameOf = ({ metadata }: ControllerRevision) => metadata.name ?? '';
  return [...revisions].sort(
    (one, other) =>
      numberOf(one) - numberOf(other) || compare(since(one), since(other)) || compare(nameOf(one), nameOf(other)),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function numberOf({ revision }: ControllerRevision): number {
  return Number(revision ?? 0);
}

/** The template that a revision keeps. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = (data ?? {}) as JsonObject;
  const { $patch: _, ...template } = ((spec as JsonObject | undefined)?.['template'] ?? {}) as JsonObject;
  return template as PodTemplateSpec;
}

/**
 * The revision of an owner's present template: an earlier one of the same template becomes the latest, or a new one is
 * created.
 *
 * @param known the owner's revisions, in order
 * @throws ApiError if it cannot be written
 */
export async function presentRevision(
  { revisions, objects, hashLabel }: History,
  owner: RevisionOwner,
  known: readonly ControllerRevision[],
): Promise<Present> {
  const collisions = owner.status?.collisionCount ?? 0;
  const latest = known.at(-1);
  const next = latest === undefined ? 1 : numberOf(latest) + 1;
  const data = dataOf(owner);
  const equal = known.findLast((each) => equalJson(each.data, data));
  if (equal !== undefined) {
    if (equal === latest) return { revision: equal, collisions };
    const written = await objects.update<ControllerRevision>(revisions, equal, (draft) => {
      draft.revision = next;
      return true;
    });
    return { revision: written ?? equal, collisions };
  }
  const { name: ownerName = '', namespace = '', annotations } = owner.metadata;
  for (let count = collisions; ; count++) {
    const hash = contentHash(owner.spec?.template, count);
    const name = `${ownerName.slice(0, LONGEST_PREFIX)}-${hash}`;
    const labels = { ...owner.spec?.template?.metadata?.labels, [hashLabel]: hash };
    const metadata = { name, namespace, labels, ownerReferences: [controlledBy(owner)] };
    const annotated = annotations === undefined ? metadata : { ...metadata, annotations: { ...annotations } };
    try {
      const draft = { metadata: annotated, data, revision: next };
      return { revision: await objects.create<ControllerRevision>(revisions, draft), collisions: count };
    } catch (error) {
      const standing = isTaken(error) ? revisions.get(namespace, name) : undefined;
      if (standing === undefined) throw error;
      if (equalJson(standing.data, data)) return { revision: standing, collisions: count };
    }
  }
}

/** The part of an owner that a revision keeps, in the order of Go's maps: clients compare it byte by byte. */
function dataOf({ spec }: RevisionOwner): Json {
  return sortedCopy({ spec: { template: { ...spec?.template, $patch: 'replace' } } } as unknown as Json);
}

function sortedCopy(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedCopy);
  if (value === null || typeof value !== 'object') return value;
  const copy: JsonObject = {};
  const members = Object.entries(value as JsonObject).sort(([one], [other]) => compare(one, other));
  for (const [name, each] of members) setMember(copy, name, sortedCopy(each as Json));
  return copy;
}

/**
 * Deletes as many of the oldest revisions as exceed the limit, but none that is in use.
 * @param counted the revisions that count towards the limit, in order: not that of the present template
 * @param isInUse whether a revision is that of pods
 */
export async function limitHistory(
  { revisions, objects }: Pick<History, 'revisions' | 'objects'>,
  counted: readonly ControllerRevision[],
  {
    limit,
    isInUse = () => false,
  }: { readonly limit: number; readonly isInUse?: (each: ControllerRevision) => boolean },
): Promise<void> {
  const surplus = Math.max(0, counted.length - limit);
  for (const each of counted.filter((one) => !isInUse(one)).slice(0, surplus)) await objects.delete(revisions, each);
}
