// The server's TLS listener: accepts connections, speaks the HTTP version negotiated by ALPN on each, and passes every
// request to one handler as an HttpExchange. It does not interpret requests.
//
// Both versions are implemented here: HTTP/2 by the sessions of src/http2, HTTP/1.1 by the connections of src/http1.

import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '../../base/clock.ts';
import { HttpDate } from '../../base/http-date.ts';
import type { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { Http1Connection } from '../../http1/connection.ts';
import { responseBuffers } from '../../http1/response.ts';
import { FrameBuffers } from '../../http2/frame-buffers.ts';
import { ConnectionError } from '../../http2/protocol.ts';
import { ServerSession } from '../../http2/session.ts';
import type { HandshakeMetrics } from '../../lifecycle/handshake-metrics.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { Connection } from './connection.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { ListenerTls } from './named-certificates.ts';
import { authoritiesIn, type BoundAddress, SecureServer, type SecureServerLimits } from './secure-server.ts';
import type { HttpExchange } from './transport.ts';
import { UnsentBytes } from './unsent-bytes.ts';

type ListenerLimit =
  | 'streamsPerConnection'
  | 'headerBytes'
  | 'headerFields'
  | 'headTimeoutMs'
  | 'bodyTimeoutMs'
  | 'idleConnectionMs'
  | 'lingerMs'
  | 'aheadBytes'
  | 'unsentBytes'
  | 'drainStallMs'
  | 'connectionUnsentBytes'
  | 'streamWindowBytes'
  | 'connectionWindowBytes'
  | 'connectionBacklogBytes'
  | 'idleFramesBurst'
  | 'idleFramesPerSecond'
  | 'streamResetsBurst'
  | 'streamResetsPerSecond';

export type ListenerLimits = SecureServerLimits & { readonly [name in ListenerLimit & keyof typeof limits]: number };

interface ListenerOptions {
  readonly tls: ListenerTls;
  /** Called once for each request; it responds asynchronously and must not throw. */
  readonly handler: (exchange: HttpExchange) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: ListenerLimits;
  readonly metrics: HandshakeMetrics;
  /** Whether only HTTP/1.1 is supported. */
  readonly http1Only?: boolean;
  /** Whether other processes may listen on the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
}

export interface Listener {
  /** Resolves once connections are accepted; rejects if the address is unavailable. Port 0 selects a free one. */
  listen(address: string, port: number): Promise<BoundAddress>;
  /**
   * Replaces the certificates for new connections. If the authorities change, clients that presented a certificate are
   * asked to reconnect. Whether certificates are requested at all cannot change.
   */
  setTls(tls: ListenerTls): void;
  /**
   * Stops accepting connections, asks every client to reconnect elsewhere (GOAWAY, `Connection: close`) and resolves
   * when the open exchanges have ended, or after `graceMs`, when the rest is closed. Watches end only when their server
   * ends them.
   */
  drain(graceMs: number): Promise<void>;
  /** Response bytes that clients have not read. */
  readonly unsentBytes: number;
  /** Closes everything immediately. */
  close(): Promise<void>;
}

export function createListener(options: ListenerOptions): Listener {
  return new TlsListener(options);
}

function clientAuthorities({ ca, proxyCa }: ListenerTls): ClientAuthorities {
  return new ClientAuthorities({ clients: ca, proxies: proxyCa });
}

class TlsListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #asksForCertificates: boolean;
  #authorities: string;
  #clientAuthorities: ClientAuthorities;
  readonly #server: SecureServer;
  readonly #unsent: UnsentBytes;
  /** Shared by the connections. */
  readonly #date: () => string;
  readonly #responseBuffers = responseBuffers();
  readonly #frameBuffers = new FrameBuffers();
  readonly #connections = new Map<Duplex, Connection>();
  readonly #sessions = new Map<Connection, ServerSession>();
  #sweep: Timer | undefined;
  #drainSweep: Timer | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#unsent = new UnsentBytes(options.limits.unsentBytes);
    const date = new HttpDate(() => options.clock.now());
    this.#date = () => date.text();
    this.#asksForCertificates = options.tls.ca !== undefined;
    this.#authorities = authoritiesIn(options.tls);
    this.#clientAuthorities = clientAuthorities(options.tls);
    const { tls, log, clock, limits, metrics, http1Only = false, sharesPort = false } = options;
    this.#server = new SecureServer({
      ...{ tls, log, clock, limits, metrics, http1Only, sharesPort },
      accept: (socket) => this.#guard(socket, () => this.#accept(socket)),
    });
  }

  get unsentBytes(): number {
    return this.#unsent.bytes;
  }

  async listen(address: string, port: number): Promise<BoundAddress> {
    const bound = await this.#server.listen(address, port);
    this.#sweepIdle();
    return bound;
  }

  setTls(tls: ListenerTls): void {
    if ((tls.ca !== undefined) !== this.#asksForCertificates) {
      throw new Error('a listener cannot begin or cease to ask clients for certificates while it runs');
    }
    this.#server.setTls(tls);
    const before = this.#authorities;
    this.#authorities = authoritiesIn(tls);
    this.#clientAuthorities = clientAuthorities(tls);
    if (before === this.#authorities) return;
    // Certificates are verified when a connection begins, so clients that presented one are asked to reconnect.
    for (const connection of this.#connections.values()) if (connection.hasCertificate) connection.retire();
  }

  async drain(graceMs: number): Promise<void> {
    this.#stopAccepting();
    for (const connection of this.#connections.values()) connection.retire();
    this.#cutStalled(new Map());
    if (this.#server.openSockets > 0) {
      let timer: Timer | undefined;
      const graceOver = new Promise<void>((resolve) => {
        timer = this.#options.clock.after(graceMs, resolve);
      });
      await Promise.race([this.#server.whenEmpty(), graceOver]);
      timer?.cancel();
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#stopAccepting();
    for (const session of this.#sessions.values()) session.destroy();
    this.#server.destroySockets();
    await this.#server.whenEmpty();
  }

  /**
   * Closes connections whose clients do not read their responses: draining waits for work, not for them.
   * @param before bytes written to each at the previous call
   */
  #cutStalled(before: ReadonlyMap<Connection, number>): void {
    const { clock, limits } = this.#options;
    const written = new Map<Connection, number>();
    for (const connection of this.#connections.values()) {
      const { socket, unsent, openExchanges } = connection;
      // With no open request, only the client's own close is missing.
      if (openExchanges > 0 && unsent.bytes === 0 && socket.writableLength === 0) continue;
      if (before.get(connection) === socket.bytesWritten) socket.destroy();
      else written.set(connection, socket.bytesWritten);
    }
    this.#drainSweep = clock.after(limits.drainStallMs, () => this.#cutStalled(written));
  }

  #stopAccepting(): void {
    this.#sweep?.cancel();
    this.#drainSweep?.cancel();
    this.#server.stop();
  }

  #accept(socket: TLSSocket): void {
    // Connection resets are ordinary; 'close' follows, and everything concerned listens for it.
    socket.on('error', () => {});
    const { clock, limits } = this.#options;
    const unsent = new UnsentBytes(limits.connectionUnsentBytes, this.#unsent);
    const connection = new Connection({
      ...{ socket, clock, date: this.#date, unsent, authorities: this.#clientAuthorities },
      retire: (each) => this.#retire(each),
    });
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    if (socket.alpnProtocol === 'h2') this.#acceptHttp2(connection);
    else this.#acceptHttp1(connection);
  }

  #acceptHttp2(connection: Connection): void {
    const { limits, log, clock } = this.#options;
    const closed = () => connection.exchangeClosed();
    const session = new ServerSession({
      socket: connection.socket,
      limits: {
        streams: limits.streamsPerConnection,
        headerBytes: limits.headerBytes,
        // Includes the pseudo headers.
        headerFields: limits.headerFields + 4,
        streamWindowBytes: limits.streamWindowBytes,
        connectionWindowBytes: limits.connectionWindowBytes,
        backlogBytes: limits.connectionBacklogBytes,
        resetsBurst: limits.streamResetsBurst,
        resetsPerSecond: limits.streamResetsPerSecond,
        idleFramesBurst: limits.idleFramesBurst,
        idleFramesPerSecond: limits.idleFramesPerSecond,
      },
      now: () => clock.now(),
      lastingHeaders: LASTING_HEADERS,
      frameBuffers: this.#frameBuffers,
      onUnsent: (stream) => connection.unsent.report(stream, stream.writableLength),
      onFailure: (error) => {
        if (error instanceof ConnectionError)
          log.debug({ file: 'listener', level: 4 }, 'HTTP/2 connection failed', { error: error.message });
        else log.error('HTTP/2 connection failed', { error });
      },
      onStream: (stream) => {
        connection.exchangeOpened();
        stream.on('close', closed);
        const exchange = new Http2Exchange(stream, connection, limits.bodyTimeoutMs);
        // Asks about the server as a whole, and is answered by Go's server itself.
        if (exchange.method === 'OPTIONS' && exchange.target === '*')
          exchange.respond(200, { 'content-length': 0 }, '');
        else this.#handle(exchange);
      },
    });
    this.#sessions.set(connection, session);
    connection.socket.once('close', () => this.#sessions.delete(connection));
  }

  #acceptHttp1(connection: Connection): void {
    const { limits, clock } = this.#options;
    new Http1Connection({
      socket: connection.socket,
      limits,
      clock,
      date: this.#date,
      spares: this.#responseBuffers,
      isRetiring: () => connection.retiring,
      guard: (work) => this.#guard(connection.socket, work),
      onRequest: (request) => {
        connection.exchangeOpened();
        request.response.on('close', () => connection.exchangeClosed());
        this.#handle(new Http1Exchange(request, connection, limits.bodyTimeoutMs));
      },
    });
  }

  /** Wraps handlers of socket events: an exception closes the connection, never the process. */
  #guard(socket: Duplex, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error('a connection failed', { error });
      socket.destroy();
    }
  }

  #handle(exchange: Http1Exchange | Http2Exchange): void {
    try {
      this.#options.handler(exchange);
    } catch (error) {
      this.#options.log.error('the request handler failed', { error });
      exchange.destroy();
    }
  }

  #retire(connection: Connection): void {
    const session = this.#sessions.get(connection);
    if (session !== undefined) session.close();
    else if (connection.openExchanges === 0) connection.socket.destroySoon();
  }

  #sweepIdle(): void {
    const { clock, limits } = this.#options;
    const idleBefore = clock.now() - limits.idleConnectionMs;
    for (const connection of this.#connections.values()) {
      if (connection.openExchanges > 0 || connection.idleSinceMs > idleBefore) continue;
      // Closes connections that were asked to end and whose clients do not read the rest.
      if (connection.retiring) connection.socket.destroy();
      else connection.retire();
    }
    this.#sweep = clock.after(Math.ceil(limits.idleConnectionMs / 4), () => this.#sweepIdle());
  }
}

/** Headers with the same values in most responses. */
const LASTING_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'content-encoding',
  'content-type',
  'date',
  'vary',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);
