// Values that are mostly there already and sometimes still to come. Going on at once where one is there spares a caller
// the promises, and the turns, that awaiting it would cost.

export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there, else when it has come. */
export function whenThere<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
