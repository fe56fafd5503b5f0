// A small kubelet for tests: serves logs, accepts exec over WebSocket and SPDY up to the protocol upgrade, and records
// requests. It listens on 127.0.0.1 and runs no containers.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { makeCertificates } from '../src/server/pki.ts';
import { realClock } from './listening.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

export interface Kubelet extends AsyncDisposable {
  readonly port: number;
  /** Ends its upgraded connections. */
  leaves(): void;
  /** The requests, in order. */
  readonly seen: SeenRequest[];
}

/** Starts one; every container's log is `log`. */
export async function startKubelet(log: string): Promise<Kubelet> {
  const { servingCertPem: cert, servingKeyPem: key } = await makeCertificates({
    clock: realClock,
    hosts: ['127.0.0.1'],
  });
  const seen: SeenRequest[] = [];
  const note = ({ method = '', url = '', headers }: IncomingMessage) => seen.push({ method, url, headers });
  const server = createServer({ cert, key }, (request, response) => {
    note(request);
    if (request.url?.startsWith('/containerLogs/') === true) {
      if (request.url.includes('/broken')) response.writeHead(500).end('the log is gone');
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(log);
      return;
    }
    request.pipe(response.writeHead(201, { 'content-type': 'text/echo', 'x-of': 'kubelet' }));
  });
  const joined = new Set<Duplex>();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    if (request.url?.includes('/refused') === true) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nno');
    } else if (request.headers.upgrade === 'websocket') {
      sockets.handleUpgrade(request, socket, head, (one) => one.on('message', (data) => one.send(data)));
    } else {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n');
      const isForward = request.url?.startsWith('/portForward/') === true;
      const version = isForward ? 'portforward.k8s.io' : 'v4.channel.k8s.io';
      socket.write(`X-Stream-Protocol-Version: ${version}\r\n\r\n`);
      joined.add(socket.on('error', () => {}));
      socket.pipe(socket);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    leaves: () => {
      for (const each of joined) each.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const each of sockets.clients) each.terminate();
      for (const each of joined) each.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
