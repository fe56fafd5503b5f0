// Environment of a fuzzed server: a clock that counts pending timers, and a log that records errors.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/base/clock.ts';
import type { Log, LogFields } from '../../src/base/log.ts';
import { systemClock } from '../../src/server/system-clock.ts';

const letGoDeadlineMs = 30_000;

/**
 * Every watch, every wait and every body being read has a timer: when all requests have ended, none of theirs may be
 * left.
 */
export class CountingClock implements Clock {
  /** Where each pending timer was set: a file and its line. */
  readonly #pending = new Set<{ readonly from: string }>();

  now(): number {
    return systemClock.now();
  }

  after(delayMs: number, wake: () => void): Timer {
    const entry = { from: callerOfAfter() };
    this.#pending.add(entry);
    const timer = systemClock.after(delayMs, () => {
      this.#pending.delete(entry);
      wake();
    });
    return {
      cancel: () => {
        this.#pending.delete(entry);
        timer.cancel();
      },
    };
  }

  /** Resolves when no request has a timer any more; rejects with where they were set if some remain. */
  async letGo(): Promise<void> {
    const deadline = Date.now() + letGoDeadlineMs;
    while (this.#heldByRequests().length > 0) {
      assert.ok(Date.now() < deadline, `still pending:\n${this.#heldByRequests().join('\n')}`);
      await sleep(20);
    }
  }

  /** Timers of caches, of the store and of the listener are pending as long as the server runs. */
  #heldByRequests(): string[] {
    const places = Array.from(this.#pending, ({ from }) => from);
    return places.filter((from) => /src\/(http|verbs)\/|revision-waiters/.test(from) && !from.includes('#sweepIdle'));
  }
}

function callerOfAfter(): string {
  return new Error().stack?.split('\n')[3]?.trim() ?? '';
}

export class ErrorLog implements Log {
  readonly errors: string[] = [];

  error(message: string, fields: LogFields = {}): void {
    const cause = fields['error'];
    this.errors.push(`${message}: ${cause instanceof Error ? cause.stack : JSON.stringify(fields)}`);
  }

  warn(): void {}
  info(): void {}
  debug(): void {}
}
