// Combination of several sinks: each receives every event.

import type { AuditSink } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

export class UnionSink implements AuditSink {
  readonly #members: readonly AuditSink[];

  constructor(members: readonly AuditSink[]) {
    this.#members = members;
  }

  get holdsRequests(): boolean {
    return this.#members.some(({ holdsRequests }) => holdsRequests);
  }

  get isStrict(): boolean {
    return this.#members.some(({ isStrict }) => isStrict);
  }

  get isBlocking(): boolean {
    return this.#members.some(({ isBlocking }) => isBlocking);
  }

  /** Done when all are; stored unless a strict one failed. */
  take(event: StagedEvent, done?: (stored: boolean) => void): void {
    let waiting = this.#members.length;
    let allStored = true;
    for (const member of this.#members) {
      member.take(event, (stored) => {
        if (!stored && member.isStrict) allStored = false;
        if (--waiting === 0) done?.(allStored);
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }
}
