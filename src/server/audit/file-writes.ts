// Writes to a file, synchronously while it is fast. Passing a write to another thread and back costs three times the
// processor time of a whole audit event, but a write delayed by a slow disk would delay every request.

import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';

/** An open file. Both forms write from an offset in the bytes on, and return the number of bytes written. */
export interface WritableFile {
  /** False for pipes and terminals, whose readers may delay a write indefinitely. */
  readonly isRegular: boolean;
  writeNow(bytes: Buffer, from: number): number;
  writeLater(bytes: Buffer, from: number): Promise<number>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LINE_FEED = Buffer.from('\n');

export class FileWrites {
  readonly #clock: Clock;
  /** Until when writes go to another thread, and for how long after the next slow one. */
  #laterUntilMs = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;
  /** Whether a failed write has left a part of a line. */
  #isCutOff = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Writes whole lines. After a failure that has left a part of one, the next begin on a line of their own.
   * @throws Error of the file, or rejects with it
   */
  async write(file: WritableFile, bytes: Buffer): Promise<void> {
    const startMs = this.#clock.now();
    const isNow = file.isRegular && bytes.length <= limits.auditWriteBytes && startMs >= this.#laterUntilMs;
    let written = 0;
    if (this.#isCutOff) await file.writeLater(LINE_FEED, 0);
    this.#isCutOff = false;
    try {
      while (written < bytes.length) {
        written += isNow ? file.writeNow(bytes, written) : await file.writeLater(bytes, written);
      }
    } catch (error) {
      this.#isCutOff = written > 0 && bytes[written - 1] !== LINE_FEED[0];
      throw error;
    }
    if (isNow) this.#judge(startMs);
  }

  #judge(startMs: number): void {
    const endMs = this.#clock.now();
    if (endMs - startMs <= limits.auditWriteMs) {
      this.#pauseMs = FIRST_PAUSE_MS;
      return;
    }
    this.#laterUntilMs = endMs + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }
}
