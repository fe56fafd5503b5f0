// The log as a dependency: one line a happening, with fields; where the line goes is the server's business.

export type LogFields = Record<string, unknown>;

/** Where an entry for those who look for a fault comes from, and how much detail it is. */
export interface LogSource {
  /** The name of the source file, without its ending: what --vmodule selects by. */
  readonly file: string;
  /** As in the -v flag, larger is more. */
  readonly level: number;
}

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /**
   * Detail for people who look for a fault.
   * @param fields a function where they are costly to gather: it is called only when somebody wants the entry
   */
  debug(source: LogSource, message: string, fields?: LogFields | (() => LogFields)): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { error() {}, warn() {}, info() {}, debug() {} };
