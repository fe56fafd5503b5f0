// Values that are usually available at once and sometimes later. Continuing synchronously saves callers promises and
// turns of the event loop. This is the only such type; `Soon<void>` is work that is usually done when it returns.

export type Soon<T> = T | Promise<T>;

/**
 * Whether a value is available only later. Async functions await only such values: `isLater(value) ? await value :
 * value`.
 */
export function isLater<T>(value: Soon<T>): value is Promise<T> {
  return value instanceof Promise;
}

/**
 * Continues with a value, synchronously if it is available.
 * @param failed handles the rejection of a value that was not available yet
 */
export function whenThere<T, R>(
  value: Soon<T>,
  next: (value: T) => Soon<R>,
  failed?: (error: unknown) => Soon<R>,
): Soon<R> {
  return isLater(value) ? value.then(next, failed) : next(value);
}
