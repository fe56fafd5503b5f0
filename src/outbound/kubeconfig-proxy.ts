// Connections through the proxy in a kubeconfig: HTTP CONNECT over TCP or TLS, or SOCKS 5.

import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { hostAndPort } from '../base/host-port.ts';
import { lookup } from '../base/lookup.ts';
import { type ConnectError, connectFault } from './connect-fault.ts';
import type { Connection, Dial, DialTarget } from './dial.ts';
import { connectThroughHttp, opened } from './http-connect.ts';
import { connectThroughSocks } from './socks.ts';
import { Tunnel } from './tunnel.ts';

interface ProxyOptions {
  readonly proxy: URL;
  /** How to connect to the proxy. */
  readonly dial: Dial;
  /** PEM of the CAs for a proxy with TLS, which are the server's; undefined for the system's. */
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
}

const PORTS: Readonly<Record<string, number | undefined>> = lookup({ 'http:': 80, 'https:': 443, 'socks5:': 1080 });

/** Dialer for a server behind the proxy. */
export function proxiedDial(options: ProxyOptions): Dial {
  return (target) =>
    new Tunnel(async (signal) => {
      const socket = await openedProxy(options, signal);
      const address = hostAndPort(target);
      if (options.proxy.protocol === 'socks5:') return asSocks(socket, options, { target, signal });
      const headers = { host: address, 'user-agent': 'Go-http-client/1.1', ...proxyAuthorization(options.proxy) };
      const { code, statusText, head } = await connectThroughHttp(socket, { address, headers, signal });
      if (code === 200) {
        if (head.length > 0) socket.unshift(head);
        return socket;
      }
      socket.on('error', () => {}).destroy();
      throw new Error(statusText || (STATUS_CODES[code] ?? 'unknown status code'));
    });
}

/** Dialer for the proxy itself, for requests that it forwards one by one. */
export function proxyDial(options: ProxyOptions): Dial {
  return () => new Tunnel((signal) => openedProxy(options, signal));
}

/** The proxy's authorization header. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const named = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(named).toString('base64')}` };
}

async function openedProxy({ proxy, dial, ca, isInsecure }: ProxyOptions, signal: AbortSignal): Promise<Duplex> {
  const place = placeOf(proxy);
  const plain: Connection = dial({ ...place, globalOnly: false });
  const isSecure = proxy.protocol === 'https:';
  const socket = isSecure ? secured(plain, place.host, { ca, isInsecure }) : plain;
  const fault = (error: ConnectError) => new Error(`proxyconnect tcp: ${connectFault(error, place)}`, { cause: error });
  await opened(socket, { event: isSecure ? 'secureConnect' : 'connect', signal, fault });
  return socket;
}

function placeOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (PORTS[protocol] ?? 0) };
}

function secured(socket: Duplex, host: string, { ca, isInsecure }: { ca: string | undefined; isInsecure: boolean }) {
  const secure = connectTls({
    ...{ socket, host, rejectUnauthorized: !isInsecure, ALPNProtocols: ['http/1.1'] },
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
  });
  socket.once('error', (error: Error) => secure.destroy(error));
  return secure;
}

async function asSocks(
  socket: Duplex,
  { proxy }: ProxyOptions,
  { target, signal }: { target: DialTarget; signal: AbortSignal },
): Promise<Duplex> {
  const { host, port } = placeOf(proxy);
  const user = decodeURIComponent(proxy.username);
  const password = decodeURIComponent(proxy.password);
  try {
    await connectThroughSocks(socket, { ...{ host: target.host, port: target.port }, user, password, signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    const way = `${host}:${port}->${target.host}:${target.port}`;
    throw new Error(`socks connect tcp ${way}: ${(error as Error).message}`, { cause: error });
  }
}
