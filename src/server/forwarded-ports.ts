// Forwarding of ports of simulated pods over SPDY: for each connection the client opens a stream for data and one for
// an error. What is sent in the first is HTTP.

import { createServer, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import type { KubeletAnswer } from '../cluster/nodes/simulation.ts';
import { SpdyServer } from '../spdy/spdy-server.ts';

/** What answers at a port; undefined if it is closed. */
export type OpenPorts = NonNullable<KubeletAnswer['ports']>;
type OpenPort = NonNullable<ReturnType<OpenPorts>>;

/** Forwards ports until the client leaves. Never rejects. */
export async function forwardPorts(socket: Duplex, ports: OpenPorts): Promise<void> {
  const connections = new Map<number, ForwardedConnection>();
  const httpServers = new Map<number, Server>();
  /** The error streams of connections, by the client's number of the connection. */
  const errorStreams = new Map<string, number>();
  const spdy = new SpdyServer(socket, {
    opened(type, id, headers) {
      const request = headers.get('requestid') ?? '';
      if (type === 'error' && errorStreams.size < limits.forwardedConnections) errorStreams.set(request, id);
      if (type !== 'data') return;
      const port = Number(headers.get('port'));
      const errorStream = errorStreams.get(request) ?? 0;
      errorStreams.delete(request);
      const open = connections.size < limits.forwardedConnections ? ports(port) : undefined;
      if (open === undefined) {
        void refuse(spdy, { data: id, error: errorStream }, port);
        return;
      }
      const httpServer = httpServers.get(port) ?? answering(open);
      httpServers.set(port, httpServer);
      const ended = () => {
        connections.delete(id);
        spdy.end(errorStream);
      };
      const connection = new ForwardedConnection(spdy, id, ended);
      connections.set(id, connection);
      httpServer.emit('connection', connection);
    },
    received: (id, data, isLast) => connections.get(id)?.received(data, isLast),
    closed() {
      for (const connection of connections.values()) connection.destroy();
      for (const httpServer of httpServers.values()) httpServer.close();
    },
  });
  await spdy.read();
}

async function refuse(
  spdy: SpdyServer,
  { data, error }: { readonly data: number; readonly error: number },
  port: number,
): Promise<void> {
  await spdy.send(
    error,
    `error forwarding port ${port} to pod: dial tcp4 127.0.0.1:${port}: connect: connection refused`,
  );
  spdy.end(error);
  spdy.end(data);
}

/** A server of HTTP that listens nowhere: connections are handed to it. */
function answering(open: OpenPort): Server {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, async (request, response) => {
    const { method = '', url = '' } = request;
    request.resume();
    const { status, contentType, body } = open({ method, target: url });
    response.writeHead(status, { 'content-type': contentType });
    for await (const piece of typeof body === 'string' ? [body] : body) response.write(piece);
    response.end();
  });
  return server;
}

/** A connection in a stream of SPDY. */
class ForwardedConnection extends Duplex {
  readonly #spdy: SpdyServer;
  readonly #id: number;
  readonly #ended: () => void;
  /** Resolves when more can be taken. */
  #wanted: (() => void) | undefined;

  constructor(spdy: SpdyServer, id: number, ended: () => void) {
    super();
    this.#spdy = spdy;
    this.#id = id;
    this.#ended = ended;
  }

  /** Takes data of the client; resolves when there is room for more. */
  received(data: Buffer, isLast: boolean): Soon<void> {
    if (this.destroyed) return;
    const hasRoom = data.length === 0 || this.push(data);
    if (isLast) this.push(null);
    if (hasRoom || isLast) return;
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  override _read(): void {
    this.#wanted?.();
    this.#wanted = undefined;
  }

  override _write(data: Buffer, _encoding: string, done: () => void): void {
    void this.#spdy.send(this.#id, data).then(done);
  }

  override _final(done: () => void): void {
    this.#spdy.end(this.#id);
    done();
    // A server that has said its last is not interested in what the client may still say.
    this.destroy();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#wanted?.();
    this.#ended();
    done();
  }
}
