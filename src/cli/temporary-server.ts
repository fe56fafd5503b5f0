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
import type { Server, ServerEnvironment } from '../server/server.ts';
import { systemClock } from '../server/system-clock.ts';
import type { CommandProcess } from './command-process.ts';
import { reportUsage, withMeantFlag } from './failure.ts';
import { withBlamedFlag } from './flags.ts';
import { loadManifests, type Send } from './load-manifests.ts';
import { parseWithSettings } from './read-settings.ts';

const usage = `A server in memory for one command, or for a test suite in any language.

Usage:
  keelson run [--load FILE|DIR]... [--test-api] [flags of serve] -- COMMAND [ARGUMENT]...
  keelson testserver [--load FILE|DIR]... [--test-api] [flags of serve]

run sets KUBECONFIG for the command, stops the server when the command exits, and exits with the command's status.
testserver prints one line of JSON, {"url":…,"kubeconfig":…,"token":…}, and stops when its standard input is closed.
--load applies manifest files and folders first: custom resources are served before objects of them are created.
--test-api serves snapshots, the clock, faults and more over HTTP on 127.0.0.1, for tests in any language. Its address is
"testApi" in the line of testserver; run sets KEELSON_TEST_API, and KEELSON_TEST_TOKEN. Simulated nodes take no time then.
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
  const { load, testApi, rest } = takeOwn(flags);
  const own = ['--store=memory', '--secure-port=0', ...(testApi ? ['--node-delays=none'] : [])];
  const parsed = await parseWithSettings([...own, ...rest], command.env, name);
  if ('version' in parsed) {
    command.out(`${parsed.version}\n`);
    return 0;
  }
  const problem = problemOf({ name, words, load, parsed });
  if (problem !== undefined || !('options' in parsed)) {
    return reportUsage(String(problem), name, command);
  }
  for (const warning of parsed.warnings ?? []) command.err(`keelson: ${warning}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'keelson-'));
  try {
    await using started = await startLoaded({ options: parsed.options, folder, load, testApi });
    return name === 'run' ? await runCommand(words, started, command) : await holdServer(started, command);
  } catch (error) {
    command.err(`keelson: ${withBlamedFlag((error as Error).message, parsed.options)}\n`);
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
  if ('error' in parsed) return withMeantFlag(String(parsed.error), name);
  return name === 'testserver' && words.length > 0 ? 'testserver does not run a command' : undefined;
}

/** Removes the flags of these commands from those of the server. */
function takeOwn(flags: readonly string[]): { load: string[]; testApi: boolean; rest: string[] } {
  let testApi = false;
  const load: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at] as string;
    if (flag === '--load') load.push(flags[++at] ?? '');
    else if (flag.startsWith('--load=')) load.push(flag.slice('--load='.length));
    else if (flag === '--test-api') testApi = true;
    else rest.push(flag);
  }
  return { load, testApi, rest };
}

interface Start {
  readonly options: ServerOptions;
  readonly folder: string;
  readonly load: readonly string[];
  readonly testApi: boolean;
}

interface TemporaryServer extends AsyncDisposable {
  readonly server: Omit<Server, 'answer'>;
  readonly token: string;
  /** The address of the test interface; undefined without one. */
  readonly testApi: string | undefined;
}

async function startLoaded({ options, folder, load, testApi }: Start): Promise<TemporaryServer> {
  const environment = { log: quietLog(options), ephemeral: true, kubeconfigFolder: folder };
  const started = testApi ? await startForTests(options, environment) : await startAlone(options, environment);
  try {
    await loadManifests(load, sender(started));
    return started;
  } catch (error) {
    await started[Symbol.asyncDispose]();
    throw error;
  }
}

type Environment = Pick<ServerEnvironment, 'log' | 'ephemeral' | 'kubeconfigFolder'>;

async function startAlone(options: ServerOptions, environment: Environment): Promise<TemporaryServer> {
  const { startServer } = await import('../server/server.ts');
  const token = crypto.randomUUID();
  const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
  const authenticateToken = (given: string) => (given === token ? administrator : undefined);
  const server = await startServer(options, { ...environment, tokens: [{ permanent: true, authenticateToken }] });
  return { server, token, testApi: undefined, [Symbol.asyncDispose]: () => server.close() };
}

async function startForTests(options: ServerOptions, environment: Environment): Promise<TemporaryServer> {
  const { startTestServer } = await import('../testing/test-server.ts');
  const { serveTestApi } = await import('../testing/test-api/test-api.ts');
  const server = await startTestServer({ ...options, listen: true }, environment);
  const api = await serveTestApi(server);
  const dispose = async () => {
    await api[Symbol.asyncDispose]();
    await server.close();
  };
  return { server, token: server.token, testApi: api.url, [Symbol.asyncDispose]: dispose };
}

/** The output belongs to the command: without -v the server only logs errors. */
function quietLog(options: ServerOptions): Log {
  const log = processLog(options, { clock: systemClock, levels: new LogLevels(options) });
  return options.verbosity > 0 ? log : { ...log, info: () => {} };
}

function sender({ server, token }: TemporaryServer): Send {
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
  { server, token, testApi }: TemporaryServer,
  command: CommandProcess,
): Promise<number> {
  const api = testApi === undefined ? {} : { KEELSON_TEST_API: testApi, KEELSON_TEST_TOKEN: token };
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, ...api };
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

async function holdServer({ server, token, testApi }: TemporaryServer, command: CommandProcess): Promise<number> {
  const { url, kubeconfig } = server;
  const ended = new Promise<void>((resolve) => {
    command.onStopSignal(resolve);
    process.stdin.once('close', resolve).once('end', resolve).resume();
  });
  command.out(`${JSON.stringify({ url, kubeconfig, token, testApi })}\n`);
  await ended;
  return 0;
}
