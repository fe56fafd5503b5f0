// History of a test server's objects, with the writer of each version: from the store's watch and the request in
// progress.

import { AsyncLocalStorage } from 'node:async_hooks';
import { fieldManagerOf } from '../apply/field-manager.ts';
import { limits } from '../base/limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Store, StoreEvent } from '../store/store.ts';

/** Identifies an object: any version of it suffices. With a UID, other objects with the same name are excluded. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
}

export interface ObjectVersion {
  readonly resourceVersion: string;
  /** When it was stored. */
  readonly time: Date;
  /** The verb of the request; '' for a write by the server itself. `delete` for a deletion by anyone. */
  readonly verb: string;
  /** Such as `status`; '' for the object itself. */
  readonly subresource: string;
  /** '' for the server itself. */
  readonly user: string;
  /** The field manager of the write; '' for the server itself. */
  readonly manager: string;
  /** As stored; for a deletion, the last version. */
  readonly object: unknown;
}

/** A write, and what is known about its request. */
interface Write {
  readonly event: StoreEvent;
  readonly timeMs: number;
  readonly by: Pick<ObjectVersion, 'verb' | 'subresource' | 'user' | 'manager'>;
}

/** @internal Immutable list of writes up to a moment. */
export type WriteList = readonly Write[];

const SERVER = { verb: '', subresource: '', user: '', manager: '' };

/** @internal */
export class ObjectHistory {
  readonly #request = new AsyncLocalStorage<RequestContext>();
  readonly #now: () => number;
  #writes: Write[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Attributes writes during `answer` to a request. */
  during(context: RequestContext, answer: () => Promise<void>): Promise<void> {
    return this.#request.run(context, answer);
  }

  /** Follows a store from now on; `before` are the writes that led to its content. */
  async follow(store: Store, before: WriteList): Promise<void> {
    this.#writes = [...before];
    await store.watch({
      prefix: '',
      after: store.currentRevision(),
      onEvent: (event) => this.#note(event),
      onEnd: () => {},
    });
  }

  /** All recorded writes. */
  writes(): WriteList {
    return [...this.#writes];
  }

  /** The recorded versions of an object, oldest first. */
  versions(of: ObjectReference): ObjectVersion[] {
    const { name = '', namespace = '' } = of.metadata;
    const end = namespace === '' ? `/${name}` : `/${namespace}/${name}`;
    return this.#writes.filter(({ event }) => event.key.endsWith(end)).flatMap((write) => versionOf(write, of));
  }

  #note(event: StoreEvent): void {
    const context = this.#request.getStore();
    this.#writes.push({ event, timeMs: this.#now(), by: context === undefined ? SERVER : writerOf(context) });
    // Dropped in batches, because each removal moves all others.
    if (this.#writes.length > limits.testVersions) this.#writes = this.#writes.slice(limits.testVersions / 4);
  }
}

function writerOf({ info, user, query, exchange }: RequestContext): Write['by'] {
  const userAgent = exchange.headers['user-agent'] ?? '';
  const manager = fieldManagerOf({ fieldManager: query.text('fieldManager'), userAgent });
  return { verb: info.verb, subresource: info.subresource, user: user.name, manager };
}

interface Stored {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
}

function versionOf({ event, timeMs, by }: Write, of: ObjectReference): ObjectVersion[] {
  const bytes = event.value ?? event.previous?.value;
  if (bytes === undefined) return [];
  const object = JSON.parse(bytes.toString('utf8')) as Stored;
  const { uid, name, namespace = '' } = object.metadata ?? {};
  const isMeant =
    object.kind === of.kind &&
    groupOf(object.apiVersion) === groupOf(of.apiVersion) &&
    name === of.metadata.name &&
    namespace === (of.metadata.namespace ?? '') &&
    (of.metadata.uid === undefined || uid === of.metadata.uid);
  if (!isMeant) return [];
  const resourceVersion = String(event.revision);
  const verb = event.value === undefined ? 'delete' : by.verb;
  const shown = { ...object, metadata: { ...object.metadata, resourceVersion } };
  return [{ ...by, verb, resourceVersion, time: new Date(timeMs), object: shown }];
}

function groupOf(apiVersion = ''): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
