// Log verbosity: a level for all files, which can be changed while the server runs, and higher ones for files matched
// by --vmodule, as in klog.

import { matchesGlob } from 'node:path';
import type { LogSource } from '../base/log.ts';
import type { LogOptions } from './options/logs.ts';

export class LogLevels {
  /** The level for all files: 0 is for operators. */
  verbosity: number;
  readonly #patterns: readonly (readonly [pattern: string, level: number])[];

  constructor({ verbosity, vmodule }: Pick<LogOptions, 'verbosity' | 'vmodule'>) {
    this.verbosity = verbosity;
    this.#patterns = vmodule
      .split(',')
      .filter((item) => item !== '')
      .map((item) => [item.split('=')[0]!, Number(item.split('=')[1])]);
  }

  /** Whether an entry is enabled. The first pattern that matches a file counts, and it can only add detail. */
  shows({ file, level }: LogSource): boolean {
    if (level <= this.verbosity) return true;
    if (this.#patterns.length === 0) return false;
    const chosen = this.#patterns.find(([pattern]) => matchesGlob(file, pattern));
    return chosen !== undefined && level <= chosen[1];
  }
}
