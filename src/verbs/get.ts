// The verb get: one object, the latest or one not older than a version, from the watch cache.

import { errors } from '../api/errors.ts';
import { isLater } from '../base/soon.ts';
import { newestStored } from './caught-up.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest, StoredObject } from './resource-request.ts';
import { awaitRevision, listRevision, objectRevision, wantsNewest } from './resource-version.ts';
import { assertReadable } from './unreadable.ts';

/** An old parameter that kube-apiserver refuses, for gets only. @throws ApiError 400 */
export function refuseExport({ query }: ResourceRequest): void {
  if (query.empty || !query.flag('export')) return;
  throw errors.badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}

/** @throws ApiError 400 for a refused parameter, 404 if the object does not exist, 504 if the requested version is not reached */
export async function getObject(registry: Registry, request: ResourceRequest): Promise<StoredObject> {
  const { definition, namespace, name, query } = request;
  const storage = await registry.storage(definition);
  const { cache } = storage;
  const wanted = query.empty ? '' : query.text('resourceVersion');
  const cached = registry.isCached(definition);
  const newest = wantsNewest(wanted, cached);
  if (!newest) await awaitRevision(storage, cached ? objectRevision(wanted) : listRevision(wanted), { cached });
  const key = storageKey(definition, namespace, name);
  const finding = newest ? newestStored(storage, key) : cache.get(key);
  const found = isLater(finding) ? await finding : finding;
  // Version 0 accepts any state, including the last readable one.
  if (found === undefined || newest || wanted !== '0') assertReadable(registry, storage, key);
  if (found === undefined) throw errors.notFound({ group: definition.group, resource: definition.resource, name });
  // As in kube-apiserver, which reads the latest version from the store and others from its cache.
  if (newest) await definition.storedForm?.conversion?.renew(found);
  return found;
}
