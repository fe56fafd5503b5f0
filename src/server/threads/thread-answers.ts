// The answers of a serving thread to the others: its metrics, and changes of these and of its log level.

import type { ServerMetrics } from '../../lifecycle/server-metrics.ts';
import type { LogLevels } from '../log-levels.ts';
import type { ThreadAnswers } from './team.ts';

/** The answers of the thread that has these metrics and log levels. */
export function answersOf(metrics: ServerMetrics, levels: LogLevels): ThreadAnswers {
  const page = (path: string) => (path === '/metrics/slis' ? metrics.health : metrics);
  return {
    metrics: (path, withNative) => page(path).text(withNative),
    change: (change) => {
      if ('reset' in change) page(change.reset).reset();
      else levels.verbosity = change.verbosity;
    },
  };
}
