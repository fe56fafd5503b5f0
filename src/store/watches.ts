// The watches of a store, found by the prefix they ask for, so that an event costs no more with a thousand watches on
// other prefixes than with one.

import type { StoreEvent, StoreWatch, WatchOptions } from './store.ts';

class Watch implements StoreWatch {
  readonly options: WatchOptions;
  readonly #leave: (watch: Watch) => void;
  /** The event that was given last: who comes while it is dispatched has it from history. */
  #last: StoreEvent | undefined;
  #closed = false;

  constructor(options: WatchOptions, leave: (watch: Watch) => void) {
    this.options = options;
    this.#leave = leave;
  }

  deliver(event: StoreEvent): void {
    // Several events may have one revision, where a driver's writes are not all its own.
    if (this.#closed || event.revision <= this.options.after || event === this.#last) return;
    this.#last = event;
    this.options.onEvent(event);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#leave(this);
  }

  end(error: Error | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.options.onEnd(error);
  }
}

/** The watches of one prefix. */
interface Audience {
  readonly prefix: string;
  /** Replaced, never changed: a watch may come or go while an event is delivered. */
  watches: readonly Watch[];
  /** The audience of the longest other prefix that this prefix begins with. */
  outer: Audience | undefined;
}

export class Watches {
  readonly #audiences = new Map<string, Audience>();
  /** The audiences by prefix; undefined when one has come or gone since it was made. */
  #sorted: readonly Audience[] | undefined = [];

  /** Gives the watch the `past` events that concern it, then all that are dispatched. */
  add(options: WatchOptions, past: Iterable<StoreEvent>): StoreWatch {
    const watch = new Watch(options, (leaving) => this.#remove(leaving));
    // Collected first: what a watch does when it gets an event may change the history that is being read.
    const missed: StoreEvent[] = [];
    for (const event of past) {
      if (event.key.startsWith(options.prefix)) missed.push(event);
    }
    for (const event of missed) watch.deliver(event);
    let audience = this.#audiences.get(options.prefix);
    if (audience === undefined) {
      audience = { prefix: options.prefix, watches: [], outer: undefined };
      this.#audiences.set(options.prefix, audience);
      this.#sorted = undefined;
    }
    audience.watches = [...audience.watches, watch];
    return watch;
  }

  /** Gives an event to each watch whose prefix its key begins with. */
  dispatch(event: StoreEvent): void {
    for (let audience = this.#nearest(event.key); audience !== undefined; audience = audience.outer) {
      if (!event.key.startsWith(audience.prefix)) continue;
      for (const watch of audience.watches) watch.deliver(event);
    }
  }

  /** Ends all watches. */
  end(error: Error | undefined): void {
    const audiences = [...this.#audiences.values()];
    this.#audiences.clear();
    this.#sorted = undefined;
    for (const audience of audiences) {
      for (const watch of audience.watches) watch.end(error);
    }
  }

  #remove(watch: Watch): void {
    const audience = this.#audiences.get(watch.options.prefix);
    if (audience === undefined) return;
    audience.watches = audience.watches.filter((other) => other !== watch);
    if (audience.watches.length > 0) return;
    this.#audiences.delete(audience.prefix);
    this.#sorted = undefined;
  }

  /**
   * The audience with the greatest prefix that is not greater than `key`. Whatever lies between a prefix of the key
   * and the key begins with that prefix too, so all of the key's prefixes are among this one and those around it.
   */
  #nearest(key: string): Audience | undefined {
    const sorted = this.#sorted ?? this.#sort();
    let low = 0;
    let end = sorted.length;
    while (low < end) {
      const middle = (low + end) >>> 1;
      if (sorted[middle]!.prefix <= key) low = middle + 1;
      else end = middle;
    }
    return sorted[low - 1];
  }

  #sort(): readonly Audience[] {
    const sorted = [...this.#audiences.values()].sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
    let outer: Audience | undefined;
    for (const audience of sorted) {
      while (outer !== undefined && !audience.prefix.startsWith(outer.prefix)) outer = outer.outer;
      audience.outer = outer;
      outer = audience;
    }
    this.#sorted = sorted;
    return sorted;
  }
}
