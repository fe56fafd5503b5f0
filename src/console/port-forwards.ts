// Ports of this machine that lead to ports of pods, as `kubectl port-forward` opens them: each connection to one becomes a
// pair of streams to the pod, through the API server and the kubelet. They are open until they are stopped, or the console
// ends or changes its context.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { PortForward } from '../api/console-answers.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { drained } from '../spdy/drained.ts';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import type { Cluster } from './cluster.ts';

interface Asked {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** 0 for any free one. */
  readonly localPort: number;
}

interface Open {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  readonly asked: Asked;
  fault: string;
}

const HEADERS = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };

export class PortForwards {
  readonly #cluster: () => Cluster;
  readonly #open = new Map<number, Open>();
  readonly #clock: Clock;
  #nextId = 1;

  /** @param cluster the one that the console shows now */
  constructor(cluster: () => Cluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  list(): PortForward[] {
    return [...this.#open].map(([id, { server, asked, fault }]) => ({
      ...{ id, namespace: asked.namespace, pod: asked.pod, port: asked.port, fault },
      localPort: (server.address() as AddressInfo).port,
    }));
  }

  /** Opens a port. @throws Error for a port that cannot be opened, and system errors */
  async start(asked: Asked): Promise<PortForward> {
    if (this.#open.size >= limits.consoleForwards) throw new Error('too many ports are forwarded: stop one first');
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true });
    const open: Open = { server, sockets, asked, fault: '' };
    server.on('connection', (socket) => {
      if (sockets.size >= limits.consoleConnections) return void socket.destroy();
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
      void this.#connect(open, socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(asked.localPort, '127.0.0.1', resolve);
    });
    const id = this.#nextId++;
    this.#open.set(id, open);
    return this.list().find((each) => each.id === id)!;
  }

  /** Closes a port and its connections; returns whether it was open. */
  stop(id: number): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    open.server.close();
    for (const socket of open.sockets) socket.destroy();
    return true;
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.stop(id);
  }

  /** Never rejects: a connection that cannot be forwarded is closed, and the reason is kept. */
  async #connect(open: Open, socket: Socket): Promise<void> {
    try {
      await this.#forward(open.asked, socket);
      open.fault = '';
    } catch (error) {
      open.fault = (error as Error).message;
      socket.destroy();
    }
  }

  /** Resolves when a connection has ended. @throws Error in the words of the API server or the kubelet */
  async #forward({ namespace, pod, port }: Asked, socket: Socket): Promise<void> {
    const aborted = new AbortController();
    socket.on('close', () => aborted.abort());
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward`;
    const { answer, connection } = await this.#cluster().upgrade(path, HEADERS, aborted.signal);
    if (connection === undefined) throw new Error(await messageOf(answer));
    const spdy = new SpdyConnection({ input: connection, output: connection, clock: this.#clock });
    const reading = spdy.read();
    try {
      const headers = { port: String(port), requestid: '0' };
      let fault = '';
      const noted = (piece: Buffer): void => {
        if (fault.length < limits.consoleFaultCharacters) fault += piece.toString();
      };
      const errors = await spdy.open({ ...headers, streamtype: 'error' }, noted, () => {});
      errors.end();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const data = await spdy.open({ ...headers, streamtype: 'data' }, (piece) => written(socket, piece), resolve);
      socket.on('end', () => data.end());
      socket.on('data', (piece: Buffer) => {
        if (data.write(piece)) return;
        socket.pause();
        void spdy.drained().then(() => socket.resume());
      });
      await Promise.race([ended, reading]);
      socket.end();
      if (fault !== '') throw new Error(fault);
    } finally {
      spdy.close();
    }
  }
}

/** Resolves when there is room for more. */
async function written(socket: Socket, piece: Buffer): Promise<void> {
  if (!socket.destroyed && !socket.write(piece)) await drained(socket);
}

/** The message of a Status, or the text as it is. */
async function messageOf(
  answer: AsyncIterable<Buffer | string> & { readonly statusCode?: number | undefined },
): Promise<string> {
  let text = '';
  for await (const piece of answer) if (text.length < limits.consoleFaultCharacters) text += String(piece);
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return text || `the server answered ${answer.statusCode}`;
  }
}
