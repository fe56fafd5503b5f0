// A queue in a circular array that grows as needed: added to at one end, dropped from at the other, and read anywhere
// by sequence number. An item keeps its number for as long as it is in the ring. What bounds the ring is up to its
// owner, who drops.

const SMALLEST = 16;

export class Ring<T> {
  /** Its length is a power of two, so that a mask turns sequence numbers into places. */
  #places: (T | undefined)[] = new Array<T | undefined>(SMALLEST).fill(undefined);
  #first = 0;
  #end = 0;

  /** The sequence number of the oldest item; equal to `end` when there is none. */
  get first(): number {
    return this.#first;
  }

  /** The sequence number that the next item will get. */
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

  /** Drops the oldest item and returns it; undefined when there is none. */
  drop(): T | undefined {
    const item = this.at(this.#first);
    if (item === undefined) return undefined;
    this.#places[this.#first & (this.#places.length - 1)] = undefined;
    this.#first += 1;
    if (this.length * 4 < this.#places.length && this.#places.length > SMALLEST) this.#resize(this.#places.length / 2);
    return item;
  }

  /** The item with that sequence number; undefined when it was dropped or is yet to come. */
  at(sequence: number): T | undefined {
    if (sequence < this.#first || sequence >= this.#end) return undefined;
    return this.#places[sequence & (this.#places.length - 1)];
  }

  /**
   * The sequence number of the first item with a greater rank than `rank`; `end` when there is none.
   *
   * @param rankOf must not fall from one item to the next.
   */
  after(rank: number, rankOf: (item: T) => number): number {
    let low = this.#first;
    let end = this.#end;
    while (low < end) {
      // Not a shift: sequence numbers grow beyond 32 bits.
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
