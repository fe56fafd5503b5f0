// Request hooks: what a test server does with requests besides answering them. Who hands none in pays nothing for them.

import type { RequestContext } from './request-context.ts';

export interface RequestHooks {
  /** A request has come; nothing but its path, method and headers is known yet. */
  begins(context: RequestContext): void;
  /**
   * Stands around the answer of a request that is allowed. To make it fail, it throws what is to be answered before it
   * calls `answer`, or sets `context.failsWith` for a failure behind the change.
   */
  around(context: RequestContext, answer: () => Promise<void>): Promise<void>;
  /** The request is over, whether it was answered, refused or broken off. */
  over(context: RequestContext): void;
}
