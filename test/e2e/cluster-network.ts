// The network of a cluster without machines: a proxy through which the API server reaches pods, and the egress
// configuration for it. It only connects to the programs that hollow nodes run.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** Writes the configuration for the API server's flag; the socket that it names is in the same folder. */
export function writeEgressConfiguration(folder: string): string {
  const path = join(folder, 'egress.json');
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: socketIn(folder) } } };
  const selection = { name: 'cluster', connection };
  const configuration = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  writeFileSync(path, JSON.stringify({ ...configuration, egressSelections: [selection] }));
  return path;
}

/** Serves the proxy. `portOf` returns the local port for a pod's address and port. */
export async function serveNetwork(
  folder: string,
  portOf: (address: string) => number | undefined,
): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const proxy = createServer().on('connect', (request, client: Socket, head) => {
    const port = portOf(request.url ?? '');
    if (port === undefined) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void proxy.listen(socketIn(folder), resolve));
  const end = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  };
  return { [Symbol.asyncDispose]: end };
}

function socketIn(folder: string): string {
  return join(folder, 'pods.sock');
}
