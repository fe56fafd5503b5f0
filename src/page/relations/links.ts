// How objects hang together: one owns another, selects it by labels, or refers to it by name.

import { type LabelSelector, labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import { lookup } from '../../base/lookup.ts';
import type { Resource } from '../cluster/discovery.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { at, entriesAt } from './members.ts';
import { type Reference, referencesOf } from './references.ts';

/** An object and its kind. */
export interface Known {
  readonly resource: Resource;
  /** Whole, or its metadata alone where nothing else is read of its kind. */
  readonly object: WholeObject;
}

export interface Link {
  /** Uid of the owner, of the object that selects, or of the one that refers. */
  readonly from: string;
  readonly to: string;
  readonly by: 'owner' | 'selector' | 'reference';
  /** What the one is to the other: `owns`, `selects`, `volume`. */
  readonly use: string;
}

/** A reference to an object that is not there. */
interface Missing {
  /** Uid of the object that refers. */
  readonly from: string;
  readonly reference: Reference;
}

interface Links {
  readonly links: readonly Link[];
  readonly missing: readonly Missing[];
}

/** Where the kinds that select pods have their selector. */
const SELECTORS: Readonly<Record<string, (object: WholeObject) => LabelSelector | undefined>> = lookup({
  // A Service without a selector has its endpoints from elsewhere.
  '/services': (service) => {
    const matchLabels = at(service, 'spec', 'selector');
    return entriesAt(matchLabels).length === 0 ? undefined : selectorOf({ matchLabels });
  },
  'policy/poddisruptionbudgets': (budget) => selectorOf(at(budget, 'spec', 'selector')),
  'networking.k8s.io/networkpolicies': (policy) => selectorOf(at(policy, 'spec', 'podSelector')),
});

/** The kinds that select pods, by group and plural name. */
export const SELECTING_KINDS: readonly string[] = Object.keys(SELECTORS);

/** Returns which pods an object selects; undefined if objects of its kind do not select pods. */
export function podSelectorOf({ resource, object }: Known): LabelSelector | undefined {
  const kind = kindOf(resource);
  return Object.hasOwn(SELECTORS, kind) ? SELECTORS[kind]!(object) : undefined;
}

/** Whether all objects of a kind are known, so that one that is not among them does not exist. */
export type IsComplete = (group: string, kind: string) => boolean;

/** Returns the links among objects. */
export function linksAmong(all: readonly Known[], isComplete: IsComplete): Links {
  const links: Link[] = [];
  const missing: Missing[] = [];
  const uids = new Set(all.map(({ object }) => object.metadata.uid));
  const byName = new Map(
    all.map(({ resource, object }) => [nameKey(resource.group, resource.kind, object.metadata), object]),
  );
  const pods = all.filter(({ resource }) => kindOf(resource) === '/pods');
  for (const { resource, object } of all) {
    const from = object.metadata.uid;
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      if (uids.has(uid)) links.push({ from: uid, to: from, by: 'owner', use: 'owns' });
    }
    for (const pod of selectedBy({ resource, object }, pods)) {
      links.push({ from, to: pod.object.metadata.uid, by: 'selector', use: 'selects' });
    }
    for (const reference of referencesOf(kindOf(resource), object)) {
      const group = groupOfVersion(reference.apiVersion);
      const target = byName.get(nameKey(group, reference.kind, reference));
      if (target !== undefined) links.push({ from, to: target.metadata.uid, by: 'reference', use: reference.use });
      else if (!reference.isOptional && isComplete(group, reference.kind)) missing.push({ from, reference });
    }
  }
  return { links, missing };
}

/** Returns the pods that an object selects. */
function selectedBy(known: Known, pods: readonly Known[]): readonly Known[] {
  const selector = podSelectorOf(known);
  if (selector === undefined) return [];
  const { namespace } = known.object.metadata;
  return pods.filter(
    ({ object: { metadata } }) => metadata.namespace === namespace && selector.matches(metadata.labels),
  );
}

/** Returns the group and plural name of a kind: `apps/deployments`. */
export function kindOf({ group, name }: Pick<Resource, 'group' | 'name'>): string {
  return `${group}/${name}`;
}

/** Returns the group of an apiVersion; '' for the core group. */
export function groupOfVersion(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

function nameKey(group: string, kind: string, { namespace = '', name }: { namespace?: string; name: string }): string {
  return [group, kind, namespace, name].join(' ');
}

/** A selector that the server would not accept selects nothing. */
function selectorOf(selector: unknown): LabelSelector | undefined {
  try {
    return labelSelectorOf(selector as JsonObject | undefined);
  } catch {
    return undefined;
  }
}
