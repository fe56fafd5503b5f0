// Exec and attach over WebSocket in version 5 of the protocol, translated to SPDY for the kubelet, as by kube-apiserver.
// Whatever goes wrong after the handshake is told in the error channel.

import { Buffer } from 'node:buffer';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { errors } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { parseJson } from '../../api/json-reader.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { hostAndPort } from '../../base/host-port.ts';
import { limits } from '../../base/limits.ts';
import { SmallPieces } from '../../base/small-pieces.ts';
import { SpdyConnection, type SpdyStream } from '../../spdy/spdy-connection.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';
import type { ResourceRequest } from '../../verbs/resource-request.ts';
import type { RequestContext } from '../request-context.ts';
import { openWebSocket, upgradesToWebSocket } from '../response/websocket.ts';
import type { BackendResponse } from './backends.ts';
import { throttles } from './forward.ts';

const PROTOCOL = 'v5.channel.k8s.io';
/** The gate of translation. */
export const TRANSLATION_GATE = 'TranslateStreamCloseWebsocketRequests';
const SPDY = 'SPDY/3.1';
const VERSION_HEADER = 'x-stream-protocol-version';
/** Versions spoken with the kubelet. From the third on terminals change their size, from the fourth on an exit has a code. */
const VERSIONS = [PROTOCOL, 'v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];
const WITH_STATUS = VERSIONS.slice(0, 2);
const WITH_RESIZE = VERSIONS.slice(0, 3);

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;
/** Closes the channel that the second byte of the message names. */
const CLOSE = 255;
const NORMAL_CLOSURE = 1000;

/** Whether a request is translated. */
export function isTranslated({ exchange, services }: RequestContext, { subresource }: ResourceRequest): boolean {
  if (subresource !== 'exec' && subresource !== 'attach') return false;
  if (!upgradesToWebSocket(exchange) || exchange.method !== 'GET') return false;
  const offered = (exchange.headers['sec-websocket-protocol'] ?? '').split(',');
  return offered.some((each) => each.trim() === PROTOCOL) && services.writes.registry.gateEnabled(TRANSLATION_GATE);
}

/** Completes the handshake, connects to the kubelet, and carries the streams until they have ended. */
export async function translateStreams(context: RequestContext, location: BackendLocation): Promise<void> {
  const client = new ChannelClient(await openWebSocket(context, { chosen: PROTOCOL }));
  const query = new URLSearchParams(location.query ?? '');
  client.send(query.has('output') ? STDOUT : query.has('error') ? STDERR : ERROR, Buffer.alloc(0));
  try {
    const status = await streamed(context, { location, query, client });
    client.send(ERROR, Buffer.from(JSON.stringify(status)));
  } finally {
    client.close();
  }
}

interface Translation {
  readonly location: BackendLocation;
  /** What the kubelet is asked for. */
  readonly query: URLSearchParams;
  readonly client: ChannelClient;
}

/** The Status for the client. Its type is implied. */
async function streamed(context: RequestContext, translation: Translation): Promise<JsonObject> {
  try {
    const { socket, head, version } = await connected(context, translation);
    if (head.length > 0) socket.unshift(head);
    const throttle = throttles(context, true);
    const connection = new SpdyConnection({
      input: through(socket, throttle()),
      output: into(socket, throttle()),
      clock: context.services.clock,
    });
    translation.client.onGone(() => socket.destroy());
    void connection.read();
    try {
      return await exchanged(connection, translation, version);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof KubeletStatus) return error.status;
    const { kind: _, apiVersion: _version, ...status } = errors.internal((error as Error).message).status;
    return status as unknown as JsonObject;
  }
}

/** A refusal of the kubelet that is a Status. */
class KubeletStatus extends Error {
  override name = 'KubeletStatus';
  readonly status: JsonObject;

  constructor({ kind: _, apiVersion: _version, ...status }: JsonObject) {
    super('the kubelet refused');
    this.status = { metadata: {}, ...status };
  }
}

interface KubeletConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly version: string;
}

/** @throws Error with Kubernetes' message */
async function connected(context: RequestContext, { location, client }: Translation): Promise<KubeletConnection> {
  const { path, query = '' } = location;
  const target = query === '' ? path : `${path}?${query}`;
  const address = hostAndPort(location);
  const failed = (why: string) =>
    new Error(`error sending request: Post ${goQuote(`https://${address}${target}`)}: ${why}`);
  const { backends, draining } = context.services;
  const headers = { host: address, connection: 'Upgrade', upgrade: SPDY, [VERSION_HEADER]: VERSIONS };
  const signal = AbortSignal.any([client.gone, draining]);
  let answer: BackendResponse;
  try {
    answer = await backends.call({ ...location, method: 'POST', target, headers, body: undefined, signal });
  } catch (error) {
    throw failed((error as Error).message);
  }
  const header = headersOf(answer);
  const { upgraded } = answer;
  const isUpgrade =
    /upgrade/i.test(header('connection')) && header('upgrade').toLowerCase().includes(SPDY.toLowerCase());
  if (upgraded !== undefined && isUpgrade) return { ...upgraded, version: header(VERSION_HEADER).trim() };
  upgraded?.socket.destroy();
  if (answer.status >= 300 && answer.status < 400 && header('location') !== '') {
    answer.body.destroy();
    throw failed('redirect not allowed');
  }
  throw await refusalOf(answer);
}

function headersOf({ rawHeaders }: BackendResponse): (name: string) => string {
  return (name) => {
    const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
    return at < 0 ? '' : rawHeaders[at + 1]!;
  };
}

async function refusalOf({ body, upgraded }: BackendResponse): Promise<Error> {
  const text = upgraded === undefined ? await textOf(body) : '';
  const status = parsedStatus(text);
  return status !== undefined ? new KubeletStatus(status) : new Error(`unable to upgrade connection: ${text.trim()}`);
}

async function textOf(body: Readable): Promise<string> {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.add(piece);
    if (pieces.length >= limits.backendErrorBytes) break;
  }
  body.destroy();
  return Buffer.concat(pieces.take()).subarray(0, limits.backendErrorBytes).toString();
}

function parsedStatus(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) && value['kind'] === 'Status' && value['apiVersion'] === 'v1' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the streams and carries them until the output has ended. Returns the Status for the client. @throws Error */
async function exchanged(
  connection: SpdyConnection,
  { query, client }: Translation,
  version: string,
): Promise<JsonObject> {
  const isTerminal = query.has('tty');
  const outputs: Promise<void>[] = [];
  const output = async (streamType: string, channel: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    outputs.push(promise);
    await connection.open({ streamType }, (data) => client.sendAll(channel, data), resolve);
  };
  const input = (streamType: string) => connection.open({ streamType }, ignored, ignored);

  const faults = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  const collect = (data: Buffer) => {
    if (faults.length < limits.execStatusBytes) faults.add(data);
  };
  const { promise: faultsEnded, resolve } = Promise.withResolvers<void>();
  await connection.open({ streamType: 'error' }, collect, resolve);
  if (query.has('input')) client.receives(STDIN, await input('stdin'), connection);
  if (query.has('output')) await output('stdout', STDOUT);
  if (query.has('error') && !isTerminal) await output('stderr', STDERR);
  if (isTerminal && WITH_RESIZE.includes(version)) client.receives(RESIZE, await input('resize'), connection);
  client.begin();
  await Promise.all(outputs);
  await faultsEnded;
  return outcome(
    Buffer.concat(faults.take()).subarray(0, limits.execStatusBytes).toString(),
    WITH_STATUS.includes(version),
  );
}

function ignored(): void {}

const SUCCESS: JsonObject = { metadata: {}, status: 'Success' };

/** What the kubelet's error stream says. @throws Error */
function outcome(text: string, isStatus: boolean): JsonObject {
  if (text === '') return SUCCESS;
  if (!isStatus) throw new Error(`error executing remote command: ${text}`);
  let status: Json;
  try {
    status = parseJson(text);
  } catch (error) {
    throw new Error(`error stream protocol error: ${(error as Error).message} in ${goQuote(text)}`);
  }
  if (!isObject(status)) throw new Error('error stream protocol error: unknown error');
  if (status['status'] === 'Success') return SUCCESS;
  if (status['status'] !== 'Failure') throw new Error('error stream protocol error: unknown error');
  if (status['reason'] !== 'NonZeroExitCode') throw new Error(String(status['message'] ?? ''));
  const { details } = status as { details?: { causes?: { reason?: string; message?: string }[] } };
  if (details === undefined) throw new Error('error stream protocol error: details must be set');
  const cause = details.causes?.find(({ reason }) => reason === 'ExitCode');
  if (cause === undefined) throw new Error('error stream protocol error: no ExitCode cause given');
  const { message: code = '' } = cause;
  if (!/^\d+$/.test(code) || Number(code) > MAX_EXIT_CODE) {
    throw new Error(`error stream protocol error: invalid exit code value ${goQuote(code)}`);
  }
  const message = `command terminated with non-zero exit code: command terminated with exit code ${Number(code)}`;
  const causes = [{ reason: 'ExitCode', message: String(Number(code)) }];
  return { metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details: { causes } };
}

const MAX_EXIT_CODE = 255;

/** The client: messages whose first byte is their channel. */
class ChannelClient {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #gone = new AbortController();
  readonly #inputs = new Map<number, { readonly stream: SpdyStream; readonly connection: SpdyConnection }>();

  constructor({ webSocket, connection }: { readonly webSocket: WebSocket; readonly connection: Duplex }) {
    this.#socket = webSocket;
    this.#connection = connection;
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => this.#gone.abort());
    webSocket.on('message', (data: RawData) => void this.#received(data as Buffer));
    // Input waits for the kubelet.
    webSocket.pause();
  }

  /** Aborted when the client has left. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  onGone(run: () => void): void {
    if (this.gone.aborted) run();
    else this.gone.addEventListener('abort', run, { once: true });
  }

  /** Input of this channel goes to the stream. */
  receives(channel: number, stream: SpdyStream, connection: SpdyConnection): void {
    this.#inputs.set(channel, { stream, connection });
  }

  /** Begins to read. */
  begin(): void {
    this.#socket.resume();
  }

  async #received(message: Buffer): Promise<void> {
    const [channel, named] = message;
    if (channel === undefined) return;
    if (channel === CLOSE) {
      if (message.length !== 2 || named! > RESIZE) return this.#socket.terminate();
      this.#inputs.get(named!)?.stream.end();
      this.#inputs.delete(named!);
      return;
    }
    const input = this.#inputs.get(channel);
    if (input === undefined || message.length === 1 || input.stream.write(message.subarray(1))) return;
    this.#socket.pause();
    await input.connection.drained();
    this.#socket.resume();
  }

  send(channel: number, data: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(Buffer.concat([Buffer.of(channel), data]));
  }

  /** Sends data in messages, and waits for a client that reads slowly. */
  async sendAll(channel: number, data: Buffer): Promise<void> {
    for (let at = 0; at < data.length; at += MESSAGE_BYTES) this.send(channel, data.subarray(at, at + MESSAGE_BYTES));
    if (!this.#connection.writableNeedDrain || this.gone.aborted) return;
    await new Promise<void>((resolve) => {
      this.#connection.once('drain', resolve);
      this.onGone(resolve);
    });
  }

  close(): void {
    this.#socket.resume();
    this.#socket.close(NORMAL_CLOSURE);
  }
}

/** The size of kube-apiserver's buffer. */
const MESSAGE_BYTES = 32 * 1024;

function through(socket: Duplex, throttle: Duplex | undefined): Readable {
  return throttle === undefined ? socket : piped(socket, throttle);
}

function into(socket: Duplex, throttle: Duplex | undefined): Writable {
  if (throttle === undefined) return socket;
  piped(throttle, socket);
  return throttle;
}

function piped(from: Duplex, to: Duplex): Duplex {
  from.on('error', () => to.destroy());
  from.once('close', () => to.destroy());
  return from.pipe(to);
}
