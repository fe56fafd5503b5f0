// What hangs together with one object, as its summary lists it: what it refers to and whether that exists, what refers to
// it, and the Services, Ingresses and budgets of its pods.

import { apiVersionOf } from '../cluster/discovery.ts';
import { groupOfVersion, type IsComplete, type Known, kindOf, linksAmong, podSelectorOf } from './links.ts';
import { at } from './members.ts';
import { referencesOf } from './references.ts';

export interface RelatedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** How: `volume`, `selects its pods`. */
  readonly how: string;
  readonly isMissing: boolean;
}

/**
 * Returns what hangs together with an object other than by ownership, by kind and name.
 * @param others objects that may refer to it or that it may refer to
 */
export function relatedObjects(self: Known, others: readonly Known[], isComplete: IsComplete): RelatedObject[] {
  const { uid } = self.object.metadata;
  const all = [self, ...others.filter(({ object }) => object.metadata.uid !== uid)];
  const byUid = new Map(all.map((known) => [known.object.metadata.uid, known]));
  const { links, missing } = linksAmong(all, isComplete);
  const gone = new Set(missing.filter(({ from }) => from === uid).map(({ reference }) => keyOf(reference)));
  const found = new Map<string, RelatedObject>();
  const note = (one: Name, how: string): void => {
    const key = keyOf(one);
    const known = found.get(key);
    const hows = known === undefined ? how : `${known.how}, ${how}`;
    found.set(key, { ...named(one), how: hows, isMissing: gone.has(key) });
  };
  const noteUid = (other: string, how: string): void => note(described(byUid.get(other)!), how);
  for (const reference of referencesOf(kindOf(self.resource), self.object)) note(reference, reference.use);
  for (const { from, to, by, use } of links) {
    if (by === 'reference' && to === uid) noteUid(from, `uses it: ${use}`);
    if (by === 'selector' && from === uid) noteUid(to, 'selected by it');
  }
  for (const known of all) {
    if (selectsPodsOf(known, self)) note(described(known), isPod(self) ? 'selects it' : 'selects its pods');
  }
  const near = new Set(found.keys());
  for (const { from, to, by } of links) {
    const [ingress, service] = [byUid.get(from)!, byUid.get(to)!];
    if (by !== 'reference' || ingress.resource.kind !== 'Ingress' || from === uid) continue;
    const { name } = service.object.metadata;
    if (service.resource.kind === 'Service' && near.has(keyOf(described(service)))) noteUid(from, `routes to ${name}`);
  }
  return [...found.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Whether an object selects a pod, or the pods that a workload makes. */
function selectsPodsOf(known: Known, { resource, object }: Known): boolean {
  if (known.object.metadata.namespace !== object.metadata.namespace) return false;
  const labels = isPod({ resource }) ? object.metadata.labels : at(object, 'spec', 'template', 'metadata', 'labels');
  if (typeof labels !== 'object' || labels === null) return false;
  return podSelectorOf(known)?.matches(labels as Readonly<Record<string, string>>) === true;
}

function isPod({ resource }: Pick<Known, 'resource'>): boolean {
  return kindOf(resource) === '/pods';
}

type Name = Omit<RelatedObject, 'how' | 'isMissing'>;

function described({ resource, object: { metadata } }: Known): Name {
  const { namespace = '', name } = metadata;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name };
}

function named({ apiVersion, kind, namespace, name }: Name): Name {
  return { apiVersion, kind, namespace, name };
}

/** The same object may be named in several versions. */
function keyOf({ apiVersion, kind, namespace, name }: Name): string {
  return [groupOfVersion(apiVersion), kind, namespace, name].join(' ');
}

function sortKey({ isMissing, kind, namespace, name }: RelatedObject): string {
  return [isMissing ? 0 : 1, kind, namespace, name].join(' ');
}
