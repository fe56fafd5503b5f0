// The accepting half of the listener: TCP connections, their TLS handshakes, certificates by name, and the sockets that
// are open. It knows nothing of HTTP, except the answer to a client that speaks it without TLS.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import type { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { HandshakeMetrics } from '../../lifecycle/handshake-metrics.ts';
import { type HandshakeLimits, type HandshakeResult, Handshakes } from './handshakes.ts';
import { foundByName, type ListenerTls, madeByName, type NamedCertificate, withIssuer } from './named-certificates.ts';

export type SecureServerLimits = HandshakeLimits & { readonly [name in 'acceptBacklog' & keyof typeof limits]: number };

interface SecureServerOptions {
  readonly tls: ListenerTls;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: SecureServerLimits;
  readonly metrics: HandshakeMetrics;
  readonly http1Only: boolean;
  /** Whether other processes may listen on the same port (SO_REUSEPORT). */
  readonly sharesPort: boolean;
  /** Called for each connection whose handshake succeeded; it must not throw. */
  readonly accept: (socket: TLSSocket) => void;
}

/** One for each certificate. They do not listen: they are given connections whose handshake is to begin. */
interface TlsServers {
  readonly named: ReadonlyMap<string, TlsServer>;
  /** For clients that ask for no name, or for another. */
  readonly common: TlsServer;
}

export interface BoundAddress {
  readonly address: string;
  readonly port: number;
}

/** Idle time after which TCP keep-alive detects dead clients. */
const TCP_PROBE_AFTER_MS = 15_000;

export class SecureServer {
  readonly #options: SecureServerOptions;
  readonly #tcp: Server;
  #tls: TlsServers;
  readonly #handshakes: Handshakes;
  /** All open sockets, including those before and during a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  /** Those during one, by their endpoints, which their TLS sockets have, too. */
  readonly #inHandshake = new Map<string, Socket>();
  #whenEmpty: (() => void) | undefined;

  constructor(options: SecureServerOptions) {
    this.#options = options;
    const { clock, limits, metrics } = options;
    this.#tls = this.#createTls(options.tls);
    this.#handshakes = new Handshakes({
      ...{ clock, limits, metrics },
      nextRound: setImmediate,
      begin: (socket, serverName) => this.#begin(socket, serverName),
      closing: (socket, reason) => this.#logFailure(reason, socket),
    });
    const keepAlive = { keepAlive: true, keepAliveInitialDelay: TCP_PROBE_AFTER_MS };
    this.#tcp = createServer({ noDelay: true, ...keepAlive }, (socket) => this.#connected(socket));
  }

  /** How many sockets are open. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Resolves once connections are accepted; rejects if the address is unavailable. Port 0 selects a free one. */
  listen(address: string, port: number): Promise<BoundAddress> {
    const { limits, sharesPort, log } = this.#options;
    const tcp = this.#tcp;
    return new Promise((resolve, reject) => {
      tcp.once('error', reject);
      tcp.listen({ port, host: address, backlog: limits.acceptBacklog, reusePort: sharesPort }, () => {
        tcp.off('error', reject);
        tcp.on('error', (error) => log.error('the listener failed', { error }));
        const bound = tcp.address() as AddressInfo;
        resolve({ address: bound.address, port: bound.port });
      });
    });
  }

  /**
   * Replaces the certificates for new connections. TLS sessions of before are not resumed: their clients' certificates
   * were verified with other authorities.
   */
  setTls(tls: ListenerTls): void {
    this.#tls = this.#createTls(tls);
  }

  /** Accepts no further connection, and closes those whose handshake has not begun. */
  stop(): void {
    this.#tcp.close();
    this.#handshakes.close();
  }

  /** Resolves when no socket is open. */
  whenEmpty(): Promise<void> {
    if (this.#sockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const others = this.#whenEmpty;
      this.#whenEmpty = () => {
        others?.();
        resolve();
      };
    });
  }

  /** Closes every socket. */
  destroySockets(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** @throws Error for an unusable certificate or key */
  #createTls({ named = [], ...tls }: ListenerTls): TlsServers {
    const common = this.#createTlsFor(tls);
    return { common, named: madeByName(named, (certificate) => this.#createTlsFor(tls, certificate)) };
  }

  #createTlsFor(tls: ListenerTls, { cert, key }: Pick<NamedCertificate, 'cert' | 'key'> = tls): TlsServer {
    const { limits, http1Only, accept } = this.#options;
    const ca = tls.ca === undefined ? undefined : authoritiesIn(tls);
    const server = createTlsServer({
      minVersion: 'TLSv1.2',
      ...tls,
      ...{ cert: ca === undefined ? cert : withIssuer(cert, ca), key, ca },
      ALPNProtocols: http1Only ? ['http/1.1'] : ['h2', 'http/1.1'],
      // The handler chain rejects unknown certificates, because the same client may have a token.
      requestCert: tls.ca !== undefined,
      rejectUnauthorized: false,
      handshakeTimeout: limits.tlsHandshakeTimeoutMs + limits.heldConnectionMs,
    });
    server.on('secureConnection', (socket) => {
      this.#ended(socket, 'succeeded');
      accept(socket);
    });
    server.on('tlsClientError', (error, socket) => this.#failed(error, socket));
    return server;
  }

  #connected(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#whenEmpty?.();
    });
    this.#handshakes.add(socket);
  }

  /** The certificate is chosen here, because Node crashes if a client goes while its SNICallback is pending. */
  #begin(socket: Socket, serverName: string | undefined): void {
    const endpoints = endpointsOf(socket);
    this.#inHandshake.set(endpoints, socket);
    socket.once('close', () => this.#inHandshake.delete(endpoints));
    const { named, common } = this.#tls;
    (foundByName(named, serverName) ?? common).emit('connection', socket);
  }

  /** @returns the connection below the TLS socket; undefined if it has closed */
  #ended(tlsSocket: TLSSocket, result: HandshakeResult): Socket | undefined {
    const endpoints = endpointsOf(tlsSocket);
    const socket = this.#inHandshake.get(endpoints);
    this.#inHandshake.delete(endpoints);
    if (socket !== undefined) this.#handshakes.ended(socket, result);
    return socket;
  }

  #failed(error: NodeJS.ErrnoException, tlsSocket: TLSSocket): void {
    this.#logFailure(error.message, tlsSocket);
    const result = resultOf(error.code ?? '');
    const socket = this.#ended(tlsSocket, result);
    // A client that speaks HTTP without TLS is told so, without TLS.
    if (result === 'plain_http') socket?.on('error', () => {}).end(PLAIN_ANSWER, () => socket.destroy());
    else tlsSocket.destroy();
  }

  #logFailure(error: string, { remoteAddress }: Socket): void {
    this.#options.log.debug({ file: 'secure-server', level: 4 }, 'TLS handshake failed', { error, remoteAddress });
  }
}

export function authoritiesIn({ ca = '', proxyCa }: ListenerTls): string {
  return proxyCa === undefined ? ca : `${ca}\n${proxyCa}`;
}

function endpointsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** @param code Node's, which for errors of OpenSSL has their name */
function resultOf(code: string): HandshakeResult {
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'plain_http';
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed';
  return code.includes('_ALERT_') ? 'refused' : 'protocol';
}

/** The words of Go's server. */
const PLAIN_ANSWER = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
