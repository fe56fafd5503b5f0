// The OpenAPI documents of other API servers, as they were last read: of version 2 the whole document, which is merged
// with ours, of version 3 the index alone, whose documents are their servers' to give. One that can't be read again stays.

import type { JsonObject } from '../api/object.ts';
import { entriesAt, textAt } from '../resources/value.ts';
import { answeredObject, answerHash, type ReadingTurns } from './answered-object.ts';
import type { RemoteApiService } from './api-service-index.ts';
import { type AskApiService, OPENAPI_AGGREGATOR } from './ask.ts';
import { discoveryPath } from './probe.ts';

/** What is kept of one server. */
interface Kept {
  /** Of version 2, cut to what its API service stands for. */
  readonly v2?: { readonly document: JsonObject; readonly etag: string | undefined; readonly hash: string } | undefined;
  /** Of version 3: where documents are, by their keys (`apis/x.io/v1`). */
  readonly v3?: ReadonlyMap<string, string> | undefined;
}

export class RemoteOpenApi {
  readonly #kept = new Map<string, Kept>();
  #generation = 0;

  /** Rises with every change. */
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

  /** Documents of version 2 by API services' names, in their order. */
  wholes(): { readonly name: string; readonly document: JsonObject; readonly hash: string }[] {
    const found = [...this.#kept].flatMap(([name, { v2 }]) => (v2 === undefined ? [] : { name, ...v2 }));
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The documents of version 3 that other servers have. */
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

/** Reads both of a server. @returns what went wrong */
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

/** @returns undefined for a document that is there already */
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
