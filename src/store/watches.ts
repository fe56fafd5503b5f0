// The watches of a store by prefix, so that an event costs the same with a thousand watches on other prefixes as with
// one.

import type { StoreEvent, StoreWatch, WatchOptions } from './store.ts';

class Watch implements StoreWatch {
  readonly options: WatchOptions;
  readonly #leave: (watch: Watch) => void;
  /** The last dispatched event: a watch that begins during its dispatch receives it from history. */
  #last: StoreEvent | undefined;
  #closed = false;

  constructor(options: WatchOptions, leave: (watch: Watch) => void) {
    this.options = options;
    this.#leave = leave;
  }

  deliver(event: StoreEvent): void {
    // Several events may have the same revision, if others write to the store too.
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
  /** Replaced, never modified: a watch may begin or end while an event is being delivered. */
  watches: readonly Watch[];
  /** The audience with the longest other prefix of this prefix. */
  outer: Audience | undefined;
}

export class Watches {
  readonly #audiences = new Map<string, Audience>();
  /** The audiences sorted by prefix; undefined if one was added or removed since. */
  #sorted: readonly Audience[] | undefined = [];

  /** Delivers relevant `past` events to the watch, then all that are dispatched. */
  add(options: WatchOptions, past: Iterable<StoreEvent>): StoreWatch {
    const watch = new Watch(options, (leaving) => this.#remove(leaving));
    // Collected first: a watch that receives an event may change the history that is being read.
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

  /** Delivers an event to each watch whose prefix matches its key. */
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
   * The audience with the greatest prefix that is not greater than `key`. Everything between a prefix of the key and
   * the key also begins with that prefix, so all prefixes of the key are among this audience and those that enclose it.
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
