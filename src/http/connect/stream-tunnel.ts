// Port forwarding over WebSocket: the SPDY connection of the client is tunnelled through binary messages, and the kubelet
// is spoken to in SPDY, which it understands.

import type { Duplex } from 'node:stream';
import type { ResourceRequest } from '../../verbs/resource-request.ts';
import type { RequestContext } from '../request-context.ts';
import { openWebSocket, upgradesToWebSocket } from '../response/websocket.ts';

/** The gate of tunnels. */
export const TUNNEL_GATE = 'PortForwardWebsockets';
const SPDY = 'SPDY/3.1';
/** Subprotocols that carry SPDY begin with this, and what follows is the protocol spoken in SPDY. */
const PREFIX = `${SPDY}+`;
const SUFFIX = '.k8s.io';
const VERSION_HEADER = 'x-stream-protocol-version';
const NORMAL_CLOSURE = 1000;

/** How an upgrade of the client becomes another one for the backend. */
export interface Tunnel {
  readonly method: string;
  /** Replaces the headers of the client's upgrade. */
  headersFor(headers: Readonly<Record<string, string | string[]>>): Record<string, string | string[]>;
  /** Why the response of the backend, a protocol switch, is not the one that was asked for. */
  faultOf(response: ReadonlyMap<string, string>): string | undefined;
  /** Completes the handshake with the client. Returns the connection as the backend sees it. */
  open(context: RequestContext, response: ReadonlyMap<string, string>, backend: Duplex): Promise<Duplex>;
}

/** The tunnel that a request asks for; undefined for none. */
export function tunnelFor(context: RequestContext, { subresource }: ResourceRequest): Tunnel | undefined {
  const { exchange, services } = context;
  if (subresource !== 'portforward' || !upgradesToWebSocket(exchange)) return undefined;
  const offered = (exchange.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  const tunnelled = offered.filter((each) => each.startsWith(PREFIX) && each.endsWith(SUFFIX));
  if (tunnelled.length === 0 || !services.writes.registry.gateEnabled(TUNNEL_GATE)) return undefined;
  return {
    method: 'POST',
    headersFor(headers) {
      const kept = Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-'));
      const versions = tunnelled.map((each) => each.slice(PREFIX.length));
      return { ...Object.fromEntries(kept), upgrade: SPDY, [VERSION_HEADER]: versions };
    },
    faultOf(response) {
      const switches = /upgrade/i.test(response.get('connection') ?? '');
      const isSpdy = (response.get('upgrade') ?? '').toLowerCase().includes(SPDY.toLowerCase());
      return switches && isSpdy ? undefined : 'unable to upgrade: missing upgrade headers in response';
    },
    async open(asked, response, backend) {
      const version = (response.get(VERSION_HEADER) ?? '').trim();
      const chosen = `${PREFIX}${version}`;
      const isOffered = version !== '' && offered.includes(chosen);
      const { webSocket } = await openWebSocket(asked, { chosen: isOffered ? chosen : undefined });
      const { createWebSocketStream } = await import('ws');
      // The client takes only this code for the end of the stream.
      for (const event of ['end', 'close']) backend.once(event, () => webSocket.close(NORMAL_CLOSURE));
      return createWebSocketStream(webSocket);
    },
  };
}
