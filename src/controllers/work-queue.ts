// Work queue of keys: a key waits once however often it is added, a few are processed concurrently, and failed ones are
// retried later. Independent of the work.

import { ApiError } from '../api/errors.ts';
import type { Activity } from '../base/activity.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import type { WorkQueueMetrics, WorkQueueSeries } from '../lifecycle/work-queue-metrics.ts';

/** Dependencies of queues; part of those of controllers. */
export interface WorkQueueContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Receives descriptions of turns of the event loop. */
  readonly turns: Pick<ShortTurns, 'enter'>;
  readonly queueMetrics: WorkQueueMetrics;
  /** Learns when queues have work; undefined if nobody asks. */
  readonly activity?: Activity | undefined;
}

interface WorkQueueOptions<Key> {
  /** The name of the queue in the log and in metrics. */
  readonly name: string;
  readonly context: WorkQueueContext;
  /** Number of keys processed concurrently; more than one lets their writes share commits. */
  readonly concurrency: number;
  /** Processes one key. Returns the number of milliseconds after which to process it again, if any. */
  readonly work: (key: Key) => Promise<number | undefined>;
}

export class WorkQueue<Key> {
  readonly #options: WorkQueueOptions<Key>;
  readonly #series: WorkQueueSeries;
  /** Since when each key waits, in milliseconds. */
  readonly #waiting = new Map<Key, number>();
  /** Since when each key is being processed. */
  readonly #running = new Map<Key, number>();
  /** Keys that were added while being processed. */
  readonly #again = new Set<Key>();
  readonly #failures = new Map<Key, number>();
  readonly #timers = new Map<Key, Timer>();
  #phase: 'new' | 'started' | 'stopped' = 'new';
  #turn: NodeJS.Immediate | undefined;
  #onQuiet: (() => void)[] = [];
  /** Whether a key waits or is being processed. */
  #busy = false;

  constructor(options: WorkQueueOptions<Key>) {
    this.#options = options;
    const { name, context } = options;
    const runningSeconds = () => this.#running.values().map((sinceMs) => this.#secondsSince(sinceMs));
    this.#series = context.queueMetrics.of(name, runningSeconds);
  }

  get taskName(): string {
    return this.#options.name;
  }

  /** Starts with the keys added so far. */
  start(): void {
    if (this.#phase !== 'new') return;
    this.#phase = 'started';
    this.#takeTurn();
  }

  add(key: Key): void {
    if (this.#phase === 'stopped') return;
    this.#cancelTimer(key);
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    if (!this.#waiting.has(key)) this.#wait(key);
    this.#takeTurn();
  }

  #wait(key: Key): void {
    if (!this.#busy) this.#options.context.activity?.begin();
    this.#busy = true;
    this.#waiting.set(key, this.#options.context.clock.now());
    this.#series.adds.add();
    this.#series.depth.set(this.#waiting.size);
  }

  /** Adds the key at that time, unless it is added before. */
  addAfter(key: Key, delayMs: number): void {
    if (this.#phase === 'stopped' || this.#waiting.has(key)) return;
    this.#cancelTimer(key);
    this.#timers.set(
      key,
      this.#options.context.clock.after(delayMs, () => {
        this.#timers.delete(key);
        this.add(key);
      }),
    );
  }

  /** Resolves when nothing is waiting or being processed, not counting delayed keys. */
  async quiet(): Promise<void> {
    if (this.#waiting.size === 0 && this.#running.size === 0) return;
    await new Promise<void>((resolve) => this.#onQuiet.push(resolve));
  }

  /** Drops waiting keys; resolves when those being processed are done. */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    if (this.#running.size === 0) this.#rest();
    this.#waiting.clear();
    this.#series.depth.set(0);
    this.#again.clear();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    await this.quiet();
  }

  /**
   * Starts processing in a separate turn of the event loop, so that adding a key during a write does not delay the
   * write, and many keys do not delay requests.
   */
  #takeTurn(): void {
    if (this.#phase !== 'started' || this.#turn !== undefined) return;
    if (this.#waiting.size === 0 || this.#running.size >= this.#options.concurrency) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      const { concurrency, context } = this.#options;
      const { clock, turns } = context;
      turns.enter(this);
      const startMs = clock.now();
      for (const [key, sinceMs] of this.#waiting) {
        if (this.#running.size >= concurrency) break;
        this.#waiting.delete(key);
        this.#series.queued.observe(this.#secondsSince(sinceMs));
        void this.#run(key);
        if (clock.now() - startMs >= limits.turnMs) break;
      }
      this.#series.depth.set(this.#waiting.size);
      this.#takeTurn();
    });
  }

  /** Never negative, even if a clock is set back. */
  #secondsSince(ms: number): number {
    return Math.max(0, this.#options.context.clock.now() - ms) / 1000;
  }

  async #run(key: Key): Promise<void> {
    const startMs = this.#options.context.clock.now();
    this.#running.set(key, startMs);
    let againMs: number | undefined;
    try {
      againMs = await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      againMs = this.#failed(key, error);
    }
    this.#running.delete(key);
    this.#series.worked.observe(this.#secondsSince(startMs));
    if (this.#again.delete(key)) this.add(key);
    else if (againMs !== undefined) this.addAfter(key, againMs);
    this.#takeTurn();
    if (this.#waiting.size > 0 || this.#running.size > 0) return;
    this.#rest();
    for (const resolve of this.#onQuiet.splice(0)) resolve();
  }

  #rest(): void {
    if (this.#busy) this.#options.context.activity?.end();
    this.#busy = false;
  }

  /** Retry delay of a failed key, doubled each time. */
  #failed(key: Key, error: unknown): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#series.retries.add();
    const { context, name } = this.#options;
    const { log } = context;
    // Lost races and API errors are ordinary; any other error needs attention.
    if (error instanceof ApiError && error.code < 500) {
      log.debug({ file: 'work-queue', level: 2 }, 'a controller tries again', {
        controller: name,
        key,
        error: error.message,
      });
    } else if (this.#phase !== 'stopped') {
      log.warn('a controller failed and tries again', { controller: name, key, failures, error });
    }
    return Math.min(limits.controllerRetryMs * 2 ** (failures - 1), limits.controllerLongestRetryMs);
  }

  #cancelTimer(key: Key): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}
