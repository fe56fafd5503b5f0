// HTTP requests that the server sends on behalf of its clients: to kubelets, and to pods and services behind a proxied
// path. A request's body and its answer's are streams; an answer may leave HTTP for another protocol. Connections to
// aggregated API servers, which are asked again and again, are kept; every other request has one of its own.

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

export interface BackendCall {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | undefined;
  /** A kubelet is shown the server's certificate, and checked where its authority is known. */
  readonly kubelet: boolean;
  /** Whether this machine, its link and groups of machines are out of bounds, under whatever name. */
  readonly globalOnly: boolean;
  /** Whom the backend has to prove to be, and what it is shown; undefined where `kubelet` says all. */
  readonly tls?: BackendTls | undefined;
  /** Ends the call, also once it has been answered. */
  readonly signal: AbortSignal;
}

export interface BackendTls {
  /** The name that its certificate has to be for. */
  readonly serverName: string;
  /** PEM of the authorities that vouch for it; undefined: those of the system. */
  readonly ca: string | undefined;
  /** False: nobody has to. */
  readonly verified: boolean;
  /** PEM of what it is shown. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface BackendAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names as they came, values not joined: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  /** There when the backend changed protocols (101): the bytes both ways, and those that came already. */
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

/** A backend that could not be reached or broke off before it answered; the message says why, in Go's words. */
class BackendError extends Error {
  override name = 'BackendError';
}

/** A connection that was kept had been closed by the other side. */
class StaleConnectionError extends BackendError {}

interface KubeletTls {
  /** PEM of the authorities that vouch for kubelets; undefined: they are not checked. */
  readonly ca: string | undefined;
  /** PEM of what the server shows to kubelets. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

interface BackendsOptions {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly kubeletTls: KubeletTls;
}

export class Backends {
  readonly #options: BackendsOptions;
  readonly #kept = new KeptConnections();

  constructor(options: BackendsOptions) {
    this.#options = options;
  }

  /** Sends a request; resolves with the head of its answer. @throws BackendError */
  async call(call: BackendCall): Promise<BackendAnswer> {
    const isKept = call.tls !== undefined && call.headers['upgrade'] === undefined;
    const kept = isKept ? this.#kept.takes(call) : false;
    if (!kept) return this.#send(call, await this.#connect(call), isKept);
    try {
      return await this.#send(call, undefined, true);
    } catch (error) {
      // The other side let go of a connection that nothing was asked on; what could not be asked is asked again.
      if (!(error instanceof StaleConnectionError) || call.body !== undefined) throw error;
      return this.#send(call, await this.#connect(call), true);
    }
  }

  /** @param fresh the connection to send on; undefined for one that was kept */
  #send(call: BackendCall, fresh: Duplex | undefined, isKept: boolean): Promise<BackendAnswer> {
    return new Promise((resolve, reject) => {
      const { method, target: path, headers, body, signal } = call;
      const outgoing = sendRequest({
        method,
        path,
        headers: headers as Record<string, string | string[]>,
        ...(isKept ? { agent: this.#kept, call, fresh } : { createConnection: () => fresh }),
        setHost: false,
        signal,
      } as RequestOptions);
      // Another connection may have become free meanwhile.
      outgoing.once('socket', (socket) => {
        if (fresh !== undefined && socket !== fresh) fresh.destroy();
      });
      outgoing.on('error', (error) => {
        const Fault = isStale(outgoing, error) ? StaleConnectionError : BackendError;
        reject(new Fault(connectFault(error, call), { cause: error }));
      });
      outgoing.on('response', (answer) => resolve(answerOf(answer, undefined)));
      outgoing.on('upgrade', (answer, upgraded, head) => {
        const end = () => upgraded.destroy();
        signal.addEventListener('abort', end, { once: true });
        upgraded.once('close', () => signal.removeEventListener('abort', end));
        resolve(answerOf(answer, { socket: upgraded, head }));
      });
      if (body === undefined) outgoing.end();
      else {
        body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing);
        // What a backend does not read to its end is read by nobody: a client that sends must not stand still.
        outgoing.once('close', () => body.unpipe(outgoing).resume());
      }
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
        // Between here and the request's own listeners nobody else would hear of an error.
        socket.on('error', () => {});
        resolve(socket);
      });
      if (signal.aborted) abort();
    });
  }

  #secure(socket: Duplex, { host, kubelet, tls }: BackendCall): TLSSocket {
    if (tls !== undefined) return secureAs(socket, tls);
    const { ca, cert, key } = this.#options.kubeletTls;
    const isName = !/^[0-9.]+$/.test(host) && !host.includes(':');
    return startTls({
      socket,
      ALPNProtocols: ['http/1.1'],
      ...(isName ? { servername: host } : {}),
      // What stands behind a proxied address has whatever certificate it has; kubelets' are mostly their own work, too.
      rejectUnauthorized: kubelet && ca !== undefined,
      ...(kubelet && ca !== undefined ? { ca } : {}),
      ...(kubelet && cert !== undefined && key !== undefined ? { cert, key } : {}),
    });
  }
}

function isStale(outgoing: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** What a request of an agent is made with. */
interface KeptOptions {
  readonly call: BackendCall;
  readonly fresh: Duplex | undefined;
}

/** Connections that are kept, by where they go and how each side has proved who it is. */
class KeptConnections extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: limits.backendIdleConnections });
  }

  /** Whether a connection is there for a call. */
  takes(call: BackendCall): boolean {
    return (this.freeSockets[nameOf(call)]?.length ?? 0) > 0;
  }

  override getName(options?: object): string {
    return nameOf((options as KeptOptions).call);
  }

  // Asked for only where none is kept.
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
    // Whoever stands in the bundle vouches, be it an authority of authorities or not.
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  });
}

function answerOf(message: IncomingMessage, upgraded: BackendAnswer['upgraded']): BackendAnswer {
  const { statusCode = 502, statusMessage = '', rawHeaders } = message;
  return { status: statusCode, statusText: statusMessage, rawHeaders, body: message, upgraded };
}
