// Request hooks: what a test server does with requests besides serving them. Servers without hooks pay nothing.

import type { RequestContext } from '../request-context.ts';

/** The names of a served resource. */
export interface ResourceNames {
  readonly group: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
}

export interface RequestHooks {
  /** Called when a server starts. @param resources returns what it serves at the time of the call */
  serves(resources: () => Iterable<ResourceNames>): void;
  /** Called when a request arrives; only its path, method and headers are known. */
  begins(context: RequestContext): void;
  /**
   * Wraps the response of an authorized request. To make it fail, the hook throws the error before it calls `answer`,
   * or calls `context.failWith` for a failure after the change.
   */
  around(context: RequestContext, answer: () => Promise<void>): Promise<void>;
  /** Called when the request has ended: answered, rejected or aborted. */
  over(context: RequestContext): void;
}
