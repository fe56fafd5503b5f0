// The process as commands see it; tests supply their own.

export interface CommandProcess {
  /** Environment variables; empty if there are none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The error because of which output was lost; undefined if none was. */
  readonly lostOutput?: () => string | undefined;
  /** Calls back for every SIGINT and SIGTERM from now on. */
  readonly onStopSignal: (stop: () => void) => void;
  /** Calls back once the process that started this one has ended. */
  readonly onParentEnd?: (stop: () => void) => void;
  /** Calls back for every uncaught error from now on, which then does not end the process. */
  readonly onFault: (fault: (error: unknown) => void) => void;
  /** Ends the process immediately. */
  readonly exit: (status: number) => void;
}
