// The flags of `keelson serve`: the table of what there is, and how a command line becomes server options. Names, types
// and syntax are kube-apiserver's; nothing is opened or started here.

import { isIP } from 'node:net';
import {
  defaultServerOptions,
  optionProblems,
  type PortRange,
  parseBool,
  parseFeatureGates,
  type ServerOptions,
} from '../server/options.ts';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

/** How the values of one type are read and shown. */
interface FlagType {
  /** The name in the help; '' for flags that need no value. */
  readonly label: string;
  /** The option's value; throws an Error that says what is wrong with the text. `before` is the value so far. */
  readonly parse: (text: string, before: unknown) => unknown;
  /** The text that would give this value; '' where there is none to show. */
  readonly show: (value: unknown) => string;
}

const flagTypes = {
  int: { label: 'int', parse: parseInteger, show: String },
  bool: { label: '', parse: parseFlagBool, show: String },
  string: { label: 'string', parse: (text) => text, show: (value) => JSON.stringify(value) },
  list: { label: 'list', parse: (text) => text.split(',').filter((each) => each !== ''), show: () => '' },
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

interface Flag {
  readonly name: string;
  /** The one-letter form. */
  readonly letter?: string;
  readonly type: keyof typeof flagTypes;
  readonly option: keyof ServerOptions;
  readonly help: string;
}

export const serveFlags: readonly Flag[] = [
  {
    name: 'secure-port',
    type: 'int',
    option: 'securePort',
    help: 'The port to serve HTTPS on; 0 takes a free one.',
  },
  {
    name: 'bind-address',
    type: 'ip',
    option: 'bindAddress',
    help: 'The address to listen on; 0.0.0.0 or :: for all.',
  },
  {
    name: 'advertise-address',
    type: 'ip',
    option: 'advertiseAddress',
    help: 'The address by which other machines find the server.',
  },
  { name: 'data-dir', type: 'string', option: 'dataDir', help: 'Where objects, keys, kubeconfig are kept.' },
  {
    name: 'store',
    type: 'string',
    option: 'store',
    help: 'Where objects live: embedded or memory.',
  },
  { name: 'tls-cert-file', type: 'file', option: 'tlsCertFile', help: "The server's certificate, PEM." },
  {
    name: 'tls-private-key-file',
    type: 'file',
    option: 'tlsPrivateKeyFile',
    help: 'The key of that certificate, PEM.',
  },
  {
    name: 'client-ca-file',
    type: 'file',
    option: 'clientCaFile',
    help: 'Authorities whose client certificates are believed, PEM.',
  },
  {
    name: 'token-auth-file',
    type: 'file',
    option: 'tokenAuthFile',
    help: 'Tokens that are believed, CSV: token,user,uid,"group1,group2".',
  },
  {
    name: 'kubelet-certificate-authority',
    type: 'file',
    option: 'kubeletCertificateAuthority',
    help: 'Authorities of kubelets, PEM; without it none is checked.',
  },
  {
    name: 'kubelet-client-certificate',
    type: 'file',
    option: 'kubeletClientCertificate',
    help: 'The certificate that the server shows to kubelets, PEM.',
  },
  {
    name: 'kubelet-client-key',
    type: 'file',
    option: 'kubeletClientKey',
    help: 'The key of that certificate, PEM.',
  },
  {
    name: 'kubelet-preferred-address-types',
    type: 'list',
    option: 'kubeletPreferredAddressTypes',
    help: 'Types of node addresses to reach kubelets by, the best first.',
  },
  {
    name: 'anonymous-auth',
    type: 'bool',
    option: 'anonymousAuth',
    help: 'Serve those without credentials, as system:anonymous.',
  },
  {
    name: 'service-account-issuer',
    type: 'string',
    option: 'serviceAccountIssuer',
    help: 'Who issues account tokens.',
  },
  {
    name: 'service-account-signing-key-file',
    type: 'file',
    option: 'serviceAccountSigningKeyFile',
    help: 'The key that signs them, PEM: RSA or P-256; made when not given.',
  },
  {
    name: 'api-audiences',
    type: 'list',
    option: 'apiAudiences',
    help: 'Audiences of tokens for this server; the issuer when not given.',
  },
  {
    name: 'service-cluster-ip-range',
    type: 'string',
    option: 'serviceClusterIpRange',
    help: 'Service addresses: one CIDR, or one a family.',
  },
  {
    name: 'service-node-port-range',
    type: 'portRange',
    option: 'serviceNodePortRange',
    help: 'Ports of NodePort services, both ends included.',
  },
  {
    name: 'runtime-config',
    type: 'runtimeConfig',
    option: 'runtimeConfig',
    help: 'API versions to switch: apps/v1=false,api/all=true.',
  },
  {
    name: 'feature-gates',
    type: 'featureGates',
    option: 'featureGates',
    help: 'Feature gates to switch: Name=true,Other=false.',
  },
  {
    name: 'watch-cache',
    type: 'bool',
    option: 'watchCache',
    help: 'Serve reads from memory; it can not be turned off.',
  },
  { name: 'request-timeout', type: 'duration', option: 'requestTimeoutMs', help: 'How long a request may take.' },
  {
    name: 'min-request-timeout',
    type: 'int',
    option: 'minRequestTimeoutSeconds',
    help: 'Seconds that a watch stays open at the least.',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    option: 'maxRequestsInFlight',
    help: 'Reads served at once; 0 for no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    option: 'maxMutatingRequestsInFlight',
    help: 'Writes served at once; 0 for no limit.',
  },
  {
    name: 'controllers',
    type: 'string',
    option: 'controllers',
    help: 'Controllers that run: * for all, name, -name; by commas.',
  },
  { name: 'event-ttl', type: 'duration', option: 'eventTtlMs', help: 'How long events are kept.' },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    option: 'shutdownDelayMs',
    help: 'How long requests are still taken after a signal to stop.',
  },
  { name: 'v', letter: 'v', type: 'int', option: 'verbosity', help: 'How much to log; larger is more.' },
];

export type ServeCommand = { options: ServerOptions } | { error: string } | { help: true };

/** What is wrong with a command line, in one line. */
class FlagError extends Error {}

/**
 * Reads the arguments behind `serve`, in pflag's syntax: `--flag=value`, `--flag value`, `--bool`, `-v2`, `--` ends
 * the flags. A flag given twice counts the last time, save for maps, which grow.
 */
export function parseServeFlags(argv: readonly string[]): ServeCommand {
  try {
    const values: Record<string, unknown> = { ...defaultServerOptions };
    const remaining = [...argv];
    while (remaining.length > 0) {
      const argument = remaining.shift()!;
      if (argument === '--help' || argument === '-h') return { help: true };
      if (argument === '--' || !argument.startsWith('-') || argument === '-') {
        const rest = argument === '--' ? remaining : [argument, ...remaining];
        if (rest.length > 0) throw new FlagError(`serve does not take any arguments, got ${JSON.stringify(rest)}`);
        break;
      }
      const { flag, shown, text } = argument.startsWith('--')
        ? readLong(argument, remaining)
        : readShort(argument, remaining);
      values[flag.option] = parseValue({ flag, shown, text, before: values[flag.option] });
    }
    // Every value has been through its flag's type.
    const options = values as unknown as ServerOptions;
    const problems = optionProblems(options);
    return problems.length === 0 ? { options } : { error: problems.join('; ') };
  } catch (error) {
    if (error instanceof FlagError) return { error: error.message };
    throw error;
  }
}

interface GivenFlag {
  readonly flag: Flag;
  /** The flag as error messages name it. */
  readonly shown: string;
  readonly text: string;
}

function readLong(argument: string, remaining: string[]): GivenFlag {
  const equals = argument.indexOf('=');
  // Kubernetes takes --secure_port for --secure-port.
  const name = argument.slice(2, equals < 0 ? undefined : equals).replaceAll('_', '-');
  if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${argument}`);
  const flag = serveFlags.find((candidate) => candidate.name === name);
  if (flag === undefined) throw new FlagError(`unknown flag: --${name}`);
  const shown = flag.letter === undefined ? `--${name}` : `-${flag.letter}, --${name}`;
  if (equals >= 0) return { flag, shown, text: argument.slice(equals + 1) };
  return { flag, shown, text: textBehind(flag, remaining, `--${name}`) };
}

function readShort(argument: string, remaining: string[]): GivenFlag {
  const letter = argument[1]!;
  const flag = serveFlags.find((candidate) => candidate.letter === letter);
  if (flag === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in ${argument}`);
  const shown = `-${letter}, --${flag.name}`;
  if (argument.length > 2) return { flag, shown, text: argument.slice(argument[2] === '=' ? 3 : 2) };
  return { flag, shown, text: textBehind(flag, remaining, `'${letter}' in ${argument}`) };
}

function textBehind(flag: Flag, remaining: string[], shown: string): string {
  if (flag.type === 'bool') return 'true';
  const text = remaining.shift();
  if (text === undefined) throw new FlagError(`flag needs an argument: ${shown}`);
  return text;
}

function parseValue({ flag, shown, text, before }: GivenFlag & { before: unknown }): unknown {
  try {
    return flagTypes[flag.type].parse(text, before);
  } catch (error) {
    const reason = (error as Error).message;
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for "${shown}" flag: ${reason}`);
  }
}

function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw new Error('not a whole number');
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

/** The table of flags that `--help` prints. */
export function serveFlagTable(): string {
  const rows = serveFlags.map((flag) => {
    const type = flagTypes[flag.type];
    const letter = flag.letter === undefined ? '   ' : `-${flag.letter},`;
    const shown = type.show(defaultServerOptions[flag.option]);
    return {
      usage: `${letter} --${flag.name} ${type.label}`.trimEnd(),
      help: shown === '' ? flag.help : `${flag.help} (default ${shown})`,
    };
  });
  rows.push({ usage: '-h, --help', help: 'Print this.' });
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  return rows.map(({ usage, help }) => `  ${usage.padEnd(width)}   ${help}\n`).join('');
}
