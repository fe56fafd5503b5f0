// A grid of any number of rows, of which only those in sight are in the document.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../cluster/live-table.ts';

export interface GridColumn {
  readonly title: string;
  readonly description?: string;
  /** In pixels; columns are never narrower. */
  readonly minWidth: number;
  /** Its part of the room that is left; undefined: none. */
  readonly share?: number;
  readonly cell: (row: Row) => string;
  /** 'bad', 'warn', 'good' or '' for a text that says how something is. */
  readonly tone?: (row: Row) => string;
}

interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly Row[];
  readonly sortedBy: number;
  readonly descending: boolean;
  readonly onSort: (column: number) => void;
  readonly onOpen: (row: Row) => void;
}

const ROW_HEIGHT = 30;
/** Room at both sides of a row. */
const SIDES = 44;
/** Rows beyond the edges, so that scrolling never shows a gap. */
const MARGIN = 12;

export function Grid({ label, columns, rows, sortedBy, descending, onSort, onOpen }: GridProps) {
  const element = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({ top: 0, height: 800 });
  const [chosen, setChosen] = useState(-1);
  useEffect(() => {
    const grid = element.current!;
    const measure = (): void => setWindow({ top: grid.scrollTop, height: grid.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(grid);
    grid.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      grid.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(window.top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((window.top + window.height) / ROW_HEIGHT) + MARGIN);
  const layout = layoutOf(columns);
  const move = (to: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, to));
    setChosen(at);
    reveal(element.current!, at);
  };
  return (
    <div
      ref={element}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={chosen >= 0 ? `row-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        const page = Math.max(1, Math.floor(window.height / ROW_HEIGHT) - 2);
        const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page };
        const step = steps[event.key];
        if (event.target !== element.current) return;
        if (step !== undefined) move(chosen + step);
        else if (event.key === 'Home') move(0);
        else if (event.key === 'End') move(rows.length - 1);
        else if (event.key === 'Enter' && rows[chosen] !== undefined) onOpen(rows[chosen]);
        else return;
        event.preventDefault();
      }}
    >
      <div role="row" class="head" aria-rowindex={1} style={layout} tabIndex={-1}>
        {columns.map(({ title, description }, at) => (
          <div
            key={title}
            role="columnheader"
            tabIndex={-1}
            title={description}
            aria-sort={at === sortedBy ? (descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" onClick={() => onSort(at)}>
              {title}
              {at === sortedBy && (descending ? ' ↓' : ' ↑')}
            </button>
          </div>
        ))}
      </div>
      <div class="body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {rows.slice(first, last).map((row, index) => {
          const at = first + index;
          return (
            <div
              key={row.meta.uid}
              id={`row-${at}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={at + 2}
              aria-selected={at === chosen}
              class={row.meta.deletionTimestamp === undefined ? '' : 'leaving'}
              style={{ ...layout, top: `${at * ROW_HEIGHT}px` }}
              onClick={() => onOpen(row)}
              onKeyDown={() => {}}
            >
              {columns.map(({ title, cell, tone }) => {
                const text = cell(row);
                const how = tone?.(row) ?? '';
                return (
                  <div key={title} role="gridcell" tabIndex={-1} title={text.length > 24 ? text : undefined}>
                    {how === '' ? text : <span class={`badge ${how}`}>{text}</span>}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Head and rows are grids of their own: what they share is what makes columns of them. */
function layoutOf(columns: readonly GridColumn[]): { gridTemplateColumns: string; minWidth: string } {
  const widths = columns.map(({ minWidth, share }) =>
    share === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${share}fr)`,
  );
  const least = columns.reduce((sum, { minWidth }) => sum + minWidth, SIDES);
  return { gridTemplateColumns: widths.join(' '), minWidth: `${least}px` };
}

/** Scrolls as little as it takes to show a row below the head. */
function reveal(grid: HTMLElement, at: number): void {
  const top = at * ROW_HEIGHT;
  const visible = grid.clientHeight - ROW_HEIGHT;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + visible) grid.scrollTop = top + ROW_HEIGHT - visible;
}
