// The command line: keelson serve, cel, migrate, copy, version and help. It says what is wrong in one line, before anything is opened, and
// loads the server only when one is to be started.

import { gitVersion, parseEmulatedVersion, runtimeFacts, versionDocument, versionLine } from '../server/options.ts';
import { flagValues, parseServeFlags, serveFlagTable } from './flags.ts';
import { type CommandProcess, serve } from './serve.ts';

const usage = `Keelson is a Kubernetes API server in one process.

Usage:
  keelson serve [flags]            Start a server.
  keelson cel [flags] EXPRESSION   Check and evaluate a rule's expression, and tell what it costs.
  keelson migrate FILE...          Rewrite manifests to API versions that are served today.
  keelson verify [FILE]            Check the store, or a backup of it, from end to end.
  keelson backup FILE              Back the store up, also while a server has it open.
  keelson restore FILE             Make a store of a backup.
  keelson copy --from A --to B     Copy all objects between the embedded store and etcd.
  keelson run -- COMMAND           Run a command with a server in memory that ends with it.
  keelson testserver               Start a server in memory that ends with its standard input.
  keelson console                  See and change a cluster in the browser.
  keelson envtest-assets DIR       Make kube-apiserver and etcd for controller-runtime's envtest.
  keelson version                  Print the versions.
  keelson help                     Print this.

'keelson serve --help' and 'keelson cel --help' list the flags.
`;

/** Runs the command that the arguments name; the process's exit status. */
export async function main(argv: readonly string[], command: CommandProcess = ownProcess()): Promise<number> {
  const [name, ...rest] = argv;
  switch (name) {
    case 'serve':
      return serveCommand(rest, command);
    case 'cel':
      return (await import('./cel.ts')).celCommand(rest, command);
    case 'migrate':
      return (await import('./migrate.ts')).migrateCommand(rest, command);
    case 'verify':
    case 'backup':
    case 'restore':
      return (await import('./store-commands.ts')).storeCommand(name, rest, command);
    case 'copy':
      return (await import('./copy.ts')).copyCommand(rest, command);
    case 'run':
    case 'testserver':
      return (await import('./temporary-server.ts')).temporaryServer(name, rest, command);
    case 'console':
      return (await import('./console.ts')).consoleCommand(rest, command);
    case 'envtest-assets':
      return (await import('./envtest/assets.ts')).envtestAssets(rest, command);
    case 'envtest-kube-apiserver':
      return (await import('./envtest/kube-apiserver.ts')).envtestApiServer(rest, command);
    case 'envtest-etcd':
      return (await import('./envtest/etcd.ts')).envtestEtcd(rest, command);
    case 'version':
    case '--version':
      command.out(`${versionLine}\n`);
      return 0;
    case 'help':
    case '--help':
    case '-h':
      command.out(usage);
      return 0;
    case undefined:
      command.err(usage);
      return 1;
    default:
      command.err(`keelson: unknown command ${JSON.stringify(name)}; 'keelson help' lists the commands\n`);
      return 1;
  }
}

async function serveCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const parsed = parseServeFlags(argv);
  if ('help' in parsed) {
    command.out(`Start a Kubernetes API server.\n\nUsage:\n  keelson serve [flags]\n\n${serveFlagTable()}`);
    return 0;
  }
  if ('version' in parsed) {
    command.out(`${parsed.version === 'raw' ? rawVersion() : `Kubernetes ${gitVersion}`}\n`);
    return 0;
  }
  if ('error' in parsed) {
    command.err(`keelson: ${parsed.error}; 'keelson serve --help' lists the flags\n`);
    return 1;
  }
  const { options, warnings = [] } = parsed;
  for (const warning of warnings) command.err(`keelson: ${warning}\n`);
  const start = async () => (await import('../server/launch.ts')).launchServer(options, () => flagValues(options));
  return serve(start, options, command);
}

/** As Go prints the structure. */
function rawVersion(): string {
  const members = Object.entries(versionDocument(runtimeFacts(), parseEmulatedVersion([])));
  const text = members.map(([name, value]) => `${name[0]!.toUpperCase()}${name.slice(1)}:${JSON.stringify(value)}`);
  return `version.Info{${text.join(', ')}}`;
}

function ownProcess(): CommandProcess {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    onStopSignal: (stop) => {
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
    },
    onFault: (fault) => {
      process.on('uncaughtException', fault);
      process.on('unhandledRejection', fault);
    },
    exit: (status) => process.exit(status),
  };
}
