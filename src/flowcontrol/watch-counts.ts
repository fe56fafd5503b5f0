// Open watches, counted by scope, to determine how many watchers a write affects.

export interface WatchedPlace {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch; the returned function ends that, however often it is called. */
  register(place: WatchedPlace): () => void {
    const key = keyOf(place, place.namespace, place.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let registered = true;
    return () => {
      if (!registered) return;
      registered = false;
      const left = this.#counts.get(key)! - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** Watches of the whole resource, of the namespace, and of the object; selectors are ignored. */
  interested(place: WatchedPlace): number {
    if (this.#counts.size === 0) return 0;
    const { namespace, name } = place;
    let count = this.#counts.get(keyOf(place, '', '')) ?? 0;
    if (namespace !== '') count += this.#counts.get(keyOf(place, namespace, '')) ?? 0;
    if (name !== '') count += this.#counts.get(keyOf(place, namespace, name)) ?? 0;
    return count;
  }
}

function keyOf({ group, resource }: WatchedPlace, namespace: string, name: string): string {
  return `${resource}.${group}/${namespace}/${name}`;
}
