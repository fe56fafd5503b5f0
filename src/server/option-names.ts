// Mapping between options and flags. Errors in options are worded in terms of flags, for operators; programs that start
// a server use option names.

import { lookup } from '../base/lookup.ts';
import { defaultServerOptions, InvalidOptionsError, type ServerOptions } from './options.ts';

/** Options whose names differ from their flags. */
const OTHERS: Readonly<Record<string, keyof ServerOptions>> = lookup({ v: 'verbosity', version: 'reportedVersion' });

/** Options and flags name units and durations differently. */
const comparable = (name: string): string =>
  name
    .replaceAll('-', '')
    .replace(/(?:Ms|seconds)$/i, '')
    .toLowerCase()
    .replace(/(?<=grace|delay)(?:period|duration)$/, '');

/** The option that a flag sets; undefined for an unknown flag. @param flag its name without dashes */
function optionOfFlag(flag: string): keyof ServerOptions | undefined {
  if (Object.hasOwn(OTHERS, flag)) return OTHERS[flag];
  const wanted = comparable(flag);
  const names = Object.keys(defaultServerOptions) as (keyof ServerOptions)[];
  return names.find((name) => comparable(name) === wanted);
}

/** The same error worded in terms of options. */
export function inOptionNames(error: InvalidOptionsError): InvalidOptionsError {
  const message = error.message.replace(/--([a-z][a-z0-9-]*)/g, (shown, flag: string) => optionOfFlag(flag) ?? shown);
  return message === error.message ? error : new InvalidOptionsError(message, { cause: error });
}
