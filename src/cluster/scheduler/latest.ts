// What was needed latest, up to a number of entries; the rest is forgotten.

export class Latest<Value> {
  readonly #most: number;
  /** The latest ones last. */
  readonly #entries = new Map<string, Value>();

  /** @param most the number of entries that stay */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry as the latest one. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  values(): Iterable<Value> {
    return this.#entries.values();
  }
}
