// Resource versions in requests: strings for clients, store revisions internally.

import { type ApiError, errors, fieldError, MODIFIED } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { holdsIn } from '../resources/strategy-rules.ts';
import type { WatchCache } from '../watchcache/types.ts';
import { caughtUp } from './caught-up.ts';
import type { ResourceStorage } from './registry.ts';
import { inReleaseWords } from './release-errors.ts';
import type { ResourceRequest } from './resource-request.ts';

const LARGEST = 2n ** 64n - 1n;

/** Why a text is not a resource version, in Kubernetes' words; undefined if it is one. */
function fault(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  if (text.length > 19 && BigInt(text) > LARGEST) return `strconv.ParseUint: parsing ${quoted}: value out of range`;
  return undefined;
}

/** Invalid as a read option. */
const invalid = (text: string, why: string) => `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`;

/** The version of a list, and of a get of what kube-apiserver has no cache for; '' is 0. @throws ApiError 400 */
export function listRevision(text: string): number {
  if (text === '') return 0;
  const reason = fault(text);
  if (reason !== undefined) throw errors.badRequest(`invalid resource version: ${invalid(text, reason)}`);
  return Number(text);
}

/** The version of a get or a watch; '' is 0. @throws ApiError 500, as in kube-apiserver */
export function objectRevision(text: string): number {
  if (text === '') return 0;
  const reason = fault(text);
  if (reason !== undefined) throw errors.unexplained(invalid(text, reason));
  return Number(text);
}

/** The version of an object in a write; '' is 0. @throws ApiError 500, as in kube-apiserver */
export function writtenRevision(text: string): number {
  if (text === '') return 0;
  const reason = fault(text);
  if (reason !== undefined) throw errors.unexplained(reason);
  return Number(text);
}

/**
 * The resource version in an update, as sent or as changed by admission, must be the current one; none, or 0, means any
 * if the kind allows it.
 *
 * @throws ApiError 409 for another version, 422 if one is required, 500 for an invalid one
 */
export function checkVersion(request: ResourceRequest, next: ApiObject, previous: ApiObject): void {
  const { definition, name, version } = request;
  const revision = writtenRevision(next.metadata.resourceVersion ?? '');
  if (revision === 0) {
    if (holdsIn(definition.strategy.unconditionalUpdate, version.version)) return;
    // This message contains the resource, not the kind, and the version as a number, as clients know it.
    const found = [fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update')];
    throw errors.invalid(
      { group: definition.group, kind: definition.resource, name },
      inReleaseWords(found, definition),
    );
  }
  if (String(revision) !== previous.metadata.resourceVersion) {
    throw errors.conflict({ group: definition.group, resource: definition.resource, name }, MODIFIED);
  }
}

interface FreshnessOptions {
  readonly cached?: boolean;
  readonly retries?: boolean;
  readonly isTold?: boolean;
}

/**
 * Waits until the cache is as new as `revision`.
 * @param cached whether kube-apiserver would wait for its cache; it knows at once what etcd does not have
 * @param retries whether the error says when to try again
 * @param isTold whether the error says how new the cache is, and not only what etcd says
 * @throws ApiError 504 'Too large resource version' if it does not get there in time, or 500
 */
export async function awaitRevision(
  { cache, store }: Pick<ResourceStorage, 'cache' | 'store'>,
  revision: number,
  { cached = true, retries = cached, isTold = true }: FreshnessOptions = {},
): Promise<void> {
  if (revision <= cache.revision) return;
  // The revision may belong to another resource, whose events this cache does not receive.
  await caughtUp(store);
  const isThere = cached ? await cache.waitFor(revision, limits.freshnessWaitMs) : revision <= cache.revision;
  if (isThere) return;
  throw isTold ? tooLarge(cache, revision, retries) : errors.unexplained(FUTURE_REVISION);
}

/**
 * Whether a read must show every write acknowledged before it: one without a version, and one at version 0 of what
 * kube-apiserver has no cache for, which it reads from etcd.
 */
export function wantsNewest(resourceVersion: string, cached: boolean): boolean {
  return resourceVersion === '' || (resourceVersion === '0' && !cached);
}

const FUTURE_REVISION = 'etcdserver: mvcc: required revision is a future revision';

function tooLarge(cache: WatchCache, revision: number, retries: boolean): ApiError {
  return errors.tooLargeResourceVersion(revision, cache.revision, retries ? 1 : undefined);
}
