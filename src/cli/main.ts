// The command line: its commands are in commands.ts. Errors are reported in one line before anything is opened, and the
// server is only loaded if one is to be started.

import { limits } from '../base/limits.ts';
import { versionFacts, versionLine } from '../server/options.ts';
import { processOutputs } from '../server/process-output.ts';
import type { CommandProcess } from './command-process.ts';
import { commandHelp, commands } from './commands.ts';
import { namesSource, USAGE_STATUS } from './failure.ts';
import { serveFlagTable } from './flags/help.ts';
import { flagValues } from './flags.ts';
import { keepProcess } from './keep-process.ts';
import { parseWithSettings } from './read-settings.ts';
import { serve } from './serve.ts';
import { suggestion } from './suggestion.ts';

/** Commands that serve, for which output is not the result. */
const SERVING: ReadonlySet<string | undefined> = new Set(['serve', 'run', 'testserver', 'console']);

/** Runs the command in the arguments; returns the exit status. */
export async function main(argv: readonly string[], command: CommandProcess = ownProcess()): Promise<number> {
  const status = await keepProcess(runCommand(argv, command));
  const error = command.lostOutput?.();
  // The reader may have seen enough (`| head`).
  if (error === undefined || error.includes('EPIPE') || SERVING.has(argv[0])) return status;
  command.err(`keelson: the output could not be written: ${error}\n`);
  return status === 0 ? 1 : status;
}

async function runCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const [name, ...rest] = argv;
  switch (name) {
    case 'serve':
      return serveCommand(rest, command);
    case 'cel':
      return (await import('./cel.ts')).celCommand(rest, command);
    case 'migrate':
      return rest.includes('--server') && !rest.includes('--help')
        ? (await import('./migrate-server.ts')).migrateServerCommand(rest, command)
        : (await import('./migrate.ts')).migrateCommand(rest, command);
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
    case 'kubeconfig':
      return (await import('./kubeconfig.ts')).kubeconfigCommand(rest, command);
    case 'token':
      return (await import('./token.ts')).tokenCommand(rest, command);
    case 'envtest-assets':
      return (await import('./envtest/assets.ts')).envtestAssets(rest, command);
    case 'setup-envtest':
      return (await import('./envtest/setup-envtest.ts')).setupEnvtest(rest, command);
    case 'envtest-kube-apiserver':
      return (await import('./envtest/kube-apiserver.ts')).envtestApiServer(rest, command);
    case 'envtest-etcd':
      return (await import('./envtest/etcd.ts')).envtestEtcd(rest, command);
    case 'completion':
      return (await import('./completion.ts')).completionCommand(rest, command);
    case '__complete':
      command.out(
        (await import('./completion.ts'))
          .complete(rest)
          .map((each) => `${each}\n`)
          .join(''),
      );
      return 0;
    case 'version':
    case '--version':
      return versionCommand(rest, command);
    case 'help':
      // A command prints its own help.
      if (rest[0] !== undefined && rest[0] !== 'help') return runCommand([rest[0], '--help'], command);
      command.out(commandHelp());
      return 0;
    case '--help':
    case '-h':
      command.out(commandHelp());
      return 0;
    case undefined:
      command.err(commandHelp());
      return USAGE_STATUS;
    default: {
      const meant = suggestion(name, [...commands.map((each) => each.name), '--help', '--version']);
      command.err(`keelson: unknown command ${JSON.stringify(name)}${meant}; 'keelson help' lists the commands\n`);
      return USAGE_STATUS;
    }
  }
}

function versionCommand(argv: readonly string[], command: CommandProcess): number {
  const wrong = argv.find((each) => !['--help', '-h', '--json'].includes(each));
  if (wrong !== undefined) {
    const meant = wrong.startsWith('-') ? suggestion(wrong, ['--json', '--help']) : '';
    command.err(`keelson: version does not take any arguments, got ${JSON.stringify(wrong)}${meant}\n`);
    return USAGE_STATUS;
  }
  if (argv.some((each) => each !== '--json')) command.out('Print the version.\n\nUsage:\n  keelson version [--json]\n');
  else command.out(argv.length > 0 ? `${JSON.stringify(versionFacts)}\n` : `${versionLine}\n`);
  return 0;
}

async function serveCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const parsed = await parseWithSettings(argv, command.env);
  if ('help' in parsed) {
    command.out(`Start a Kubernetes API server.\n\nUsage:\n  keelson serve [flags]\n\n${serveFlagTable()}`);
    return 0;
  }
  if ('version' in parsed) {
    command.out(`${parsed.version}\n`);
    return 0;
  }
  if ('error' in parsed) {
    const help = namesSource(parsed.error) ? '' : "; 'keelson serve --help' lists the flags";
    command.err(`keelson: ${parsed.error}${help}\n`);
    return USAGE_STATUS;
  }
  const { options, warnings = [] } = parsed;
  for (const warning of warnings) command.err(`keelson: ${warning}\n`);
  const start = async () => (await import('../server/launch.ts')).launchServer(options, () => flagValues(options));
  return serve(start, options, command);
}

/** A process that is killed cannot stop its children: npm, and test suites with a server of their own. */
function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, limits.parentCheckMs);
  timer.unref();
}

function ownProcess(): CommandProcess {
  const { out, err } = processOutputs();
  return {
    env: process.env,
    out: (text) => out.put(text),
    err: (text) => err.put(text),
    lostOutput: () => out.lost?.error,
    onStopSignal: (stop) => {
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
      if (process.env['npm_lifecycle_event'] === 'start') whenParentEnds(stop);
    },
    onParentEnd: whenParentEnds,
    onFault: (fault) => {
      process.on('uncaughtException', fault);
      process.on('unhandledRejection', fault);
    },
    exit: (status) => process.exit(status),
  };
}
