// Controller of an object that the server maintains in every namespace: created with the namespace, and again after
// deletion. The two controllers based on it define the object.

import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

interface CompanionOptions {
  readonly controller: string;
  /** The service account that creates it. */
  readonly account: string;
  /** The plural name of a core resource. */
  readonly resource: string;
  readonly name: string;
  /** A new object, without its namespace. */
  readonly make: () => ApiObject;
  /** Restores a changed object; returns whether anything changed. */
  readonly repair?: (object: ApiObject) => boolean;
}

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
      concurrency: limits.controllerWorkers,
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
        // Changes of an existing namespace do not matter here.
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
      // It exists by now, or the namespace is terminating.
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

/** The default service account of pods. */
export function defaultServiceAccounts(context: ControllerContext): Controller {
  return new NamespaceCompanion(context, {
    controller: 'serviceaccount-controller',
    account: 'service-account-controller',
    resource: 'serviceaccounts',
    name: 'default',
    make: () => ({ metadata: { name: 'default' } }),
  });
}

/** Kubernetes' description of the ConfigMap. */
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes ' +
  'clusters.';

/** The CA by which programs in the cluster verify the server. @param caPem PEM */
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
