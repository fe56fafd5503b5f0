// The graph of owners and dependents as a picture: owners at the left, what belongs to them at the right.

import { useMemo } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import type { Related } from '../object/related.ts';
import { type Box, GraphView } from '../topology/graph-view.tsx';
import { layOut } from './graph-layout.ts';
import { type Fold, nodesOf, ownerGraph, type Relations } from './owner-graph.ts';

export function OwnerGraphView({ relations }: { readonly relations: Relations }) {
  const graph = useMemo(() => ownerGraph(relations), [relations]);
  const layout = useMemo(() => layOut(nodesOf(graph)), [graph]);
  const self = relations.self.meta.uid;
  const boxes = [...graph.objects.map((related) => objectBox(related, self)), ...graph.folds.map(foldBox)];
  return (
    <>
      {graph.leftOut > 0 && (
        <p class="notice">
          {graph.leftOut.toLocaleString('en')} objects that belong to it are left out of the picture; the list has all.
        </p>
      )}
      <GraphView label="Owners and dependents" layout={layout} boxes={boxes} />
    </>
  );
}

function objectBox({ resource, meta }: Related, self: string): Box {
  const isLeaving = meta.deletionTimestamp !== undefined;
  return {
    id: meta.uid,
    above: `${resource.kind} · ${age(meta.creationTimestamp)}`,
    name: meta.name,
    title: `${resource.kind} ${meta.name}${isLeaving ? ', being deleted' : ''}`,
    href: objectHref(resource, meta),
    tone: '',
    isSelf: meta.uid === self,
    isLeaving,
  };
}

function foldBox({ id, kind, count }: Fold): Box {
  const name = `and ${count.toLocaleString('en')} more ${kind}`;
  return { id, above: '', name, title: name, tone: '' };
}
