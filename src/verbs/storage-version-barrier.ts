// Barrier before writes of built-in resources: until a server has published the version in which it stores a resource,
// it does not store any of its objects, so that storage migration knows every version that may exist.

import { errors } from '../api/errors.ts';
import { qualified } from '../api/group-version.ts';
import type { User } from '../auth/user.ts';
import type { ResourceName } from '../resources/storage-versions.ts';

interface AskedWrite extends ResourceName {
  readonly verb: string;
  readonly namespace: string;
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class StorageVersionBarrier {
  /** Why the last publication for a resource failed, by resource name; undefined if none failed. */
  readonly #pending: Map<string, string | undefined>;
  readonly #attempt = Promise.withResolvers<void>();

  constructor(resources: Iterable<ResourceName>) {
    this.#pending = new Map([...resources].map((resource) => [nameOf(resource), undefined]));
  }

  /** Whether all resources have been published. */
  get isLifted(): boolean {
    return this.#pending.size === 0;
  }

  /** Resolves when publication has been tried once for every resource, successfully or not. */
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

  /** Lets reads pass, and the writes that publication itself needs. @throws ApiError 503 */
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
  return qualified(resource, group);
}

function isNeeded({ group, resource, verb, namespace }: AskedWrite, { name, groups }: User): boolean {
  if (group === 'internal.apiserver.k8s.io') return resource === 'storageversions';
  if (group === 'coordination.k8s.io') return resource === 'leases' && namespace === 'kube-system';
  const isServer = name === 'system:apiserver' && groups.includes('system:masters');
  return group === '' && resource === 'namespaces' && verb === 'create' && isServer;
}
