// The context in which all parts of a server are created.

import type { ServerEnvironment } from '../environment.ts';
import type { ServerOptions } from '../options.ts';

export interface WiringContext {
  readonly options: ServerOptions;
  readonly environment: ServerEnvironment;
  /** Cleanup of the parts, in reverse order of their start. */
  readonly closing: AsyncDisposableStack;
}
