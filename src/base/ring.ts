// Ring buffer that grows as needed: items are added at one end, removed at the other, and read by sequence number,
// which an item keeps while it is in the ring. Its owner limits its size by removing items.

const SMALLEST = 16;

export class Ring<T> {
  /** The capacity is a power of two, so that a mask maps sequence numbers to slots. */
  #places: (T | undefined)[] = new Array<T | undefined>(SMALLEST).fill(undefined);
  #first = 0;
  #end = 0;

  /** The sequence number of the oldest item; equals `end` if empty. */
  get first(): number {
    return this.#first;
  }

  /** The sequence number of the next item. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#first;
  }

  push(item: T): void {
    if (this.length === this.#places.length) this.#resize(this.#places.length * 2);
    this.#places[this.#end & (this.#places.length - 1)] = item;
    this.#end += 1;
  }

  /** Removes and returns the oldest item; undefined if empty. */
  drop(): T | undefined {
    const item = this.at(this.#first);
    if (item === undefined) return undefined;
    this.#places[this.#first & (this.#places.length - 1)] = undefined;
    this.#first += 1;
    if (this.length * 4 < this.#places.length && this.#places.length > SMALLEST) this.#resize(this.#places.length / 2);
    return item;
  }

  /** The item with a sequence number; undefined if it was removed or does not exist yet. */
  at(sequence: number): T | undefined {
    if (sequence < this.#first || sequence >= this.#end) return undefined;
    return this.#places[sequence & (this.#places.length - 1)];
  }

  /**
   * The sequence number of the first item with a greater rank than `rank`; `end` if none.
   *
   * @param rankOf must not decrease from one item to the next.
   */
  after(rank: number, rankOf: (item: T) => number): number {
    let low = this.#first;
    let end = this.#end;
    while (low < end) {
      // Not a shift, because sequence numbers exceed 32 bits.
      const middle = Math.floor((low + end) / 2);
      if (rankOf(this.at(middle)!) > rank) end = middle;
      else low = middle + 1;
    }
    return low;
  }

  #resize(length: number): void {
    const places = new Array<T | undefined>(length).fill(undefined);
    for (let sequence = this.#first; sequence < this.#end; sequence++) {
      places[sequence & (length - 1)] = this.at(sequence);
    }
    this.#places = places;
  }
}
