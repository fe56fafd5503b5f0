// Names of options by those of their flags. What is wrong with options is said in terms of flags, for operators; who
// starts a server from a program never gave a flag.

import { lookup } from '../base/lookup.ts';
import { defaultServerOptions, InvalidOptionsError, type ServerOptions } from './options.ts';

/** The few whose names have nothing in common. */
const OTHERS: Readonly<Record<string, keyof ServerOptions>> = lookup({ v: 'verbosity', version: 'reportedVersion' });

/** Options and flags name units and durations in different ways. */
const comparable = (name: string): string =>
  name
    .replaceAll('-', '')
    .replace(/(?:Ms|seconds)$/i, '')
    .toLowerCase()
    .replace(/(?<=grace|delay)(?:period|duration)$/, '');

/** The option that a flag sets; undefined for what is no flag. @param flag its name without dashes */
export function optionOfFlag(flag: string): keyof ServerOptions | undefined {
  if (Object.hasOwn(OTHERS, flag)) return OTHERS[flag];
  const wanted = comparable(flag);
  const names = Object.keys(defaultServerOptions) as (keyof ServerOptions)[];
  return names.find((name) => comparable(name) === wanted);
}

/** The same error in terms of options. */
export function inOptionNames(error: InvalidOptionsError): InvalidOptionsError {
  const message = error.message.replace(/--([a-z][a-z0-9-]*)/g, (shown, flag: string) => optionOfFlag(flag) ?? shown);
  return message === error.message ? error : new InvalidOptionsError(message, { cause: error });
}
