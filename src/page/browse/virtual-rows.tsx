// A grid of any number of rows, of which only those in sight are in the document. Rows are opened, and selected to do
// something with several at once.

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
  /** Uids. */
  readonly selected: ReadonlySet<string>;
  readonly onSort: (column: number) => void;
  readonly onOpen: (row: Row) => void;
  readonly onSelect: (rows: readonly Row[], isOn: boolean) => void;
}

const ROW_HEIGHT = 30;
/** Room at both sides of a row. */
const SIDES = 44;
/** Of the column with the boxes of the selection. */
const BOX_WIDTH = 30;
/** Rows beyond the edges, so that scrolling never shows a gap. */
const MARGIN = 12;

export function Grid(props: GridProps) {
  const { label, columns, rows, selected, onOpen, onSelect } = props;
  const element = useRef<HTMLDivElement>(null);
  const window = useWindow(element);
  const [chosen, setChosen] = useState(-1);
  /** Where the last box was clicked: a click with Shift selects from there. */
  const [anchor, setAnchor] = useState(-1);
  const first = Math.max(0, Math.floor(window.top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((window.top + window.height) / ROW_HEIGHT) + MARGIN);
  const layout = layoutOf(columns);
  const move = (to: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, to));
    setChosen(at);
    reveal(element.current!, at);
  };
  const toggle = (at: number, isRange: boolean): void => {
    const from = isRange && anchor >= 0 ? Math.min(anchor, at) : at;
    const to = isRange && anchor >= 0 ? Math.max(anchor, at) : at;
    onSelect(rows.slice(from, to + 1), !selected.has(rows[at]!.meta.uid));
    setAnchor(at);
  };
  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(window.height / ROW_HEIGHT) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) move(chosen + step);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(rows.length - 1);
    else if (event.key === 'Enter' && rows[chosen] !== undefined) onOpen(rows[chosen]);
    else if (event.key === ' ' && rows[chosen] !== undefined) toggle(chosen, event.shiftKey);
    else return;
    event.preventDefault();
  };
  useKeysOfPage(element, onKey);
  return (
    <div
      ref={element}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={chosen >= 0 ? `row-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => event.target === element.current && onKey(event)}
    >
      <GridHead {...props} layout={layout} />
      <div class="body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <GridRow
            key={row.meta.uid}
            row={row}
            at={first + index}
            columns={columns}
            layout={layout}
            isChosen={first + index === chosen}
            isSelected={selected.has(row.meta.uid)}
            onOpen={onOpen}
            onToggle={toggle}
          />
        ))}
      </div>
    </div>
  );
}

/** On a page where nothing has the focus yet, the keys are those of its grid. */
function useKeysOfPage(
  element: { readonly current: HTMLDivElement | null },
  onKey: (event: KeyboardEvent) => void,
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const onPageKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.target !== document.body) return;
      if (document.querySelector('dialog[open]') !== null) return;
      latest.current(event);
      if (event.defaultPrevented) element.current?.focus({ preventScroll: true });
    };
    addEventListener('keydown', onPageKey);
    return () => removeEventListener('keydown', onPageKey);
  }, [element]);
}

/** Returns what part of a grid is in sight. */
function useWindow(element: { readonly current: HTMLDivElement | null }) {
  const [window, setWindow] = useState({ top: 0, height: 800 });
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
  return window;
}

type RowLayout = { readonly gridTemplateColumns: string; readonly minWidth: string };

function GridHead(props: GridProps & { readonly layout: RowLayout }) {
  const { columns, rows, sortedBy, descending, selected, layout, onSort, onSelect } = props;
  const count = rows.filter(({ meta }) => selected.has(meta.uid)).length;
  return (
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
      <div role="columnheader" class="box" tabIndex={-1}>
        <input
          type="checkbox"
          aria-label="Select all rows"
          checked={count > 0 && count === rows.length}
          indeterminate={count > 0 && count < rows.length}
          onChange={({ currentTarget }) => onSelect(rows, currentTarget.checked)}
        />
      </div>
    </div>
  );
}

interface GridRowProps {
  readonly row: Row;
  readonly at: number;
  readonly columns: readonly GridColumn[];
  readonly layout: RowLayout;
  /** Where the keyboard is. */
  readonly isChosen: boolean;
  readonly isSelected: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onToggle: (at: number, isRange: boolean) => void;
}

function GridRow({ row, at, columns, layout, isChosen, isSelected, onOpen, onToggle }: GridRowProps) {
  const { name, deletionTimestamp } = row.meta;
  return (
    <div
      id={`row-${at}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      class={`${deletionTimestamp === undefined ? '' : 'leaving'} ${isChosen ? 'chosen' : ''}`}
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
      <div role="gridcell" class="box" tabIndex={-1} onClick={(event) => event.stopPropagation()} onKeyDown={() => {}}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onClick={(event) => {
            event.preventDefault();
            onToggle(at, event.shiftKey);
          }}
        />
      </div>
    </div>
  );
}

/** Head and rows are grids of their own: what they share is what makes columns of them. The boxes stand at the left. */
function layoutOf(columns: readonly GridColumn[]): RowLayout {
  const widths = columns.map(({ minWidth, share }) =>
    share === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${share}fr)`,
  );
  const least = columns.reduce((sum, { minWidth }) => sum + minWidth, SIDES + BOX_WIDTH);
  return { gridTemplateColumns: `${BOX_WIDTH}px ${widths.join(' ')}`, minWidth: `${least}px` };
}

/** Scrolls as little as it takes to show a row below the head. */
function reveal(grid: HTMLElement, at: number): void {
  const top = at * ROW_HEIGHT;
  const visible = grid.clientHeight - ROW_HEIGHT;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + visible) grid.scrollTop = top + ROW_HEIGHT - visible;
}
