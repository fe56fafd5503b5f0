// The commands of `keelson`, for help and shell completion.

import { RELEASES } from '../server/options.ts';

export interface CommandFacts {
  readonly name: string;
  /** The arguments after the name. */
  readonly usage: string;
  readonly summary: string;
  /** Its own flags, with their possible values; empty: any value, undefined: no value. */
  readonly flags: Readonly<Record<string, readonly string[] | undefined>>;
  /** Whether it accepts the flags of `keelson serve`. */
  readonly serves?: true;
  /** The words that it accepts. */
  readonly words?: readonly string[];
}

const ANY: readonly string[] = [];
const KEYS = { '--with-keys': undefined, '--passphrase-file': ANY } as const;
const DATA_DIR = { '--data-dir': ANY };
const JSON_OUTPUT = { '--json': undefined };
const RELEASE = { '--kubernetes-version': RELEASES.map(({ minor }) => `1.${minor}`) };

export const commands: readonly CommandFacts[] = [
  { name: 'serve', usage: '[flags]', summary: 'Start a server.', flags: { '--config': ANY }, serves: true },
  {
    name: 'run',
    usage: '-- COMMAND',
    summary: 'Run a command with an in-memory server that stops with it.',
    flags: { '--load': ANY, '--test-api': undefined },
    serves: true,
  },
  {
    name: 'testserver',
    usage: '',
    summary: 'Start an in-memory server that stops when its standard input is closed.',
    flags: { '--load': ANY, '--test-api': undefined },
    serves: true,
  },
  {
    name: 'envtest-assets',
    usage: 'DIR',
    summary: "Create the programs that controller-runtime's envtest starts.",
    flags: { ...RELEASE, '--controllers': ANY, '--nodes': ANY },
  },
  {
    name: 'setup-envtest',
    usage: 'COMMAND',
    summary: 'Stand in for setup-envtest, without downloads.',
    flags: {
      ...{ '--print': ['env', 'overview', 'path'], '--installed-only': undefined, '--use-env': undefined },
      ...{ '--controllers': ANY, '--nodes': ANY },
      ...{ '--bin-dir': ANY, '--os': ['darwin', 'linux'], '--arch': ['amd64', 'arm64'], '--force': undefined },
    },
    words: ['cleanup', 'list', 'sideload', 'use', 'version'],
  },
  {
    name: 'console',
    usage: '[flags]',
    summary: 'Browse and edit a cluster in the browser.',
    flags: { '--kubeconfig': ANY, '--context': ANY, '--port': ANY, '--read-only': undefined, '--demo': undefined },
  },
  {
    name: 'kubeconfig',
    usage: '--user NAME',
    summary: "Give somebody access, by a certificate of the server's CA.",
    flags: {
      ...{ '--user': ANY, '--group': ANY, '--groups': ANY, '--server': ANY, '--expires': ANY },
      ...{ ...DATA_DIR, '--out': ANY },
    },
  },
  {
    name: 'token',
    usage: '[flags]',
    summary: 'Issue a token of a service account.',
    flags: {
      ...{ '--service-account': ANY, '--duration': ANY, '--audience': ANY, '--bound-to': ANY },
      ...DATA_DIR,
    },
  },
  {
    name: 'cel',
    usage: '[flags] EXPRESSION',
    summary: 'Check and evaluate a CEL rule, and estimate its cost.',
    flags: {
      ...{ '--schema': ANY, '--object': ANY, '--old-object': ANY },
      ...{ '--stored': undefined, '--json': undefined, ...RELEASE },
    },
  },
  {
    name: 'migrate',
    usage: 'FILE...',
    summary: 'Rewrite manifests to API versions that are still served.',
    flags: {
      ...{ '--check': undefined, '--to': ANY },
      ...{ '--server': undefined, '--kubeconfig': ANY, '--context': ANY, ...JSON_OUTPUT },
    },
  },
  {
    name: 'verify',
    usage: '[FILE]',
    summary: 'Check the store, or a backup of it, for damage.',
    flags: { ...DATA_DIR, '--etcd-servers': ANY, '--encryption-provider-config': ANY, ...JSON_OUTPUT },
  },
  {
    name: 'backup',
    usage: 'FILE',
    summary: 'Back up the store, also while a server has it open.',
    flags: {
      ...{ ...DATA_DIR, ...KEYS, '--etcd-servers': ANY, '--encryption-provider-config': ANY, ...JSON_OUTPUT },
    },
  },
  {
    name: 'restore',
    usage: 'FILE',
    summary: 'Create a store from a backup.',
    flags: { ...DATA_DIR, ...KEYS, '--bump-revision': ANY, ...JSON_OUTPUT },
  },
  {
    name: 'copy',
    usage: '--from A --to B',
    summary: 'Copy all objects between the embedded store and etcd.',
    flags: { '--from': ANY, '--to': ANY, ...JSON_OUTPUT },
  },
  {
    name: 'completion',
    usage: 'SHELL',
    summary: 'Print a completion script for bash, zsh or fish.',
    flags: {},
    words: ['bash', 'zsh', 'fish'],
  },
  { name: 'version', usage: '', summary: 'Print the version.', flags: JSON_OUTPUT },
  { name: 'help', usage: '', summary: 'Print this.', flags: {} },
];

const USAGE_WIDTH = 33;

/** The output of `keelson --help`. */
export function commandHelp(): string {
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`keelson ${name} ${usage}`.padEnd(USAGE_WIDTH)}${summary}\n`,
  );
  return `Keelson is a Kubernetes API server in one process.

Usage:
${lines.join('')}
Use 'keelson COMMAND --help' for more about a command.
`;
}
