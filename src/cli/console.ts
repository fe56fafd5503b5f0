// `keelson console`: serves a page on 127.0.0.1 that shows a cluster, with a one-time link.

import { parseArgs } from 'node:util';
import { type ConsoleServer, startConsole } from '../console/console-server.ts';
import { readContexts } from '../console/contexts.ts';
import { portError } from '../server/listen-error.ts';
import { systemClock } from '../server/system-clock.ts';
import type { CommandProcess } from './command-process.ts';
import { reportFailure, UsageError } from './failure.ts';
import { contextsOf } from './kubeconfig-paths.ts';

const usage = `See and change a cluster in the browser: this server's, or any other Kubernetes server's.

Usage:
  keelson console [flags]

Flags:
  --kubeconfig FILE   The kubeconfig; default: KUBECONFIG, or ~/.kube/config.
  --context NAME      The context to begin with; default: the current one.
  --port PORT         The port on 127.0.0.1; default: any free one.
  --read-only         Refuse whatever changes something.
  --demo              Show a sample cluster instead: in memory, with simulated nodes, until the command ends.
  -h, --help          Print this.

The command prints a link that opens the page, once. The credentials stay in this process.
`;

const options = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  port: { type: 'string', default: '0' },
  'read-only': { type: 'boolean', default: false },
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Serves the page until a signal stops it; returns the exit status. */
export async function consoleCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help) {
      command.out(usage);
      return 0;
    }
    const port = portOf(values.port);
    if (values.demo && (values.kubeconfig ?? values.context) !== undefined) {
      throw new UsageError('--demo brings its own cluster: it does not go with --kubeconfig and --context');
    }
    await using demo = values.demo ? await (await import('./demo-cluster.ts')).startDemoCluster() : undefined;
    const contexts =
      demo === undefined
        ? await contextsOf(values.kubeconfig, command.env).catch((error: unknown) => {
            throw new Error(withSample((error as Error).message), { cause: error });
          })
        : await readContexts(['demo'], () => demo.kubeconfigText);
    const context = values.context ?? contexts.current;
    if (context === '') throw new UsageError('the kubeconfig has no current context: name one with --context');
    const started = startConsole({ contexts, context, readOnly: values['read-only'], port, clock: systemClock });
    await using console = await started.catch((error: unknown) => {
      throw portError(error, { host: '127.0.0.1', port, flag: '--port' });
    });
    command.out(`The console of ${context}: ${console.link}\n`);
    await new Promise<void>((resolve) => command.onStopSignal(resolve));
    return 0;
  } catch (error) {
    return reportFailure(error, 'console', command);
  }
}

/** The console for the server in a kubeconfig. @throws Error if the page was not built */
export async function consoleOf(kubeconfig: string): Promise<ConsoleServer> {
  const contexts = await readContexts(['kubeconfig'], () => kubeconfig);
  return startConsole({ contexts, context: contexts.current, readOnly: false, port: 0, clock: systemClock });
}

/** Somebody without a cluster can look at one all the same. */
function withSample(message: string): string {
  return `${message}${message.startsWith('there is no') ? ", or look at a sample cluster with 'keelson console --demo'" : ''}`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port: ${JSON.stringify(text)} is not a port`);
  return port;
}
