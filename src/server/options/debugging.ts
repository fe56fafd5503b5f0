// Options for debugging a running server.

export interface DebuggingOptions {
  /** Whether profiles, changeable flags and the reset of metrics are served. */
  readonly profiling: boolean;
  /** File of a TracingConfiguration; undefined if tracing is off. */
  readonly tracingConfigFile: string | undefined;
}

export const defaultDebuggingOptions: DebuggingOptions = { profiling: true, tracingConfigFile: undefined };
