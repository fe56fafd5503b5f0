// The program `etcd` of an envtest environment. Keelson keeps objects itself, so this one only says that it is healthy
// for as long as the suite wants an etcd.

import { createServer, type Server } from 'node:http';
import type { CommandProcess } from '../serve.ts';

const usage = `Usage:

  etcd [flags]
    Stand in for etcd in an envtest environment on Keelson, which keeps objects itself.

  --listen-client-urls 'http://localhost:2379'
    Addresses that answer GET /health, separated by commas.
`;

const HEALTHY = JSON.stringify({ health: 'true', reason: '' });

/** Runs until a signal; the exit status. Flags of etcd other than where it listens have nothing to say here. */
export async function envtestEtcd(argv: readonly string[], command: CommandProcess): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(usage);
    return 0;
  }
  const stopped = new Promise<void>((resolve) => command.onStopSignal(resolve));
  let servers: Server[];
  try {
    servers = await Promise.all(listenAddresses(argv).map(listen));
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

/** @throws Error for what is not an http URL */
function listenAddresses(argv: readonly string[]): URL[] {
  const flag = /^--?listen-client-urls(?:=(.*))?$/s;
  const given = argv.flatMap((argument, at) => {
    const parts = flag.exec(argument);
    return parts === null ? [] : [parts[1] ?? argv[at + 1] ?? ''];
  });
  return (given.at(-1) ?? 'http://localhost:2379').split(',').map((text) => {
    const url = URL.parse(text);
    if (url?.protocol !== 'http:') throw new Error(`--listen-client-urls ${JSON.stringify(text)} is not an http URL`);
    return url;
  });
}

function listen(url: URL): Promise<Server> {
  const server = createServer((request, response) => {
    const healthy = request.method === 'GET' && request.url?.split('?')[0] === '/health';
    response.writeHead(healthy ? 200 : 404, { 'content-type': 'application/json' });
    response.end(healthy ? HEALTHY : '{"error":"Keelson keeps the objects of this environment itself"}');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(url.port || 80), url.hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
  });
}
