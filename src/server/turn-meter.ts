// Meter of event loop turns: a histogram of all turns, and a log entry for long ones.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { TurnMeter } from '../base/turn-meter.ts';
import type { RuntimeMetrics } from '../lifecycle/runtime-metrics.ts';

interface TurnMeterParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<RuntimeMetrics, 'turns'>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export function serverTurnMeter({ clock, log, metrics, now }: TurnMeterParts): TurnMeter {
  const turns = metrics.turns.with({});
  let nextLineMs = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return new TurnMeter({
    now,
    nextRound: setImmediate,
    observe: (ms) => turns.observe(ms / 1000),
    held({ ms, task, taskMs }) {
      const nowMs = clock.now();
      if (nowMs < nextLineMs) {
        unreported++;
        return;
      }
      nextLineMs = nowMs + limits.heldLoopLogMs;
      const facts = { milliseconds: Math.round(ms), task, taskMilliseconds: Math.round(taskMs) };
      log.info('the event loop was blocked', unreported === 0 ? facts : { ...facts, unreported });
      unreported = 0;
    },
  });
}
