// The log as a dependency: one line per entry, with fields; the server decides where it goes.

export type LogFields = Record<string, unknown>;

/** Source and verbosity of a debug entry. */
export interface LogSource {
  /** The name of the source file without its extension, which --vmodule matches. */
  readonly file: string;
  /** As in the -v flag: larger means more detail. */
  readonly level: number;
}

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /**
   * Logs a debug entry.
   * @param fields a function if they are costly: it is only called if the entry is enabled
   */
  debug(source: LogSource, message: string, fields?: LogFields | (() => LogFields)): void;
}

/** A log that drops everything. */
export const silentLog: Log = { error() {}, warn() {}, info() {}, debug() {} };
