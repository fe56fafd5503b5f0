// Live tables: the rows of a collection as the server's own Table form gives them, kept current by a watch.

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
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface Row {
  readonly cells: readonly unknown[];
  readonly meta: ObjectMeta;
}

interface Table {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly Column[];
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object?: { readonly metadata?: ObjectMeta };
  }[];
}

export type TableState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  /** The watch ended and is started again. */
  | { readonly phase: 'reconnecting'; readonly message: string }
  | { readonly phase: 'failed'; readonly code: number; readonly message: string };

const FORM = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PAGE = 500;
const AGAIN_MS = 1000;

/** Rows of one collection, until it is closed. */
export class LiveTable {
  readonly columns = signal<readonly Column[]>([]);
  /** In the order of the server: by namespace and name. */
  readonly rows = signal<readonly Row[]>([]);
  readonly state = signal<TableState>({ phase: 'loading' });
  readonly #path: string;
  readonly #query: Readonly<Record<string, string>>;
  readonly #watches: WatchConnection;
  readonly #byUid = new Map<string, Row>();
  readonly #aborted = new AbortController();
  #stop = (): void => {};
  #version = '';
  #scheduled = false;

  /**
   * @param path of the collection, without its query
   * @param query selectors: `labelSelector`, `fieldSelector`
   */
  constructor(path: string, query: Readonly<Record<string, string>>, watches: WatchConnection) {
    this.#path = path;
    this.#query = query;
    this.#watches = watches;
    void this.#begin();
  }

  close(): void {
    this.#aborted.abort();
    this.#stop();
  }

  async #begin(): Promise<void> {
    try {
      await this.#list();
      this.state.value = { phase: 'live' };
      this.#watch();
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      const code = error instanceof ClusterError ? error.code : 0;
      // Refusals stay; what may pass is tried again.
      if (code >= 400 && code < 500 && code !== 410 && code !== 429) {
        this.state.value = { phase: 'failed', code, message: (error as Error).message };
      } else this.#again((error as Error).message);
    }
  }

  async #list(): Promise<void> {
    const seen = new Map<string, Row>();
    let next: string | undefined = '';
    while (next !== undefined) {
      const query = new URLSearchParams({ ...this.#query, limit: String(PAGE), includeObject: 'Metadata' });
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
    for (const uid of this.#byUid.keys()) if (!seen.has(uid)) this.#byUid.delete(uid);
    this.#show();
  }

  #watch(): void {
    const query = new URLSearchParams({
      ...this.#query,
      ...{ watch: '1', allowWatchBookmarks: 'true', includeObject: 'Metadata', resourceVersion: this.#version },
    });
    this.#stop = this.#watches.watch(
      `${this.#path}?${query}`,
      {
        onEvent: ({ type, object }) => this.#hear(type, object as Table),
        onEnd: ({ code, message }) => {
          if (code >= 400 && code < 500 && code !== 410) this.state.value = { phase: 'failed', code, message };
          else this.#resume(code, message);
        },
      },
      FORM,
    );
  }

  #hear(type: string, object: Table & { readonly code?: number; readonly message?: string }): void {
    if (type === 'ERROR') {
      this.#stop();
      this.#resume(object.code ?? 0, object.message ?? '');
      return;
    }
    if (type === 'BOOKMARK') {
      this.#version = object.metadata?.resourceVersion ?? rowsOf(object)[0]?.meta.resourceVersion ?? this.#version;
      return;
    }
    for (const row of rowsOf(object)) {
      this.#version = row.meta.resourceVersion;
      if (type === 'DELETED') this.#byUid.delete(row.meta.uid);
      else this.#byUid.set(row.meta.uid, row);
    }
    this.#show();
  }

  /** Goes on from the last version that was heard of; lists anew where the server has forgotten it. */
  #resume(code: number, message: string): void {
    if (this.#aborted.signal.aborted) return;
    if (code === 410 || message !== '') this.#again(message);
    else this.#watch();
  }

  #again(message: string): void {
    this.state.value = { phase: 'reconnecting', message };
    setTimeout(() => {
      if (!this.#aborted.signal.aborted) void this.#begin();
    }, AGAIN_MS);
  }

  /** Many events come at a time: the rows are put in order once for all that one frame shows. */
  #show(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.rows.value = [...this.#byUid.values()].sort(byNamespaceAndName);
    });
  }
}

function rowsOf(table: Table): Row[] {
  return (table.rows ?? []).flatMap(({ cells, object }) =>
    object?.metadata === undefined ? [] : [{ cells, meta: object.metadata }],
  );
}

function byNamespaceAndName({ meta: a }: Row, { meta: b }: Row): number {
  const [one, other] = [a.namespace ?? '', b.namespace ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
