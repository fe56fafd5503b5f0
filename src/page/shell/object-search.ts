// Search for objects of any kind by name: the names of all objects that the user may list, read kind by kind.

import { signal } from '@preact/signals';
import { askJson, ClusterError } from '../cluster/cluster-api.ts';
import { type Resource, resourcePath } from '../cluster/discovery.ts';
import type { ObjectMeta } from '../cluster/live-table.ts';

export interface FoundObject {
  readonly resource: Resource;
  readonly meta: ObjectMeta;
}

const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const PAGE = 500;
/** The most objects that are searched of one kind, and how many kinds are read at once. */
const MAX_OF_KIND = 5000;
const AT_ONCE = 4;
/** Kinds that nobody looks for by name: they are many, or named as others are. */
const SKIPPED = new Set(['events', 'leases', 'endpoints', 'endpointslices', 'controllerrevisions']);
const SKIPPED_GROUP = 'metrics.k8s.io';

export class ObjectSearch {
  readonly objects = signal<readonly FoundObject[]>([]);
  readonly isReading = signal(false);
  readonly #aborted = new AbortController();
  #isStarted = false;
  #namespaces: readonly string[] = [];

  /**
   * Reads the names of the objects of kinds, once.
   * @param namespaces where those are looked for who may not list all
   */
  start(resources: readonly Resource[], namespaces: readonly string[]): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#namespaces = namespaces;
    void this.#read(resources.filter(({ group, name }) => group !== SKIPPED_GROUP && !SKIPPED.has(name)));
  }

  stop(): void {
    this.#aborted.abort();
  }

  async #read(resources: readonly Resource[]): Promise<void> {
    this.isReading.value = true;
    const waiting = [...resources];
    const work = async (): Promise<void> => {
      for (let resource = waiting.shift(); resource !== undefined; resource = waiting.shift())
        await this.#list(resource);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.isReading.value = false;
  }

  /** Kinds that the user may list nowhere are left out. */
  async #list(resource: Resource): Promise<void> {
    try {
      await this.#listIn(resource, undefined);
    } catch (error) {
      const isForbidden = error instanceof ClusterError && error.code === 403;
      if (!isForbidden || !resource.namespaced) return;
      for (const namespace of this.#namespaces) await this.#listIn(resource, namespace).catch(() => undefined);
    }
  }

  async #listIn(resource: Resource, namespace: string | undefined): Promise<void> {
    let next = '';
    let count = 0;
    do {
      const query = new URLSearchParams({ limit: String(PAGE), ...(next !== '' && { continue: next }) });
      const path = `${resourcePath(resource, namespace)}?${query}`;
      const list = await askJson<MetadataList>(path, { accept: METADATA, signal: this.#aborted.signal });
      const items = list.items ?? [];
      count += items.length;
      this.objects.value = [...this.objects.value, ...items.map(({ metadata }) => ({ resource, meta: metadata }))];
      next = list.metadata?.continue ?? '';
    } while (next !== '' && count < MAX_OF_KIND);
  }
}

interface MetadataList {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly { readonly metadata: ObjectMeta }[];
}

/**
 * Returns the objects that a query finds, best first: each of its words is in the name, the kind or the namespace, and one
 * in the name.
 */
export function findObjects(objects: readonly FoundObject[], query: string, max: number): FoundObject[] {
  const words = query
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  if (words.length === 0) return [];
  return objects
    .flatMap((found) => {
      const score = scoreOf(found, words);
      return score === undefined ? [] : [{ found, score }];
    })
    .sort((a, b) => a.score - b.score || a.found.meta.name.length - b.found.meta.name.length)
    .slice(0, max)
    .map(({ found }) => found);
}

/** The lower, the better; undefined if it is not found. */
function scoreOf({ resource, meta }: FoundObject, words: readonly string[]): number | undefined {
  const name = meta.name.toLowerCase();
  const beside = [resource.kind.toLowerCase(), resource.name, meta.namespace ?? '', ...resource.shortNames];
  const scores = words.map((word) => {
    if (name === word) return 0;
    if (name.startsWith(word)) return 1;
    if (name.includes(word)) return 2;
    return beside.some((text) => text.startsWith(word)) ? 3 : undefined;
  });
  if (scores.includes(undefined) || scores.every((score) => score === 3)) return undefined;
  return Math.min(...(scores as number[]));
}
