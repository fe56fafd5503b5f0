// The progress of work on a large store, for people who wait for it: one line for each part of it, and for rows from time
// to time.

import type { OnStoreStep, StoreStep } from '../server/store-care.ts';
import type { CommandProcess } from './command-process.ts';

/** The size from which the work on a store takes long enough to be told. */
const FROM_BYTES = 100_000_000;
/** How often something is counted. */
const EVERY_MS = 2_000;

/** Tells steps on the errors of a command, of stores that are too large to be done with at once. */
export function storeProgress({ err }: Pick<CommandProcess, 'err'>, now: () => number = Date.now): OnStoreStep {
  let toldMs = 0;
  return (step) => {
    if (step.bytes < FROM_BYTES) return;
    if (step.step === 'rows' && now() - toldMs < EVERY_MS) return;
    toldMs = now();
    err(`${textOf(step)}\n`);
  };
}

/** Counts on the errors of a command, now and then: nothing of what is done before anybody wonders. */
export function countProgress(
  { err }: Pick<CommandProcess, 'err'>,
  now: () => number = Date.now,
): (text: string) => void {
  let toldMs = now();
  return (text) => {
    if (now() - toldMs < EVERY_MS) return;
    toldMs = now();
    err(`${text}\n`);
  };
}

function textOf({ step, bytes, rows = 0 }: StoreStep): string {
  const size = `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)} GB`;
  switch (step) {
    case 'copy':
      return `copying ${size}`;
    case 'check':
      return `checking ${size}`;
    case 'write':
      return `writing ${size}`;
    case 'rows':
      return `checked ${rows} rows`;
  }
}
