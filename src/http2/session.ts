// The server side of an HTTP/2 connection (RFC 9113): reads the client's frames, opens a stream for each request, and
// enforces the protocol and our limits. Does not interpret requests.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { SlotMap } from '../base/slot-map.ts';
import { ClientBudget } from './client-budget.ts';
import { CutStreams } from './cut-streams.ts';
import { FrameReader, type FrameSink } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';
import { unpadded } from './padding.ts';
import {
  ConnectionError,
  checkPlace,
  DEFAULT_WINDOW_BYTES,
  ERROR,
  FLAG,
  FRAME,
  type FrameHead,
  LARGEST_WINDOW_BYTES,
  protocolError,
  SETTING,
  windowTooLarge,
  wrongLength,
} from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';
import { areTrailers, type RequestHead, readRequestHead } from './request-head.ts';
import { SendQueue } from './send-queue.ts';
import type { SessionOptions } from './session-options.ts';
import { readSettings, writeSettings } from './settings.ts';
import { type OutgoingHead, ServerStream, type StreamOwner } from './stream.ts';

const NO_BYTES = Buffer.alloc(0);

export class ServerSession implements FrameSink, StreamOwner {
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #reader = new FrameReader(this);
  readonly #writer: FrameWriter;
  readonly #decoder: HeaderDecoder;
  readonly #encoder: HeaderEncoder;
  readonly #sendQueue: SendQueue;
  readonly #receiveWindow: ReceiveWindow;
  readonly #budget: ClientBudget;
  readonly #streams = new SlotMap<ServerStream>();
  /**
   * Streams in the data being read, whose requests are passed on afterwards, because it often contains their bodies
   * too.
   */
  #opened: ServerStream[] = [];
  #lastStream = 0;
  readonly #cutStreams: CutStreams;
  #settingsSeen = false;
  readonly #headerBlocks: HeaderBlocks;
  /** The initial window of new streams. */
  #sendWindowBytes = DEFAULT_WINDOW_BYTES;
  /** No new streams are accepted. */
  #closing = false;
  /** Everything has been sent: further frames are ignored, because a response would cut off what is in flight. */
  #ended = false;

  constructor(options: SessionOptions) {
    const { socket, limits, now, lastingHeaders } = options;
    this.#socket = socket;
    this.#options = options;
    this.#writer = new FrameWriter(socket, options.frameBuffers);
    this.#decoder = new HeaderDecoder({ bytes: limits.headerBytes, fields: limits.headerFields });
    this.#encoder = new HeaderEncoder(lastingHeaders);
    this.#headerBlocks = new HeaderBlocks(2 * limits.headerBytes);
    this.#budget = new ClientBudget(limits, now);
    this.#sendQueue = new SendQueue(this.#writer, this.#budget);
    this.#cutStreams = new CutStreams(limits.streams);
    this.#receiveWindow = new ReceiveWindow(limits.connectionWindowBytes);
    this.#greet();
    socket.on('data', (chunk: Buffer) => this.#guard(() => this.#receive(chunk)));
    socket.on('drain', () => this.#guard(() => this.#drained()));
    socket.on('end', () => this.#guard(() => this.destroy()));
    socket.on('close', () => this.#guard(() => this.#closeStreams()));
  }

  /** Asks the client to send no more requests, and closes the connection when the open ones have ended. */
  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#writer.goAway(this.#lastStream, ERROR.none);
    this.#endWhenIdle();
  }

  /** Closes the connection immediately. */
  destroy(): void {
    this.#closing = true;
    this.#socket.destroy();
    this.#closeStreams();
  }

  /** Wraps handlers of socket events: an internal error closes the connection and nothing else. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onFailure(error);
      this.#closing = true;
      this.#ended = true;
      this.#socket.destroy();
    }
  }

  // Receiving.

  #receive(chunk: Buffer): void {
    if (this.#ended) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error);
    }
    const opened = this.#opened;
    this.#opened = [];
    for (const stream of opened) if (!stream.destroyed) this.#options.onStream(stream);
    if (this.#writer.backlogBytes > this.#options.limits.backlogBytes) this.#socket.pause();
  }

  frame(head: FrameHead, payload: Buffer): void {
    const { type, stream } = head;
    if (!this.#settingsSeen && type !== FRAME.settings) throw protocolError('no SETTINGS at the beginning');
    this.#headerBlocks.check(head);
    checkPlace(head);
    this.#budget.frame(type);
    if (type === FRAME.data) this.#onData(head, payload);
    else if (type === FRAME.headers) this.#onHeaders(head, payload);
    else if (type === FRAME.continuation) this.#onBlock(this.#headerBlocks.goOn(head, payload));
    else if (type === FRAME.windowUpdate) this.#onWindowUpdate(stream, payload);
    else this.#onOther(head, payload);
  }

  #onOther(head: FrameHead, payload: Buffer): void {
    const { type, stream } = head;
    if (type === FRAME.settings) this.#onSettings(head, payload);
    else if (type === FRAME.ping) this.#onPing(head, payload);
    else if (type === FRAME.reset) this.#onReset(stream, payload);
    else if (type === FRAME.priority) this.#onPriority(stream, payload);
    else if (type === FRAME.pushPromise) throw protocolError('client sent PUSH_PROMISE');
    else if (type === FRAME.goAway && payload.length < 8) throw wrongLength('GOAWAY');
  }

  #onSettings({ flags }: FrameHead, payload: Buffer): void {
    if ((flags & FLAG.ack) !== 0) {
      if (payload.length > 0) throw wrongLength('SETTINGS');
      return;
    }
    this.#settingsSeen = true;
    // Later frames depend on these settings.
    this.#writer.frame({ type: FRAME.settings, flags: FLAG.ack, stream: 0 }, NO_BYTES);
    let windowBytes = this.#sendWindowBytes;
    for (const [setting, value] of readSettings(payload)) {
      if (setting === SETTING.headerTableBytes) this.#encoder.limitTable(value);
      else if (setting === SETTING.initialWindowBytes) windowBytes = value;
    }
    if (windowBytes !== this.#sendWindowBytes) this.#resizeWindows(windowBytes);
  }

  #resizeWindows(bytes: number): void {
    this.#budget.touches(1 + this.#streams.size);
    const change = bytes - this.#sendWindowBytes;
    this.#sendWindowBytes = bytes;
    for (const stream of this.#streams.values()) {
      stream.sendWindowBytes += change;
      if (stream.sendWindowBytes > LARGEST_WINDOW_BYTES) throw windowTooLarge();
      this.#sendQueue.add(stream);
    }
    this.#sendQueue.send();
  }

  #onPing({ flags }: FrameHead, payload: Buffer): void {
    if (payload.length !== 8) throw wrongLength('PING');
    if ((flags & FLAG.ack) === 0) this.#writer.frame({ type: FRAME.ping, flags: FLAG.ack, stream: 0 }, payload);
  }

  #onPriority(stream: number, payload: Buffer): void {
    if (payload.length !== 5) this.#resetUnknown(stream, ERROR.frameSize);
    else if ((payload.readUInt32BE(0) & 0x7fff_ffff) === stream) this.#resetUnknown(stream, ERROR.protocol);
  }

  #onWindowUpdate(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw wrongLength('WINDOW_UPDATE');
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (id === 0) {
      if (bytes === 0) throw protocolError('a window that does not grow');
      if (!this.#sendQueue.offer(bytes)) throw windowTooLarge();
    } else {
      const stream = this.#known(id);
      if (stream === undefined) return;
      stream.sendWindowBytes += bytes;
      if (bytes === 0) this.#resetByFault(stream, ERROR.protocol);
      else if (stream.sendWindowBytes > LARGEST_WINDOW_BYTES) this.#resetByFault(stream, ERROR.flowControl);
      else this.#sendQueue.add(stream);
    }
    this.#sendQueue.send();
  }

  #onReset(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw wrongLength('RST_STREAM');
    this.#cutStreams.end(id);
    const stream = this.#known(id);
    if (stream === undefined) return;
    this.#budget.reset();
    stream.close();
  }

  #onData(head: FrameHead, payload: Buffer): void {
    const stream = this.#known(head.stream);
    const body = unpadded(head, payload);
    if (!this.#receiveWindow.take(payload.length))
      throw new ConnectionError(ERROR.flowControl, 'more than was offered');
    const isLast = (head.flags & FLAG.endStream) !== 0;
    if (stream === undefined || (body.length === 0 && !isLast)) this.#budget.idle();
    if (stream === undefined || stream.remoteEnded) {
      this.#offer(0, this.#receiveWindow.done(payload.length));
      if (this.#mayStillCome(head.stream, isLast)) return;
      throw new ConnectionError(ERROR.streamClosed, 'a body after the end');
    }
    const fits = stream.receiveWindow.take(payload.length);
    const paddingBytes = payload.length - body.length;
    stream.heldBytes += body.length;
    if (paddingBytes > 0) this.done(stream, paddingBytes);
    if (!fits) this.#resetByFault(stream, ERROR.flowControl);
    else if (!stream.arrive(body, isLast)) this.#resetByFault(stream, ERROR.protocol);
  }

  /** Whether the reset of a stream can be delayed. */
  #mayStillCome(id: number, isLast: boolean): boolean {
    if (id > this.#lastStream) return true;
    return this.#cutStreams.excuses(id, isLast);
  }

  #onHeaders(head: FrameHead, payload: Buffer): void {
    if (head.stream % 2 === 0) throw protocolError('a stream that a client cannot open');
    this.#onBlock(this.#headerBlocks.begin(head, payload));
  }

  #onBlock(block: HeaderBlock | undefined): void {
    if (block === undefined) return;
    const { stream: id, endStream } = block;
    const { fields, tooLarge } = this.#decoder.decode(block.bytes);
    const open = this.#streams.get(id);
    if (open !== undefined) {
      if (open.remoteEnded) throw new ConnectionError(ERROR.streamClosed, 'a header block after the end');
      const whole = endStream && !tooLarge && areTrailers(fields) && open.arrive(NO_BYTES, true);
      if (!whole) this.#resetByFault(open, ERROR.protocol);
      return;
    }
    // New streams after GOAWAY are ignored: the client knows that it has to retry elsewhere.
    if (this.#closing || id <= this.#lastStream) this.#budget.idle();
    if (id <= this.#lastStream) {
      if (this.#mayStillCome(id, endStream)) return;
      throw new ConnectionError(ERROR.streamClosed, 'a header block after the end');
    }
    if (this.#closing) return;
    this.#lastStream = id;
    const head = tooLarge ? undefined : readRequestHead(fields);
    if (head === undefined) this.#resetUnknown(id, tooLarge ? ERROR.enhanceYourCalm : ERROR.protocol);
    else if (endStream && (head.contentLength ?? 0) > 0) this.#resetUnknown(id, ERROR.protocol);
    else if (this.#streams.size >= this.#options.limits.streams) this.#resetUnknown(id, ERROR.refusedStream);
    else this.#openStream(id, head, endStream);
  }

  #openStream(id: number, head: RequestHead, endAfterHead: boolean): void {
    const receiveWindow = new ReceiveWindow(this.#options.limits.streamWindowBytes);
    const sendWindowBytes = this.#sendWindowBytes;
    const stream = new ServerStream({ id, head, endAfterHead, owner: this, receiveWindow, sendWindowBytes });
    this.#streams.set(id, stream);
    this.#budget.opened();
    this.#opened.push(stream);
  }

  /** An open stream by number. */
  #known(id: number): ServerStream | undefined {
    if (id > this.#lastStream && !this.#closing) throw protocolError('a stream that was not opened');
    return this.#streams.get(id);
  }

  // Sending.

  sendHead({ id }: ServerStream, { status, headers, endStream }: OutgoingHead): void {
    const encoder = this.#encoder;
    encoder.begin(status);
    for (const name in headers) {
      const value = headers[name]!;
      if (typeof value !== 'object') encoder.field(name, String(value));
      else for (const each of value) encoder.field(name, each);
    }
    this.#writer.headers(id, encoder.end(), endStream);
  }

  send(stream: ServerStream): void {
    this.#sendQueue.add(stream);
    this.#sendQueue.send();
  }

  sendEnd({ id }: ServerStream): void {
    this.#writer.frame({ type: FRAME.data, flags: FLAG.endStream, stream: id }, NO_BYTES);
  }

  done(stream: ServerStream, bytes: number): void {
    this.#offer(0, this.#receiveWindow.done(bytes));
    if (!stream.remoteEnded && !stream.destroyed) this.#offer(stream.id, stream.receiveWindow.done(bytes));
  }

  reset({ id, remoteEnded }: ServerStream, code: number): void {
    this.#writer.number(FRAME.reset, id, code);
    if (!remoteEnded) this.#cutStreams.add(id);
  }

  unsent(stream: ServerStream): void {
    this.#options.onUnsent?.(stream);
  }

  closed(stream: ServerStream): void {
    this.#streams.delete(stream.id);
    this.#sendQueue.remove(stream);
    this.#endWhenIdle();
  }

  #greet(): void {
    const { limits } = this.#options;
    const settings = writeSettings([
      [SETTING.maxConcurrentStreams, limits.streams],
      [SETTING.initialWindowBytes, limits.streamWindowBytes],
      [SETTING.maxHeaderListBytes, limits.headerBytes],
    ]);
    this.#writer.frame({ type: FRAME.settings, flags: 0, stream: 0 }, settings);
    this.#offer(0, limits.connectionWindowBytes - DEFAULT_WINDOW_BYTES);
  }

  #offer(stream: number, bytes: number): void {
    if (bytes > 0) this.#writer.number(FRAME.windowUpdate, stream, bytes);
  }

  #drained(): void {
    this.#sendQueue.send();
    if (this.#socket.isPaused() && !this.#ended) this.#socket.resume();
  }

  // Closing.

  /** A stream error; too many of them close the connection. */
  #resetByFault(stream: ServerStream, code: number): void {
    this.#budget.reset();
    stream.reset(code);
  }

  #resetUnknown(id: number, code: number): void {
    this.#budget.reset();
    const stream = this.#streams.get(id);
    if (stream !== undefined) stream.reset(code);
    else {
      this.#writer.number(FRAME.reset, id, code);
      this.#cutStreams.add(id);
    }
  }

  #fail(error: unknown): void {
    this.#closing = true;
    this.#options.onFailure(error);
    this.#writer.goAway(this.#lastStream, error instanceof ConnectionError ? error.code : ERROR.internal);
    this.#closeStreams();
    this.#end();
    this.#socket.destroySoon();
  }

  #closeStreams(): void {
    for (const stream of [...this.#streams.values()]) stream.close();
  }

  #endWhenIdle(): void {
    if (this.#closing && this.#streams.size === 0) this.#end();
  }

  /**
   * Says the last. The client has to end its side: closing both would cut off what it has not got yet (RFC 9112,
   * 9.6).
   */
  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#writer.flush();
    this.#socket.end();
    this.#socket.resume();
  }
}
