// `keelson run` and `keelson testserver`: a server in memory for the lifetime of a command, or until standard input
// ends. Its kubeconfig is in a temporary folder.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../api/object.ts';
import type { Log } from '../base/log.ts';
import { lookup } from '../base/lookup.ts';
import { LogLevels } from '../server/log-levels.ts';
import type { ServerOptions } from '../server/options.ts';
import { processLog } from '../server/process-log.ts';
import type { Server } from '../server/server.ts';
import { systemClock } from '../server/system-clock.ts';
import { loadManifests, type Send } from './load-manifests.ts';
import { parseWithSettings } from './read-settings.ts';
import type { CommandProcess } from './serve.ts';

const usage = `A server in memory for one command, or for a test suite in any language.

Usage:
  keelson run [--load FILE|DIR]... [flags of serve] -- COMMAND [ARGUMENT]...
  keelson testserver [--load FILE|DIR]... [flags of serve]

run sets KUBECONFIG for the command, stops the server when the command exits, and exits with the command's status.
testserver prints one line of JSON, {"url":…,"kubeconfig":…,"token":…}, and stops when its standard input is closed.
--load applies manifest files and folders first: custom resources are served before objects of them are created.
KEELSON_… variables and --config work as for serve, except that they do not set the store and the port.
`;

/** Runs either command; returns the exit status. */
export async function temporaryServer(
  name: 'run' | 'testserver',
  argv: readonly string[],
  command: CommandProcess,
): Promise<number> {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const words = end < 0 ? [] : argv.slice(end + 1);
  if (flags.includes('--help') || flags.includes('-h')) {
    command.out(usage);
    return 0;
  }
  const { load, rest } = takeLoad(flags);
  const parsed = await parseWithSettings(['--store=memory', '--secure-port=0', ...rest], command.env);
  if ('version' in parsed) {
    command.out(`${parsed.version}\n`);
    return 0;
  }
  const problem = problemOf({ name, words, load, parsed });
  if (problem !== undefined || !('options' in parsed)) {
    command.err(`keelson: ${problem}; see 'keelson ${name} --help'\n`);
    return 1;
  }
  for (const warning of parsed.warnings ?? []) command.err(`keelson: ${warning}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'keelson-'));
  try {
    await using server = await startLoaded({ options: parsed.options, folder, load });
    return name === 'run' ? await runCommand(words, server, command) : await holdServer(server, command);
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Given {
  readonly name: 'run' | 'testserver';
  readonly words: readonly string[];
  readonly load: readonly string[];
  readonly parsed: object;
}

function problemOf({ name, words, load, parsed }: Given): string | undefined {
  // First, because what a forgotten -- leads to (arguments and flags of the command, taken for the server's) misleads.
  if (name === 'run' && words.length === 0)
    return "run needs a command after --, as in 'keelson run -- kubectl version'";
  if (load.includes('')) return 'flag needs an argument: --load';
  if ('error' in parsed) return String(parsed.error);
  return name === 'testserver' && words.length > 0 ? 'testserver does not run a command' : undefined;
}

function takeLoad(flags: readonly string[]): { load: string[]; rest: string[] } {
  const load: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at] as string;
    if (flag === '--load') load.push(flags[++at] ?? '');
    else if (flag.startsWith('--load=')) load.push(flag.slice('--load='.length));
    else rest.push(flag);
  }
  return { load, rest };
}

interface Start {
  readonly options: ServerOptions;
  readonly folder: string;
  readonly load: readonly string[];
}

type TemporaryServer = Server & { readonly token: string };

async function startLoaded({ options, folder, load }: Start): Promise<TemporaryServer> {
  const { startServer } = await import('../server/server.ts');
  const token = crypto.randomUUID();
  const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
  const server = await startServer(options, {
    log: quietLog(options),
    ephemeral: true,
    kubeconfigFolder: folder,
    tokens: [{ permanent: true, authenticateToken: (given) => (given === token ? administrator : undefined) }],
  });
  try {
    await loadManifests(load, sender(server, token));
  } catch (error) {
    await server.close();
    throw error;
  }
  return Object.assign(server, { token });
}

/** The output belongs to the command: without -v the server only logs errors. */
function quietLog(options: ServerOptions): Log {
  const log = processLog(options, { clock: systemClock, levels: new LogLevels(options) });
  return options.verbosity > 0 ? log : { ...log, info: () => {} };
}

function sender(server: Server, token: string): Send {
  return async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/apply-patch+yaml' }),
    };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const response = await server.fetch(new Request(`https://localhost${path}`, init));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: (isJson ? JSON.parse(text) : { message: text }) as JsonObject };
  };
}

/** Signals go on to the command, which decides when it ends. The status is what a shell would exit with. */
function runCommand(
  [file = '', ...words]: readonly string[],
  server: Server,
  command: CommandProcess,
): Promise<number> {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig };
  const child = spawn(file, words, { stdio: 'inherit', env });
  command.onStopSignal(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const known = error.code === undefined ? undefined : NOT_RUN[error.code];
      if (known === undefined) return reject(new Error(`cannot run ${file}: ${error.message}`));
      command.err(`keelson: ${file}: ${known.problem}\n`);
      resolve(known.status);
    });
    child.once('exit', (status, signal) => resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Why a command could not be run, and what shells exit with then. */
const NOT_RUN: Readonly<Record<string, { readonly problem: string; readonly status: number }>> = lookup({
  ENOENT: { problem: 'command not found', status: 127 },
  EACCES: { problem: 'permission denied', status: 126 },
});

async function holdServer(server: TemporaryServer, command: CommandProcess): Promise<number> {
  const { url, kubeconfig, token } = server;
  const ended = new Promise<void>((resolve) => {
    command.onStopSignal(resolve);
    process.stdin.once('close', resolve).once('end', resolve).resume();
  });
  command.out(`${JSON.stringify({ url, kubeconfig, token })}\n`);
  await ended;
  return 0;
}
