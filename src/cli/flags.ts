// Flags of `keelson serve`: the sections of the table, and how a command line becomes server options. Names, types and
// syntax are kube-apiserver's; nothing is opened or started here.

import { defaultServerOptions, FeatureGateError, optionProblems, type ServerOptions } from '../server/options.ts';
import { type AcceptedFlag, acceptedFlags } from './flags/accepted.ts';
import { admissionFlags } from './flags/admission.ts';
import { apiEnablementFlags } from './flags/api-enablement.ts';
import { auditingFlags } from './flags/auditing.ts';
import { authenticationFlags } from './flags/authentication.ts';
import { authorizationFlags } from './flags/authorization.ts';
import { etcdFlags } from './flags/etcd.ts';
import { type Flag, flagTypes } from './flags/flag.ts';
import { genericFlags } from './flags/generic.ts';
import { globalFlags } from './flags/global.ts';
import { keelsonFlags } from './flags/keelson.ts';
import { logsFlags } from './flags/logs.ts';
import { metricsFlags } from './flags/metrics.ts';
import { miscFlags } from './flags/misc.ts';
import { removedFlagAdvice } from './flags/removed.ts';
import { secureServingFlags } from './flags/secure-serving.ts';

const GLOBAL = 'Global flags';

/** The sections of `--help`, in kube-apiserver's order; Keelson's own flags come last. */
const flagSections: readonly { title: string; flags: readonly Flag[] }[] = [
  { title: 'Generic flags', flags: genericFlags },
  { title: 'Etcd flags', flags: etcdFlags },
  { title: 'Secure serving flags', flags: secureServingFlags },
  { title: 'Auditing flags', flags: auditingFlags },
  { title: 'Authentication flags', flags: authenticationFlags },
  { title: 'Authorization flags', flags: authorizationFlags },
  { title: 'API enablement flags', flags: apiEnablementFlags },
  { title: 'Admission flags', flags: admissionFlags },
  { title: 'Metrics flags', flags: metricsFlags },
  { title: 'Logs flags', flags: logsFlags },
  { title: 'Misc flags', flags: miscFlags },
  { title: 'Keelson flags', flags: keelsonFlags },
  { title: GLOBAL, flags: globalFlags },
];

export const serveFlags: readonly Flag[] = flagSections.flatMap(({ flags }) => flags);

/** Warnings are lines for the log; there are none where nothing is wrong. */
export type ServeCommand =
  | { options: ServerOptions; warnings?: readonly string[] }
  | { error: string }
  | { version: 'plain' | 'raw' }
  | { help: true };

/** What is wrong with a command line, in one line. */
class FlagError extends Error {}

/**
 * Reads the arguments behind `serve`, in pflag's syntax: `--flag=value`, `--flag value`, `--bool`, `-v2`, `--` ends
 * the flags. A flag given twice counts the last time, save for maps, which grow.
 */
export function parseServeFlags(argv: readonly string[]): ServeCommand {
  try {
    const values: Record<string, unknown> = { ...defaultServerOptions };
    const given = new Set<string>();
    const warnings: string[] = [];
    const remaining = [...argv];
    while (remaining.length > 0) {
      const argument = remaining.shift()!;
      if (argument === '--help' || argument === '-h') return { help: true };
      if (argument === '--' || !argument.startsWith('-') || argument === '-') {
        const rest = argument === '--' ? remaining : [argument, ...remaining];
        if (rest.length > 0) throw new FlagError(`serve does not take any arguments, got ${JSON.stringify(rest)}`);
        break;
      }
      const { flag, shown, text, usedName } = argument.startsWith('--')
        ? readLong(argument, remaining)
        : readShort(argument, remaining);
      if ('oldName' in flag && usedName === flag.oldName && flag.oldNameDeprecated !== undefined) {
        warnings.push(`Flag --${usedName} has been deprecated, ${flag.oldNameDeprecated}`);
      }
      if (flag.deprecated !== undefined) warnings.push(`Flag --${flag.name} has been deprecated, ${flag.deprecated}`);
      if ('why' in flag) {
        parseValue({ flag, shown, text, before: [] });
        const problem = flag.problem?.(text);
        if (problem !== undefined) throw new FlagError(problem);
        warnings.push(`Flag --${flag.name} has no effect: ${flag.why}`);
        continue;
      }
      // The first value of a list takes the place of its default, the next are added.
      const isFirst = !given.has(flag.option) && Array.isArray(values[flag.option]);
      values[flag.option] = parseValue({ flag, shown, text, before: isFirst ? [] : values[flag.option] });
      given.add(flag.option);
    }
    const noted = serveFlags.filter(({ option, isNoted }) => isNoted === true && given.has(option));
    if (noted.length > 0) values['givenOptions'] = noted.map(({ option }) => option);
    // Every value has been through its flag's type.
    const options = values as unknown as ServerOptions;
    if (options.reportedVersion === 'true') return { version: 'plain' };
    if (options.reportedVersion === 'raw') return { version: 'raw' };
    const problems = optionProblems(options);
    if (problems.length > 0) return { error: problems.join('; ') };
    return warnings.length === 0 ? { options } : { options, warnings };
  } catch (error) {
    if (error instanceof FlagError) return { error: error.message };
    throw error;
  }
}

interface GivenFlag {
  readonly flag: Flag | AcceptedFlag;
  /** The flag as error messages name it. */
  readonly shown: string;
  readonly text: string;
  /** The name that was given, which may be that of old; undefined for a letter. */
  readonly usedName?: string;
}

function readLong(argument: string, remaining: string[]): GivenFlag {
  const equals = argument.indexOf('=');
  // Kubernetes takes --secure_port for --secure-port.
  const name = argument.slice(2, equals < 0 ? undefined : equals).replaceAll('_', '-');
  if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${argument}`);
  const flag = serveFlags.find((candidate) => candidate.name === name || candidate.oldName === name);
  const taken = flag ?? acceptedFlags.find((candidate) => candidate.name === name);
  if (taken === undefined) throw new FlagError(`unknown flag: --${name}${removedFlagAdvice(name)}`);
  const shown = flag?.letter === undefined ? `--${name}` : `-${flag.letter}, --${name}`;
  if (equals >= 0) return { flag: taken, shown, text: argument.slice(equals + 1), usedName: name };
  return { flag: taken, shown, text: textBehind(taken, remaining, `--${name}`), usedName: name };
}

function readShort(argument: string, remaining: string[]): GivenFlag {
  const letter = argument[1]!;
  const flag = serveFlags.find((candidate) => candidate.letter === letter);
  if (flag === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in ${argument}`);
  const shown = `-${letter}, --${flag.name}`;
  if (argument.length > 2) return { flag, shown, text: argument.slice(argument[2] === '=' ? 3 : 2) };
  return { flag, shown, text: textBehind(flag, remaining, `'${letter}' in ${argument}`) };
}

function textBehind(flag: Flag | AcceptedFlag, remaining: string[], shown: string): string {
  if (flag.type === 'bool' || flag.type === 'version') return 'true';
  const text = remaining.shift();
  if (text === undefined) throw new FlagError(`flag needs an argument: ${shown}`);
  return text;
}

function parseValue({ flag, shown, text, before }: GivenFlag & { before: unknown }): unknown {
  try {
    return flagTypes[flag.type].parse(text, before);
  } catch (error) {
    // kube-apiserver reads them later, and says so without naming the flag.
    if (error instanceof FeatureGateError) throw new FlagError(error.message);
    const reason = (error as Error).message;
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for "${shown}" flag: ${reason}`);
  }
}

/** The value of every flag, as it was given or as it is by default, in the words of a command line. */
export function flagValues(options: ServerOptions): ReadonlyMap<string, string> {
  return new Map(serveFlags.map(({ name, option }) => [name, shownValue(options[option])]));
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value);
  return Object.entries(value)
    .map(([key, each]) => `${key}=${each}`)
    .join(',');
}

/** Columns of `--help` for flags and their types; the help of a longer one stands in the next line. */
const USAGE_WIDTH = 48;
/** What may be given is listed below a flag. */
const CHOICE_MARGIN = ' '.repeat(12);
const HELP_MARGIN = ' '.repeat(USAGE_WIDTH + 3);

/** The flags that `--help` prints, in kube-apiserver's sections. */
export function serveFlagTable(): string {
  const sections: { title: string; rows: HelpRow[] }[] = flagSections.map(({ title, flags }) => ({
    title,
    rows: flags.map(helpRow),
  }));
  sections.find(({ title }) => title === GLOBAL)!.rows.unshift({ usage: '-h, --help', help: 'Print this.' });
  return sections
    .map(({ title, rows }) => {
      const lines = rows.map(({ usage, help, more = [] }) => {
        const first = usage.length > USAGE_WIDTH ? `${usage}\n  ${HELP_MARGIN}` : `${usage.padEnd(USAGE_WIDTH)}   `;
        return `  ${first}${[help, ...more].join(`\n${CHOICE_MARGIN}`)}\n`;
      });
      return `${title}:\n\n${lines.join('')}`;
    })
    .join('\n');
}

interface HelpRow {
  readonly usage: string;
  readonly help: string;
  /** Lines that follow. */
  readonly more?: readonly string[];
}

function helpRow(flag: Flag): HelpRow {
  const type = flagTypes[flag.type];
  const letter = flag.letter === undefined ? '   ' : `-${flag.letter},`;
  const shown = type.show(defaultServerOptions[flag.option]);
  return {
    usage: `${letter} --${flag.name} ${type.label}`.trimEnd(),
    help: shown === '' ? flag.help : `${flag.help} (default ${shown})`,
    more: flag.choices?.() ?? [],
  };
}
