// The graph of owners and dependents as a picture: owners at the left, what belongs to them at the right. Objects are
// links; arrow keys go along the lines.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { age } from '../browse/age.ts';
import { objectHref } from '../browse/object-address.ts';
import type { Related } from '../object/related.ts';
import { type Layout, layOut, type Placed } from './graph-layout.ts';
import { type Fold, nodesOf, ownerGraph, type Relations } from './owner-graph.ts';

const WIDTH = 230;
const HEIGHT = 46;
const GAP = { across: 76, down: 12 };

export function OwnerGraphView({ relations }: { readonly relations: Relations }) {
  const graph = useMemo(() => ownerGraph(relations), [relations]);
  const layout = useMemo(() => layOut(nodesOf(graph)), [graph]);
  const element = useRef<HTMLDivElement>(null);
  const self = relations.self.meta.uid;
  useEffect(() => {
    element.current?.querySelector('.node.self')?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [layout]);
  const size = {
    width: `${layout.rows * (WIDTH + GAP.across)}px`,
    height: `${layout.columns * (HEIGHT + GAP.down)}px`,
  };
  return (
    <>
      {graph.leftOut > 0 && (
        <p class="notice">
          {graph.leftOut.toLocaleString('en')} objects that belong to it are left out of the picture; the list has all.
        </p>
      )}
      <div
        ref={element}
        class="graph"
        role="group"
        aria-label="Owners and dependents; arrow keys go along the lines"
        onKeyDown={(event) => onKey(event, layout)}
      >
        <div class="canvas" style={size}>
          <Lines layout={layout} />
          {graph.objects.map((related) => {
            const { uid } = related.meta;
            return <ObjectNode key={uid} related={related} at={layout.nodes.get(uid)!} isSelf={uid === self} />;
          })}
          {graph.folds.map((fold) => (
            <FoldNode key={fold.id} fold={fold} at={layout.nodes.get(fold.id)!} />
          ))}
        </div>
      </div>
    </>
  );
}

function Lines({ layout }: { readonly layout: Layout }) {
  return (
    <svg aria-hidden="true" width="100%" height="100%">
      {layout.edges.map(({ owner, dependent }) => {
        const [from, to] = [placeOf(layout.nodes.get(owner)!), placeOf(layout.nodes.get(dependent)!)];
        const [x, y] = [from.left + WIDTH, from.top + HEIGHT / 2];
        const [toX, toY] = [to.left, to.top + HEIGHT / 2];
        const middle = (x + toX) / 2;
        return <path key={`${owner} ${dependent}`} d={`M${x},${y} C${middle},${y} ${middle},${toY} ${toX},${toY}`} />;
      })}
    </svg>
  );
}

interface ObjectNodeProps {
  readonly related: Related;
  readonly at: Placed;
  readonly isSelf: boolean;
}

function ObjectNode({ related: { resource, meta }, at, isSelf }: ObjectNodeProps) {
  const isLeaving = meta.deletionTimestamp !== undefined;
  return (
    <a
      class={`node ${isSelf ? 'self' : ''} ${isLeaving ? 'leaving' : ''}`}
      style={styleOf(at)}
      href={objectHref(resource, meta)}
      data-node={meta.uid}
      aria-current={isSelf ? 'true' : undefined}
      title={`${resource.kind} ${meta.name}${isLeaving ? ', being deleted' : ''}`}
    >
      <span class="weak">
        {resource.kind} · {age(meta.creationTimestamp)}
      </span>
      <strong>{meta.name}</strong>
    </a>
  );
}

function FoldNode({ fold: { kind, count }, at }: { readonly fold: Fold; readonly at: Placed }) {
  return (
    <div class="node fold" style={styleOf(at)}>
      and {count.toLocaleString('en')} more {kind}
    </div>
  );
}

function placeOf({ row, column }: Placed): { readonly left: number; readonly top: number } {
  return { left: row * (WIDTH + GAP.across), top: column * (HEIGHT + GAP.down) };
}

function styleOf(at: Placed) {
  const { left, top } = placeOf(at);
  return { left: `${left}px`, top: `${top}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` };
}

/** Left to an owner, right to a dependent, up and down among those of one depth. */
function onKey(event: KeyboardEvent, { nodes, edges }: Layout): void {
  const from = nodes.get((event.target as HTMLElement).dataset['node'] ?? '');
  if (from === undefined) return;
  const near = (ids: readonly string[]): string[] =>
    ids.toSorted((a, b) => distance(nodes.get(a)!, from) - distance(nodes.get(b)!, from));
  const inRow = (isNext: (one: Placed) => boolean): string[] =>
    [...nodes.values()].filter((one) => one.row === from.row && isNext(one)).map(({ id }) => id);
  const ways: Readonly<Record<string, (() => string[]) | undefined>> = {
    ArrowLeft: () => near(edges.filter(({ dependent }) => dependent === from.id).map(({ owner }) => owner)),
    ArrowRight: () => near(edges.filter(({ owner }) => owner === from.id).map(({ dependent }) => dependent)),
    ArrowUp: () => near(inRow(({ column }) => column < from.column)),
    ArrowDown: () => near(inRow(({ column }) => column > from.column)),
  };
  const found = ways[event.key]?.();
  if (found === undefined) return;
  event.preventDefault();
  const graph = event.currentTarget as HTMLElement;
  const links = found.map((id) => graph.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`));
  links.find((link) => link !== null)?.focus();
}

function distance(one: Placed, other: Placed): number {
  return Math.abs(one.column - other.column);
}
