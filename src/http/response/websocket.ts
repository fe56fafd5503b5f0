// WebSockets of clients, and watches over them, for browsers: one message per event, text for JSON and binary otherwise.
// Handshake and framing are done by the library.

import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ApiError } from '../../api/errors.ts';
import { limits } from '../../base/limits.ts';
import { type BodyWriter, clientGone, type HttpExchange } from '../exchange/transport.ts';
import type { UnsentBytes, Waiting } from '../exchange/unsent-bytes.ts';
import type { RequestContext } from '../request-context.ts';
import type { Format } from './format.ts';

/** Whether a request asks for a WebSocket. */
export function upgradesToWebSocket({ headers, upgrade }: HttpExchange): boolean {
  return upgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Completes the handshake.
 * @param media of the events; other types than JSON are sent as binary messages
 * @throws ApiError 403 for a request without an Origin, as in kube-apiserver
 */
export async function webSocketWriter(
  context: RequestContext,
  media: Format['media'],
): Promise<{ writer: BodyWriter; closed: AbortSignal }> {
  const { exchange } = context;
  if (exchange.headers.origin === undefined) {
    throw new ApiError({ code: 403, reason: 'Forbidden', message: 'null origin' });
  }
  const { webSocket, connection, unsent } = await openWebSocket(context, chooseProtocol);
  const closed = new AbortController();
  webSocket.on('close', () => closed.abort());
  webSocket.on('ping', (payload) => answerPing(webSocket, payload));
  const messages = { isText: media === 'json', messageOf: (piece: Buffer) => withoutDelimiter(piece, media) };
  return { writer: new WebSocketWriter(webSocket, { ...messages, unsent, connection }), closed: closed.signal };
}

/** Without the line feed after JSON and the length before protobuf. */
function withoutDelimiter(piece: Buffer, media: Format['media']): Buffer {
  if (media === 'protobuf') return piece.subarray(PROTOBUF_LENGTH_BYTES);
  return media === 'json' && piece.at(-1) === NEWLINE ? piece.subarray(0, -1) : piece;
}

/** Completes the handshake of a client that only reads. Each chunk that is written is one message. */
export async function messageWriter(
  context: RequestContext,
  { choose, isText }: { choose: Choose; isText: boolean },
): Promise<BodyWriter> {
  const { webSocket, connection, unsent } = await openWebSocket(context, choose);
  webSocket.on('ping', (payload) => answerPing(webSocket, payload));
  return new WebSocketWriter(webSocket, { isText, messageOf: (piece) => piece, unsent, connection });
}

interface OpenWebSocket {
  readonly webSocket: WebSocket;
  /** The connection under it. */
  readonly connection: Duplex;
  readonly unsent: UnsentBytes;
}

/** Selects one of the offered protocols; false for none. */
type Choose = (offered: Set<string>) => string | false;

/** A handshake of a client whose messages are read. */
interface Tunnelled {
  /** The selected protocol, whose name may be none that the library knows to parse. */
  readonly chosen: string | undefined;
}

/** Completes a handshake. What the client sends afterwards is ignored, unless it is tunnelled. */
export async function openWebSocket(context: RequestContext, how: Choose | Tunnelled): Promise<OpenWebSocket> {
  const tunnelled = typeof how === 'function' ? undefined : how;
  const { exchange } = context;
  const { WebSocketServer } = await import('ws');
  const { socket, head, unsent } = exchange.upgrade!();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    ...(typeof how === 'function' ? { handleProtocols: how } : {}),
    // Messages of clients that are ignored are not buffered.
    maxPayload: tunnelled === undefined ? limits.webSocketMessageBytes : limits.tunnelMessageBytes,
    maxFragments: limits.webSocketMessageFragments,
    maxBufferedChunks: limits.webSocketMessageFragments,
    autoPong: tunnelled !== undefined,
  });
  const { 'sec-websocket-protocol': _, ...others } = exchange.headers;
  const headers = tunnelled === undefined ? exchange.headers : others;
  const request = { method: exchange.method, url: exchange.target, headers } as unknown as IncomingMessage;
  const { chosen } = tunnelled ?? {};
  if (chosen !== undefined) server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${chosen}`));
  context.begins(101);
  return new Promise((resolve, reject) => {
    const gone = () => reject(clientGone());
    if (socket.destroyed) return gone();
    // The library rejects failed handshakes itself.
    socket.once('close', gone);
    server.handleUpgrade(request, socket, head, (webSocket) => resolve({ webSocket, connection: socket, unsent }));
  });
}

/** Whether a subprotocol is the bearer token of a browser. */
export function isBearerProtocol(protocol: string): boolean {
  return protocol.startsWith('base64url.bearer.authorization.');
}

/** The subprotocol that a browser offers besides its token is selected. */
function chooseProtocol(offered: Set<string>): string | false {
  for (const protocol of offered) if (!isBearerProtocol(protocol)) return protocol;
  return false;
}

/** Responds to a ping. A client that keeps pinging without reading is disconnected. */
function answerPing(socket: WebSocket, payload: Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > limits.watcherBufferedBytes + limits.webSocketMessageBytes) socket.terminate();
  else socket.pong(payload, false, () => {});
}

interface WebSocketWriterOptions {
  readonly isText: boolean;
  readonly messageOf: (piece: Buffer) => Buffer;
  readonly unsent: UnsentBytes;
  /** The connection under the WebSocket. As in kube-apiserver, it ends without waiting for the client's close frame. */
  readonly connection: Duplex;
}

class WebSocketWriter implements BodyWriter, Waiting {
  readonly #socket: WebSocket;
  readonly #isText: boolean;
  readonly #messageOf: (piece: Buffer) => Buffer;
  readonly #unsent: UnsentBytes;
  readonly #connection: Duplex;

  constructor(socket: WebSocket, { isText, messageOf, unsent, connection }: WebSocketWriterOptions) {
    this.#unsent = unsent;
    this.#socket = socket;
    this.#connection = connection;
    this.#isText = isText;
    this.#messageOf = messageOf;
    socket.on('error', () => socket.terminate());
    socket.on('close', () => unsent.report(this, 0));
  }

  get closed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** One chunk is one message; the delimiters between events are not needed here. */
  write(piece: Buffer): boolean {
    if (this.closed) return false;
    // Failed sends are reported by 'close'.
    this.#socket.send(this.#messageOf(piece), { binary: !this.#isText }, () => {});
    this.#unsent.report(this, this.#socket.bufferedAmount);
    return this.#socket.bufferedAmount === 0;
  }

  get crowded(): boolean {
    return this.#unsent.crowded;
  }

  cutOff(): void {
    this.#socket.terminate();
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(clientGone());
    return new Promise((resolve) => this.onDrain(resolve));
  }

  onDrain(callback: () => void): void {
    // The library calls back when everything so far has been sent, including an empty ping.
    this.#socket.ping(undefined, undefined, () => {
      if (!this.closed) this.#unsent.report(this, this.#socket.bufferedAmount);
      callback();
    });
  }

  end(piece?: Buffer): void {
    if (piece !== undefined) this.write(piece);
    this.#socket.close(NORMAL_CLOSURE);
    this.#connection.end();
  }

  destroy(): void {
    this.#socket.terminate();
  }
}

const NORMAL_CLOSURE = 1000;
const NEWLINE = 0x0a;
const PROTOBUF_LENGTH_BYTES = 4;
