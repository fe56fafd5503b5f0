// Options for those who look into a running server.

export interface DebuggingOptions {
  /** Whether profiles, the flags that can be changed and the reset of metrics are served. */
  readonly profiling: boolean;
  /** File of a TracingConfiguration; undefined: requests are not traced. */
  readonly tracingConfigFile: string | undefined;
}

export const defaultDebuggingOptions: DebuggingOptions = { profiling: true, tracingConfigFile: undefined };
