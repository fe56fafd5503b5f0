// The list of a kind: the server's own columns, live, within a namespace or all of them, filtered by text, labels and
// fields.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../cluster/connection.ts';
import { type Resource, resourcePath } from '../cluster/discovery.ts';
import { type Column, LiveTable, type Row, type TableState } from '../cluster/live-table.ts';
import { go, place, setQuery } from '../shell/router.ts';
import { age } from './age.ts';
import { NamespaceChoice } from './namespace-choice.tsx';
import { objectHref } from './object-address.ts';
import { toneOf } from './tone.ts';
import { Grid, type GridColumn } from './virtual-rows.tsx';

export function ResourceList({ resource }: { readonly resource: Resource }) {
  const { query } = place.value;
  const namespace = query.get('ns') ?? '';
  const labelSelector = query.get('labels') ?? '';
  const fieldSelector = query.get('fields') ?? '';
  const table = useMemo(
    () =>
      new LiveTable(
        resourcePath(resource, namespace),
        { ...(labelSelector !== '' && { labelSelector }), ...(fieldSelector !== '' && { fieldSelector }) },
        connection,
      ),
    [resource, namespace, labelSelector, fieldSelector],
  );
  useEffect(() => () => table.close(), [table]);
  const sort = useSignal({ column: -1, descending: false });
  const showsNamespace = resource.namespaced && namespace === '';
  const columns = gridColumns(table.columns.value, showsNamespace);
  const text = (query.get('q') ?? '').toLowerCase();
  const rows = sorted(filtered(table.rows.value, columns, text), columns[sort.value.column], sort.value.descending);
  const count = useComputed(() => table.rows.value.length);
  return (
    <>
      <div class="bar">
        <h1>{resource.kind}</h1>
        <span class="weak" aria-live="polite">
          {rows.length === count.value ? count.value : `${rows.length} of ${count.value}`}
        </span>
        <StateBadge state={table.state.value} />
        <span class="grow" />
        {resource.namespaced && <NamespaceChoice chosen={namespace} onChoose={(ns) => setQuery({ ns })} />}
        <Filter name="q" label="Filter rows" shortcut="/" width={150} />
        <Filter name="labels" label="Labels: app=web" width={150} />
        <Filter name="fields" label="Fields: metadata.name=a" width={190} />
      </div>
      {table.state.value.phase === 'failed' ? (
        <div class="scroll">
          <p class="notice bad" role="alert">
            {table.state.value.message}
          </p>
        </div>
      ) : (
        <Grid
          label={resource.kind}
          columns={columns}
          rows={rows}
          sortedBy={sort.value.column}
          descending={sort.value.descending}
          onSort={(column) => {
            const again = sort.value.column === column;
            sort.value = { column, descending: again && !sort.value.descending };
          }}
          onOpen={({ meta }) => go(objectHref(resource, meta))}
        />
      )}
    </>
  );
}

function StateBadge({ state }: { readonly state: TableState }) {
  if (state.phase === 'live') return <span class="badge good">live</span>;
  if (state.phase === 'loading') return <span class="badge">loading</span>;
  if (state.phase === 'failed') return null;
  return (
    <span class="badge warn" title={state.message}>
      reconnecting
    </span>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly width: number;
  /** The key that leads here. */
  readonly shortcut?: string;
}

/** A filter that is kept in the address, and takes effect on Enter or when it is left; that of rows at once. */
function Filter({ name, label, width, shortcut }: FilterProps) {
  const isLive = name === 'q';
  const take = (value: string): void => setQuery({ [name]: value.trim() });
  useEffect(() => {
    if (shortcut === undefined) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element).closest('input, textarea, select, [contenteditable="true"]') !== null;
      if (event.key !== shortcut || isTyping) return;
      event.preventDefault();
      document.getElementById(`filter-${name}`)?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [name, shortcut]);
  return (
    <input
      id={`filter-${name}`}
      type="search"
      aria-label={label}
      placeholder={shortcut === undefined ? label : `${label}  (${shortcut})`}
      style={{ width: `${width}px` }}
      value={place.value.query.get(name) ?? ''}
      onInput={({ currentTarget }) => isLive && take(currentTarget.value)}
      onChange={({ currentTarget }) => take(currentTarget.value)}
    />
  );
}

function gridColumns(columns: readonly Column[], showsNamespace: boolean): GridColumn[] {
  const named: GridColumn[] = columns.flatMap((column, at) => {
    if (column.priority > 0) return [];
    const isAge = column.name === 'Age';
    const cell = isAge
      ? ({ meta }: Row) => age(meta.creationTimestamp)
      : ({ cells }: Row) => (cells[at] === null || cells[at] === undefined ? '' : String(cells[at]));
    return [
      {
        title: column.name,
        ...(column.description !== undefined && { description: column.description }),
        width: at === 0 ? 'minmax(220px, 2.4fr)' : isAge ? '80px' : 'minmax(90px, 1fr)',
        cell,
        tone: (row: Row) => toneOf(column.name, cell(row)),
      },
    ];
  });
  if (!showsNamespace) return named;
  const namespace = { title: 'Namespace', width: 'minmax(120px, 1fr)', cell: ({ meta }: Row) => meta.namespace ?? '' };
  return [...named.slice(0, 1), namespace, ...named.slice(1)];
}

function filtered(rows: readonly Row[], columns: readonly GridColumn[], text: string): readonly Row[] {
  if (text === '') return rows;
  return rows.filter((row) => columns.some(({ cell }) => cell(row).toLowerCase().includes(text)));
}

const collator = new Intl.Collator('en', { numeric: true });

function sorted(rows: readonly Row[], column: GridColumn | undefined, descending: boolean): readonly Row[] {
  if (column === undefined) return rows;
  const key =
    column.title === 'Age' ? ({ meta }: Row) => String(-Date.parse(meta.creationTimestamp ?? '')) : column.cell;
  const order = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, text: key(row) }))
    .sort((a, b) => order * collator.compare(a.text, b.text))
    .map(({ row }) => row);
}
