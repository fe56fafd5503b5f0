// The server's TLS listener: accepts connections, speaks the HTTP version negotiated by ALPN on each, and passes every
// request to one handler as an HttpExchange. It does not interpret requests.
//
// Both versions are implemented here: HTTP/2 by the sessions of src/http2, HTTP/1.1 by the connections of src/http1.

import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import type { Clock, Timer } from '../../base/clock.ts';
import { HttpDate } from '../../base/http-date.ts';
import type { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { Http1Connection } from '../../http1/connection.ts';
import { responseBuffers } from '../../http1/response.ts';
import { FrameBuffers } from '../../http2/frame-buffers.ts';
import { ConnectionError } from '../../http2/protocol.ts';
import { ServerSession } from '../../http2/session.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { Connection } from './connection.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { contextFor, type ListenerTls, namedContexts } from './named-certificates.ts';
import type { HttpExchange } from './transport.ts';
import { UnsentBytes } from './unsent-bytes.ts';

type ListenerLimit =
  | 'streamsPerConnection'
  | 'headerBytes'
  | 'headerFields'
  | 'headTimeoutMs'
  | 'bodyTimeoutMs'
  | 'tlsHandshakeTimeoutMs'
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

export type ListenerLimits = { readonly [name in ListenerLimit & keyof typeof limits]: number };

interface ListenerOptions {
  readonly tls: ListenerTls;
  /** Called once for each request; it responds asynchronously and must not throw. */
  readonly handler: (exchange: HttpExchange) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: ListenerLimits;
  /** Whether only HTTP/1.1 is supported. */
  readonly http1Only?: boolean;
  /** Whether other processes may listen on the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
}

interface BoundAddress {
  readonly address: string;
  readonly port: number;
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

function authoritiesIn({ ca = '', proxyCa }: ListenerTls): string {
  return proxyCa === undefined ? ca : `${ca}\n${proxyCa}`;
}

function clientAuthorities({ ca, proxyCa }: ListenerTls): ClientAuthorities {
  return new ClientAuthorities({ clients: ca, proxies: proxyCa });
}

/** Idle time after which TCP keep-alive detects dead clients. */
const TCP_PROBE_AFTER_MS = 15_000;

class TlsListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #asksForCertificates: boolean;
  #authorities: string;
  #clientAuthorities: ClientAuthorities;
  #named: ReadonlyMap<string, SecureContext>;
  readonly #tlsServer: TlsServer;
  readonly #unsent: UnsentBytes;
  /** Shared by the connections. */
  readonly #date: () => string;
  readonly #responseBuffers = responseBuffers();
  readonly #frameBuffers = new FrameBuffers();
  readonly #connections = new Map<Duplex, Connection>();
  readonly #sessions = new Map<Connection, ServerSession>();
  /** All open sockets, including those during a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  #sweep: Timer | undefined;
  #drainSweep: Timer | undefined;
  #whenEmpty: (() => void) | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#unsent = new UnsentBytes(options.limits.unsentBytes);
    const date = new HttpDate(() => options.clock.now());
    this.#date = () => date.text();
    this.#asksForCertificates = options.tls.ca !== undefined;
    this.#authorities = authoritiesIn(options.tls);
    this.#clientAuthorities = clientAuthorities(options.tls);
    this.#named = namedContexts(options.tls);
    this.#tlsServer = this.#createTls();
  }

  get unsentBytes(): number {
    return this.#unsent.bytes;
  }

  listen(address: string, port: number): Promise<BoundAddress> {
    return new Promise((resolve, reject) => {
      this.#tlsServer.once('error', reject);
      this.#tlsServer.listen({ port, host: address, reusePort: this.#options.sharesPort ?? false }, () => {
        this.#tlsServer.off('error', reject);
        this.#tlsServer.on('error', (error) => this.#options.log.error('the listener failed', { error }));
        this.#sweepIdle();
        const bound = this.#tlsServer.address() as AddressInfo;
        resolve({ address: bound.address, port: bound.port });
      });
    });
  }

  setTls(tls: ListenerTls): void {
    if ((tls.ca !== undefined) !== this.#asksForCertificates) {
      throw new Error('a listener cannot begin or cease to ask clients for certificates while it runs');
    }
    const named = namedContexts(tls);
    this.#tlsServer.setSecureContext({ minVersion: 'TLSv1.2', ...tls, ca: authoritiesIn(tls) });
    this.#named = named;
    const before = this.#authorities;
    this.#authorities = authoritiesIn(tls);
    this.#clientAuthorities = clientAuthorities(tls);
    if (before === this.#authorities) return;
    // Certificates are verified when a connection begins, so clients that presented one are asked to reconnect.
    for (const connection of this.#connections.values()) if (connection.hasCertificate) connection.retire();
  }

  async drain(graceMs: number): Promise<void> {
    this.#stopAccepting();
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    for (const connection of this.#connections.values()) connection.retire();
    this.#cutStalled(new Map());
    if (this.#sockets.size > 0) {
      let timer: Timer | undefined;
      const graceOver = new Promise<void>((resolve) => {
        timer = this.#options.clock.after(graceMs, resolve);
      });
      await Promise.race([empty, graceOver]);
      timer?.cancel();
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#stopAccepting();
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    for (const session of this.#sessions.values()) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#sockets.size > 0) await empty;
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
    this.#tlsServer.close();
  }

  #createTls(): TlsServer {
    const { tls, limits, log } = this.#options;
    const server = createTlsServer({
      minVersion: 'TLSv1.2',
      ...tls,
      ...(tls.ca === undefined ? {} : { ca: authoritiesIn(tls) }),
      ALPNProtocols: this.#options.http1Only === true ? ['http/1.1'] : ['h2', 'http/1.1'],
      // Without a context for the requested name, the default certificate is used.
      SNICallback: (name, done) => done(null, contextFor(this.#named, name)),
      // The handler chain rejects unknown certificates, because the same client may have a token.
      requestCert: this.#asksForCertificates,
      rejectUnauthorized: false,
      handshakeTimeout: limits.tlsHandshakeTimeoutMs,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
    });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#whenEmpty?.();
      });
    });
    server.on('secureConnection', (socket) => this.#guard(socket, () => this.#accept(socket)));
    server.on('tlsClientError', (error, socket) => {
      log.debug({ file: 'listener', level: 4 }, 'TLS handshake failed', {
        error: error.message,
        remoteAddress: socket.remoteAddress,
      });
      if ((error as NodeJS.ErrnoException).code === PLAIN_HTTP) this.#answerPlain(socket);
      else socket.destroy();
    });
    return server;
  }

  /** A client that speaks HTTP without TLS is told so, without TLS. */
  #answerPlain({ remoteAddress, remotePort }: TLSSocket): void {
    for (const socket of this.#sockets) {
      if (socket.remotePort !== remotePort || socket.remoteAddress !== remoteAddress) continue;
      socket.on('error', () => {}).end(PLAIN_ANSWER, () => socket.destroy());
    }
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

/** OpenSSL's code for a request where a TLS handshake is expected. */
const PLAIN_HTTP = 'ERR_SSL_HTTP_REQUEST';
/** The words of Go's server. */
const PLAIN_ANSWER = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

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
