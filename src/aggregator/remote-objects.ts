// Access to objects of other API servers for controllers: only their metadata, which suffices for garbage collection
// and namespace deletion.

import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject, ObjectMeta } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import { limits } from '../base/limits.ts';
import { listAt, textAt } from '../resources/value.ts';
import { answeredObject, type ReadingTurns } from './answered-object.ts';
import type { RemoteApiService } from './api-service-index.ts';
import {
  type ApiServiceAnswer,
  type ApiServiceQuestion,
  type AskApiService,
  AskError,
  type WatchApiService,
} from './ask.ts';
import { discoveryPath } from './probe.ts';
import type { RemoteResource } from './remote-resources.ts';

export interface RemotePlace {
  readonly definition: RemoteResource;
  /** '' for cluster-scoped objects, and for all. */
  readonly namespace: string;
  /** '' for all. */
  readonly name: string;
}

interface RemoteEvent {
  readonly type: string;
  readonly object: ApiObject;
}

/** An unavailable API server, or an error in its response. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  /** Of its response; 0 without one. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

interface RemoteObjectsOptions {
  /** The user. */
  readonly user: User;
  readonly askApiService: AskApiService;
  readonly watchApiService: WatchApiService;
  readonly turns: ReadingTurns;
  /** The current APIService with this name. */
  readonly current: (name: string) => RemoteApiService | undefined;
}

const as = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
/** How often a change is retried after conflicts. */
const ATTEMPTS = 5;
const CONFLICT = 409;

export class RemoteObjects {
  readonly #options: RemoteObjectsOptions;

  constructor(options: RemoteObjectsOptions) {
    this.#options = options;
  }

  /** Undefined if it does not exist. Rejects with RemoteError. */
  async read(place: RemotePlace): Promise<ApiObject | undefined> {
    const answer = await this.#ask(place, { accept: as('PartialObjectMetadata') });
    return answer.status === 404 ? undefined : withMetadata(await this.#object(answer));
  }

  /** The objects of a resource, page by page, and their resource version. Rejects with RemoteError. */
  async *list(
    place: RemotePlace,
  ): AsyncGenerator<{ readonly objects: readonly ApiObject[]; readonly version: string }> {
    let token = '';
    do {
      const query = new URLSearchParams({ limit: String(limits.remotePageObjects) });
      if (token !== '') query.set('continue', token);
      const answer = await this.#ask(place, { accept: as('PartialObjectMetadataList') }, `?${query}`);
      if (answer.status === 404) throw new RemoteError(badStatus(answer), answer.status);
      const list = await this.#object(answer);
      yield {
        objects: listAt(list, 'items').map(withMetadata),
        version: textAt(list, 'metadata', 'resourceVersion'),
      };
      token = textAt(list, 'metadata', 'continue');
    } while (token !== '');
  }

  /** Changes of the objects of a resource after a version, until the server ends the watch or the signal is aborted. */
  async *watch(place: RemotePlace, version: string, signal: AbortSignal): AsyncGenerator<RemoteEvent> {
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(limits.remoteWatchSeconds),
    });
    const path = `${pathOf(place)}?${query}`;
    const question = { path, user: this.#options.user, accept: as('PartialObjectMetadata') };
    const { definition } = place;
    for await (const line of linesOf(this.#options.watchApiService(this.#current(definition), question, signal))) {
      const event = await this.#parse(line);
      yield { type: textAt(event, 'type'), object: withMetadata(event['object'] ?? null) };
    }
  }

  /**
   * Changes the metadata of an object; a missing one is not an error. Rejects with RemoteError.
   *
   * @param change modifies its argument; returns whether there was anything to change
   */
  async change(place: RemotePlace, change: (object: ApiObject) => boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const before = await this.read(place);
      if (before === undefined) return;
      const next = copyJson(before);
      if (!change(next)) return;
      const body = { type: 'application/merge-patch+json', text: JSON.stringify(metadataPatch(before, next)) };
      const answer = await this.#ask(place, { method: 'PATCH', body });
      if (answer.status !== CONFLICT) return;
      if (attempt === ATTEMPTS) throw new RemoteError(badStatus(answer), answer.status);
    }
  }

  /** Deletes an object, or all in a namespace; missing ones are not an error. Rejects with RemoteError. */
  async delete(place: RemotePlace, options: JsonObject = {}): Promise<void> {
    const text = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    const answer = await this.#ask(place, { method: 'DELETE', body: { type: 'application/json', text } });
    if (answer.status === CONFLICT) throw new RemoteError(badStatus(answer), answer.status);
  }

  #current({ apiService: { name } }: RemoteResource): RemoteApiService {
    const apiService = this.#options.current(name);
    if (apiService?.available !== true) throw new RemoteError(`the API service ${name} is not available`);
    return apiService;
  }

  /** Statuses for success, a missing object, and a conflict. */
  async #ask(
    place: RemotePlace,
    question: Omit<ApiServiceQuestion, 'path' | 'user'>,
    query = '',
  ): Promise<ApiServiceAnswer> {
    const { user, askApiService } = this.#options;
    const apiService = this.#current(place.definition);
    let answer: ApiServiceAnswer;
    try {
      answer = await askApiService(apiService, { ...question, path: `${pathOf(place)}${query}`, user });
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      throw new RemoteError(error.message);
    }
    const { status } = answer;
    if ((status < 200 || status > 299) && status !== 404 && status !== CONFLICT) {
      throw new RemoteError(badStatus(answer), status);
    }
    return answer;
  }

  #object({ body }: ApiServiceAnswer): Promise<JsonObject> {
    return this.#parse(body);
  }

  async #parse(text: string): Promise<JsonObject> {
    try {
      return await answeredObject(text, this.#options.turns);
    } catch (error) {
      throw new RemoteError((error as Error).message);
    }
  }
}

function badStatus({ url, status }: ApiServiceAnswer): string {
  return `bad status from ${url}: ${status}`;
}

function pathOf({ definition, namespace, name }: RemotePlace): string {
  const { apiService, resource } = definition;
  const parts = [
    ...(namespace === '' ? [] : ['namespaces', encodeURIComponent(namespace)]),
    encodeURIComponent(resource),
    ...(name === '' ? [] : [encodeURIComponent(name)]),
  ];
  return `${discoveryPath(apiService)}/${parts.join('/')}`;
}

/** Objects of another server may have any content: metadata is sanitized. */
function withMetadata(value: Json): ApiObject {
  const given = isObject(value) && isObject(value['metadata']) ? value['metadata'] : {};
  const metadata: ObjectMeta = { ...given };
  metadata.uid = textAt(given, 'uid');
  metadata.ownerReferences = listAt(given, 'ownerReferences').filter(isObject) as ObjectMeta['ownerReferences'] & {};
  metadata.finalizers = listAt(given, 'finalizers').filter((each) => typeof each === 'string');
  if (metadata.ownerReferences.length === 0) delete metadata.ownerReferences;
  return { metadata };
}

/** A patch with the changes, conditional on the object's version. */
function metadataPatch({ metadata: before }: ApiObject, { metadata: after }: ApiObject): JsonObject {
  const { uid, resourceVersion } = before;
  const changed: JsonObject = {};
  for (const member of ['ownerReferences', 'finalizers'] as const) {
    if (JSON.stringify(before[member]) !== JSON.stringify(after[member])) changed[member] = after[member] ?? null;
  }
  return { metadata: { uid, resourceVersion, ...changed } };
}

/** @throws RemoteError for a line that is too long */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const lines = decoder.decode(piece, { stream: true }).split('\n');
    for (const [index, text] of lines.entries()) {
      begun.push(text);
      length += text.length;
      if (length > limits.apiServiceDocumentBytes) throw new RemoteError('an event is too long');
      if (index === lines.length - 1) break;
      const line = begun.join('');
      begun = [];
      length = 0;
      if (line !== '') yield line;
    }
  }
}
