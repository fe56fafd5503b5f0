// Connections through an HTTP CONNECT proxy, over TCP, TLS or a Unix domain socket.

import { request } from 'node:http';
import { connect as connectSocket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { goQuote } from '../base/go-quote.ts';
import { hostAndPort } from '../base/host-port.ts';
import { type ConnectError, connectFault, unixFault } from './connect-fault.ts';
import type { Dial } from './dial.ts';
import type { ProxyWay } from './proxy-way.ts';

/** PEM of the credentials of both sides. */
export interface ProxyTls {
  /** Undefined for the system's CAs. */
  readonly ca: string | undefined;
  readonly cert: string;
  readonly key: string;
  /** The name that the proxy's certificate must be for; undefined for that of its host. */
  readonly serverName: string | undefined;
}

interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** Undefined without TLS. */
  readonly tls: ProxyTls | undefined;
}

/** @param dial connects to the proxy itself */
export function tcpProxy(proxy: TcpProxy, dial: Dial): ProxyWay {
  const { host, port, tls } = proxy;
  const name = hostAndPort(proxy);
  const fault = (error: ConnectError) => new Error(connectFault(error, proxy), { cause: error });
  return {
    ...{ protocol: 'http_connect', transport: 'tcp' },
    async connect(signal) {
      const plain = dial({ host, port, globalOnly: false });
      const socket = tls === undefined ? plain : secured(plain, host, tls);
      const event = tls === undefined ? 'connect' : 'secureConnect';
      await opened(socket, { event, signal, fault });
      return (address) => tunnelled(socket, { name, address, signal });
    },
  };
}

export function socketProxy(path: string): ProxyWay {
  return {
    ...{ protocol: 'http_connect', transport: 'uds' },
    async connect(signal) {
      const socket = connectSocket({ path });
      await opened(socket, { event: 'connect', signal, fault: (error) => new Error(unixFault(error, path)) });
      return (address) => tunnelled(socket, { name: path, address, signal });
    },
  };
}

function secured(socket: Duplex, host: string, { ca, cert, key, serverName = host }: ProxyTls): Duplex {
  const secure = connectTls({
    ...{ socket, host: serverName, cert, key },
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
  });
  socket.once('error', (error: Error) => secure.destroy(error));
  return secure;
}

interface Opening {
  readonly event: 'connect' | 'secureConnect';
  readonly signal: AbortSignal;
  readonly fault: (error: ConnectError) => Error;
}

/** Resolves once a socket is connected. Rejects with the error, or when the signal is aborted. */
export function opened(socket: Duplex, { event, signal, fault }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    const abort = () => end(new Error('context canceled'));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', (error: ConnectError) => end(fault(error)));
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    if (signal.aborted) abort();
  });
}

interface Asking {
  /** The proxy as named in messages. */
  readonly name: string;
  /** The destination. */
  readonly address: string;
  readonly signal: AbortSignal;
}

async function tunnelled(socket: Duplex, { name, address, signal }: Asking): Promise<Duplex> {
  try {
    const headers = { host: '127.0.0.1' };
    const { code, statusText, head } = await connectThroughHttp(socket, { address, headers, signal }).catch(
      (error: Error) => {
        throw new Error(`reading HTTP response from CONNECT to ${address} via proxy ${name} failed: ${error.message}`);
      },
    );
    if (code !== 200) {
      throw new Error(`proxy error from ${name} while dialing ${address}, code ${code}: ${code} ${statusText}`);
    }
    // Only the other end of the tunnel could have sent it, but there the client speaks first.
    if (head.length > 0) {
      throw new Error(`unexpected ${head.length} bytes of buffered data from CONNECT proxy ${goQuote(name)}`);
    }
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
}

interface ConnectRequest {
  /** The destination. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface ConnectAnswer {
  readonly code: number;
  readonly statusText: string;
  /** Data after the response. */
  readonly head: Buffer;
}

/** Sends CONNECT to a connected proxy. Rejects with an Error if there is no response. */
export function connectThroughHttp(
  socket: Duplex,
  { address, headers, signal }: ConnectRequest,
): Promise<ConnectAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...{ method: 'CONNECT', path: address, signal, setHost: false, headers },
      createConnection: () => socket,
    });
    outgoing.on('error', (error) => {
      reject(new Error(error.message === 'socket hang up' ? 'EOF' : error.message, { cause: error }));
    });
    outgoing.on('connect', ({ statusCode: code = 0, statusMessage = '' }, _socket, head) =>
      resolve({ code, statusText: statusMessage, head }),
    );
    outgoing.end();
  });
}
