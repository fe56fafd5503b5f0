// Levels of detail of the log: a level for all, which can be changed while the server runs, and more for the files that
// --vmodule selects, as klog has it.

import { matchesGlob } from 'node:path';
import type { LogSource } from '../base/log.ts';
import type { LogOptions } from './options/logs.ts';

export class LogLevels {
  /** The level for all files: 0 is what an operator needs. */
  verbosity: number;
  readonly #patterns: readonly (readonly [pattern: string, level: number])[];

  constructor({ verbosity, vmodule }: Pick<LogOptions, 'verbosity' | 'vmodule'>) {
    this.verbosity = verbosity;
    this.#patterns = vmodule
      .split(',')
      .filter((item) => item !== '')
      .map((item) => [item.split('=')[0]!, Number(item.split('=')[1])]);
  }

  /** Whether somebody wants the entry. Of the patterns that a file fits the first counts, and it can only add detail. */
  shows({ file, level }: LogSource): boolean {
    if (level <= this.verbosity) return true;
    if (this.#patterns.length === 0) return false;
    const chosen = this.#patterns.find(([pattern]) => matchesGlob(file, pattern));
    return chosen !== undefined && level <= chosen[1];
  }
}
