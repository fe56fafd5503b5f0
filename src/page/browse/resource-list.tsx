// The list of a kind: the server's own columns, live, within a namespace or all of them, filtered by text, labels and
// fields.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pluralOf, type Resource, resourcePath } from '../cluster/discovery.ts';
import type { Row } from '../cluster/live-table.ts';
import { session } from '../cluster/session.ts';
import { useLiveTables } from '../cluster/use-live-tables.ts';
import { go, href, place, setQuery } from '../shell/router.ts';
import { filtered, gridColumns, sorted } from './columns.ts';
import { NamespaceChoice } from './namespace-choice.tsx';
import { objectHref } from './object-address.ts';
import { favouriteKinds, kindKey, noteVisit, toggleFavourite } from './preferences.ts';
import { SelectionBar } from './selection-bar.tsx';
import { StateBadge } from './state-badge.tsx';
import { Grid } from './virtual-rows.tsx';

export function ResourceList({ resource }: { readonly resource: Resource }) {
  const { query } = place.value;
  const namespace = query.get('ns') ?? '';
  const labelSelector = query.get('labels') ?? '';
  const fieldSelector = query.get('fields') ?? '';
  const namespaces = resource.namespaced ? namespace.split(',') : [''];
  const table = useLiveTables(
    namespaces.map((one) => resourcePath(resource, one)),
    { labelSelector, fieldSelector },
  );
  const selected = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => noteVisit(resource, namespace), [resource, namespace]);
  const sort = useSignal({ column: -1, descending: false });
  const showsNamespace = resource.namespaced && (namespace === '' || namespaces.length > 1);
  const isWide = query.get('wide') === '1';
  const columns = gridColumns(table.columns.value, { showsNamespace, isWide });
  const text = query.get('q') ?? '';
  const rows = sorted(filtered(table.rows.value, columns, text), columns[sort.value.column], sort.value.descending);
  const count = table.rows.value.length;
  const picked = table.rows.value.filter(({ meta }) => selected.value.has(meta.uid));
  return (
    <>
      <div class="bar">
        <h1>{pluralOf(resource)}</h1>
        <Star resource={resource} />
        <span class="weak" role="status" aria-label="Count">
          {rows.length === count ? count : `${rows.length} of ${count}`}
        </span>
        <StateBadge state={table.state.value} />
        <span class="grow" />
        {resource.namespaced && (
          <NamespaceChoice chosen={namespace} allows="several" onChoose={(ns) => setQuery({ ns })} />
        )}
        <Filter name="q" label="Filter rows" shortcut="/" width={150} />
        <Filter name="labels" label="Label selector" example="app=web" width={160} />
        <Filter name="fields" label="Field selector" example="metadata.name=web" width={160} />
        <label class="check">
          <input
            type="checkbox"
            checked={isWide}
            onChange={({ currentTarget }) => setQuery({ wide: currentTarget.checked ? '1' : undefined })}
          />
          Wide
        </label>
        {resource.verbs.includes('create') && session.value?.readOnly !== true && (
          <a class="button" href={newHref(resource, namespace)}>
            New…
          </a>
        )}
      </div>
      {picked.length > 0 && (
        <SelectionBar
          resource={resource}
          rows={picked}
          onClear={() => {
            selected.value = new Set();
          }}
        />
      )}
      {table.state.value.phase === 'failed' ? (
        <div class="scroll">
          <p class="notice bad" role="alert">
            {table.state.value.message}
          </p>
        </div>
      ) : rows.length === 0 && ['live', 'still'].includes(table.state.value.phase) ? (
        <Nothing
          resource={resource}
          isFiltered={count > 0 || labelSelector !== '' || fieldSelector !== ''}
          namespace={namespace}
        />
      ) : (
        <Grid
          label={pluralOf(resource)}
          columns={columns}
          rows={rows}
          sortedBy={sort.value.column}
          descending={sort.value.descending}
          onSort={(column) => {
            const again = sort.value.column === column;
            sort.value = { column, descending: again && !sort.value.descending };
          }}
          selected={selected.value}
          onSelect={(some, isOn) => {
            selected.value = withChoice(selected.value, some, isOn);
          }}
          onOpen={({ meta }) => go(objectHref(resource, meta))}
        />
      )}
    </>
  );
}

function withChoice(selected: ReadonlySet<string>, rows: readonly Row[], isOn: boolean): ReadonlySet<string> {
  const uids = new Set(rows.map(({ meta }) => meta.uid));
  return new Set([...[...selected].filter((uid) => !uids.has(uid)), ...(isOn ? uids : [])]);
}

function newHref({ group, version, name }: Resource, namespace: string): string {
  return `${href('new', group === '' ? 'core' : group, version, name)}?${new URLSearchParams({ ns: namespace })}`;
}

function Star({ resource }: { readonly resource: Resource }) {
  const isFavourite = favouriteKinds.value.includes(kindKey(resource));
  return (
    <button
      type="button"
      class="plain star"
      aria-label="Favourite"
      aria-pressed={isFavourite}
      title={isFavourite ? 'A favourite: shown first at the side' : 'Make it a favourite'}
      onClick={() => toggleFavourite(resource)}
    >
      {isFavourite ? '★' : '☆'}
    </button>
  );
}

interface NothingProps {
  readonly resource: Resource;
  readonly isFiltered: boolean;
  readonly namespace: string;
}

function Nothing({ resource, isFiltered, namespace }: NothingProps) {
  const several = namespace.includes(',');
  const where = namespace === '' ? 'in the cluster' : `in ${several ? 'the namespaces' : 'namespace'} ${namespace}`;
  return (
    <div class="empty">
      <p>
        {isFiltered ? `No ${pluralOf(resource)} ${where} match the filters.` : `No ${pluralOf(resource)} ${where}.`}
      </p>
      {isFiltered && (
        <button type="button" onClick={() => setQuery({ q: undefined, labels: undefined, fields: undefined })}>
          Clear the filters
        </button>
      )}
      {!isFiltered && namespace !== '' && (
        <button type="button" onClick={() => setQuery({ ns: undefined })}>
          Show all namespaces
        </button>
      )}
    </div>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly width: number;
  readonly example?: string;
  /** The key that leads here. */
  readonly shortcut?: string;
}

/** A filter that is kept in the address, and takes effect on Enter or when it is left; that of rows at once. */
function Filter({ name, label, example, width, shortcut }: FilterProps) {
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
      title={example === undefined ? undefined : `For example ${example}`}
      class="filter"
      style={{ maxWidth: `${width}px` }}
      value={place.value.query.get(name) ?? ''}
      onInput={({ currentTarget }) => isLive && take(currentTarget.value)}
      onChange={({ currentTarget }) => take(currentTarget.value)}
    />
  );
}
