// A map from numbers to what comes and goes all the time, such as requests in flight, in the order it came.
//
// The runtime's own Map grows and shrinks by copying itself, and the copy it leaves behind points to the next. Once such
// a copy has grown old, the quick collections of young garbage take it for alive, with every copy after it and all that
// those held: what should die young is copied about and waits for a slow collection. Here the runtime's map holds
// numbers alone, so that nothing hangs on what it leaves behind.

export class SlotMap<Value extends object> {
  readonly #slotOf = new Map<number, number>();
  readonly #slots: (Value | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#slotOf.size;
  }

  get(key: number): Value | undefined {
    const slot = this.#slotOf.get(key);
    return slot === undefined ? undefined : this.#slots[slot];
  }

  set(key: number, value: Value): void {
    let slot = this.#slotOf.get(key);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#slots.length;
      this.#slotOf.set(key, slot);
    }
    this.#slots[slot] = value;
  }

  /** Whether there was something to delete. */
  delete(key: number): boolean {
    const slot = this.#slotOf.get(key);
    if (slot === undefined) return false;
    this.#slotOf.delete(key);
    this.#slots[slot] = undefined;
    this.#free.push(slot);
    return true;
  }

  /** The first to come first. What is set or deleted meanwhile is seen, or not seen any more. */
  *values(): Generator<Value, void, undefined> {
    for (const slot of this.#slotOf.values()) yield this.#slots[slot]!;
  }
}
