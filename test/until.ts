// Waiting for conditions in tests, with a deadline.

import { setTimeout as sleep } from 'node:timers/promises';

/** How long a condition may take on a slow machine before its test fails. */
const deadlineMs = 30_000;

/**
 * Resolves with what `condition` gives as soon as that is neither false nor undefined. Rejects after the deadline, naming
 * `what` was waited for and the last error, if any.
 */
export async function until<T>(what: string, condition: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  const deadline = Date.now() + deadlineMs;
  let failure: unknown;
  do {
    try {
      const value = await condition();
      if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    } catch (error) {
      failure = error;
    }
    await sleep(20);
  } while (Date.now() < deadline);
  throw new Error(`waited ${deadlineMs} ms in vain: ${what}`, { cause: failure });
}
