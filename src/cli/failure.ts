// How commands report that they failed: one line on the errors, and an exit status that tells a wrong command line from
// work that failed.

import { systemFault } from '../server/files.ts';
import type { CommandProcess } from './command-process.ts';
import { commands } from './commands.ts';
import { suggestion } from './suggestion.ts';

/** Asks a command for its result as JSON. */
export const JSON_FLAG = '--json';

/** The exit status of a command that could not be understood, as of shells and of Go's flag package. */
export const USAGE_STATUS = 2;

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Reports why a command failed; returns its exit status. */
export function reportFailure(error: unknown, name: string, { err }: Pick<CommandProcess, 'err'>): number {
  const message = usageFault(error, name);
  if (message !== undefined) return reportUsage(message, name, { err });
  err(`keelson: ${systemFault(error)}\n`);
  return 1;
}

/** Reports a command line that cannot be understood; returns the exit status. */
export function reportUsage(message: string, name: string, { err }: Pick<CommandProcess, 'err'>): number {
  err(`keelson: ${message}; see 'keelson ${name} --help'\n`);
  return USAGE_STATUS;
}

/** What is wrong with a command line; undefined for other errors. */
export function usageFault(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UsageError) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!code.startsWith('ERR_PARSE_ARGS')) return undefined;
  const flag =
    code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /^Unknown option '([^']+)'/.exec(error.message)?.[1] : undefined;
  if (flag === undefined) return error.message;
  return `unknown flag: ${flag}${suggestedFlag(flag, name)}`;
}

/** What an unknown flag of a command was meant to be, in brackets; '' if that is not known. */
export function suggestedFlag(flag: string, name: string): string {
  const known = commands.find((each) => each.name === name)?.flags ?? {};
  return suggestion(flag, [...Object.keys(known), '--help']);
}
