// Listeners on free ports of 127.0.0.1 for tests, and clients for them: complete requests over HTTP/2 and HTTP/1.1, and
// raw TLS sockets for malformed input.

import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { Clock } from '../src/base/clock.ts';
import { limits } from '../src/base/limits.ts';
import { type Log, silentLog } from '../src/base/log.ts';
import { createListener, type Listener, type ListenerLimits } from '../src/http/exchange/listener.ts';
import type { HttpExchange } from '../src/http/exchange/transport.ts';
import { declareHandshakeMetrics } from '../src/lifecycle/handshake-metrics.ts';
import { MetricRegistry } from '../src/lifecycle/metrics.ts';
import { type FreshCertificates, makeCertificates, servingHosts } from '../src/server/pki.ts';

export const realClock: Clock = {
  now: Date.now,
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

export const certificates: FreshCertificates = makeCertificates({
  clock: realClock,
  hosts: servingHosts('127.0.0.1', '10.0.0.1'),
});

/** Certificates with their own CA. */
export function strangers(hosts: readonly string[]): FreshCertificates {
  return makeCertificates({ clock: realClock, hosts });
}

export interface ListeningOptions {
  readonly handler: (exchange: HttpExchange) => void;
  readonly limits?: Partial<ListenerLimits>;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly clientCa?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: string;
}

export class Listening implements AsyncDisposable {
  readonly listener: Listener;
  readonly port: number;
  readonly #metrics: MetricRegistry;
  readonly #sockets: TLSSocket[] = [];
  readonly #sessions: ClientHttp2Session[] = [];

  constructor(listener: Listener, { port, metrics }: { port: number; metrics: MetricRegistry }) {
    this.listener = listener;
    this.port = port;
    this.#metrics = metrics;
  }

  static async start(options: ListeningOptions): Promise<Listening> {
    const { caCertPem, servingCertPem, servingKeyPem } = certificates;
    const metrics = new MetricRegistry();
    const listener = createListener({
      tls: {
        cert: servingCertPem,
        key: servingKeyPem,
        ...(options.clientCa === false ? {} : { ca: caCertPem }),
      },
      handler: options.handler,
      log: options.log ?? silentLog,
      clock: options.clock ?? realClock,
      limits: { ...limits, ...options.limits },
      metrics: declareHandshakeMetrics(metrics),
    });
    const { port } = await listener.listen('127.0.0.1', 0);
    return new Listening(listener, { port, metrics });
  }

  /** The value of a metric: `keelson_tls_handshakes_ended_total{result="closed"}`. */
  metric(name: string): number {
    const line = this.#metrics
      .text()
      .split('\n')
      .find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? 0);
  }

  /** A TLS connection for HTTP/1.1 unless `options` say otherwise. */
  async tls(options: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connectTls({
      host: '127.0.0.1',
      port: this.port,
      ca: certificates.caCertPem,
      ALPNProtocols: ['http/1.1'],
      ...options,
    });
    this.#sockets.push(socket);
    await once(socket, 'secureConnect');
    socket.on('error', () => {});
    return socket;
  }

  async http2(options: ConnectionOptions = {}): Promise<ClientHttp2Session> {
    const socket = await this.tls({ ...options, ALPNProtocols: ['h2'] });
    const session = connectHttp2(`https://127.0.0.1:${this.port}`, { createConnection: () => socket });
    session.on('error', () => {});
    this.#sessions.push(session);
    await once(session, 'remoteSettings');
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await this.listener.close();
  }
}

/** Sends one HTTP/2 request and returns the whole response. */
export async function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: Buffer | string,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [head] = (await once(stream, 'response')) as [Record<string, string | undefined>];
  let text = '';
  for await (const chunk of stream) text += chunk;
  return { status: Number(head[':status']), headers: head, body: text };
}

/** Reads a socket to its end. */
export async function readAll(socket: TLSSocket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Reads a socket up to and including `end`. */
export async function readUntil(socket: TLSSocket, end: string | RegExp): Promise<string> {
  let text = '';
  while (!(typeof end === 'string' ? text.includes(end) : end.test(text))) {
    const chunk = socket.read();
    if (chunk !== null) text += chunk;
    else if (socket.readableEnded || socket.destroyed)
      throw new Error(`the connection ended after ${JSON.stringify(text)}`);
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
  return text;
}
