// The owner's side of a store that several threads use: it answers their calls and delivers the events of their watches.
// Values are in shared memory, so that each exists once however many threads read it.

import type { Buffer } from 'node:buffer';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Clock, Timer } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { bufferOf } from '../buffer-of.ts';
import { type Store, type StoreEvent, StoreLagError, type StoreWatch } from '../store.ts';
import type { Call, Delivery, FromThread, Sent, StoreFacts, StoreSeat } from './messages.ts';
import { sentError } from './messages.ts';
import { ownedStore } from './owned-store.ts';
import { sentEntry, sharedBytes } from './shared-bytes.ts';

/** About what an event takes beside its key and value. */
const EVENT_BYTES = 100;

export class StoreHub {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  readonly #committed = new BigInt64Array(this.#memory);
  /** Which call is writing a value, so that its own thread does not receive it again. */
  readonly #writers = new WeakMap<Buffer, { readonly desk: Desk; readonly id: number }>();
  readonly #desks = new Set<Desk>();
  #timer: Timer;

  private constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#commit(store.currentRevision());
    this.#timer = this.#tellLater();
  }

  /** @param store whose owner is this thread; it must be the only writer of its data */
  static async over(store: Store, clock: Clock): Promise<StoreHub> {
    const hub = new StoreHub(store, clock);
    // Before the write is acknowledged by anybody: whoever knows of it then finds this revision.
    await store.watch({
      prefix: '',
      after: store.currentRevision(),
      onEvent: ({ revision }) => hub.#commit(revision),
      onEnd: () => hub.#timer.cancel(),
    });
    return hub;
  }

  /** The store for the owner's own use. */
  get store(): Store {
    return ownedStore(this.#store);
  }

  /** What one more thread needs; its port is to be transferred to it. */
  seat(): StoreSeat {
    const { port1, port2 } = new MessageChannel();
    const desk = new Desk(port1, {
      store: this.#store,
      writers: this.#writers,
      facts: () => this.#facts(),
      left: () => this.#desks.delete(desk),
    });
    this.#desks.add(desk);
    return { port: port2, committed: this.#memory, facts: this.#facts() };
  }

  #commit(revision: number): void {
    Atomics.store(this.#committed, 0, BigInt(revision));
  }

  #facts(): StoreFacts {
    const store = this.#store;
    return {
      revision: store.currentRevision(),
      compacted: store.compactedRevision(),
      expired: store.expiredRevision(),
      statistics: store.statistics(),
      fault: store.fault?.(),
    };
  }

  /** History expires, and faults come and go, without any write. */
  #tellLater(): Timer {
    return this.#clock.after(limits.threadFactsMs, () => {
      for (const desk of this.#desks) desk.deliverSoon();
      this.#timer = this.#tellLater();
    });
  }
}

interface DeskNeeds {
  readonly store: Store;
  readonly writers: WeakMap<Buffer, { readonly desk: Desk; readonly id: number }>;
  readonly facts: () => StoreFacts;
  readonly left: () => void;
}

/** What serves one thread. */
class Desk {
  readonly #port: MessagePort;
  readonly #needs: DeskNeeds;
  readonly #watches = new Map<number, StoreWatch>();
  #items: Sent[] = [];
  #bytes = 0;
  /** Bytes of events that were sent and that the thread has not taken. */
  #untaken = 0;
  #scheduled = false;

  constructor(port: MessagePort, needs: DeskNeeds) {
    this.#port = port;
    this.#needs = needs;
    port.on('message', (message: FromThread) => this.#take(message));
    port.on('close', () => this.#leave());
    // Whoever runs the thread keeps the process alive, not its port.
    port.unref();
  }

  /** Everything of this turn is one delivery. */
  deliverSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const delivery: Delivery = { items: this.#items, facts: this.#needs.facts(), bytes: this.#bytes };
      this.#untaken += this.#bytes;
      this.#items = [];
      this.#bytes = 0;
      this.#port.postMessage(delivery);
    });
  }

  #take(message: FromThread): void {
    if ('taken' in message) {
      this.#untaken -= message.taken;
    } else if ('unwatch' in message) {
      this.#watches.get(message.unwatch)?.close();
      this.#watches.delete(message.unwatch);
    } else {
      const { id, call } = message;
      this.#answer(id, call).catch((error: unknown) => this.#send({ kind: 'failed', id, error: sentError(error) }));
    }
  }

  async #answer(id: number, call: Call): Promise<void> {
    const { store, writers } = this.#needs;
    switch (call.kind) {
      case 'get': {
        const entry = await store.get(call.key);
        this.#send({ kind: 'entry', id, entry: entry && sentEntry(entry) });
        return;
      }
      case 'list': {
        const { entries, revision, more } = await store.list(call.prefix, call.options);
        this.#send({ kind: 'entries', id, entries: entries.map(sentEntry), revision, more });
        return;
      }
      case 'put': {
        const value = bufferOf(call.value);
        writers.set(value, { desk: this, id });
        try {
          this.#sendWrite(id, await store.put(call.key, value, call.expected));
        } finally {
          writers.delete(value);
        }
        return;
      }
      case 'delete':
        this.#sendWrite(id, await store.delete(call.key, call.expected));
        return;
      case 'watch':
        await this.#watch(id, call);
        return;
      case 'compact':
        await store.compact(call.revision);
        this.#send({ kind: 'done', id });
    }
  }

  #sendWrite(id: number, result: Awaited<ReturnType<Store['put']>>): void {
    if (result.written) {
      this.#send({ kind: 'write', id, result: { written: true, revision: result.revision } });
    } else {
      this.#send({
        kind: 'write',
        id,
        result: { written: false, current: result.current && sentEntry(result.current) },
      });
    }
  }

  async #watch(watch: number, { prefix, after }: Call & { kind: 'watch' }): Promise<void> {
    const running = await this.#needs.store.watch({
      prefix,
      after,
      onEvent: (event) => this.#event(watch, event),
      onEnd: (error) => {
        this.#watches.delete(watch);
        this.#send({ kind: 'ended', watch, error: error && sentError(error) });
      },
    });
    this.#watches.set(watch, running);
    this.#send({ kind: 'done', id: watch });
  }

  #event(watch: number, { key, revision, value }: StoreEvent): void {
    const writer = value && this.#needs.writers.get(value);
    const by = writer?.desk === this ? writer.id : undefined;
    const sent = value === undefined || by !== undefined ? undefined : sharedBytes(value);
    this.#send({ kind: 'event', watch, key, revision, value: sent, by });
    this.#bytes += EVENT_BYTES + key.length + (sent?.length ?? 0);
    if (this.#untaken + this.#bytes > limits.threadFeedBytes) this.#cutOff();
  }

  #send(item: Sent): void {
    this.#items.push(item);
    this.deliverSoon();
  }

  /** The thread does not keep up: its caches read everything again once it does. */
  #cutOff(): void {
    const error = sentError(new StoreLagError('the thread does not keep up with the events of the store'));
    const watches = [...this.#watches];
    this.#watches.clear();
    for (const [watch, running] of watches) {
      running.close();
      this.#send({ kind: 'ended', watch, error });
    }
  }

  #leave(): void {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    this.#needs.left();
  }
}
