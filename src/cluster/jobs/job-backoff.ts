// Back-off of a Job whose pods fail: 10 seconds after the first failure since the last success, doubled with each
// further one, up to 10 minutes.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { endedAtMs } from './job-pods.ts';

const FIRST_MS = 10_000;
const LONGEST_MS = 600_000;

/** The failures of a Job since its last success. */
export interface Backoff {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export const NO_BACKOFF: Backoff = { failures: 0, lastFailureMs: 0 };

/** @param succeeded pods that have ended since, and were not counted before; likewise `failed` */
export function nextBackoff(before: Backoff, succeeded: readonly Pod[], failed: readonly Pod[]): Backoff {
  const lastSuccessMs = Math.max(...succeeded.map(endedAtMs));
  const failures = failed.map(endedAtMs).filter((endMs) => succeeded.length === 0 || endMs > lastSuccessMs);
  const kept = succeeded.length === 0 ? before : NO_BACKOFF;
  if (failures.length === 0) return kept;
  return { failures: kept.failures + failures.length, lastFailureMs: Math.max(...failures) };
}

/** How long no pod is to be created. */
export function remainingMs({ failures, lastFailureMs }: Backoff, nowMs: number): number {
  if (failures === 0) return 0;
  const delay = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), LONGEST_MS);
  return Math.max(0, lastFailureMs + delay - nowMs);
}
