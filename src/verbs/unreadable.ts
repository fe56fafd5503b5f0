// Answers about objects that are stored and can't be read, in kube-apiserver's words.

import { errors } from '../api/errors.ts';
import type { WatchCache } from '../watchcache/types.ts';

/** @throws ApiError 500 for an object that can't be read */
export function assertReadable({ unreadable }: WatchCache, key: string): void {
  const found = unreadable.get(key);
  if (found !== undefined) throw errors.internal(found.error.message, found.error);
}

/**
 * @param anyState whether a state is good enough in which all were readable
 * @throws ApiError 500 that names the first object below a prefix that can't be read
 */
export function assertAllReadable(cache: WatchCache, prefix: string, anyState: boolean): void {
  const [first] = cache.unreadable
    .within(prefix)
    .filter(({ key }) => !anyState || cache.get(key) === undefined)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  if (first === undefined) return;
  throw errors.internal(`unable to transform key "${first.key}": ${first.error.message}`, first.error);
}
