// Client for controllers: reads and writes objects through the same verbs as any client, including admission and
// validation, as the service account that Kubernetes uses. Reads come from the watch caches and are never older than
// the last write.

import { ApiError } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { User } from '../auth/user.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import { applyObject } from '../verbs/apply.ts';
import { createDecoded } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import type { DeleteOptions } from '../verbs/delete-options.ts';
import { type PatchBody, patchObject } from '../verbs/patch.ts';
import { prepareUpdate } from '../verbs/prepare-update.ts';
import { parseQuery, Query } from '../verbs/query.ts';
import { storageKey } from '../verbs/registry.ts';
import type { ResourceRequest, StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { asDecoded } from '../verbs/version-forms.ts';
import { Write, type WriteContext } from '../verbs/write.ts';
import { updateStored } from '../verbs/write-object.ts';
import { NO_WRITE_OPTIONS } from '../verbs/write-options.ts';
import type { ControllerContext } from './controller.ts';

/** The location of an object; `namespace` is '' for cluster-scoped objects. */
export interface ObjectPlace {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

/** The user agent of Kubernetes' own controllers, which determines the manager in managedFields. */
const USER_AGENT = 'kube-controller-manager';
const NO_QUERY = new Query();

/** The service account of a controller in kube-system. */
export function serviceAccount(name: string): User {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    extra: {},
  };
}

export class ControlledObjects {
  readonly #catalog: Catalog;
  readonly #writes: WriteContext;
  readonly #user: User;
  readonly #userAgent: string;

  /**
   * @param account who writes: a service account in kube-system, or another user
   * @param userAgent determines the manager in managedFields
   */
  constructor(
    { catalog, writes }: Pick<ControllerContext, 'catalog' | 'writes'>,
    account: string | User,
    userAgent = USER_AGENT,
  ) {
    this.#userAgent = userAgent;
    this.#catalog = catalog;
    this.#writes = writes;
    this.#user = typeof account === 'string' ? serviceAccount(account) : account;
  }

  /** A private copy of an object, in its storage version; undefined if it does not exist. */
  async read(place: ObjectPlace): Promise<ApiObject | undefined> {
    const stored = await this.stored(place);
    return stored === undefined ? undefined : decodeStored(stored);
  }

  /** An object as stored; undefined if it does not exist. */
  async stored({ definition, namespace, name }: ObjectPlace): Promise<StoredObject | undefined> {
    const { cache } = await this.#writes.registry.storage(definition);
    return cache.get(storageKey(definition, namespace, name));
  }

  /** Creates an object of the storage version, which is modified. @throws ApiError like any create */
  async create(definition: ResourceDefinition, object: ApiObject): Promise<StoredObject> {
    const { namespace = '', name = '' } = object.metadata;
    const request = this.request({ definition, namespace, name });
    const decoded = asDecoded(definition, object);
    decoded.kind = definition.storage.kind;
    decoded.apiVersion = apiVersionOf(definition.storage);
    definition.strategy.defaults?.(decoded, this.#writes.registry.strategyContext(this.#user));
    return await createDecoded(new Write(this.#writes, request, NO_WRITE_OPTIONS), decoded);
  }

  /**
   * Changes an object; a missing one is not an error.
   *
   * @param change modifies its argument (of a status, only that and metadata); returns whether there was anything to change
   * @param subresource to write: '', `status` or `finalize`
   * @returns the object as it is stored then; undefined for a missing one
   * @throws ApiError like any update
   */
  async change(
    place: ObjectPlace,
    change: (object: ApiObject) => boolean,
    subresource = '',
  ): Promise<StoredObject | undefined> {
    const write = new Write(this.#writes, { ...this.request(place), subresource }, NO_WRITE_OPTIONS);
    const update = updateStored(write, {
      change: async (previous) => {
        const next = subresource === 'status' ? withOwnStatus(previous) : copyJson(previous);
        if (!change(next)) return 'nothing';
        return { next: await prepareUpdate(write, { next: asDecoded(place.definition, next), previous }) };
      },
    });
    return (await ignoringAbsence(update))?.object;
  }

  /**
   * Force-applies fields, so that other managers keep the rest of the object. A missing object is not an error if only
   * a subresource is applied.
   *
   * @param wanted the configuration without its name
   * @param as the manager in managedFields, and the subresource: '' or `status`
   * @throws ApiError like any apply
   */
  async apply(place: ObjectPlace, wanted: JsonObject, as: { manager: string; subresource?: string }): Promise<void> {
    const { manager, subresource = '' } = as;
    const request = { ...this.request(place, parseQuery(`fieldManager=${manager}&force=true`)), subresource };
    const { kind, group } = place.definition;
    const apiVersion = apiVersionOf({ group, version: request.version.version });
    const value = { kind, apiVersion, metadata: { name: place.name }, ...wanted };
    const body = { parse: async () => ({ value, duplicates: [] }), authorizeCreate: () => {} };
    const apply = applyObject(this.#writes, request, body);
    await (subresource === '' ? apply : ignoringAbsence(apply));
  }

  /**
   * Patches an object, in the resource's preferred version.
   * @param subresource '' or one of those that are patched like objects, such as `status`
   * @throws ApiError like any patch, 404 for a missing object
   */
  patch(place: ObjectPlace, patch: PatchBody, subresource: string): Promise<StoredObject> {
    return patchObject(this.#writes, { ...this.request(place), subresource }, patch);
  }

  /** Deletes an object; a missing one is not an error. @throws ApiError like any delete */
  async delete(place: ObjectPlace, options: Partial<DeleteOptions> = {}): Promise<void> {
    await ignoringAbsence(deleteObject(this.#writes, this.request(place), deletion(options)));
  }

  /** Deletes all objects of a resource in a namespace. @throws ApiError like any deletecollection */
  async deleteAll(definition: ResourceDefinition, namespace: string): Promise<void> {
    const request = this.request({ definition, namespace, name: '' });
    await deleteCollection(this.#writes, request, deletion({ propagationPolicy: 'Background' }));
  }

  /** A request in the resource's preferred version. */
  request({ definition, namespace, name }: ObjectPlace, query = NO_QUERY): ResourceRequest {
    return {
      definition,
      version: this.#version(definition),
      namespace: definition.namespaced ? namespace : '',
      name,
      subresource: '',
      user: this.#user,
      userAgent: this.#userAgent,
      query,
      warnings: [],
    };
  }

  /** A served version, for admission and managedFields. */
  #version(definition: ResourceDefinition): ServedVersion {
    const { group, resource, versions } = definition;
    const served = versions.find(({ version }) => this.#catalog.lookup(group, version, resource) !== undefined);
    const version = served ?? versions[0];
    if (version === undefined) throw new Error(`${resource}.${group} has no version`);
    return version;
  }
}

function deletion(options: Partial<DeleteOptions>): DeleteOptions {
  return {
    dryRun: false,
    gracePeriodSeconds: undefined,
    preconditions: undefined,
    propagationPolicy: undefined,
    ...options,
  };
}

async function ignoringAbsence<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
    return undefined;
  }
}

/** The object with a status and metadata of its own; the rest is shared, as it cannot be changed through the status. */
function withOwnStatus(object: ApiObject): ApiObject {
  const { metadata, status } = object;
  return { ...object, metadata: copyJson(metadata), ...(status === undefined ? {} : { status: copyJson(status) }) };
}
