// The `kube-apiserver` program of an envtest environment: an in-memory server with kube-apiserver's flags.

import type { ServerOptions } from '../../server/options.ts';
import type { CommandProcess } from '../command-process.ts';
import { serveFlagTable } from '../flags/help.ts';
import { parseServeFlags, type ServeCommand } from '../flags.ts';
import { type RunningServer, serve } from '../serve.ts';
import { endingWithParent } from './ending-with-parent.ts';
import { leaveState, stateUrl, takeState } from './kept-state.ts';

/**
 * envtest has no kube-controller-manager: there is no garbage collection, namespaces are not emptied and service
 * accounts not created, and suites rely on that.
 */
const API_SERVER_ALONE = ['--controllers=-*'];

/** Runs until a signal; returns the exit status. */
export async function envtestApiServer(argv: readonly string[], command: CommandProcess): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(`Keelson as the kube-apiserver of an envtest environment.\n\n${serveFlagTable()}`);
    return 0;
  }
  const parsed = parse(apiServerFlags(argv));
  if ('version' in parsed) {
    command.out(`${parsed.version}\n`);
    return 0;
  }
  if (!('options' in parsed)) {
    command.err(`kube-apiserver: ${'error' in parsed ? parsed.error : 'unknown arguments'}\n`);
    return 1;
  }
  const { options } = parsed;
  return serve(() => start(options, stateUrl(argv)), options, endingWithParent(command));
}

/** A cluster with nodes has its controllers, unless they are named; and suites do not wait for nodes. */
function parse(given: readonly string[]): ServeCommand {
  const usual = ['--store=memory', '--node-delays=none'];
  const parsed = parseServeFlags([...usual, ...API_SERVER_ALONE, ...given]);
  return 'options' in parsed && parsed.options.nodes > 0 ? parseServeFlags([...usual, ...given]) : parsed;
}

/** A server that continues from the state saved with etcd by an earlier one, and saves its own there. */
async function start(options: ServerOptions, state: URL | undefined): Promise<RunningServer> {
  const left = state && takeState(state);
  const { memoryState, memoryStoreFrom } = await import('../../server/memory-state.ts');
  const { startServer } = await import('../../server/server.ts');
  const store = memoryStoreFrom(await left);
  const server = await startServer(options, { ephemeral: true, store: Promise.resolve(store) });
  // There is no need to wait for requests in flight, and suites wait 20 seconds at most.
  const close = () => server.close();
  const drain = async () => {
    await close();
    if (state !== undefined) await leaveState(state, memoryState(store));
  };
  return { url: server.url, kubeconfig: undefined, drain, close };
}

/** The flags except those for etcd: objects are in memory. */
export function apiServerFlags(argv: readonly string[]): string[] {
  const flags: string[] = [];
  const given = argv.filter((argument) => argument !== '');
  for (let at = 0; at < given.length; at++) {
    const argument = given[at]!;
    if (!argument.startsWith('--etcd-')) flags.push(argument);
    // The value may be a separate argument.
    else if (!argument.includes('=') && given[at + 1]?.startsWith('-') === false) at++;
  }
  return flags;
}
