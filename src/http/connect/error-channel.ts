// The error channel of exec and attach over WebSocket in version 5 of the protocol. Clients of that version are told
// there, not by an HTTP status, that the kubelet cannot be reached, as by kube-apiserver.

import { Buffer } from 'node:buffer';
import type { ApiError } from '../../api/errors.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import type { ResourceRequest } from '../../verbs/resource-request.ts';
import type { RequestContext } from '../request-context.ts';
import { openWebSocket, upgradesToWebSocket } from '../response/websocket.ts';

const PROTOCOL = 'v5.channel.k8s.io';
const GATE = 'TranslateStreamCloseWebsocketRequests';

/** Whether errors of the kubelet's connection belong into the error channel. */
export function hasErrorChannel({ exchange, services }: RequestContext, { subresource }: ResourceRequest): boolean {
  if (subresource !== 'exec' && subresource !== 'attach') return false;
  if (!upgradesToWebSocket(exchange) || exchange.method !== 'GET') return false;
  const offered = (exchange.headers['sec-websocket-protocol'] ?? '').split(',');
  return offered.some((each) => each.trim() === PROTOCOL) && services.writes.registry.gateEnabled(GATE);
}

/** Completes the handshake, sends the error and closes the connection. */
export async function failInChannel(
  context: RequestContext,
  { query = '' }: BackendLocation,
  error: ApiError,
): Promise<void> {
  const { webSocket, connection } = await openWebSocket(context, () => PROTOCOL);
  webSocket.on('error', () => webSocket.terminate());
  // The type of the Status is implied.
  const { kind: _, apiVersion: _version, ...status } = error.status;
  webSocket.send(Buffer.from([firstOutput(query)]));
  webSocket.send(Buffer.concat([Buffer.from([ERROR]), Buffer.from(JSON.stringify(status))]));
  webSocket.close(NORMAL_CLOSURE);
  connection.end();
}

/** The channel that announces the connection by an empty message: the first one that the client reads from. */
function firstOutput(query: string): number {
  const streams = new URLSearchParams(query);
  if (streams.has('output')) return STDOUT;
  return streams.has('error') ? STDERR : ERROR;
}

const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const NORMAL_CLOSURE = 1000;
