// Rows of the flag tables and the types of their values, in pflag's syntax.

import { isIP } from 'node:net';
import { formatGoDuration, parseGoDuration } from '../../base/go-duration.ts';
import { type PortRange, parseBool, parseFeatureGates, type ServerOptions } from '../../server/options.ts';

/** How the values of one type are read and shown. */
export interface FlagType {
  /** The name in the help; '' for flags that need no value. */
  readonly label: string;
  /** The option's value; throws an Error that says what is wrong with the text. `before` is the value so far. */
  readonly parse: (text: string, before: unknown) => unknown;
  /** The text that would give this value; '' where there is none to show. */
  readonly show: (value: unknown) => string;
}

export const flagTypes = {
  int: { label: 'int', parse: parseInteger, show: String },
  float: { label: 'float', parse: parseFloatingPoint, show: String },
  float32: { label: 'float32', parse: parseFloatingPoint, show: String },
  bool: { label: '', parse: parseFlagBool, show: String },
  string: { label: 'string', parse: (text) => text, show: (value) => JSON.stringify(value) },
  list: { label: 'list', parse: (text) => text.split(',').filter((each) => each !== ''), show: () => '' },
  strings: {
    label: 'strings',
    parse: (text, before) => [...(before as readonly string[]), ...text.split(',').filter((each) => each !== '')],
    show: () => '',
  },
  stringArray: {
    label: 'stringArray',
    parse: (text, before) => [...(before as readonly string[]), text],
    show: (value) => ((value as readonly string[]).length === 0 ? '' : `[${(value as readonly string[]).join(',')}]`),
  },
  pairs: { label: 'mapStringString', parse: parsePair, show: () => '' },
  file: { label: 'string', parse: (text) => (text === '' ? undefined : text), show: () => '' },
  duration: { label: 'duration', parse: parseGoDuration, show: (value) => formatGoDuration(value as number) },
  ip: { label: 'ip', parse: parseIp, show: (value) => (value as string | undefined) ?? '' },
  portRange: { label: 'portRange', parse: parsePortRange, show: showPortRange },
  runtimeConfig: { label: 'mapStringString', parse: parseRuntimeConfig, show: () => '' },
  featureGates: {
    label: 'mapStringBool',
    parse: (text, before) => ({ ...(before as object), ...parseFeatureGates(text) }),
    show: () => '',
  },
} as const satisfies Readonly<Record<string, FlagType>>;

export interface Flag {
  readonly name: string;
  /** A name that it had before, which still works. */
  readonly oldName?: string;
  /** The one-letter form. */
  readonly letter?: string;
  readonly type: keyof typeof flagTypes;
  readonly option: keyof ServerOptions;
  /** Whether it counts that the flag was given, whatever its value. */
  readonly isNoted?: true;
  readonly help: string;
  /** What kube-apiserver says of a deprecated one. */
  readonly deprecated?: string;
}

function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw new Error('not a whole number');
  return Number(text);
}

function parseFloatingPoint(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function parseFlagBool(text: string): boolean {
  const value = parseBool(text);
  if (value === undefined) throw new Error('neither true nor false');
  return value;
}

function parseIp(text: string): string {
  if (isIP(text.trim()) === 0) throw new Error(`failed to parse IP: ${JSON.stringify(text)}`);
  return text.trim();
}

/** `30000-32767`, or `30000+2767`: the first port and how many follow. */
function parsePortRange(text: string): PortRange {
  const parts = /^\s*(\d{1,5})\s*(?:([-+])\s*(\d{1,5})\s*)?$/.exec(text);
  if (parts === null) throw new Error('not a port range such as 30000-32767');
  const first = Number(parts[1]);
  const second = Number(parts[3] ?? first);
  return { first, last: parts[2] === '+' ? first + second : second };
}

function showPortRange(value: unknown): string {
  const { first, last } = value as PortRange;
  return `${first}-${last}`;
}

/** One `key=value`, which may have commas. */
function parsePair(text: string, before: unknown): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 0) throw new Error(`malformed pair, expect string=string`);
  return { ...(before as Record<string, string>), [text.slice(0, equals).trim()]: text.slice(equals + 1).trim() };
}

/** `key=value` pairs separated by commas; a key alone stands for itself switched on. */
function parseRuntimeConfig(text: string, before: unknown): Record<string, string> {
  const config = { ...(before as Record<string, string>) };
  for (const pair of text.split(',')) {
    const equals = pair.indexOf('=');
    const key = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    if (key !== '') config[key] = equals < 0 ? '' : pair.slice(equals + 1).trim();
  }
  return config;
}
