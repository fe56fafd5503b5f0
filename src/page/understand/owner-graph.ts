// The graph of what an object belongs to and what belongs to it, small enough to be looked at: of many dependents of one
// kind some stand for all, and how many were left out is told.

import { dependentsByOwner, type Related } from '../object/related.ts';
import type { GraphNode } from './graph-layout.ts';

/** Everything that may stand in the graph. */
export interface Relations {
  readonly self: Related;
  /** Owners, owners of owners and so on. */
  readonly owners: readonly Related[];
  /** Objects that have owners, whoever these are. */
  readonly owned: readonly Related[];
}

/** Dependents of one kind and one owner that are not shown one by one. */
export interface Fold {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly count: number;
}

interface OwnerGraph {
  readonly objects: readonly Related[];
  readonly folds: readonly Fold[];
  /** Objects that belong to it and are not shown, those behind folds and what belongs to these included. */
  readonly leftOut: number;
}

interface GraphBounds {
  readonly objects: number;
  /** Dependents of one kind that an owner may have before the others are folded. */
  readonly ofOneKind: number;
}

const BOUNDS: GraphBounds = { objects: 200, ofOneKind: 24 };

/** Its owners first, then what belongs to it, the nearest first, until the bound. */
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

/** Uids of all that belongs to an object. */
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

/** The nodes of a graph, folds among them. */
export function nodesOf({ objects, folds }: OwnerGraph): GraphNode[] {
  return [
    ...objects.map(({ meta }) => ({ id: meta.uid, owners: meta.ownerReferences?.map(({ uid }) => uid) ?? [] })),
    ...folds.map(({ id, owner }) => ({ id, owners: [owner] })),
  ];
}
