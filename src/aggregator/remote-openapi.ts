// Cache of other API servers' OpenAPI documents: the whole v2 document, which is merged with ours, and the index of v3,
// whose documents their servers provide. After a failed fetch the cached one is kept.

import type { JsonObject } from '../api/object.ts';
import { entriesAt, textAt } from '../resources/value.ts';
import { answeredObject, answerHash, type ReadingTurns } from './answered-object.ts';
import type { RemoteApiService } from './api-service-index.ts';
import { type AskApiService, OPENAPI_AGGREGATOR } from './ask.ts';
import { discoveryPath } from './probe.ts';

/** The cached documents of one server. */
interface Kept {
  /** The v2 document, limited to the APIService's version. */
  readonly v2?: { readonly document: JsonObject; readonly etag: string | undefined; readonly hash: string } | undefined;
  /** The locations of v3 documents, by key (`apis/x.io/v1`). */
  readonly v3?: ReadonlyMap<string, string> | undefined;
}

export class RemoteOpenApi {
  readonly #kept = new Map<string, Kept>();
  #generation = 0;

  /** Increases with every change. */
  get generation(): number {
    return this.#generation;
  }

  get(name: string): Kept | undefined {
    return this.#kept.get(name);
  }

  set(name: string, kept: Kept): void {
    this.#kept.set(name, kept);
    this.#generation++;
  }

  delete(name: string): void {
    if (this.#kept.delete(name)) this.#generation++;
  }

  /** The v2 documents, sorted by the name of the APIService. */
  wholes(): { readonly name: string; readonly document: JsonObject; readonly hash: string }[] {
    const found = [...this.#kept].flatMap(([name, { v2 }]) => (v2 === undefined ? [] : { name, ...v2 }));
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The v3 documents of other servers. */
  *index(): Generator<{ readonly name: string; readonly key: string; readonly url: string }> {
    for (const name of [...this.#kept.keys()].sort()) {
      for (const [key, url] of this.#kept.get(name)?.v3 ?? []) yield { name, key, url };
    }
  }
}

interface Reading {
  readonly ask: AskApiService;
  readonly turns: ReadingTurns;
}

/** Fetches both from a server. @returns the error, if any */
export async function readRemoteOpenApi(
  apiService: RemoteApiService,
  { into, ...reading }: Reading & { into: RemoteOpenApi },
): Promise<Error[]> {
  if (!apiService.available) return [new Error('service unavailable')];
  const before = into.get(apiService.name);
  const [v2, v3] = await Promise.allSettled([
    readWhole(apiService, reading, before?.v2?.etag),
    readIndex(apiService, reading),
  ]);
  const document = v2.status === 'fulfilled' ? v2.value : undefined;
  const index = v3.status === 'fulfilled' ? v3.value : undefined;
  const isSame =
    (document === undefined || document.hash === before?.v2?.hash) &&
    (index === undefined || sameEntries(index, before?.v3));
  if (!isSame) {
    into.set(apiService.name, {
      v2: document ?? before?.v2,
      v3: index ?? before?.v3,
    });
  }
  return [v2, v3].flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
}

/** @returns undefined for an unchanged document */
async function readWhole(apiService: RemoteApiService, { ask, turns }: Reading, etag: string | undefined) {
  const question = { path: '/openapi/v2', user: OPENAPI_AGGREGATOR, accept: 'application/json', etag };
  const answer = await ask(apiService, question);
  if (answer.status === 304) return undefined;
  if (answer.status !== 200) throw new Error(`bad status from ${answer.url}: ${answer.status}`);
  const document = await answeredObject(answer.body, turns);
  const hash = await answerHash(answer.body, turns);
  return { document: ownPart(document, discoveryPath(apiService)), etag: answer.etag, hash };
}

async function readIndex(apiService: RemoteApiService, { ask, turns }: Reading): Promise<Map<string, string>> {
  const answer = await ask(apiService, { path: '/openapi/v3', user: OPENAPI_AGGREGATOR, accept: 'application/json' });
  if (answer.status !== 200) throw new Error(`bad status from ${answer.url}: ${answer.status}`);
  const paths = entriesAt(await answeredObject(answer.body, turns), 'paths');
  const urls = paths.map(([key, value]): [string, string] => [key, textAt(value, 'serverRelativeURL')]);
  return new Map(urls.filter(([, url]) => url !== ''));
}

/** The paths of a version, with all definitions. @param prefix `/apis/x.io/v1` */
function ownPart(document: JsonObject, prefix: string): JsonObject {
  const paths: JsonObject = {};
  for (const [path, item] of entriesAt(document, 'paths')) {
    if (path === prefix || path.startsWith(`${prefix}/`)) paths[path] = item;
  }
  return { ...document, paths };
}

function sameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string> | undefined): boolean {
  return other?.size === one.size && [...one].every(([key, value]) => other.get(key) === value);
}
