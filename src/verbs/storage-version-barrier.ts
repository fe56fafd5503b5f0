// The barrier before writes of built-in resources: until a server has told in which version it stores a resource, it
// stores nothing of it, so that whoever migrates what is stored knows of every version that may be there.

import { errors } from '../api/errors.ts';
import type { User } from '../auth/user.ts';
import type { ResourceName } from '../resources/storage-versions.ts';

interface AskedWrite extends ResourceName {
  readonly verb: string;
  readonly namespace: string;
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class StorageVersionBarrier {
  /** Why the last attempt to tell of a resource failed, by the resource's name; undefined where none did. */
  readonly #pending: Map<string, string | undefined>;
  readonly #attempt = Promise.withResolvers<void>();

  constructor(resources: Iterable<ResourceName>) {
    this.#pending = new Map([...resources].map((resource) => [nameOf(resource), undefined]));
  }

  /** Whether all resources have been told of. */
  get isLifted(): boolean {
    return this.#pending.size === 0;
  }

  /** Resolves when every resource has been tried once, whether that succeeded or not. */
  get attempted(): Promise<void> {
    return this.#attempt.promise;
  }

  endAttempt(): void {
    this.#attempt.resolve();
  }

  lift(resources: Iterable<ResourceName>): void {
    for (const resource of resources) this.#pending.delete(nameOf(resource));
  }

  failed(resources: Iterable<ResourceName>, why: string): void {
    for (const resource of resources) if (this.#pending.has(nameOf(resource))) this.#pending.set(nameOf(resource), why);
  }

  /** Lets reads pass, and those writes without which nothing could be told. @throws ApiError 503 */
  check(write: AskedWrite, user: User): void {
    if (this.isLifted || READING.has(write.verb) || isNeeded(write, user)) return;
    const name = nameOf(write);
    if (!this.#pending.has(name)) return;
    const why = this.#pending.get(name) ?? '<nil>';
    throw errors.serviceUnavailable(
      `wait for storage version registration to complete for resource: ${name}, last seen error: ${why}`,
    );
  }
}

function nameOf({ group, resource }: ResourceName): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function isNeeded({ group, resource, verb, namespace }: AskedWrite, { name, groups }: User): boolean {
  if (group === 'internal.apiserver.k8s.io') return resource === 'storageversions';
  if (group === 'coordination.k8s.io') return resource === 'leases' && namespace === 'kube-system';
  const isServer = name === 'system:apiserver' && groups.includes('system:masters');
  return group === '' && resource === 'namespaces' && verb === 'create' && isServer;
}
