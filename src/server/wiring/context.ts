// The context that all parts of a server are made in.

import type { ServerEnvironment } from '../environment.ts';
import type { ServerOptions } from '../options.ts';

export interface WiringContext {
  readonly options: ServerOptions;
  readonly environment: ServerEnvironment;
  /** What ends the parts: the last that was started is ended first. */
  readonly closing: AsyncDisposableStack;
}
