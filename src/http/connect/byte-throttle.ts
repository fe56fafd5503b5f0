// A stream that limits the rate of bytes passing through it: one direction of an upgraded connection.

import type { Buffer } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';

/** How often bytes pass, if the rate is high enough. */
const TICK_MS = 100;

export class ByteThrottle extends Transform {
  readonly #clock: Clock;
  readonly #tickMs: number;
  /** Bytes that may pass per tick. */
  readonly #perTick: number;
  #left = 0;
  #tickEndsMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(clock: Clock, bytesPerSecond: number) {
    super();
    this.#clock = clock;
    this.#tickMs = Math.max(TICK_MS, 1_000 / bytesPerSecond);
    this.#perTick = Math.max(1, Math.floor((bytesPerSecond * this.#tickMs) / 1_000));
  }

  override _transform(bytes: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    const now = this.#clock.now();
    if (now >= this.#tickEndsMs) {
      this.#left = this.#perTick;
      this.#tickEndsMs = now + this.#tickMs;
    }
    const passing = Math.min(this.#left, bytes.length);
    this.#left -= passing;
    if (passing > 0) this.push(bytes.subarray(0, passing));
    const rest = bytes.subarray(passing);
    if (rest.length === 0) done();
    else this.#timer = this.#clock.after(this.#tickEndsMs - now, () => this._transform(rest, encoding, done));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#timer?.cancel();
    done(error);
  }
}
