// An open watch: reads its events from the stream as they arrive and passes them to the steps that collect them.

import type { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type Client, parseOr, pickHeaders } from './client.ts';
import { type EventReader, eventFrames, eventLines, webSocketMessages } from './event-reader.ts';
import type { CollectUntil, WatchStep } from './scenario.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** The timeout for the whole response of a rejected watch. */
const refusalTimeoutMs = 5_000;

interface Opening {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  readonly step: WatchStep;
  /** Where the events arrive, if not in the response. */
  readonly stream?: Readable;
}

export class OpenWatch {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly #request: ClientRequest;
  readonly #stream: Readable;
  readonly #events: WatchEvent[] = [];
  /** The body of a rejection. */
  #text = '';
  #closed = false;
  #wake: () => void = () => {};

  private constructor({ request, response, step, stream = response }: Opening) {
    this.#request = request;
    this.#stream = stream;
    this.status = response.statusCode!;
    this.headers = pickHeaders(response.headers, step);
    const close = () => {
      this.#closed = true;
      this.#wake();
    };
    const read = this.isLive ? this.#eventReader(response.headers, close) : this.#readText();
    stream.on('data', (chunk: Buffer) => {
      read(chunk);
      this.#wake();
    });
    stream.on('close', close).on('error', close);
  }

  /** Resolves when the response headers have arrived. */
  static open(client: Client, step: WatchStep): Promise<OpenWatch> {
    const query = { watch: '1', ...step.query };
    return new Promise((resolve, reject) => {
      const request = client.start({ ...step, query }, step.websocket === true ? upgradeHeaders(client.url) : {});
      request.on('response', (response) => resolve(new OpenWatch({ request, response, step })));
      request.on('upgrade', (response, socket, head) => {
        socket.unshift(head);
        resolve(new OpenWatch({ request, response, step, stream: socket }));
      });
      request.on('error', reject).end();
    });
  }

  /** Whether the watch was accepted. */
  get isLive(): boolean {
    return this.status === 200 || this.status === 101;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#request.destroy();
    // A WebSocket has detached from its request.
    this.#stream.destroy();
  }

  /** The whole response of a rejected watch. */
  async refusal(): Promise<unknown> {
    const deadline = Date.now() + refusalTimeoutMs;
    while (!this.#closed && Date.now() < deadline) await this.#change(deadline);
    return parseOr(this.#text);
  }

  /** Takes events until the condition is true. Rejects if the time or the watch ends first. */
  async collect(until: CollectUntil, timeoutMs: number): Promise<WatchEvent[]> {
    const taken: WatchEvent[] = [];
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
        taken.push(event);
        if (taken.length === until.count || event.type === until.type) return taken;
      }
      if (this.#closed && until.closed === true) return taken;
      if (this.#closed) throw new Error(`the watch ended after ${taken.length} events`);
      if (Date.now() >= deadline) {
        if (until.quiet === true) return taken;
        const types = taken.map(({ type }) => type).join(' ');
        throw new Error(`${taken.length} events in ${timeoutMs} ms (${types}), wanted ${JSON.stringify(until)}`);
      }
      await this.#change(deadline);
    }
  }

  #readText(): EventReader {
    const decoder = new StringDecoder('utf8');
    return (chunk) => {
      this.#text += decoder.write(chunk);
    };
  }

  #eventReader(headers: IncomingHttpHeaders, close: () => void): EventReader {
    const take = (event: unknown) => void this.#events.push(event as WatchEvent);
    if (this.status === 101) return webSocketMessages(take, close);
    const framed = headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
    return framed ? eventFrames(take) : eventLines(take);
  }

  /** Resolves when something arrives or the deadline is reached. */
  async #change(deadline: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(1, deadline - Date.now()));
    });
    clearTimeout(timer);
    this.#wake = () => {};
  }
}

function upgradeHeaders(origin: string): Record<string, string> {
  return {
    origin,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
}
