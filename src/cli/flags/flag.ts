// Rows of the flag tables and their value types, in pflag's syntax.

import { isIP } from 'node:net';
import { parseQuantity } from '../../api/quantity.ts';
import { formatGoDuration, parseGoDuration } from '../../base/go-duration.ts';
import { parseGoFloat } from '../../base/go-float.ts';
import { parseGoInteger } from '../../base/go-integer.ts';
import { goQuote } from '../../base/go-quote.ts';
import { parseNamedCertKey } from '../../server/options/secure-serving.ts';
import {
  defaultServerOptions,
  type PortRange,
  parseBool,
  parseFeatureGates,
  reportedVersionProblem,
  type ServerOptions,
} from '../../server/options.ts';
import { csvFields } from './csv.ts';
import type { Collection } from './settings.ts';

/** Parsing and formatting of one type. */
export interface FlagType {
  /** The name in the help; '' for flags that need no value. */
  readonly label: string;
  /** Parses the option's value; throws an Error for an invalid text. `before` is the value so far. */
  readonly parse: (text: string, before: unknown) => unknown;
  /** The accumulated value of several occurrences; undefined if the last one wins. */
  readonly gathers?: Collection;
  /** Whether several values are parsed as one text, joined by commas, because they affect each other. */
  readonly joined?: true;
  /** The text for this value; '' if there is none to show. */
  readonly show: (value: unknown) => string;
}

export const flagTypes = {
  int: {
    label: 'int',
    parse: (text) => parseGoInteger(text),
    show: (value) => (value === undefined ? '' : String(value)),
  },
  uint: { label: 'uint', parse: (text) => parseGoInteger(text, { unsigned: true }), show: String },
  level: { label: 'Level', parse: parseLevel, show: String },
  float: { label: 'float', parse: (text) => parseGoFloat(text), show: String },
  float32: { label: 'float32', parse: (text) => parseGoFloat(text, { bits: 32 }), show: String },
  bool: { label: '', parse: parseFlagBool, show: String },
  string: { label: 'string', parse: (text) => text, show: (value) => JSON.stringify(value) },
  strings: {
    label: 'strings',
    gathers: 'list',
    parse: (text, before) => [...(before as readonly string[]), ...(text === '' ? [] : csvFields(text))],
    show: () => '',
  },
  stringArray: {
    label: 'stringArray',
    gathers: 'list',
    parse: (text, before) => [...(before as readonly string[]), text],
    show: (value) => ((value as readonly string[]).length === 0 ? '' : `[${(value as readonly string[]).join(',')}]`),
  },
  int32Slice: {
    label: 'int32Slice',
    gathers: 'list',
    parse: (text, before) => [...(before as readonly number[]), ...text.split(',').map(parseInt32)],
    show: (value) => `[${(value as readonly number[]).join(',')}]`,
  },
  labelValues: { label: 'mapStringString', gathers: 'map', parse: parseLabelValues, show: () => '' },
  pairs: { label: 'mapStringString', gathers: 'map', parse: parsePair, show: () => '' },
  file: { label: 'string', parse: (text) => (text === '' ? undefined : text), show: () => '' },
  duration: { label: 'duration', parse: parseGoDuration, show: (value) => formatGoDuration(value as number) },
  ip: { label: 'ip', parse: parseIp, show: (value) => (value as string | undefined) ?? '' },
  quantity: { label: 'quantity', parse: parseQuantityText, show: () => '' },
  patterns: { label: 'pattern=N,...', parse: parsePatterns, show: () => '' },
  namedCertKeys: {
    label: 'namedCertKey',
    gathers: 'list',
    parse: (text, before) => [...(before as readonly unknown[]), parseNamedCertKey(text)],
    show: () => '[]',
  },
  /** An empty text stands for the default. */
  serviceRanges: {
    label: 'string',
    parse: (text) => (text === '' ? defaultServerOptions.serviceClusterIpRange : text),
    show: (value) => JSON.stringify(value),
  },
  version: { label: 'version[=true]', parse: parseVersion, show: () => '' },
  portRange: { label: 'portRange', parse: parsePortRange, show: showPortRange },
  runtimeConfig: { label: 'mapStringString', gathers: 'map', parse: parseRuntimeConfig, show: () => '' },
  featureGates: {
    label: 'mapStringBool',
    gathers: 'map',
    parse: parseFeatureGates,
    joined: true,
    show: () => '',
  },
} as const satisfies Readonly<Record<string, FlagType>>;

export interface Flag {
  readonly name: string;
  /** A deprecated name, which still works. */
  readonly oldName?: string;
  /** kube-apiserver's warning for that name. */
  readonly oldNameDeprecated?: string;
  /** The one-letter form. */
  readonly letter?: string;
  readonly type: keyof typeof flagTypes;
  readonly option: keyof ServerOptions;
  /** Whether it matters that the flag was given, whatever its value. */
  readonly isNoted?: true;
  readonly help: string;
  /** Lines of the help that list possible values. */
  readonly choices?: () => readonly string[];
  /** kube-apiserver's deprecation message. */
  readonly deprecated?: string;
}

function parseInt32(text: string): number {
  return parseGoInteger(text.trim(), { max: 2 ** 31 - 1 });
}

function parseLevel(text: string): number {
  return parseGoInteger(text, { max: 2 ** 31 - 1, unsigned: true, base: 10 });
}

/** `true` and `raw` print the version; another value replaces the reported version. */
function parseVersion(text: string): string {
  if (text === 'raw') return text;
  if (!text.startsWith('v')) return parseFlagBool(text) ? 'true' : '';
  const problem = reportedVersionProblem(text);
  if (problem !== undefined) throw new Error(problem);
  return text;
}

/** `main=2,http*=4`: verbosity of matching files. */
function parsePatterns(text: string): string {
  for (const item of text.split(',').filter((each) => each !== '')) {
    const [pattern = '', level, ...more] = item.split('=');
    if (pattern === '' || level === undefined || level === '' || more.length > 0) {
      throw new Error(`${goQuote(item)} does not have the pattern=N format`);
    }
    try {
      parseLevel(level);
    } catch (error) {
      throw new Error(`parsing verbosity in ${goQuote(item)}: ${(error as Error).message}`, { cause: error });
    }
  }
  return text;
}

function parseQuantityText(text: string): string {
  parseQuantity(text);
  return text;
}

function parseFlagBool(text: string): boolean {
  const value = parseBool(text);
  if (value === undefined) throw new Error(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
  return value;
}

/** An empty text leaves the address as it was. */
function parseIp(text: string, before: unknown): unknown {
  if (text === '') return before;
  if (isIP(text.trim()) === 0) throw new Error(`failed to parse IP: ${goQuote(text)}`);
  return text.trim();
}

/** `30000-32767`, or `30000+2767`: the first port and the number of further ones. */
function parsePortRange(given: string): PortRange {
  const text = given.trim();
  if (text === '') return defaultServerOptions.serviceNodePortRange;
  if (text.includes('-') && text.includes('+')) throw new Error(`unable to parse port range: ${text}`);
  const [first, second] = text.split(/[-+](.*)/s, 2).map((part) => parseGoInteger(part, { caller: 'Atoi', base: 10 }));
  const last = second === undefined ? first! : text.includes('+') ? first! + second : second;
  if (last > 65_535) throw new Error(`the port range cannot be greater than 65535: ${text}`);
  if (last < first!) throw new Error(`end port cannot be less than start port: ${text}`);
  return { first: first!, last };
}

function showPortRange(value: unknown): string {
  const { first, last } = value as PortRange;
  return `${first}-${last}`;
}

/** One `key=value`, which may contain commas. */
function parsePair(text: string, before: unknown): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 0) throw new Error('malformed pair, expect string=string');
  return { ...(before as Record<string, string>), [text.slice(0, equals).trim()]: text.slice(equals + 1).trim() };
}

/** One `key=value`, or several separated by commas, optionally quoted. */
function parseLabelValues(text: string, before: unknown): Record<string, string> {
  const isOne = text.split('=').length === 2;
  const pairs = isOne ? [text.replace(/^"+|"+$/g, '')] : text.includes('=') ? csvFields(text) : [text];
  const added = pairs.map((pair): [string, string] => {
    const equals = pair.indexOf('=');
    if (equals < 0) throw new Error(`${pair} must be formatted as key=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
  return { ...(before as Record<string, string>), ...Object.fromEntries(added) };
}

/** `key=value` pairs separated by commas; a key alone means true. */
function parseRuntimeConfig(text: string, before: unknown): Record<string, string> {
  const config = { ...(before as Record<string, string>) };
  for (const pair of text.split(',').filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const key = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    config[key] = equals < 0 ? '' : pair.slice(equals + 1).trim();
  }
  return config;
}
