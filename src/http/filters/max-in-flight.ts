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
  readonly counts: RequestCounts;
}

const RETRY_AFTER_SECONDS = 1;

export class MaxInFlight implements RequestGate {
  readonly #options: MaxInFlightOptions;

  constructor(options: MaxInFlightOptions) {
    this.#options = options;
  }

  /** Administrators are exempt, so that they can repair a cluster, and do not count. */
  admit(context: RequestContext): void {
    if (isLongRunning(context.info)) return;
    const { maxReads, maxWrites, counts } = this.#options;
    const reads = isReading(context.info.verb);
    const limit = reads ? maxReads : maxWrites;
    if (limit === 0) return;
    const count = reads ? counts.reading : counts.writing;
    if (count.value < limit) context.seated(new CountedSeat(count));
    else if (!context.user.groups.includes(MASTERS)) refuseTooMany(context, RETRY_AFTER_SECONDS);
  }
}

class CountedSeat implements Seat {
  readonly #count: HighWatermark;
  #held = true;

  constructor(count: HighWatermark) {
    this.#count = count;
    count.add(1);
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#count.add(-1);
  }
}
