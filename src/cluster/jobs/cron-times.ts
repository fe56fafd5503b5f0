// Times of a CronJob: the latest one at which a Job was due and has not been started, and when to look again. The rules
// for times that were missed are Kubernetes'.

import type { CronJob } from '../../resources/builtin/batch/v1-objects.ts';
import type { Schedule } from './cron-schedule.ts';

/** A time at which a Job is due. */
export interface Due {
  readonly timeMs: number;
  /** Whether so many times were missed that something must be wrong. */
  readonly hasMissedMany: boolean;
}

/** The latest time at which a Job was due, and since when times count. */
interface Times {
  readonly sinceMs: number;
  readonly timeMs: number | undefined;
  readonly missed: number;
}

const MANY = 100;
/** Jobs are started a little after their time, so that clocks which differ agree that it has come. */
const LATE_MS = 100;

/** Undefined if no Job is due. */
export function dueTime(cronJob: CronJob, schedule: Schedule, nowMs: number): Due | undefined {
  const { timeMs, missed } = latestTime(cronJob, schedule, { nowMs, heedsDeadline: true });
  return timeMs === undefined ? undefined : { timeMs, hasMissedMany: missed > MANY };
}

/** In how many milliseconds to look again; undefined if the schedule never comes due. */
export function nextLookMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number | undefined {
  const { sinceMs, timeMs, missed } = latestTime(cronJob, schedule, { nowMs, heedsDeadline: false });
  const next = schedule.next(timeMs ?? (missed === 0 ? sinceMs : nowMs));
  return next === undefined ? undefined : Math.max(0, next + LATE_MS - nowMs);
}

function latestTime(
  { metadata, spec, status }: CronJob,
  schedule: Schedule,
  { nowMs, heedsDeadline }: { readonly nowMs: number; readonly heedsDeadline: boolean },
): Times {
  let sinceMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const deadline = spec?.startingDeadlineSeconds;
  if (heedsDeadline && deadline !== undefined && deadline !== null) {
    sinceMs = Math.max(sinceMs, nowMs - Number(deadline) * 1000);
  }
  const first = schedule.next(sinceMs);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || nowMs < first) return { sinceMs, timeMs: undefined, missed: 0 };
  if (second === undefined || nowMs < second) return { sinceMs, timeMs: first, missed: 0 };
  // Times are estimated from the distance of the first two, so that years of them need not be walked through.
  const distance = Math.max(1000, Math.round((second - first) / 1000) * 1000);
  const missed = Math.floor((nowMs - first) / distance) + 1;
  let timeMs: number | undefined;
  for (
    let at = schedule.next(first + (missed - 2) * distance);
    at !== undefined && at <= nowMs;
    at = schedule.next(at)
  ) {
    timeMs = at;
  }
  return { sinceMs, timeMs, missed };
}
