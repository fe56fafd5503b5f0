// The log as a dependency: one line a happening, with fields; where the line goes is the server's business.

export type LogFields = Record<string, unknown>;

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** Detail for people who look for a fault; `level` as in the --v flag, larger is more. */
  debug(level: number, message: string, fields?: LogFields): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { error() {}, warn() {}, info() {}, debug() {} };
