// An object that every namespace has, made by the server: when a namespace comes, and again when somebody deletes it.
// Which object that is, and when it is right, the two controllers that use this say.

import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

interface CompanionOptions {
  readonly controller: string;
  /** The service account that makes it. */
  readonly account: string;
  /** The plural name of a resource of the core group. */
  readonly resource: string;
  readonly name: string;
  /** A new one, but for its namespace. */
  readonly make: () => ApiObject;
  /** Puts right what somebody changed; answers whether there was anything. */
  readonly repair?: (object: ApiObject) => boolean;
}

/** Namespaces served at once. */
const AT_ONCE = 16;

class NamespaceCompanion implements Controller {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #options: CompanionOptions;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  #watches: readonly ObjectWatch[] = [];

  constructor(context: ControllerContext, options: CompanionOptions) {
    this.name = options.controller;
    this.#context = context;
    this.#options = options;
    this.#objects = new ControlledObjects(context, options.account);
    this.#queue = new WorkQueue({
      name: this.name,
      context,
      concurrency: AT_ONCE,
      work: (name) => this.#ensure(name),
    });
  }

  async start(): Promise<void> {
    const { catalog, writes } = this.#context;
    const { resource, name, repair } = this.#options;
    const namespaces = catalog.find('', 'namespaces');
    const definition = catalog.find('', resource);
    if (namespaces === undefined || definition === undefined) return;
    const { cache: namespaceCache } = await writes.registry.storage(namespaces);
    const { cache } = await writes.registry.storage(definition);
    this.#watches = [
      new ObjectWatch(namespaceCache, {
        // Of a namespace that was there before, nothing that can change matters here.
        changed: (namespace, previous) => {
          if (previous === undefined) this.#queue.add(namespace.name);
        },
      }),
      new ObjectWatch(
        cache,
        {
          changed: (object, previous) => {
            if (previous !== undefined && repair !== undefined) this.#queue.add(object.namespace);
          },
          removed: (object) => this.#queue.add(object.namespace),
        },
        { namespace: undefined, name, matches: undefined },
      ),
    ];
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  async #ensure(namespace: string): Promise<undefined> {
    const { catalog } = this.#context;
    const { resource, name, make, repair } = this.#options;
    const definition = catalog.find('', resource);
    if (definition === undefined || !(await this.#isActive(namespace))) return;
    const place: ObjectPlace = { definition, namespace, name };
    if ((await this.#objects.read(place)) === undefined) return this.#create(definition, namespace, make());
    if (repair !== undefined) await this.#objects.change(place, repair);
  }

  async #create(definition: ResourceDefinition, namespace: string, object: ApiObject): Promise<undefined> {
    object.metadata.namespace = namespace;
    try {
      await this.#objects.create(definition, object);
    } catch (error) {
      // Somebody else was faster, or the namespace is going.
      if (!(error instanceof ApiError) || error.reason === 'Conflict' || error.code >= 500) throw error;
    }
  }

  async #isActive(name: string): Promise<boolean> {
    const definition = this.#context.catalog.find('', 'namespaces');
    if (definition === undefined) return false;
    const namespace = await this.#objects.read({ definition, namespace: '', name });
    return namespace !== undefined && !isDeleting(namespace);
  }
}

/** The account that pods run as which name none. */
export function defaultServiceAccounts(context: ControllerContext): Controller {
  return new NamespaceCompanion(context, {
    controller: 'serviceaccount-controller',
    account: 'service-account-controller',
    resource: 'serviceaccounts',
    name: 'default',
    make: () => ({ metadata: { name: 'default' } }),
  });
}

/** What Kubernetes says the config map is for. */
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes ' +
  'clusters.';

/** The certificate by which programs in the cluster know the server. @param caPem its authority, PEM */
export function rootCaPublisher(context: ControllerContext, caPem: string): Controller {
  const data = { 'ca.crt': caPem };
  return new NamespaceCompanion(context, {
    controller: 'root-ca-certificate-publisher-controller',
    account: 'root-ca-cert-publisher',
    resource: 'configmaps',
    name: 'kube-root-ca.crt',
    make: () => ({
      metadata: { name: 'kube-root-ca.crt', annotations: { 'kubernetes.io/description': DESCRIPTION } },
      data: { ...data },
    }),
    repair: (object) => {
      const before = JSON.stringify(object['data']);
      const annotated = object.metadata.annotations?.['kubernetes.io/description'] === DESCRIPTION;
      if (before === JSON.stringify(data) && annotated) return false;
      object['data'] = { ...data };
      object.metadata.annotations = { ...object.metadata.annotations, 'kubernetes.io/description': DESCRIPTION };
      return true;
    },
  });
}
