// Objects as they will be once the scheduler's writes are done: what has been assumed of one counts until a newer state of
// it is known, or for as long as it is held.

import type { Informed } from '../../informer.ts';
import type { Lister } from '../sources.ts';

interface Assumed<T> {
  readonly object: T;
  /** The state that it was derived from. */
  readonly from: T;
}

export class AssumedObjects<T extends Informed> implements Lister<T> {
  readonly #actual: Lister<T>;
  readonly #isHeld: (object: T) => boolean;
  /** By `namespace/name`. */
  readonly #assumed = new Map<string, Assumed<T>>();

  /** @param isHeld whether more than one write brings an object to the state that is assumed, and some are to come */
  constructor(actual: Lister<T>, isHeld: (object: T) => boolean = () => false) {
    this.#actual = actual;
    this.#isHeld = isHeld;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#current(this.#actual.get(namespace, name));
  }

  list(namespace?: string): T[] {
    const actual = this.#actual.list(namespace);
    return this.#assumed.size === 0 ? actual : actual.map((each) => this.#current(each) as T);
  }

  /** @param from the state that it was derived from */
  assume(object: T, from: T): void {
    this.#assumed.set(keyOf(object), { object, from });
  }

  forget(object: T): void {
    this.#assumed.delete(keyOf(object));
  }

  #current(actual: T | undefined): T | undefined {
    if (actual === undefined) return undefined;
    const key = keyOf(actual);
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return actual;
    const { resourceVersion } = actual.metadata;
    const isHeld = assumed.object.metadata.uid === actual.metadata.uid && this.#isHeld(actual);
    if (isHeld || assumed.from.metadata.resourceVersion === resourceVersion) return assumed.object;
    this.#assumed.delete(key);
    return actual;
  }
}

function keyOf({ metadata }: Informed): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
