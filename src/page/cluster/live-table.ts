// Live tables: the rows of a collection in the server's Table form, kept current by a watch. If the server supports it,
// the watch also delivers the initial rows (WatchList).

import { signal } from '@preact/signals';
import { askJson, ClusterError } from './cluster-api.ts';
import type { WatchConnection } from './watch-connection.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  /** 0 is always shown, others when there is room. */
  readonly priority: number;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** An object as the server sent it. */
export interface WholeObject {
  readonly metadata: ObjectMeta;
  readonly [member: string]: unknown;
}

export interface Row {
  readonly cells: readonly unknown[];
  readonly meta: ObjectMeta;
  /** The metadata alone, unless the table was asked for whole objects. */
  readonly object: WholeObject;
}

interface Table {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly Column[];
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object?: Partial<WholeObject>;
  }[];
}

export type TableState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  /** Listed, but the user may not watch it. */
  | { readonly phase: 'still'; readonly message: string }
  /** The watch ended and is being restarted. */
  | { readonly phase: 'reconnecting'; readonly message: string }
  | { readonly phase: 'failed'; readonly code: number; readonly message: string };

const FORM = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PAGE = 500;
const AGAIN_MS = 1000;
/** How often rows are rendered while the initial ones arrive. */
const LOADING_MS = 120;
/** Marks the bookmark that ends the initial events of a watch. */
const INITIAL_END = 'k8s.io/initial-events-end';

interface TableOptions {
  /** Selectors: `labelSelector`, `fieldSelector`. */
  readonly query?: Readonly<Record<string, string>>;
  /** What comes with the cells of each row. */
  readonly include?: 'Metadata' | 'Object';
}

/** The rows of one collection, kept current until closed. */
export class LiveTable {
  readonly columns = signal<readonly Column[]>([]);
  /** In the server's order: by namespace and name. */
  readonly rows = signal<readonly Row[]>([]);
  readonly state = signal<TableState>({ phase: 'loading' });
  readonly #path: string;
  readonly #query: Readonly<Record<string, string>>;
  readonly #watches: WatchConnection;
  readonly #byUid = new Map<string, Row>();
  readonly #aborted = new AbortController();
  #stop = (): void => {};
  #version = '';
  /** Initial rows received from a watch so far; undefined once all have arrived. */
  #initial: Set<string> | undefined;
  #planned: Planned | undefined;

  /**
   * @param path of the collection, without its query
   */
  constructor(path: string, watches: WatchConnection, { query = {}, include = 'Metadata' }: TableOptions = {}) {
    this.#path = path;
    this.#query = { ...query, includeObject: include };
    this.#watches = watches;
    this.#begin();
  }

  close(): void {
    this.#aborted.abort();
    this.#stop();
  }

  #begin(): void {
    if (this.#watches.streamsLists) this.#watch({ sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' });
    else void this.#beginWithList();
  }

  async #beginWithList(): Promise<void> {
    try {
      await this.#list();
      this.state.value = { phase: 'live' };
      this.#watch({ resourceVersion: this.#version });
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      const code = error instanceof ClusterError ? error.code : 0;
      // Rejections are final; transient errors are retried.
      if (code >= 400 && code < 500 && code !== 410 && code !== 429) {
        this.state.value = { phase: 'failed', code, message: (error as Error).message };
      } else this.#again((error as Error).message);
    }
  }

  async #list(): Promise<void> {
    const seen = new Map<string, Row>();
    let next: string | undefined = '';
    while (next !== undefined) {
      const query = new URLSearchParams({ ...this.#query, limit: String(PAGE) });
      if (next !== '') query.set('continue', next);
      const table: Table = await askJson(`${this.#path}?${query}`, { accept: FORM, signal: this.#aborted.signal });
      if (table.columnDefinitions !== undefined) this.columns.value = table.columnDefinitions;
      for (const row of rowsOf(table)) {
        seen.set(row.meta.uid, row);
        this.#byUid.set(row.meta.uid, row);
      }
      this.#version = table.metadata?.resourceVersion ?? '';
      next = table.metadata?.continue || undefined;
      this.#show();
    }
    this.#keepOnly(seen);
  }

  #keepOnly(seen: { has(uid: string): boolean }): void {
    for (const uid of this.#byUid.keys()) if (!seen.has(uid)) this.#byUid.delete(uid);
    this.#show();
  }

  #watch(from: Readonly<Record<string, string>>): void {
    this.#initial = 'sendInitialEvents' in from ? new Set() : undefined;
    const query = new URLSearchParams({
      ...this.#query,
      ...{ watch: '1', allowWatchBookmarks: 'true', ...from },
    });
    this.#stop = this.#watches.watch(
      `${this.#path}?${query}`,
      {
        onEvent: ({ type, object }) => this.#hear(type, object as Table),
        onEnd: ({ code, message }) => {
          if (this.#initial !== undefined && code >= 400 && code < 500) void this.#listInstead(code);
          else if (code === 403 || code === 405) this.state.value = { phase: 'still', message };
          else if (code >= 400 && code < 500 && code !== 410) this.state.value = { phase: 'failed', code, message };
          else this.#resume(code, message);
        },
      },
      FORM,
    );
  }

  /**
   * Servers without streaming lists reject the request, and a user who may list is not necessarily allowed to watch.
   */
  async #listInstead(code: number): Promise<void> {
    this.#initial = undefined;
    await this.#beginWithList();
    if ([400, 422].includes(code) && this.state.value.phase === 'live') this.#watches.streamsLists = false;
  }

  #hear(type: string, object: Table & { readonly code?: number; readonly message?: string }): void {
    if (type === 'ERROR') {
      this.#stop();
      this.#resume(object.code ?? 0, object.message ?? '');
      return;
    }
    if (object.columnDefinitions !== undefined && this.columns.value.length === 0) {
      this.columns.value = object.columnDefinitions;
    }
    if (type === 'BOOKMARK') {
      this.#hearBookmark(object);
      return;
    }
    for (const row of rowsOf(object)) {
      this.#initial?.add(row.meta.uid);
      this.#version = row.meta.resourceVersion;
      if (type === 'DELETED') this.#byUid.delete(row.meta.uid);
      else this.#byUid.set(row.meta.uid, row);
    }
    this.#show();
  }

  #hearBookmark(object: Table): void {
    const [row] = rowsOf(object);
    this.#version = object.metadata?.resourceVersion || row?.meta.resourceVersion || this.#version;
    if (this.#initial === undefined || row?.meta.annotations?.[INITIAL_END] !== 'true') return;
    const seen = this.#initial;
    this.#initial = undefined;
    this.state.value = { phase: 'live' };
    this.#keepOnly(seen);
  }

  /** Resumes from the last resource version received; lists again if the server has compacted it. */
  #resume(code: number, message: string): void {
    if (this.#aborted.signal.aborted) return;
    if (code === 410 || message !== '' || this.#initial !== undefined) this.#again(message);
    else this.#watch({ resourceVersion: this.#version });
  }

  #again(message: string): void {
    this.state.value = { phase: 'reconnecting', message };
    setTimeout(() => {
      if (!this.#aborted.signal.aborted) this.#begin();
    }, AGAIN_MS);
  }

  /** Events arrive in bursts: rows are sorted once per frame, and less often while the initial ones arrive. */
  #show(): void {
    const isLoading = this.#initial !== undefined && this.rows.value.length > 0;
    // The complete set of rows is shown at once, without waiting for a render scheduled earlier.
    if (this.#planned !== undefined && (isLoading || !this.#planned.isSlow)) return;
    this.#planned?.cancel();
    this.#planned = isLoading ? slowly(() => this.#showNow()) : nextFrame(() => this.#showNow());
  }

  #showNow(): void {
    this.#planned = undefined;
    this.rows.value = [...this.#byUid.values()].sort(byNamespaceAndName);
  }
}

/** A scheduled render. */
interface Planned {
  readonly isSlow: boolean;
  cancel(): void;
}

function nextFrame(show: () => void): Planned {
  const id = requestAnimationFrame(show);
  return { isSlow: false, cancel: () => cancelAnimationFrame(id) };
}

function slowly(show: () => void): Planned {
  const id = setTimeout(show, LOADING_MS);
  return { isSlow: true, cancel: () => clearTimeout(id) };
}

function rowsOf(table: Table): Row[] {
  return (table.rows ?? []).flatMap(({ cells, object }) =>
    object?.metadata === undefined ? [] : [{ cells, meta: object.metadata, object: object as WholeObject }],
  );
}

function byNamespaceAndName({ meta: a }: Row, { meta: b }: Row): number {
  const [one, other] = [a.namespace ?? '', b.namespace ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
