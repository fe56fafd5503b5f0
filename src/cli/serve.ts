// `keelson serve`: start a server, say where it listens, and run until a signal asks it to stop. The process's streams
// and signals are handed in, so that a test can hold them.

import type { ServerOptions } from '../server/options.ts';

/** What this command needs of a running server. */
export interface RunningServer {
  readonly url: string;
  /** The path of a kubeconfig that reaches the server with all rights, when it wrote one. */
  readonly kubeconfig?: string | undefined;
  /** The text of that kubeconfig. */
  readonly kubeconfigText?: string;
  /** Takes no more work and resolves when what was under way has ended. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface CommandProcess {
  /** Variables of the environment; none where it has nothing to say. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Calls back for every SIGINT and SIGTERM from now on. */
  readonly onStopSignal: (stop: () => void) => void;
  /** Calls back for every error that nobody caught, from now on: it does not end the process by itself. */
  readonly onFault: (fault: (error: unknown) => void) => void;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
}

interface OpenedConsole extends AsyncDisposable {
  readonly link: string;
  close(): Promise<void>;
}

/** How many errors that nobody caught are told while the server drains after the first. */
const FAULTS_TOLD = 20;

/**
 * Runs a server till it is told to stop; the exit status. A second signal does not wait for the first. An error that
 * nobody caught stops it too, for what it left undone is unknown: what is under way may end, and the status is 1.
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
    command.err(`keelson: ${failure(error, options.verbosity)}\n`);
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

/** The console's page of this server; undefined where it cannot be served, which does not keep the server from running. */
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

/** What stopped the server may keep it from stopping well, so nothing else keeps the process. */
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

/** One line for the operator; who asks for detail with --v gets the stack as well. */
function failure(error: unknown, verbosity: number): string {
  if (!(error instanceof Error)) return String(error);
  if (verbosity > 0 && error.stack !== undefined) return error.stack;
  return error.message
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
