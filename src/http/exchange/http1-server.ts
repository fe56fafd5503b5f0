// The HTTP/1.1 half of the listener: passes sockets to an http.Server that does not listen itself, and the requests of
// each connection on in order, as exchanges.

import type { Buffer } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { Connection } from './connection.ts';
import { Http1Exchange, type Http1RequestInit, Http1UpgradeExchange } from './http1-exchange.ts';
import { nodeHttp } from './node-modules.ts';
import { Turns } from './turns.ts';

interface Http1ServerOptions {
  readonly limits: Pick<
    { readonly [name in keyof typeof limits]: number },
    'headerBytes' | 'headerFields' | 'headTimeoutMs' | 'bodyTimeoutMs' | 'lingerMs' | 'pipelinedRequests'
  >;
  readonly log: Log;
  /** The connection of an accepted socket. */
  readonly connectionOf: (socket: Duplex) => Connection | undefined;
  readonly handle: (exchange: Http1Exchange) => void;
  /** Runs a handler of a socket's event: an exception only closes the connection. */
  readonly guard: (socket: Duplex, work: () => void) => void;
}

export class Http1Server {
  readonly #options: Http1ServerOptions;
  readonly #server: Server;
  readonly #turns = new WeakMap<Connection, Turns>();

  constructor(options: Http1ServerOptions) {
    this.#options = options;
    this.#server = this.#create();
  }

  /** Serves the requests of a connection. */
  accept(connection: Connection): void {
    this.#turns.set(connection, new Turns(connection.socket, this.#options.limits.pipelinedRequests));
    this.#server.emit('connection', connection.socket);
  }

  close(): void {
    this.#server.close();
  }

  #create(): Server {
    const { limits } = this.#options;
    const server = nodeHttp().createServer({
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headTimeoutMs,
      connectionsCheckingInterval: Math.ceil(limits.headTimeoutMs / 2),
      // Bodies have a timer of their own, and idle connections are closed together with those of HTTP/2.
      requestTimeout: 0,
      keepAliveTimeout: 0,
      // Other upgrade requests are served as if they had not asked for one.
      shouldUpgradeCallback: (request: IncomingMessage) => UPGRADES.test(request.headers.upgrade ?? ''),
    });
    // One more than allowed, so that an excess is detected: node:http would drop the rest silently.
    server.maxHeadersCount = limits.headerFields + 1;
    server.on('request', (request, response) => this.#onRequest(request, response, false));
    server.on('checkContinue', (request, response) => this.#onRequest(request, response, true));
    server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
    server.on('connect', (_, socket) => refuse(socket, '405 Method Not Allowed'));
    // node:http only checks for slow heads in a server that listens.
    server.emit('listening');
    return server;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    this.#takeTurn(request, (init) => new Http1Exchange({ ...init, response }, expectsContinue));
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', ignoreStreamError);
    const serveOn = () => {
      socket.off('error', ignoreStreamError);
      socket.unshift(head);
      this.#server.emit('connection', socket);
    };
    this.#takeTurn(request, (init) => new Http1UpgradeExchange(init, { socket, head, serveOn }));
  }

  /** Serves a request of an HTTP/1.1 connection after those before it. */
  #takeTurn(request: IncomingMessage, exchangeOf: (init: Http1RequestInit) => Http1Exchange): void {
    const connection = this.#options.connectionOf(request.socket);
    const turns = connection && this.#turns.get(connection);
    if (connection === undefined || turns === undefined) return;
    const { socket } = connection;
    connection.exchangeOpened();
    const closed = () => connection.exchangeClosed();
    const over = () => {
      closed();
      turns.over();
    };
    const begin = () => {
      const target = originForm(request.url ?? '');
      const exchange = exchangeOf({ request, target: target ?? '', connection, timeouts: this.#options.limits });
      exchange.whenOver(over);
      if (this.#hasTooManyFields(request)) exchange.respond(431, { connection: 'close' }, undefined);
      else if (target === undefined) exchange.respond(400, { connection: 'close' }, undefined);
      else this.#options.handle(exchange);
    };
    const isTaken = turns.take({
      begin: () => this.#options.guard(socket, begin),
      drop: closed,
    });
    if (isTaken) return;
    this.#options.log.debug({ file: 'http1-server', level: 4 }, 'a client sent too many requests ahead', {
      remoteAddress: connection.remoteAddress,
    });
    socket.destroy();
  }

  #hasTooManyFields({ rawHeaders }: IncomingMessage): boolean {
    return rawHeaders.length > 2 * this.#options.limits.headerFields;
  }
}

/** The protocols that Kubernetes clients upgrade to. */
const UPGRADES = /websocket|spdy/i;

function ignoreStreamError(): void {}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', ignoreStreamError);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Path and query of a request target (RFC 9112, 3.2), also in absolute form; undefined for none. */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target);
  if (authority === null) return undefined;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
