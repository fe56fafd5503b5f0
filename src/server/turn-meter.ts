// Meter of event loop turns: a histogram of all turns, and a log entry for long ones that held up requests. Nobody waits
// for most of a start, which loads modules.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { type HeldTurn, TurnMeter } from '../base/turn-meter.ts';
import type { ShutdownGate } from '../http/filters/shutdown-gate.ts';
import type { RuntimeMetrics } from '../lifecycle/runtime-metrics.ts';

interface TurnMeterParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<RuntimeMetrics, 'turns'>;
  readonly requests: Pick<ShutdownGate, 'open' | 'admitted'>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export function serverTurnMeter({ clock, log, metrics, requests, now }: TurnMeterParts): TurnMeter {
  const turns = metrics.turns.with({});
  let nextLineMs = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  const report = ({ ms, task, taskMs }: HeldTurn) => {
    const nowMs = clock.now();
    if (nowMs < nextLineMs) {
      unreported++;
      return;
    }
    nextLineMs = nowMs + limits.heldLoopLogMs;
    const facts = { milliseconds: Math.round(ms), task, taskMilliseconds: Math.round(taskMs) };
    log.info('the event loop was blocked', unreported === 0 ? facts : { ...facts, unreported });
    unreported = 0;
  };
  return new TurnMeter({
    now,
    nextRound: setImmediate,
    observe: (ms) => turns.observe(ms / 1000),
    held(turn) {
      const { open, admitted } = requests;
      if (open > 0) report(turn);
      // What arrived during the turn is read between this round and the one after the next.
      else setImmediate(() => setImmediate(() => requests.admitted > admitted && report(turn)));
    },
  });
}
