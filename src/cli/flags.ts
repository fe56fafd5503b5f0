// Flags of `keelson serve`: parsing of the command line, the environment and a file to server options. Names, types and
// syntax are kube-apiserver's; nothing is opened or started here.

import { errorList } from '../base/error-list.ts';
import { goQuote, goQuoteList } from '../base/go-quote.ts';
import {
  defaultServerOptions,
  EmulatedVersionError,
  FeatureGateError,
  isSince,
  optionProblems,
  parseKubernetesVersion,
  type ServerOptions,
  versionText,
} from '../server/options.ts';
import { blamedFlag } from './blamed-flag.ts';
import { type AcceptedFlag, acceptedFlags } from './flags/accepted.ts';
import { type Flag, type FlagType, flagTypes } from './flags/flag.ts';
import { type EarlierFlag, earlierFlags, introducedIn } from './flags/flags-in-release.ts';
import { removedFlagAdvice } from './flags/removed.ts';
import { serveFlags } from './flags/sections.ts';
import { NO_SETTINGS, type Setting, type Settings } from './flags/settings.ts';
import { suggestion } from './suggestion.ts';

/** What a command line asks for: a server, with warnings for the log, or text to print. */
export type ServeCommand =
  | { options: ServerOptions; warnings?: readonly string[]; file?: string }
  | { error: string }
  | { version: string }
  | { help: true };

/** A command that accepts the flags of `serve`. */
export interface AskingCommand {
  readonly name: string;
  /** Whether it takes the name of a file, before, between or after flags. */
  readonly takesFile?: boolean;
}

const SERVE: AskingCommand = { name: 'serve' };

/** An invalid command line; the message is one line. */
class FlagError extends Error {}

/**
 * Parses the arguments after `serve`, in pflag's syntax: `--flag=value`, `--flag value`, `--bool`, `-v2`; `--` ends the
 * flags. The last occurrence of a flag wins, except for maps, which accumulate.
 *
 * @param settings flags from the environment and a file, for those not in the arguments
 * @param asking the command, for what it does not take
 */
export function parseServeFlags(
  argv: readonly string[],
  settings: Settings = NO_SETTINGS,
  asking: AskingCommand = SERVE,
): ServeCommand {
  try {
    const read = readArguments(argv, asking);
    if (read === 'help') return { help: true };
    const { own, file } = read;
    if (settings === NO_SETTINGS && own.some(({ flag }) => flag === configFlag)) {
      throw new FlagError('unknown flag: --config: serve, run and testserver have it');
    }
    const warnings = [...settings.warnings];
    const { values, given } = takeValues([...settingsBehind(own, settings), ...own], warnings);
    const noted = serveFlags.filter(({ option, isNoted }) => isNoted === true && given.has(option));
    if (noted.length > 0) values['givenOptions'] = noted.map(({ option }) => option);
    // Every value has been parsed by its flag's type.
    const options = values as unknown as ServerOptions;
    const { reportedVersion } = options;
    if (reportedVersion === 'true' || reportedVersion === 'raw') {
      return { version: versionText(options, reportedVersion === 'raw') };
    }
    const problems = optionProblems(options);
    if (problems.length > 0) return { error: withBlamedFlag(errorList(problems), options) };
    return { options, ...(warnings.length > 0 && { warnings }), ...(file !== undefined && { file }) };
  } catch (error) {
    if (error instanceof FlagError || error instanceof EmulatedVersionError) return { error: error.message };
    throw error;
  }
}

/** The file given by --config; undefined if there is none, or the arguments cannot be parsed. */
export function configFileIn(argv: readonly string[]): string | undefined {
  try {
    const read = readArguments(argv, SERVE);
    return read === 'help' ? undefined : read.own.findLast(({ flag }) => flag === configFlag)?.text;
  } catch (error) {
    if (error instanceof FlagError) return undefined;
    throw error;
  }
}

/** Parsed before all others, by the caller who supplies its content. */
const configFlag: AcceptedFlag = { name: 'config', type: 'string', why: '' };

/** @throws FlagError */
function readArguments(
  argv: readonly string[],
  { name, takesFile = false }: AskingCommand,
): { own: GivenFlag[]; file?: string } | 'help' {
  const own: GivenFlag[] = [];
  const others: string[] = [];
  const remaining = [...argv];
  while (remaining.length > 0) {
    const argument = remaining.shift()!;
    if (argument === '-h' || asksForHelp(argument)) return 'help';
    if (argument.startsWith(`${HELP}=`)) continue;
    if (argument === '--') others.push(...remaining.splice(0));
    else if (!argument.startsWith('-') || argument === '-') others.push(argument);
    else own.push(argument.startsWith('--') ? readLong(argument, remaining) : readShort(argument, remaining));
  }
  const [file] = others;
  if (takesFile && others.length === 1 && file !== undefined) return { own, file };
  if (others.some((each) => each !== '')) {
    const rule = takesFile ? 'takes one file' : 'does not take any arguments';
    throw new FlagError(`"keelson ${name}" ${rule}, got ${goQuoteList(others)}`);
  }
  return { own };
}

const HELP = '--help';
const RELEASE_FLAG = 'kubernetes-version';

/** @throws FlagError */
function asksForHelp(argument: string): boolean {
  if (argument === HELP) return true;
  if (!argument.startsWith(`${HELP}=`)) return false;
  const flag: AcceptedFlag = { name: 'help', type: 'bool', why: '' };
  return parseValue({ flag, shown: `-h, ${HELP}`, text: argument.slice(HELP.length + 1) }, false) === true;
}

/** Flags in the environment that are not in the arguments, and flags in the file that are in neither. */
function settingsBehind(own: readonly GivenFlag[], { environment, file }: Settings): GivenFlag[] {
  const names = new Set(own.map(({ flag }) => flag.name));
  const others = (found: readonly GivenFlag[]) => found.filter(({ flag }) => !names.has(flag.name));
  const fromEnvironment = others(environment.map(readSetting));
  for (const { flag } of fromEnvironment) names.add(flag.name);
  return [...others(file.map(readSetting)), ...fromEnvironment];
}

/** @throws FlagError for an unknown flag, and for several values of a flag that accepts one */
function readSetting({ name, text, source, within }: Setting): GivenFlag {
  try {
    const read = readLong(`--${name}=${text}`, []);
    const { gathers }: FlagType = flagTypes[read.flag.type];
    // Flags with maps also accept a list of name=value.
    if (within !== undefined && (gathers === undefined || (within === 'map' && gathers !== 'map'))) {
      throw new FlagError(`must be ${gathers === undefined ? 'one value' : 'a list'}, not a ${within}`);
    }
    return { ...read, source };
  } catch (error) {
    if (error instanceof FlagError) throw new FlagError(`${source}: ${error.message}`);
    throw error;
  }
}

/** @param warnings receives warnings about flags without effect, and deprecated ones */
function takeValues(all: readonly GivenFlag[], warnings: string[]) {
  const values: Record<string, unknown> = { ...defaultServerOptions };
  const unused: Record<string, unknown> = {};
  const given = new Set<string>();
  checkRelease(all);
  for (const each of all) {
    const { flag, usedName } = each;
    if (flag === configFlag) continue;
    if ('oldName' in flag && usedName === flag.oldName && flag.oldNameDeprecated !== undefined) {
      warnings.push(`Flag --${usedName} has been deprecated, ${flag.oldNameDeprecated}`);
    }
    if (flag.deprecated !== undefined) warnings.push(`Flag --${flag.name} has been deprecated, ${flag.deprecated}`);
    if ('why' in flag) {
      unused[flag.name] = parseValue(each, unused[flag.name] ?? []);
      warnings.push(`Flag --${flag.name} has no effect: ${flag.why}`);
      continue;
    }
    // The first value of a list replaces its default, the next are appended.
    const isFirst = !given.has(flag.option) && Array.isArray(values[flag.option]);
    values[flag.option] = parseValue(joined(each, all), isFirst ? [] : values[flag.option]);
    given.add(flag.option);
  }
  if (Object.keys(unused).length > 0) values['unusedFlags'] = unused;
  return { values, given };
}

/** @throws FlagError for a flag that the chosen release of Kubernetes does not have */
function checkRelease(all: readonly GivenFlag[]): void {
  const { minor } = parseKubernetesVersion(all.findLast(({ flag }) => flag.name === RELEASE_FLAG)?.text ?? '');
  for (const { flag, source } of all) {
    const from = source === undefined ? '' : `${source}: `;
    const first = introducedIn(flag.name);
    if (first !== undefined && !isSince({ minor }, first)) {
      throw new FlagError(
        `${from}unknown flag: --${flag.name} (Kubernetes 1.${minor} has none; 1.${first} introduced it)`,
      );
    }
    if (isEarlier(flag) && isSince({ minor }, flag.until)) throw new FlagError(from + unknownFlag(flag.name));
  }
}

function isEarlier(flag: Flag | AcceptedFlag): flag is EarlierFlag {
  return 'until' in flag;
}

/** Including the text of all given values, if the flag's type parses them together. */
function joined(each: GivenFlag, all: readonly GivenFlag[]): GivenFlag {
  if (!('joined' in flagTypes[each.flag.type])) return each;
  const texts = all.filter(({ flag }) => flag === each.flag).map(({ text }) => text);
  return { ...each, text: texts.join(',') };
}

interface GivenFlag {
  readonly flag: Flag | AcceptedFlag;
  /** The flag as named in errors. */
  readonly shown: string;
  readonly text: string;
  /** The given name, which may be a deprecated one; undefined for a letter. */
  readonly usedName?: string;
  /** The variable or field that set it; undefined for an argument. */
  readonly source?: string;
}

function readLong(argument: string, remaining: string[]): GivenFlag {
  const equals = argument.indexOf('=');
  // Kubernetes accepts --secure_port for --secure-port.
  const name = argument.slice(2, equals < 0 ? undefined : equals).replaceAll('_', '-');
  if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${argument}`);
  const flag = serveFlags.find((candidate) => candidate.name === name || candidate.oldName === name);
  const taken = flag ?? [...acceptedFlags, ...earlierFlags, configFlag].find((candidate) => candidate.name === name);
  if (taken === undefined) throw new FlagError(unknownFlag(name));
  const shown = flag?.letter === undefined ? `--${name}` : `-${flag.letter}, --${name}`;
  if (equals >= 0) return { flag: taken, shown, text: argument.slice(equals + 1), usedName: name };
  return { flag: taken, shown, text: textBehind(taken, remaining, `--${name}`), usedName: name };
}

function unknownFlag(name: string): string {
  return `unknown flag: --${name}${removedFlagAdvice(name) || meantFlag(name)}`;
}

function meantFlag(name: string): string {
  const known = [...serveFlags, ...acceptedFlags, configFlag];
  return suggestion(
    `--${name}`,
    known.map((flag) => `--${flag.name}`),
  );
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

function parseValue({ flag, shown, text, source }: GivenFlag, before: unknown): unknown {
  try {
    return flagTypes[flag.type].parse(text, before);
  } catch (error) {
    const from = source === undefined ? '' : `${source}: `;
    // kube-apiserver parses them later, with an error that does not name the flag.
    if (error instanceof FeatureGateError) throw new FlagError(`${from}${error.message}; see --${flag.name}`);
    const reason = (error as Error).message;
    throw new FlagError(`${from}invalid argument ${goQuote(text)} for "${shown}" flag: ${reason}`);
  }
}

/** An error with the flag that it is about, if it names none itself: kube-apiserver's often do not. */
export function withBlamedFlag(message: string, options: ServerOptions): string {
  return message + blamedFlag(message, flagValues(options), flagValues(defaultServerOptions));
}

/** The value of every flag, given or default, as on a command line. */
export function flagValues(options: ServerOptions): ReadonlyMap<string, string> {
  return new Map(
    serveFlags.map(({ name, option, type }) => [name, SHOWN[type]?.(options[option]) ?? shownValue(options[option])]),
  );
}

/** For types whose values do not retain their text. */
const SHOWN: Partial<Record<keyof typeof flagTypes, (value: unknown) => string>> = {
  duration: flagTypes.duration.show,
  portRange: flagTypes.portRange.show,
  version: (value) => (value === '' ? 'false' : String(value)),
  // The component before each gate, empty here.
  featureGates: (value) =>
    Object.entries(value as object)
      .map(([gate, on]) => `:${gate}=${on}`)
      .join(','),
};

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value);
  return Object.entries(value)
    .map(([key, each]) => `${key}=${each}`)
    .join(',');
}
