// IPAddress objects for the addresses of services. Creating one decides, between servers that share a store, which
// service owns an address; an orphaned one is taken over.

import { ApiError } from '../../api/errors.ts';
import type { ApiObject } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { IPAddress } from '../../resources/builtin/networking/v1-objects.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { parseIp } from '../../resources/validation/ip-addresses.ts';
import { findStored } from '../caught-up.ts';
import { trackMaking } from '../ownership.ts';
import { type Registry, storageKey } from '../registry.ts';
import { decodeStored, encodeStored } from '../stored-form.ts';
import { storeNew } from '../write-object.ts';

const FAMILY_LABEL = 'ipaddress.kubernetes.io/ip-family';
const MANAGER_LABEL = 'ipaddress.kubernetes.io/managed-by';
const MANAGER = 'ipallocator.k8s.io';
/** A service whose address has been claimed is stored well within this time. */
const LEFT_AFTER_MS = 60_000;

export class AddressObjects {
  readonly #registry: Registry;
  readonly #definition: ResourceDefinition;
  /** Whether a service has an address, for IPAddress objects that refer to it. */
  readonly #isHeld: (address: string, namespace: string, name: string) => Promise<boolean>;

  constructor(
    registry: Registry,
    definition: ResourceDefinition,
    isHeld: (address: string, namespace: string, name: string) => Promise<boolean>,
  ) {
    this.#registry = registry;
    this.#definition = definition;
    this.#isHeld = isHeld;
  }

  /** Claims an address for the service; false if it is taken. */
  async claim(address: string, { metadata }: ApiObject): Promise<boolean> {
    const { registry, definition } = { registry: this.#registry, definition: this.#definition };
    const { namespace = '', name = '' } = metadata;
    const object = this.#objectFor(address, namespace, name);
    try {
      await storeNew(registry, { definition }, { object, dryRun: false });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
    const key = storageKey(definition, '', address);
    const standing = await findStored(await registry.storage(definition), key);
    if (standing === undefined || !(await this.#isLeft(decodeStored(standing), address))) return false;
    const bytes = encodeStored(definition, object);
    return (await registry.storeOf(definition).put(key, bytes, standing.revision)).written;
  }

  /** Releases an address if the service owns it. */
  async free(address: string, { metadata }: ApiObject): Promise<void> {
    const key = storageKey(this.#definition, '', address);
    const standing = (await this.#registry.storage(this.#definition)).cache.get(key);
    if (standing === undefined) return;
    const parent = parentOf(decodeStored(standing));
    if (parent.name !== (metadata.name ?? '') || parent.namespace !== metadata.namespace) return;
    await this.#registry.storeOf(this.#definition).delete(key, standing.revision);
  }

  /** Whether an IPAddress object exists for an address, of any owner. */
  async exists(address: string): Promise<boolean> {
    const { cache } = await this.#registry.storage(this.#definition);
    return cache.get(storageKey(this.#definition, '', address)) !== undefined;
  }

  /** Releases the addresses of deleted services. */
  async freeLeft(): Promise<void> {
    const { cache } = await this.#registry.storage(this.#definition);
    const everything = { namespace: undefined, name: undefined, matches: undefined };
    for (const stored of cache.snapshot().objects(everything)) {
      if (await this.#isLeft(decodeStored(stored), stored.name)) {
        await this.#registry.storeOf(this.#definition).delete(stored.key, stored.revision);
      }
    }
  }

  /** Whether the object belongs to a service that no longer has the address, or never got it. */
  async #isLeft(object: ApiObject, address: string): Promise<boolean> {
    const { creationTimestamp = '' } = object.metadata;
    if (!isManagedAddress(object)) return false;
    if (this.#registry.clock.now() - Date.parse(creationTimestamp) < LEFT_AFTER_MS) return false;
    const { namespace, name } = parentOf(object);
    return !(await this.#isHeld(address, namespace, name));
  }

  #objectFor(address: string, namespace: string, name: string): ApiObject {
    const { random, clock } = this.#registry;
    const { metadata, spec } = newAddress(address, { namespace, name });
    const object = {
      metadata: { ...metadata, uid: random.uuid(), creationTimestamp: timestamp(clock.now()) },
      spec: spec!,
    };
    trackMaking(this.#registry, this.#definition, { object, said: object });
    return object;
  }
}

/** The IPAddress of a service, as its allocator creates it. */
export function newAddress(address: string, service: { readonly namespace: string; readonly name: string }): ApiObject {
  const labels = { [FAMILY_LABEL]: parseIp(address)?.family ?? '', [MANAGER_LABEL]: MANAGER };
  return { metadata: { name: address, labels }, spec: { parentRef: { resource: 'services', ...service } } };
}

/** Whether an IPAddress was created for a service, rather than by a client for something else. */
export function isManagedAddress({ metadata }: ApiObject): boolean {
  return metadata.labels?.[MANAGER_LABEL] === MANAGER;
}

function parentOf(address: ApiObject): { namespace: string; name: string } {
  const { namespace = '', name = '' } = (address as IPAddress).spec?.parentRef ?? {};
  return { namespace, name };
}
