// The graph of an object's owners and dependents, small enough to display: many dependents of one kind are folded into
// one node with their count.

import { dependentsByOwner, type Related } from '../object/related.ts';
import type { GraphNode } from './graph-layout.ts';

/** All objects that may appear in the graph. */
export interface Relations {
  readonly self: Related;
  /** Owners, owners of owners and so on. */
  readonly owners: readonly Related[];
  /** Objects that have owners, related or not. */
  readonly owned: readonly Related[];
}

/** Dependents of one kind and one owner that are not shown individually. */
export interface Fold {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly count: number;
}

interface OwnerGraph {
  readonly objects: readonly Related[];
  readonly folds: readonly Fold[];
  /** The number of dependents that are not shown, including folded ones and their dependents. */
  readonly leftOut: number;
}

interface GraphBounds {
  readonly objects: number;
  /** How many dependents of one kind an owner may have before the rest are folded. */
  readonly ofOneKind: number;
}

const BOUNDS: GraphBounds = { objects: 200, ofOneKind: 24 };

/** Selects its owners first, then its dependents, nearest first, up to the limit. */
export function ownerGraph({ self, owners, owned }: Relations, bounds: GraphBounds = BOUNDS): OwnerGraph {
  const byOwner = dependentsByOwner(owned);
  const shown = new Map([self, ...owners].map((related) => [related.meta.uid, related]));
  const folds: Fold[] = [];
  for (const waiting = [self]; waiting.length > 0; ) {
    const owner = waiting.shift()!.meta.uid;
    const kinds = Map.groupBy(byOwner.get(owner) ?? [], ({ resource }) => resource.kind);
    for (const [kind, all] of kinds) {
      const fresh = all.filter(({ meta }) => !shown.has(meta.uid));
      const room = Math.max(0, Math.min(bounds.ofOneKind, bounds.objects - shown.size));
      for (const related of fresh.slice(0, room)) {
        shown.set(related.meta.uid, related);
        waiting.push(related);
      }
      const count = fresh.length - room;
      if (count > 0) folds.push({ id: `${owner} ${kind}`, owner, kind, count });
    }
  }
  const leftOut = [...descendants(self.meta.uid, byOwner)].filter((uid) => !shown.has(uid)).length;
  return { objects: [...shown.values()], folds, leftOut };
}

/** Returns the uids of all dependents of an object. */
function descendants(uid: string, byOwner: ReadonlyMap<string, readonly Related[]>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const waiting = [uid]; waiting.length > 0; ) {
    for (const { meta } of byOwner.get(waiting.pop()!) ?? []) {
      if (found.has(meta.uid)) continue;
      found.add(meta.uid);
      waiting.push(meta.uid);
    }
  }
  return found;
}

/** Returns the nodes of a graph, including folds. */
export function nodesOf({ objects, folds }: OwnerGraph): GraphNode[] {
  return [
    ...objects.map(({ meta }) => ({ id: meta.uid, owners: meta.ownerReferences?.map(({ uid }) => uid) ?? [] })),
    ...folds.map(({ id, owner }) => ({ id, owners: [owner] })),
  ];
}
