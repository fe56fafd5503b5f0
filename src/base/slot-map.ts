// A map with integer keys for short-lived values, such as requests in flight.
//
// The built-in Map grows and shrinks by copying itself, and the old copy refers to the new one. Once such a copy is in
// the old generation, minor garbage collections keep it alive together with all later copies and their content, so
// short-lived values are promoted until a major collection. This map is an array with open addressing by the low bits
// of the key: keys are assigned consecutively, so most find their slot free, and the others use the next free one.

/** Marks an empty slot. */
const FREE = -1;
/** Initial capacity, a power of two. */
const PLACES = 16;

export class SlotMap<Value extends object> {
  #keys = new Float64Array(PLACES).fill(FREE);
  #values: (Value | undefined)[] = new Array<Value | undefined>(PLACES).fill(undefined);
  #mask = PLACES - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): Value | undefined {
    return this.#values[this.#placeOf(key)];
  }

  /** @param key an integer, not negative */
  set(key: number, value: Value): void {
    let place = this.#placeOf(key);
    if (this.#keys[place] === FREE) {
      // With half of the slots empty, probing is short.
      if (2 * ++this.#size > this.#keys.length) {
        this.#enlarge();
        place = this.#placeOf(key);
      }
      this.#keys[place] = key;
    }
    this.#values[place] = value;
  }

  /** Whether there was something to delete. */
  delete(key: number): boolean {
    const [keys, mask] = [this.#keys, this.#mask];
    let free = this.#placeOf(key);
    if (keys[free] === FREE) return false;
    this.#size--;
    // Entries that would become unreachable behind the gap move up.
    for (let place = (free + 1) & mask; keys[place] !== FREE; place = (place + 1) & mask) {
      const wanted = keys[place]! & mask;
      if (((place - wanted) & mask) < ((place - free) & mask)) continue;
      keys[free] = keys[place]!;
      this.#values[free] = this.#values[place];
      free = place;
    }
    keys[free] = FREE;
    this.#values[free] = undefined;
    return true;
  }

  /** By key. Concurrently deleted entries are not visited; added ones may be. */
  *values(): Generator<Value, void, undefined> {
    for (const key of this.#keys.filter((each) => each !== FREE).sort()) {
      const value = this.get(key);
      if (value !== undefined) yield value;
    }
  }

  /** The slot of a key, or where it would be. */
  #placeOf(key: number): number {
    const [keys, mask] = [this.#keys, this.#mask];
    let place = key & mask;
    while (keys[place] !== key && keys[place] !== FREE) place = (place + 1) & mask;
    return place;
  }

  #enlarge(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(2 * keys.length).fill(FREE);
    this.#values = new Array<Value | undefined>(2 * keys.length).fill(undefined);
    this.#mask = this.#keys.length - 1;
    keys.forEach((key, from) => {
      if (key === FREE) return;
      const place = this.#placeOf(key);
      this.#keys[place] = key;
      this.#values[place] = values[from];
    });
  }
}
