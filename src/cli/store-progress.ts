// What people see who wait for the work on a large store: one line for each part of it, and for rows from time to time.

import { limits } from '../base/limits.ts';
import type { OnStoreStep, StoreStep } from '../server/store-care.ts';
import type { CommandProcess } from './command-process.ts';

/** Tells steps on the errors of a command, of stores that are too large to be done with at once. */
export function storeProgress({ err }: Pick<CommandProcess, 'err'>, now: () => number = Date.now): OnStoreStep {
  let toldMs = 0;
  return (step) => {
    if (step.bytes < limits.progressFromBytes) return;
    if (step.step === 'rows' && now() - toldMs < limits.progressEveryMs) return;
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
    if (now() - toldMs < limits.progressEveryMs) return;
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
