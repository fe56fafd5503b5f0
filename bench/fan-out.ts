// A load of watches: many watchers of one namespace and one writer. Every watcher receives every write in order, so the
// nth event of a watch is the nth write, and its send time is known without parsing the event.

import { type Http2Connection, openConnection, type Target } from './http2-connection.ts';
import { Latencies } from './latencies.ts';
import { mergePatches, PODS } from './workloads.ts';

export interface FanOut {
  readonly watchers: number;
  readonly connections: number;
  /** The prefix of pods that are there, and how many are written in turn. */
  readonly prefix: string;
  readonly pods: number;
}

export interface WriteLoad {
  readonly seconds: number;
  /** A steady rate; without it, as fast as all watchers receive the events, a few writes ahead. */
  readonly writesPerSecond?: number;
}

export interface FanOutOutcome {
  readonly writes: number;
  readonly deliveries: number;
  readonly seconds: number;
  /** From sending a write until a watcher receives its event. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The number of writes whose events are pending when there is no rate. */
const WRITES_AHEAD = 4;
const DELIVERY_WAIT_MS = 10_000;
const LINE_FEED = 10;

export class WatchLoad {
  readonly #fanOut: FanOut;
  readonly #connections: readonly Http2Connection[];
  readonly #writer: Http2Connection;
  readonly #patches: ReturnType<typeof mergePatches>[];
  /** When each write was sent, and how many watchers have received it. */
  #sentMs: number[] = [];
  #arrived: number[] = [];
  #complete = 0;
  #latencies = new Latencies();
  /** Called when one more write has reached all watchers. */
  #waiting: (() => void)[] = [];
  #failure: Error | undefined;

  private constructor(fanOut: FanOut, writer: Http2Connection, connections: readonly Http2Connection[]) {
    this.#fanOut = fanOut;
    this.#writer = writer;
    this.#connections = connections;
    this.#patches = Array.from({ length: fanOut.pods }, (_, pod) => mergePatches(`${PODS}/${fanOut.prefix}-${pod}`));
  }

  /** Opens all watches, starting at the current version. */
  static async open(target: Target, fanOut: FanOut): Promise<WatchLoad> {
    const writer = await openConnection(target);
    const connections = await Promise.all(Array.from({ length: fanOut.connections }, () => openConnection(target)));
    const load = new WatchLoad(fanOut, writer, connections);
    const { kept } = await writer.request({ method: 'GET', path: `${PODS}?limit=1` });
    const version = /"resourceVersion":"(\d+)"/.exec(kept)?.[1];
    const path = `${PODS}?watch=true&resourceVersion=${version}`;
    for (let at = 0; at < fanOut.watchers; at++) load.#watch(connections[at % connections.length]!, path);
    return load;
  }

  /** Writes, and waits until all events have arrived. */
  async run({ seconds, writesPerSecond }: WriteLoad): Promise<FanOutOutcome> {
    this.#latencies = new Latencies();
    const before = this.#sentMs.length;
    const startMs = performance.now();
    const endMs = startMs + seconds * 1000;
    if (writesPerSecond === undefined) await this.#writeAhead(endMs);
    else await this.#writeAtPace(endMs, 1000 / writesPerSecond);
    await this.#allComplete();
    const writes = this.#sentMs.length - before;
    return {
      writes,
      deliveries: this.#latencies.count,
      seconds: (performance.now() - startMs) / 1000,
      p50Ms: this.#latencies.at(0.5),
      p99Ms: this.#latencies.at(0.99),
    };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    this.#writer.close();
  }

  #watch(connection: Http2Connection, path: string): void {
    let received = 0;
    const onPiece = (piece: Buffer): void => {
      const nowMs = performance.now();
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
        this.#arrive(received++, nowMs);
      }
    };
    connection.request({ method: 'GET', path }, onPiece).then(
      ({ status, kept }) => this.#fail(new Error(`a watch ended: ${status} ${kept}`)),
      (error: Error) => this.#fail(error),
    );
  }

  #arrive(write: number, nowMs: number): void {
    this.#latencies.add(nowMs - this.#sentMs[write]!);
    this.#arrived[write]! += 1;
    if (this.#arrived[write] !== this.#fanOut.watchers) return;
    this.#complete += 1;
    this.#wake();
  }

  async #write(): Promise<void> {
    const at = this.#sentMs.length;
    this.#sentMs.push(performance.now());
    this.#arrived.push(0);
    const patch = this.#patches[at % this.#patches.length]!(undefined);
    const { status, kept } = await this.#writer.request(patch);
    if (status !== 200) throw new Error(`a write between watches: ${status} ${kept}`);
  }

  async #writeAhead(endMs: number): Promise<void> {
    const lane = async (): Promise<void> => {
      while (performance.now() < endMs && this.#failure === undefined) {
        const write = this.#sentMs.length;
        await this.#write();
        await this.#until(() => this.#complete > write - WRITES_AHEAD);
      }
    };
    await Promise.all(Array.from({ length: WRITES_AHEAD }, lane));
  }

  async #writeAtPace(endMs: number, everyMs: number): Promise<void> {
    for (let dueMs = performance.now(); dueMs < endMs; dueMs += everyMs) {
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      this.#write().catch((error: Error) => this.#fail(error));
    }
  }

  async #allComplete(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`of ${this.#sentMs.length} writes only ${this.#complete} reached all watchers`));
      }, DELIVERY_WAIT_MS);
    });
    await Promise.race([this.#until(() => this.#complete === this.#sentMs.length), tooLate]);
    clearTimeout(timer);
  }

  /** Waits for `met`, which is checked whenever a write has reached all watchers. */
  async #until(met: () => boolean): Promise<void> {
    while (!met()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
