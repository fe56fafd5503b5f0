// HTTP requests that the server forwards for its clients: to kubelets, and to pods and services behind a proxied path.
// Request and response bodies are streams, and the connection may be upgraded. Connections to aggregated API servers
// are pooled; every other request has its own.

import type { Buffer } from 'node:buffer';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as sendRequest,
} from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { connect as startTls, type TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { connectFault } from './connect-fault.ts';
import type { Dial } from './dial.ts';
import { framing } from './framing.ts';
import { rejectUnaskedUpgrade } from './unasked-upgrade.ts';

export interface BackendCall {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | undefined;
  /** The body's Content-Length, which must not be among the headers; without it the body is sent in chunks. */
  readonly bodyBytes?: string | undefined;
  /** A kubelet gets the server's client certificate, and is verified if its CA is known. */
  readonly kubelet: boolean;
  /** Whether a kubelet is not verified, even if its CA is known. */
  readonly insecure?: boolean | undefined;
  /** Whether loopback, link-local and multicast addresses are forbidden, under any name. */
  readonly globalOnly: boolean;
  /** The expected identity of the backend and the server's own credentials; undefined if `kubelet` determines them. */
  readonly tls?: BackendTls | undefined;
  /** Ends the call, even after the response has begun. */
  readonly signal: AbortSignal;
}

export interface BackendTls {
  /** The server name that its certificate must contain. */
  readonly serverName: string;
  /** PEM of its CAs; undefined for the system's. */
  readonly ca: string | undefined;
  /** False: not verified. */
  readonly verified: boolean;
  /** PEM of the client certificate. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface BackendAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in their original order, not joined: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  /** Defined if the backend switched protocols (101): the connection, and data that has already arrived. */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

/** A backend that could not be reached or closed the connection before it responded; the message is Go's. */
class BackendError extends Error {
  override name = 'BackendError';
}

/** A pooled connection had been closed by the peer. */
class StaleConnectionError extends BackendError {}

export interface KubeletTls {
  /** PEM of the CAs for kubelets; undefined if they are not verified. */
  readonly ca: string | undefined;
  /** PEM of the client certificate for kubelets. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

interface BackendsOptions {
  readonly dial: Dial;
  readonly clock: Clock;
  /** The present one. */
  readonly kubeletTls: () => KubeletTls;
}

export class Backends {
  readonly #options: BackendsOptions;
  readonly #kept = new KeptConnections();

  constructor(options: BackendsOptions) {
    this.#options = options;
  }

  /** Sends a request; resolves with the head of the response. @throws BackendError */
  async call(call: BackendCall): Promise<BackendAnswer> {
    const isKept = call.tls !== undefined && call.headers['upgrade'] === undefined;
    const kept = isKept ? this.#kept.takes(call) : false;
    if (!kept) return this.#send(call, await this.#connect(call), isKept);
    try {
      return await this.#send(call, undefined, true);
    } catch (error) {
      // The peer closed an idle connection; a request that was not sent is retried.
      if (!(error instanceof StaleConnectionError) || call.body !== undefined) throw error;
      return this.#send(call, await this.#connect(call), true);
    }
  }

  /** @param fresh the connection to use; undefined for a pooled one */
  #send(call: BackendCall, fresh: Duplex | undefined, isKept: boolean): Promise<BackendAnswer> {
    return new Promise((resolve, reject) => {
      const { method, target: path, headers, body, signal } = call;
      const outgoing = sendRequest({
        method,
        path,
        headers: { ...headers, ...framing(body !== undefined, call.bodyBytes) } as Record<string, string | string[]>,
        ...(isKept ? { agent: this.#kept, call, fresh } : { createConnection: () => fresh }),
        setHost: false,
        maxHeaderSize: limits.backendHeadBytes,
        signal,
      } as RequestOptions);
      // Persistence is the default of HTTP/1.1, and Go's client does not name it.
      if (headers['upgrade'] === undefined) outgoing.removeHeader('connection');
      // Another connection may have become available meanwhile.
      outgoing.once('socket', (socket) => {
        if (fresh !== undefined && socket !== fresh) fresh.destroy();
      });
      outgoing.on('error', (error) => {
        const Fault = isStale(outgoing, error) ? StaleConnectionError : BackendError;
        reject(new Fault(connectFault(error, call), { cause: error }));
      });
      outgoing.on('response', (answer) => resolve(answerOf(answer, undefined)));
      if (body === undefined) outgoing.end();
      else {
        body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing);
        // What a backend does not read is discarded: the client must not stall.
        outgoing.once('close', () => body.unpipe(outgoing).resume());
      }
      if (headers['upgrade'] === undefined) {
        rejectUnaskedUpgrade(outgoing, ({ message }) => reject(new BackendError(message)));
      } else resolveUpgrade(outgoing, signal, resolve);
    });
  }

  #connect(call: BackendCall): Promise<Duplex> {
    const { dial, clock } = this.#options;
    const { scheme, host, port, globalOnly, signal } = call;
    return new Promise((resolve, reject) => {
      const plain = dial({ host, port, globalOnly });
      const socket = scheme === 'https' ? this.#secure(plain, call) : plain;
      const timer = clock.after(limits.backendConnectMs, () => fail(new Error('i/o timeout')));
      const abort = () => fail(new Error('context canceled'));
      const settle = () => {
        timer.cancel();
        signal.removeEventListener('abort', abort);
        for (const each of [plain, socket]) each.off('error', fail);
      };
      const fail = (error: Error) => {
        settle();
        for (const each of [plain, socket]) each.on('error', () => {}).destroy();
        reject(new BackendError(connectFault(error, call), { cause: error }));
      };
      signal.addEventListener('abort', abort, { once: true });
      plain.once('error', fail);
      if (socket !== plain) socket.once('error', fail);
      socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => {
        settle();
        // Until the request has its own listeners, errors would be unhandled.
        socket.on('error', () => {});
        resolve(socket);
      });
      if (signal.aborted) abort();
    });
  }

  #secure(socket: Duplex, { host, kubelet, insecure, tls }: BackendCall): TLSSocket {
    if (tls !== undefined) return secureAs(socket, tls);
    const { ca, cert, key } = this.#options.kubeletTls();
    const isName = !/^[0-9.]+$/.test(host) && !host.includes(':');
    return startTls({
      socket,
      // Whom the certificate must name: without it, localhost.
      host,
      ALPNProtocols: ['http/1.1'],
      ...(isName ? { servername: host } : {}),
      // Proxied backends and kubelets often have self-signed certificates.
      rejectUnauthorized: kubelet && ca !== undefined && insecure !== true,
      ...(kubelet && ca !== undefined ? { ca } : {}),
      ...(kubelet && cert !== undefined && key !== undefined ? { cert, key } : {}),
    });
  }
}

/** Resolves with the connection of an upgraded request, which ends with the signal. */
function resolveUpgrade(outgoing: ClientRequest, signal: AbortSignal, resolve: (answer: BackendAnswer) => void): void {
  outgoing.on('upgrade', (answer, upgraded, head) => {
    const end = () => upgraded.destroy();
    signal.addEventListener('abort', end, { once: true });
    upgraded.once('close', () => signal.removeEventListener('abort', end));
    resolve(answerOf(answer, { socket: upgraded, head }));
  });
}

function isStale(outgoing: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** The options of an agent's request. */
interface KeptOptions {
  readonly call: BackendCall;
  readonly fresh: Duplex | undefined;
}

/** Pooled connections by destination and credentials. */
class KeptConnections extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: limits.backendIdleConnections });
  }

  /** Whether a pooled connection is available for a call. */
  takes(call: BackendCall): boolean {
    return (this.freeSockets[nameOf(call)]?.length ?? 0) > 0;
  }

  override getName(options?: object): string {
    return nameOf((options as KeptOptions).call);
  }

  // Created only if no connection is pooled.
  override createConnection(options: object): Duplex {
    const { fresh } = options as KeptOptions;
    if (fresh === undefined) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return fresh;
  }
}

function nameOf({ host, port, tls }: BackendCall): string {
  return JSON.stringify([host, port, tls]);
}

function secureAs(socket: Duplex, { serverName, ca, verified, cert, key }: BackendTls): TLSSocket {
  return startTls({
    socket,
    ALPNProtocols: ['http/1.1'],
    servername: serverName,
    host: serverName,
    rejectUnauthorized: verified,
    // Every certificate in the bundle is trusted, self-signed or not.
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  });
}

function answerOf(message: IncomingMessage, upgraded: BackendAnswer['upgraded']): BackendAnswer {
  const { statusCode = 502, statusMessage = '', rawHeaders } = message;
  return { status: statusCode, statusText: statusMessage, rawHeaders, body: message, upgraded };
}
