// The command line of `keelson setup-envtest`: setup-envtest's commands and flags.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { usageFault } from '../failure.ts';
import type { Platform } from './asset-store.ts';
import { serverFlagHelp, serverFlagOptions } from './server-flags.ts';
import { parseSelector, type VersionSelector } from './version-selector.ts';

/** The help, whose facts are setup-envtest's. */
export const setupUsage = `Set up the programs that controller-runtime's envtest starts, with the commands and flags of setup-envtest. They are
Keelson's: nothing is downloaded.

Usage:
  keelson setup-envtest [flags] use|list|cleanup|sideload|version [VERSION]

Commands:
  use        Make the programs of a version if they are not there, and print where they are.
  list       List the versions that are installed, and those that are available.
  cleanup    Remove the versions that are selected.
  sideload   Install the programs in a .tar.gz file on standard input as those of a version.
  version    Print the version.

Flags:
  -p, --print FORMAT     What use and sideload print: overview, path or env (default overview).
  -i, --installed-only   Only look at what is installed (default: whether ENVTEST_INSTALLED_ONLY is set).
  --use-env              Print KUBEBUILDER_ASSETS if it has programs (default: whether ENVTEST_USE_ENV is set).
  --bin-dir DIR          The folder of all versions (default: keelson-envtest in the user's data folder).
  --os OS, --arch ARCH   The platform (default: this one); '*' for all, except for use and sideload.
  --controllers NAMES    ${serverFlagHelp.controllers.replace('\n', `\n${' '.repeat(25)}`)}
  --nodes NUMBER         ${serverFlagHelp.nodes}
  --force                Make the programs again, also where others are in the way.
  --index URL, --verify, -v LEVEL
                         No effect: nothing is downloaded.

Versions:
  1.34.4             This version. Keelson is one patch release of every minor one, and use takes it for the others.
  1.34.x, 1.34       Any of 1.34; 1.34.x! is the same.
  ~1.34.2            Any of 1.34 from 1.34.2 on.
  <1.34, <=1.34.2    Any older version, for cleanup.
  latest             The newest, which is the default; latest-on-disk, the newest that is installed.
`;

/** A command line that cannot be followed; the status is setup-envtest's. */
export class SetupError extends Error {
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 2) {
    super(message);
    this.status = status;
  }
}

const FORMATS = ['overview', 'path', 'env'] as const;
type PrintFormat = (typeof FORMATS)[number];

export interface SetupOptions {
  readonly action: string;
  readonly selector: VersionSelector;
  readonly print: PrintFormat;
  readonly installedOnly: boolean;
  readonly useEnv: boolean;
  readonly force: boolean;
  readonly binDir: string;
  readonly platform: Platform;
  /** What the kube-apiserver is to do besides. */
  readonly controllers: string | undefined;
  readonly nodes: string | undefined;
}

const flags = {
  print: { type: 'string', short: 'p', default: 'overview' },
  'installed-only': { type: 'boolean', short: 'i' },
  'use-env': { type: 'boolean' },
  ...serverFlagOptions,
  force: { type: 'boolean' },
  'bin-dir': { type: 'string', default: '' },
  os: { type: 'string' },
  arch: { type: 'string' },
  index: { type: 'string' },
  verify: { type: 'boolean' },
  v: { type: 'string', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Parses the arguments after `setup-envtest`.
 *
 * @param platform the default
 * @throws SetupError
 */
export function parseSetup(
  argv: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  platform: Platform,
): SetupOptions | 'help' {
  const { values, positionals } = readFlags(argv);
  if (values.help === true) return 'help';
  const [action, version = '', ...others] = positionals;
  if (action === undefined || others.length > 0) {
    throw new SetupError(
      'setup-envtest needs one of use, list, cleanup, sideload and version, and at most one version',
    );
  }
  const print = FORMATS.find((each) => each === values.print);
  if (print === undefined) throw new SetupError(`--print is one of ${FORMATS.join(', ')}, not ${values.print}`);
  const isSet = (name: string) => (variables[name] ?? '') !== '';
  const options = {
    ...{ action, print, selector: selectorOf(version), force: values.force === true },
    installedOnly: values['installed-only'] ?? isSet('ENVTEST_INSTALLED_ONLY'),
    useEnv: values['use-env'] ?? isSet('ENVTEST_USE_ENV'),
    binDir: resolve(values['bin-dir'] || defaultFolder(platform, variables)),
    platform: { os: values.os ?? platform.os, arch: values.arch ?? platform.arch },
    ...{ controllers: values.controllers, nodes: values.nodes },
  };
  if (options.installedOnly && options.force) throw new SetupError('--force makes what --installed-only refuses to');
  const named = Object.values(options.platform);
  if (named.includes('')) throw new SetupError('--os and --arch must not be empty');
  if (!named.every((each) => /^(?:\w+|\*)$/.test(each))) {
    throw new SetupError(`there is no platform ${named.join('/')}`);
  }
  return options;
}

/** @throws SetupError */
function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: argv.flatMap(inNodeWords), options: flags, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new SetupError(usageFault(error, 'setup-envtest') ?? (error as Error).message);
  }
}

/** pflag reads `-p=path` and `--force=false`; Node does not. */
function inNodeWords(word: string): string[] {
  const [, short, text = ''] = /^-([pv])=(.*)$/s.exec(word) ?? [];
  if (short !== undefined) return [`-${short}`, text];
  const [, letter, name = letter === 'i' ? 'installed-only' : undefined, value = ''] =
    /^(?:-(i)|--(installed-only|use-env|force|verify|help))=(.*)$/s.exec(word) ?? [];
  if (name === undefined) return [word];
  if (/^(?:1|t|T|true|TRUE|True)$/.test(value)) return [`--${name}`];
  if (/^(?:0|f|F|false|FALSE|False)$/.test(value)) return [`--no-${name}`];
  throw new SetupError(`--${name} is true or false, not ${JSON.stringify(value)}`);
}

/** @throws SetupError */
function selectorOf(version: string): VersionSelector {
  try {
    return parseSelector(version);
  } catch (error) {
    throw new SetupError((error as Error).message, 1);
  }
}

/** Not setup-envtest's own folder, which would then offer Keelson's programs as kube-apiserver's. */
function defaultFolder({ os }: Platform, variables: Readonly<Record<string, string | undefined>>): string {
  const home = variables['HOME'] || homedir();
  const data = os === 'darwin' ? join(home, 'Library/Application Support') : join(home, '.local/share');
  return join((os !== 'darwin' && variables['XDG_DATA_HOME']) || data, 'keelson-envtest');
}
