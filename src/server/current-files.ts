// Texts of files that may be replaced while the server runs, such as client certificates for other servers: those of
// calls, which read them when they are about to be made rather than all the time.

import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { readText } from './files.ts';

export class CurrentFiles {
  readonly #files: readonly string[];
  readonly #clock: Clock;
  readonly #isUsable: (texts: readonly string[]) => boolean;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #seen = '';
  #texts: readonly string[] = [];

  /**
   * @param isUsable whether texts belong together: others, as while files are being replaced, leave those before in force
   * @throws Error if a file cannot be read
   */
  constructor(
    files: readonly string[],
    { clock, isUsable }: { readonly clock: Clock; readonly isUsable: (texts: readonly string[]) => boolean },
  ) {
    this.#files = files;
    this.#clock = clock;
    this.#isUsable = isUsable;
    this.#texts = files.map(readText);
    this.#seen = stamp(files);
  }

  /** The texts, in the order of the files. */
  current(): readonly string[] {
    const now = this.#clock.now();
    if (now - this.#checkedMs < limits.currentFilesCheckMs) return this.#texts;
    this.#checkedMs = now;
    try {
      const seen = stamp(this.#files);
      if (seen === this.#seen) return this.#texts;
      const texts = this.#files.map(readText);
      if (!this.#isUsable(texts)) return this.#texts;
      this.#texts = texts;
      this.#seen = seen;
    } catch {
      // Files that are being replaced may be missing for a moment.
    }
    return this.#texts;
  }
}

function stamp(files: readonly string[]): string {
  return files
    .map((file) => {
      const { mtimeMs, size, ino } = statSync(file);
      return `${mtimeMs} ${size} ${ino}`;
    })
    .join();
}
