// Request hooks of a test server: request log, fault injection, and history.

import type { Clock } from '../base/clock.ts';
import type { RequestHooks, ResourceNames } from '../http/filters/request-hooks.ts';
import type { RequestContext } from '../http/request-context.ts';
import { FaultTable } from './faults.ts';
import { ObjectHistory } from './history.ts';
import { RequestLog } from './request-log.ts';
import { ServedNames } from './served-names.ts';

export class TestHooks implements RequestHooks {
  readonly #names = new ServedNames();
  readonly faults: FaultTable;
  readonly requests = new RequestLog();
  readonly history: ObjectHistory;

  constructor(clock: Clock) {
    this.faults = new FaultTable(clock, this.#names);
    this.history = new ObjectHistory(() => clock.now());
  }

  serves(resources: () => Iterable<ResourceNames>): void {
    this.#names.serves(resources);
  }

  begins(context: RequestContext): void {
    this.requests.begins(context);
  }

  around(context: RequestContext, answer: () => Promise<void>): Promise<void> {
    return this.history.during(context, () => this.faults.around(context, answer));
  }

  over(context: RequestContext): void {
    this.requests.over(context);
  }
}
