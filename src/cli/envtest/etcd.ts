// The `etcd` program of an envtest environment. Keelson stores objects itself, so this program only reports that it is
// healthy while the suite needs an etcd, and stores an API server's state in its data folder until the next one starts.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { makeFolder } from '../../server/files.ts';
import type { CommandProcess } from '../command-process.ts';
import { endingWithParent } from './ending-with-parent.ts';
import { STATE_PATH } from './kept-state.ts';

const usage = `Usage:

  etcd [flags]
    Stand in for etcd in an envtest environment on Keelson, which keeps objects itself.

  --listen-client-urls 'http://localhost:2379'
    Addresses that answer GET /health, separated by commas.
  --data-dir 'default.etcd'
    Folder for the objects of an API server that was stopped.
`;

const HEALTHY = JSON.stringify({ health: 'true', reason: '' });

/** Runs until a signal; returns the exit status. Other flags of etcd have no effect. */
export async function envtestEtcd(argv: readonly string[], command: CommandProcess): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(usage);
    return 0;
  }
  const stopped = new Promise<void>((resolve) => endingWithParent(command).onStopSignal(resolve));
  let servers: Server[];
  try {
    const dataDir = lastValue(argv, 'data-dir') ?? 'default.etcd';
    servers = await Promise.all(listenAddresses(argv).map((url) => listen(url, dataDir)));
  } catch (error) {
    command.err(`etcd: ${(error as Error).message}\n`);
    return 1;
  }
  await stopped;
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  return 0;
}

/** @throws Error for anything but an http URL */
function listenAddresses(argv: readonly string[]): URL[] {
  return (lastValue(argv, 'listen-client-urls') ?? 'http://localhost:2379').split(',').map((text) => {
    const url = URL.parse(text);
    if (url?.protocol !== 'http:') throw new Error(`--listen-client-urls ${JSON.stringify(text)} is not an http URL`);
    return url;
  });
}

function lastValue(argv: readonly string[], name: string): string | undefined {
  const flag = new RegExp(`^--?${name}(?:=(.*))?$`, 's');
  const given = argv.flatMap((argument, at) => {
    const parts = flag.exec(argument);
    return parts === null ? [] : [parts[1] ?? argv[at + 1] ?? ''];
  });
  return given.at(-1);
}

function answer(request: IncomingMessage, response: ServerResponse, dataDir: string): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === STATE_PATH) {
    answerState(request, response, stateFile(dataDir, searchParams));
    return;
  }
  const healthy = request.method === 'GET' && pathname === '/health';
  response.writeHead(healthy ? 200 : 404, { 'content-type': 'application/json' });
  response.end(healthy ? HEALTHY : '{"error":"Keelson keeps the objects of this environment itself"}');
}

/** One file per prefix, as etcd has a range of keys for each. */
function stateFile(dataDir: string, parameters: URLSearchParams): string {
  return join(dataDir, `keelson-${encodeURIComponent(parameters.get('prefix') ?? '')}`);
}

function answerState(request: IncomingMessage, response: ServerResponse, file: string): void {
  if (request.method !== 'PUT') {
    const state = readState(file);
    response.writeHead(state === undefined ? 404 : 200).end(state);
    return;
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= limits.envtestStateBytes) pieces.push(piece);
  });
  request.on('end', () => response.writeHead(bytes > limits.envtestStateBytes ? 413 : writeState(file, pieces)).end());
}

function readState(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The response status. */
function writeState(file: string, pieces: readonly Buffer[]): number {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, Buffer.concat(pieces), { mode: 0o600 });
    return 204;
  } catch {
    return 507;
  }
}

function listen(url: URL, dataDir: string): Promise<Server> {
  const server = createServer((request, response) => answer(request, response, dataDir));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(url.port || 80), url.hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
  });
}
