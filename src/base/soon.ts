// Values that are mostly there already and sometimes still to come. Going on at once where one is there spares a caller
// the promises, and the turns, that awaiting it would cost: this is the one way to say so, and `Soon<void>` is work that
// is mostly done when it returns.

export type Soon<T> = T | Promise<T>;

/** Whether a value is still to come. An async function awaits only such: `isLater(value) ? await value : value`. */
export function isLater<T>(value: Soon<T>): value is Promise<T> {
  return value instanceof Promise;
}

/**
 * Goes on with a value: at once where it is there, else when it has come.
 * @param failed goes on with what was thrown on the way to a value that was still to come
 */
export function whenThere<T, R>(
  value: Soon<T>,
  next: (value: T) => Soon<R>,
  failed?: (error: unknown) => Soon<R>,
): Soon<R> {
  return isLater(value) ? value.then(next, failed) : next(value);
}
