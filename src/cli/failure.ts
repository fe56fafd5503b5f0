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
  err(`keelson: ${message}${namesSource(message) ? '' : `; see 'keelson ${name} --help'`}\n`);
  return USAGE_STATUS;
}

/** Whether a message ends with the flag or variable to look at, so that the list of all of them is no help. */
export function namesSource(message: string): boolean {
  return /; see (?:--[\w-]+|KEELSON_\w+)$/.test(message);
}

/** What is wrong with a command line; undefined for other errors. */
export function usageFault(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UsageError) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!code.startsWith('ERR_PARSE_ARGS')) return undefined;
  const quoted = /'([^']+)'/.exec(error.message)?.[1] ?? '';
  // `-p, --print <value>`: the last of its names.
  const flag =
    quoted
      .replace(/ <value>$/, '')
      .split(', ')
      .at(-1) ?? '';
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `unknown flag: ${flag}${suggestedFlag(flag, name)}`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `${name} does not take any arguments, got ${JSON.stringify(quoted)}`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      if (error.message.includes('does not take an argument')) return `flag takes no argument: ${flag}`;
      return error.message.includes('ambiguous')
        ? `flag needs an argument: ${flag}; one that begins with a dash is given as ${flag}=-…`
        : `flag needs an argument: ${flag}`;
    default:
      return error.message;
  }
}

/** The error of an unknown flag, with the flag of the command that was meant; other errors as they are. */
export function withMeantFlag(error: string, name: string): string {
  const flag = /^unknown flag: (--[\w-]+)$/.exec(error)?.[1];
  return flag === undefined ? error : error + suggestedFlag(flag, name);
}

/** What an unknown flag of a command was meant to be, in brackets; '' if that is not known. */
export function suggestedFlag(flag: string, name: string): string {
  const known = commands.find((each) => each.name === name)?.flags ?? {};
  return suggestion(flag, [...Object.keys(known), '--help']);
}
