// Typed requests to a test server, by verb and kind. What the server refuses is thrown, so that a test that goes on has
// what it asked for.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BuiltinKinds } from './builtin-kinds.ts';
import type { CustomResource } from './custom-resource.ts';
import type { AnyKind, ObjectVerb } from './kind.ts';
import { Places } from './places.ts';
import type { TestServer } from './test-server.ts';

/** `Pod`, `apps/v1/Deployment`, or a custom resource. */
export type KindName = keyof BuiltinKinds | CustomResource;

/** What types know about a kind. */
type KindOf<K extends KindName> = K extends keyof BuiltinKinds
  ? BuiltinKinds[K]
  : K extends CustomResource<infer Known>
    ? Known
    : never;

/** Names an object; objects without a namespace are in `default`. */
type ObjectName<K extends AnyKind = AnyKind> = { readonly name: string } & InNamespace<K>;

type InNamespace<K extends AnyKind> = K['namespaced'] extends false ? unknown : { readonly namespace?: string };

/** Selects objects; those of the namespace `default`, or of all. */
type Selection<K extends AnyKind = AnyKind> = InNamespace<K> & {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
} & (K['namespaced'] extends false ? unknown : { readonly allNamespaces?: boolean });

/** For the status or another subresource that has the kind of its object. */
interface OfSubresource {
  readonly subresource?: string;
}

/** Options of a write. */
interface WriteOptions extends OfSubresource {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** Whether unknown fields are refused (`Strict`), which they are not by default. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** Whether an apply takes fields from other managers. */
  readonly force?: boolean;
}

/** A patch and the object that it changes. */
type PatchOf<K extends AnyKind = AnyKind> = ObjectName<K> & {
  readonly patch: object;
  /** `merge` by default; `json` is a list of operations. */
  readonly type?: 'merge' | 'strategic' | 'json';
};

/** The object of a deletion and how it is deleted. */
type Deletion<K extends AnyKind = AnyKind> = ObjectName<K> & {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
};

/** What follows verb and kind. */
type Arguments<V extends ObjectVerb, K extends AnyKind> = V extends 'get'
  ? [of: ObjectName<K>, options?: OfSubresource]
  : V extends 'list' | 'deletecollection'
    ? [of?: Selection<K>]
    : V extends 'create' | 'apply'
      ? [object: K['sent'], options?: WriteOptions]
      : V extends 'update'
        ? [object: K['object'] | K['sent'], options?: WriteOptions]
        : V extends 'patch'
          ? [of: PatchOf<K>, options?: WriteOptions]
          : [of: Deletion<K>];

/** A list of objects. */
interface ObjectList<Item> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Item[];
}

/** What a request yields. A deletion yields the object, as long as it is still there, or a Status. */
type Result<V extends ObjectVerb, K extends AnyKind> = V extends 'list'
  ? ObjectList<K['object']>
  : V extends 'delete' | 'deletecollection'
    ? unknown
    : K['object'];

/** An answer that is not the object asked for. */
export interface RefusedRequest extends Error {
  /** The status of HTTP: 404. */
  readonly status: number;
  /** The reason of Kubernetes: `NotFound`. */
  readonly reason: string;
  /** The Status that was answered. */
  readonly body: unknown;
}

/** Where values are made that tests see. Jest's tests have their own. */
export interface Realm {
  readonly JSON: Pick<JSON, 'parse'>;
  readonly Error: ErrorConstructor;
}

/** A request as it is sent. */
interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: unknown;
}

const METHODS = {
  ...{ get: 'GET', list: 'GET', create: 'POST', update: 'PUT' },
  ...{ patch: 'PATCH', apply: 'PATCH', delete: 'DELETE', deletecollection: 'DELETE' },
} as const satisfies Record<ObjectVerb, string>;

/** How often is looked whether a definition is served, which takes a few turns of the event loop. */
const DEFINITION_TURNS = 10_000;

const PATCHES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

/** Typed requests. A test has its own, which ends with it. */
export class Kubernetes {
  readonly #server: () => TestServer;
  readonly #realm: Realm;
  readonly #places: Places;

  /** @internal @param server throws if the test may use it no more */
  constructor(server: () => TestServer, realm: Realm) {
    this.#server = server;
    this.#realm = realm;
    // So that tests can name what they use of it: ({ request }) => …
    this.request = this.request.bind(this);
    this.define = this.define.bind(this);
    this.#places = new Places((path, accept) => this.#send({ method: 'GET', path }, accept));
  }

  /**
   * Sends a request as the administrator. Objects have the apiVersion and kind of `kind`, and are in the namespace
   * `default` if they have none. Rejects with a `RefusedRequest` if the server does not do it.
   */
  async request<const K extends KindName, V extends KindOf<K>['verbs']>(
    verb: V,
    kind: K,
    ...[of, options]: Arguments<V, KindOf<K>>
  ): Promise<Result<V, KindOf<K>>> {
    if (!Object.hasOwn(METHODS, verb)) {
      throw new this.#realm.Error(`there is no verb ${verb}; there are ${Object.keys(METHODS).join(', ')}`);
    }
    return (await this.#send(
      await this.#outgoing({ verb, kind, of: (of ?? {}) as Given, options: options ?? {} }),
    )) as never;
  }

  /** Creates the definition of a custom resource, and waits until it is served. */
  async define({ definition, apiVersion, resource }: CustomResource): Promise<void> {
    await this.request('create', 'CustomResourceDefinition', definition as never);
    for (let turn = 0; turn < DEFINITION_TURNS; turn++) {
      const served = await this.#send({ method: 'GET', path: `/apis/${apiVersion}` }).catch(() => undefined);
      const { resources = [] } = (served ?? {}) as { readonly resources?: readonly { readonly name: string }[] };
      if (resources.some(({ name }) => name === resource)) return;
      await nextTurn();
    }
    const { status } = await this.request('get', 'CustomResourceDefinition', { name: definition.metadata.name });
    throw new this.#realm.Error(`${definition.metadata.name} is not served: ${JSON.stringify(status)}`);
  }

  async #outgoing({ verb, kind, of, options }: Asked): Promise<Outgoing> {
    const { apiVersion, kind: kindName, resource, namespaced } = await this.#places.of(kind);
    const sends = verb === 'create' || verb === 'update' || verb === 'apply';
    const metadata = of.metadata ?? {};
    const namespace = (sends ? metadata.namespace : of.namespace) ?? 'default';
    const many = verb === 'list' || verb === 'deletecollection';
    const name = sends ? metadata.name : of.name;
    if (!many && verb !== 'create' && (name ?? '') === '') {
      throw new this.#realm.Error(`${verb} needs the name of a ${kindName}`);
    }
    const parts = [
      apiVersion.includes('/') ? '/apis' : '/api',
      apiVersion,
      ...(namespaced && of.allNamespaces !== true ? ['namespaces', encodeURIComponent(namespace)] : []),
      resource,
      ...(many || verb === 'create' ? [] : [encodeURIComponent(name!)]),
      ...(options.subresource === undefined ? [] : [options.subresource]),
    ];
    const query = queryOf(verb, of, options).toString();
    const path = query === '' ? parts.join('/') : `${parts.join('/')}?${query}`;
    const method = METHODS[verb];
    if (sends) {
      const body = { apiVersion, kind: kindName, ...of };
      return { method, path, body, ...(verb === 'apply' && { type: 'application/apply-patch+yaml' }) };
    }
    if (verb === 'patch') return { method, path, body: of.patch, type: PATCHES[of.type ?? 'merge'] };
    if (verb !== 'delete') return { method, path };
    const { propagationPolicy, gracePeriodSeconds, preconditions } = of;
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions };
    return { method, path, body };
  }

  #prepare({ method, path, type = 'application/json', body }: Outgoing, accept = 'application/json'): Request {
    const headers = { authorization: `Bearer ${this.#server().token}`, accept, 'content-type': type };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return new Request(`https://localhost${path}`, { method, headers, ...init });
  }

  async #send(outgoing: Outgoing, accept?: string): Promise<unknown> {
    const response = await this.#server().fetch(this.#prepare(outgoing, accept));
    const text = await response.text();
    if (response.ok) return this.#realm.JSON.parse(text);
    const { status } = response;
    // Paths that are not served are answered with text.
    const isObject = response.headers.get('content-type') === 'application/json';
    const body = isObject ? (this.#realm.JSON.parse(text) as { message?: string; reason?: string }) : { message: text };
    const message = body.message ?? `${outgoing.method} ${outgoing.path} was answered with ${status}`;
    const { reason = '' } = body;
    throw Object.assign(new this.#realm.Error(message.trimEnd()), { name: 'RefusedRequest', status, reason, body });
  }
}

/** A request as a test asks for it. */
interface Asked {
  readonly verb: ObjectVerb;
  readonly kind: KindName;
  readonly of: Given;
  readonly options: WriteOptions;
}

/** All that an argument may have. */
interface Given extends Partial<Omit<Selection & PatchOf & Deletion, 'patch'>> {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly patch?: object;
}

function queryOf(verb: ObjectVerb, of: Given, options: WriteOptions): URLSearchParams {
  const query = new URLSearchParams();
  const set = (name: string, value: string | number | boolean | undefined): void => {
    if (value !== undefined) query.set(name, String(value));
  };
  if (verb === 'list' || verb === 'deletecollection') {
    for (const name of ['labelSelector', 'fieldSelector', 'limit', 'continue'] as const) set(name, of[name]);
    return query;
  }
  if (options.dryRun === true) set('dryRun', 'All');
  set('fieldManager', options.fieldManager ?? (verb === 'apply' ? 'test' : undefined));
  set('fieldValidation', options.fieldValidation);
  set('force', options.force);
  return query;
}
