// `keelson serve`: starts a server, prints its address, and runs until a signal stops it. Streams and signals of the
// process are supplied, so that tests can replace them.

import type { ServerOptions } from '../server/options.ts';
import type { CommandProcess } from './command-process.ts';

/** The server as needed by this command. */
export interface RunningServer {
  readonly url: string;
  /** The path of the administrator's kubeconfig, if it was written. */
  readonly kubeconfig?: string | undefined;
  /** The text of that kubeconfig. */
  readonly kubeconfigText?: string;
  /** Stops accepting requests and resolves when those in flight have ended. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

interface OpenedConsole extends AsyncDisposable {
  readonly link: string;
  close(): Promise<void>;
}

/** Number of uncaught errors that are logged during the shutdown after the first. */
const FAULTS_TOLD = 20;

/**
 * Runs a server until it is stopped; returns the exit status. A second signal ends it immediately. An uncaught error
 * stops it too, because its effects are unknown: requests in flight may finish, and the status is 1.
 */
export async function serve(
  start: () => Promise<RunningServer>,
  options: ServerOptions,
  command: CommandProcess,
): Promise<number> {
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let signals = 0;
  command.onStopSignal(() => {
    signals++;
    if (signals > 1) command.exit(1);
    stop();
  });
  let faults = 0;
  command.onFault((error) => {
    faults++;
    if (faults <= FAULTS_TOLD) command.err(`keelson: uncaught error: ${detail(error)}\n`);
    stop();
  });
  let server: RunningServer;
  try {
    server = await start();
  } catch (error) {
    const { withBlamedFlag } = await import('./flags.ts');
    const told = failure(error, options.verbosity);
    command.err(`keelson: ${options.verbosity > 0 ? told : withBlamedFlag(told, options)}\n`);
    return 1;
  }
  command.out(`Keelson listens on ${server.url}\n`);
  const hint = wayIn(server, options);
  if (hint !== undefined) command.out(hint);
  await using console = options.console ? await openConsole(server, command) : undefined;
  await stopped;
  if (faults > 0) return endAfterFault(server, command);
  await console?.close();
  command.out('Draining; send the signal again to stop immediately.\n');
  await server.drain();
  await server.close();
  return faults > 0 ? 1 : 0;
}

/** What to do next: whoever starts a server in memory for a try would have no way in otherwise. */
function wayIn({ kubeconfig }: RunningServer, { tokenAuthFile, clientCaFile }: ServerOptions): string | undefined {
  if (kubeconfig !== undefined) return `To use it: export KUBECONFIG=${kubeconfig}\n`;
  if (tokenAuthFile !== undefined || clientCaFile !== undefined) return undefined;
  return 'No kubeconfig was written; to get one, name a folder for it with --data-dir.\n';
}

/** The console's page of this server; undefined if it cannot be served, which does not stop the server. */
async function openConsole(server: RunningServer, command: CommandProcess): Promise<OpenedConsole | undefined> {
  try {
    const opened = await (await import('./console.ts')).consoleOf(server.kubeconfigText ?? '');
    command.out(`The console: ${opened.link}\n`);
    return opened;
  } catch (error) {
    command.err(`keelson: the console cannot be served: ${failure(error, 0)}\n`);
    return undefined;
  }
}

/** The error may also prevent a proper shutdown, so nothing else keeps the process alive. */
async function endAfterFault(server: RunningServer, command: CommandProcess): Promise<number> {
  try {
    await server.drain();
    await server.close();
  } catch (error) {
    command.err(`keelson: the server did not stop well: ${detail(error)}\n`);
  }
  command.exit(1);
  return 1;
}

function detail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** One line for the operator; with --v the stack is included. */
function failure(error: unknown, verbosity: number): string {
  if (!(error instanceof Error)) return String(error);
  if (verbosity > 0 && error.stack !== undefined) return error.stack;
  return error.message
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
