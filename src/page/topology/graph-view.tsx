// A graph as a picture that one can walk: boxes that are links, lines between them, and arrow keys that go along the lines.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Layout, Placed } from '../understand/graph-layout.ts';

/** A box of the picture. */
export interface Box {
  readonly id: string;
  /** Above the name: `Pod · 5m`. */
  readonly above: string;
  readonly name: string;
  /** Below the pointer. */
  readonly title: string;
  /** Where it leads; undefined for what is not an object. */
  readonly href?: string;
  /** 'good', 'done', 'warn', 'bad' or '' for its edge. */
  readonly tone: string;
  readonly isSelf?: boolean;
  readonly isLeaving?: boolean;
}

interface GraphViewProps {
  readonly label: string;
  readonly layout: Layout;
  readonly boxes: readonly Box[];
  /** How a line is drawn: 'owner', 'selector' or 'reference'; all are those of owners if omitted. */
  readonly lineOf?: (from: string, to: string) => string;
}

const WIDTH = 224;
const HEIGHT = 46;
const GAP = { across: 42, down: 12 };

export function GraphView({ label, layout, boxes, lineOf = () => 'owner' }: GraphViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const near = useSignal('');
  const self = boxes.find(({ isSelf }) => isSelf)?.id;
  useEffect(() => {
    element.current?.querySelector('.node.self')?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [self]);
  const size = {
    width: `${layout.rows * (WIDTH + GAP.across)}px`,
    height: `${layout.columns * (HEIGHT + GAP.down)}px`,
  };
  return (
    <div
      ref={element}
      class="graph"
      role="group"
      aria-label={`${label}; arrow keys go along the lines`}
      onKeyDown={(event) => onKey(event, layout)}
      onFocusCapture={({ target }) => {
        near.value = (target as HTMLElement).dataset['node'] ?? '';
      }}
      onPointerOver={({ target }) => {
        near.value = (target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset['node'] ?? '';
      }}
      onBlurCapture={() => {
        near.value = '';
      }}
    >
      <div class="canvas" style={size}>
        <Lines layout={layout} lineOf={lineOf} near={near.value} />
        {boxes.map((box) => {
          const at = layout.nodes.get(box.id);
          return at === undefined ? null : <BoxView key={box.id} box={box} at={at} />;
        })}
      </div>
    </div>
  );
}

interface LinesProps {
  readonly layout: Layout;
  readonly lineOf: (from: string, to: string) => string;
  /** The box whose lines stand out. */
  readonly near: string;
}

function Lines({ layout, lineOf, near }: LinesProps) {
  return (
    <svg aria-hidden="true" width="100%" height="100%">
      {layout.edges.map(({ owner, dependent }) => {
        const [from, to] = [placeOf(layout.nodes.get(owner)!), placeOf(layout.nodes.get(dependent)!)];
        const [x, y] = [from.left + WIDTH, from.top + HEIGHT / 2];
        const [toX, toY] = [to.left, to.top + HEIGHT / 2];
        const middle = (x + toX) / 2;
        const isNear = near !== '' && (near === owner || near === dependent);
        return (
          <path
            key={`${owner} ${dependent}`}
            class={`${lineOf(owner, dependent)} ${isNear ? 'near' : ''}`}
            d={`M${x},${y} C${middle},${y} ${middle},${toY} ${toX},${toY}`}
          />
        );
      })}
    </svg>
  );
}

function BoxView({ box, at }: { readonly box: Box; readonly at: Placed }) {
  const { id, above, name, title, href, tone, isSelf = false, isLeaving = false } = box;
  const { left, top } = placeOf(at);
  const style = { left: `${left}px`, top: `${top}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` };
  const type = href === undefined ? 'fold' : '';
  const look = `node ${type} ${tone} ${isSelf ? 'self' : ''} ${isLeaving ? 'leaving' : ''}`;
  if (href === undefined) {
    return (
      <div class={look} style={style} title={title}>
        {above !== '' && <span class="weak">{above}</span>}
        <span>{name}</span>
      </div>
    );
  }
  return (
    <a class={look} style={style} href={href} data-node={id} aria-current={isSelf ? 'true' : undefined} title={title}>
      <span class="weak">{above}</span>
      <strong>{name}</strong>
    </a>
  );
}

function placeOf({ row, column }: Placed): { readonly left: number; readonly top: number } {
  return { left: row * (WIDTH + GAP.across), top: column * (HEIGHT + GAP.down) };
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
