// The context in which all parts of a server are created.

import type { ShutdownGate } from '../../http/filters/shutdown-gate.ts';
import type { ServerEnvironment } from '../environment.ts';
import type { ServerOptions } from '../options.ts';
import type { Limits } from '../threads/shares.ts';

export interface WiringContext {
  readonly options: ServerOptions;
  readonly environment: ServerEnvironment;
  /** Those of this serving thread. */
  readonly limits: Limits;
  /** Cleanup of the parts, in reverse order of their start. */
  readonly closing: AsyncDisposableStack;
  /** Answers a request of the server to itself, as system:apiserver. */
  readonly askItself: (request: Request) => Promise<Response>;
  /** The number of requests so far, and of those in flight. */
  readonly requests: Pick<ShutdownGate, 'open' | 'admitted'>;
}
