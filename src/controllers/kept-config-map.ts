// Controller of a ConfigMap in kube-system that publishes information about the server: how it authenticates clients,
// and since when it tracks the use of legacy tokens. It is recreated after deletion.

import { X509Certificate } from 'node:crypto';
import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject } from '../api/object.ts';
import { dayOf } from '../api/timestamp.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const NAMESPACE = 'kube-system';

type Data = Readonly<Record<string, string>>;

interface Kept {
  /** The controller's name. */
  readonly controller: string;
  /** The name of the ConfigMap. */
  readonly name: string;
  /** The desired data, given the current data; other keys are not changed. */
  readonly wanted: (data: Data) => Data;
  /** Calls back when that changes; absent if it does not. @returns a function that ends it */
  readonly onChange?: (changed: () => void) => () => void;
}

/** How the server authenticates clients. */
export interface ClusterAuthentication {
  /** `client-ca-file` and, with front proxies, their headers and CA; empty without TLS. */
  readonly data: Data;
  /** Calls back when certificates have been replaced. @returns a function that ends it */
  onChange(changed: () => void): () => void;
}

class KeptConfigMap implements Controller {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #kept: Kept;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  #watch: ObjectWatch | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(context: ControllerContext, kept: Kept) {
    this.name = kept.controller;
    this.#context = context;
    this.#kept = kept;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: () => this.#settle() });
  }

  async start(): Promise<void> {
    const { name } = this.#kept;
    const { cache } = await this.#context.writes.registry.storage(this.#definition());
    const settle = () => this.#queue.add(name);
    const follower = { changed: settle, removed: settle, synced: settle };
    this.#watch = new ObjectWatch(cache, follower, { ...EVERYTHING, namespace: NAMESPACE, name });
    this.#unsubscribe = this.#kept.onChange?.(settle);
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    this.#unsubscribe?.();
    await this.#queue.stop();
  }

  #definition() {
    const definition = this.#context.catalog.find('', 'configmaps');
    if (definition === undefined) throw new Error('config maps are not served');
    return definition;
  }

  async #settle(): Promise<undefined> {
    const definition = this.#definition();
    const { name, wanted } = this.#kept;
    const place = { definition, namespace: NAMESPACE, name };
    if ((await this.#objects.read(place)) === undefined) {
      const metadata = { name, namespace: NAMESPACE };
      await this.#objects.create(definition, { metadata, data: { ...wanted({}) } } as ApiObject);
      return;
    }
    await this.#objects.change(place, (current) => {
      const data = (isObject(current['data']) ? current['data'] : {}) as Data;
      const next = { ...data, ...wanted(data) };
      if (equalJson(data, next)) return false;
      current['data'] = next;
      return true;
    });
  }
}

/** Publishes how the server authenticates clients, for aggregated API servers. */
export function clusterAuthentication(
  context: ControllerContext,
  authentication: ClusterAuthentication,
): Controller | undefined {
  if (Object.keys(authentication.data).length === 0) return undefined;
  return new KeptConfigMap(context, {
    controller: 'cluster-authentication-info-controller',
    name: 'extension-apiserver-authentication',
    wanted: (data) => withBundles(data, authentication.data, context.clock.now()),
    onChange: (changed) => authentication.onChange(changed),
  });
}

/**
 * Certificates, names and headers of other servers, or earlier ones of this server, are kept: servers with different
 * options would otherwise overwrite each other forever. Certificates that have expired are not.
 */
function withBundles(data: Data, authentication: Data, nowMs: number): Data {
  const entries = Object.entries(authentication).map(([key, value]): [string, string] => {
    const before = data[key] ?? '';
    if (key.endsWith('-ca-file')) {
      const certificates = joined(certificatesIn(before), certificatesIn(value));
      return [key, certificates.filter((each) => !hasExpired(each, nowMs)).join('')];
    }
    return [key, JSON.stringify(joined(textsIn(before), textsIn(value)))];
  });
  return Object.fromEntries(entries);
}

function joined(before: readonly string[], own: readonly string[]): string[] {
  return [...new Set([...before, ...own])];
}

/** A JSON list of strings; anything else counts as empty. */
function textsIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** What cannot be read has not. */
function hasExpired(pem: string, nowMs: number): boolean {
  try {
    return new X509Certificate(pem).validToDate.getTime() < nowMs;
  } catch {
    return false;
  }
}

const END = '-----END CERTIFICATE-----';

function certificatesIn(pem: string): string[] {
  return pem
    .split(END)
    .slice(0, -1)
    .flatMap((each) => {
      const start = each.lastIndexOf('-----BEGIN CERTIFICATE-----');
      return start < 0 ? [] : [`${each.slice(start)}${END}\n`];
    });
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Since when the server tracks the use of legacy tokens: those unused since may be removed. */
export function legacyTokenTracking(context: ControllerContext): Controller {
  return new KeptConfigMap(context, {
    controller: 'legacy-service-account-token-tracking-controller',
    name: 'kube-apiserver-legacy-service-account-token-tracking',
    wanted: ({ since = '' }) => ({ since: DATE.test(since) ? since : dayOf(context.clock.now()) }),
  });
}
