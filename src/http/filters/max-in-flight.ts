// Two plain limits, for reads and for writes, used if priority and fairness is disabled.

import { MASTERS } from '../../auth/user.ts';
import type { HighWatermark } from '../../lifecycle/high-watermark.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning } from './deadlines.ts';
import type { Seat } from './held-seats.ts';
import { isReading, type RequestCounts, type RequestGate, refuseTooMany } from './request-gate.ts';

interface MaxInFlightOptions {
  /** 0 for no limit. */
  readonly maxReads: number;
  readonly maxWrites: number;
  /** For the metrics. */
  readonly counts: RequestCounts;
  /** The reads and writes in flight, in memory that serving threads share; by default those of this gate alone. */
  readonly inFlight?: Int32Array;
}

const READING = 0;
const WRITING = 1;

const RETRY_AFTER_SECONDS = 1;

export class MaxInFlight implements RequestGate {
  readonly #options: MaxInFlightOptions;
  readonly #inFlight: Int32Array;

  constructor(options: MaxInFlightOptions) {
    this.#options = options;
    this.#inFlight = options.inFlight ?? new Int32Array(2);
  }

  /** Administrators are exempt, so that they can repair a cluster, and do not count. */
  admit(context: RequestContext): void {
    if (isLongRunning(context.info)) return;
    const { maxReads, maxWrites, counts } = this.#options;
    const reads = isReading(context.info.verb);
    const limit = reads ? maxReads : maxWrites;
    if (limit === 0) return;
    const kind = reads ? READING : WRITING;
    if (Atomics.add(this.#inFlight, kind, 1) < limit) {
      const release = () => void Atomics.sub(this.#inFlight, kind, 1);
      context.seated(new CountedSeat(reads ? counts.reading : counts.writing, release));
      return;
    }
    Atomics.sub(this.#inFlight, kind, 1);
    if (!context.user.groups.includes(MASTERS)) refuseTooMany(context, RETRY_AFTER_SECONDS);
  }
}

class CountedSeat implements Seat {
  readonly #count: HighWatermark;
  readonly #release: () => void;
  #held = true;

  constructor(count: HighWatermark, release: () => void) {
    this.#count = count;
    this.#release = release;
    count.add(1);
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#count.add(-1);
    this.#release();
  }
}
