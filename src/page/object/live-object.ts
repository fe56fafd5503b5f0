// One object kept current by a watch, with every version of it that the page has seen or the server still has.

import { signal } from '@preact/signals';
import { askFirst, ClusterError } from '../cluster/cluster-api.ts';
import { type Resource, resourcePath } from '../cluster/discovery.ts';
import type { ObjectMeta } from '../cluster/live-table.ts';
import type { WatchConnection } from '../cluster/watch-connection.ts';

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldsV1;
}

/**
 * Field sets as the server writes them: `f:name` for a field, `k:{…}` for an item by its keys, `v:…` by its value, `.`
 * for the value itself.
 */
export interface FieldsV1 {
  readonly [element: string]: FieldsV1;
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & {
    readonly managedFields?: readonly ManagedFieldsEntry[];
    readonly generation?: number;
  };
  readonly [member: string]: unknown;
}

export type ObjectState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  | { readonly phase: 'deleted' }
  | { readonly phase: 'reconnecting'; readonly message: string }
  | { readonly phase: 'failed'; readonly code: number; readonly message: string };

/** The maximum number of versions kept of one object; the oldest are dropped first. */
const MAX_VERSIONS = 200;
const AGAIN_MS = 1000;
/** How many revisions of the server the page looks back, if they have not been compacted. */
const BACK = [100_000, 10_000, 1_000, 100, 10];

export class LiveObject {
  readonly object = signal<ApiObject | undefined>(undefined);
  readonly state = signal<ObjectState>({ phase: 'loading' });
  /** Oldest first. */
  readonly versions = signal<readonly ApiObject[]>([]);
  /** Whether the server was asked for earlier versions. */
  readonly history = signal<'unknown' | 'asking' | 'known'>('unknown');
  readonly path: string;
  readonly #collection: string;
  readonly #name: string;
  readonly #watches: WatchConnection;
  readonly #aborted = new AbortController();
  #stop = (): void => {};

  constructor(resource: Resource, { namespace, name }: { namespace: string; name: string }, watches: WatchConnection) {
    this.path = resourcePath(resource, namespace, name);
    this.#collection = resourcePath(resource, namespace);
    this.#name = name;
    this.#watches = watches;
    void this.#begin();
  }

  close(): void {
    this.#aborted.abort();
    this.#stop();
  }

  /** Uses a response of the server in place of the next event. */
  take(object: ApiObject): void {
    this.object.value = object;
    this.#remember([object]);
  }

  /**
   * Looks for versions from before the page was opened: servers keep recent revisions, and a watch that starts before
   * them reports each.
   */
  async readHistory(): Promise<void> {
    const current = Number(this.object.value?.metadata.resourceVersion);
    if (!Number.isSafeInteger(current) || this.history.value !== 'unknown') return;
    this.history.value = 'asking';
    for (const from of new Set(BACK.map((back) => Math.max(1, current - back)))) {
      const found = await this.#since(from);
      if (found === undefined) continue;
      this.#remember(found);
      break;
    }
    this.history.value = 'known';
  }

  async #begin(): Promise<void> {
    try {
      const signal = this.#aborted.signal;
      this.take(await askFirst<ApiObject>(this.path, { signal }));
      this.state.value = { phase: 'live' };
      this.#watch();
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      const code = error instanceof ClusterError ? error.code : 0;
      const { message } = error as Error;
      if (code === 404 && this.object.value !== undefined) this.state.value = { phase: 'deleted' };
      else if (code >= 400 && code < 500 && code !== 429) this.state.value = { phase: 'failed', code, message };
      else this.#again(message);
    }
  }

  #watch(): void {
    this.#stop = this.#watches.watch(this.#watchPath(this.object.value?.metadata.resourceVersion ?? ''), {
      onEvent: ({ type, object }) => {
        if (type === 'ERROR') return this.#again(String(object['message'] ?? ''));
        if (type === 'BOOKMARK') return;
        if (type === 'DELETED') this.state.value = { phase: 'deleted' };
        else this.state.value = { phase: 'live' };
        this.take(object as unknown as ApiObject);
      },
      onEnd: ({ code, message }) => {
        // A user who may get an object is not necessarily allowed to watch it.
        if (code === 403 || code === 405) return;
        this.#again(message);
      },
    });
  }

  #again(message: string): void {
    if (this.#aborted.signal.aborted) return;
    this.#stop();
    this.state.value = { phase: 'reconnecting', message };
    setTimeout(() => {
      if (!this.#aborted.signal.aborted) void this.#begin();
    }, AGAIN_MS);
  }

  /** Returns the versions after a resource version; undefined if the server has compacted them. */
  #since(resourceVersion: number): Promise<readonly ApiObject[] | undefined> {
    return new Promise((resolve) => {
      const found: ApiObject[] = [];
      const last = this.object.value?.metadata.resourceVersion;
      const end = (result: readonly ApiObject[] | undefined): void => {
        clearTimeout(timer);
        stop();
        resolve(result);
      };
      const timer = setTimeout(() => end(found), 2000);
      const stop = this.#watches.watch(this.#watchPath(String(resourceVersion)), {
        onEvent: ({ type, object }) => {
          if (type === 'ERROR') return end(undefined);
          if (type !== 'BOOKMARK') found.push(object as unknown as ApiObject);
          if (found.at(-1)?.metadata.resourceVersion === last) end(found);
        },
        onEnd: () => end(undefined),
      });
    });
  }

  #watchPath(resourceVersion: string): string {
    const fieldSelector = `metadata.name=${this.#name}`;
    const query = { watch: '1', allowWatchBookmarks: 'true', fieldSelector, resourceVersion };
    return `${this.#collection}?${new URLSearchParams(query)}`;
  }

  #remember(found: readonly ApiObject[]): void {
    const known = new Map(this.versions.value.map((object) => [object.metadata.resourceVersion, object]));
    for (const object of found) known.set(object.metadata.resourceVersion, object);
    this.versions.value = [...known.values()].sort(byVersion).slice(-MAX_VERSIONS);
  }
}

function byVersion(a: ApiObject, b: ApiObject): number {
  return Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion);
}
