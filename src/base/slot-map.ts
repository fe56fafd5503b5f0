// A map from numbers to what comes and goes all the time, such as requests in flight.
//
// The runtime's own Map grows and shrinks by copying itself, and the copy it leaves behind points to the next. Once such
// a copy has grown old, the quick collections of young garbage take it for alive, with every copy after it and all that
// those held: what should die young is copied about and waits for a slow collection. Here it stands in an array, where
// the last bits of its number say: numbers are given one after the other, so that most find their place free, and the
// others stand in the next free one.

/** In place of a number where nothing stands. */
const FREE = -1;
/** At the beginning; a power of two, as its multiples are. */
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

  /** @param key a whole number, not below 0 */
  set(key: number, value: Value): void {
    let place = this.#placeOf(key);
    if (this.#keys[place] === FREE) {
      // Places that are half empty are found soon.
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
    // What stands behind it, and would not be looked for beyond a gap, moves up.
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

  /** By their numbers. What is deleted meanwhile is not seen any more; what is set may be or not. */
  *values(): Generator<Value, void, undefined> {
    for (const key of this.#keys.filter((each) => each !== FREE).sort()) {
      const value = this.get(key);
      if (value !== undefined) yield value;
    }
  }

  /** Where the key stands, or would stand. */
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
