// Latency of small requests during a large one: a small get every two milliseconds, in a process of its own, because
// the one that reads a large response is not free to notice a small one.

import { Buffer } from 'node:buffer';
import { Http1Client } from './http1-client.ts';
import { type LoadRequest, openConnection, type Target } from './http2-connection.ts';
import { Latencies, median } from './latencies.ts';
import type { TextRequest } from './text-request.ts';

const EVERY_MS = 2;
const WARM_UP_GETS = 50;

export interface LargeOutcome {
  /** The middle one's time. */
  readonly requestMs: number;
  /** Bytes of the last one's body. */
  readonly bytes: number;
}

export interface SmallOutcome {
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly longestMs: number;
  readonly gets: number;
}

export function requestOf({ body, ...request }: TextRequest): LoadRequest {
  return body === undefined ? request : { ...request, body: Buffer.from(body) };
}

/** Over HTTP/1.1, for bodies of any size. */
async function whole(target: Target, request: TextRequest): Promise<{ status: number; bytes: number; kept: string }> {
  const client = new Http1Client(target);
  const { method, path, contentType = '', body = '' } = request;
  const { status, text } = await client.send(method, path, { 'content-type': contentType }, JSON.parse(body));
  client.close();
  return { status, bytes: text.length, kept: text.slice(0, 400) };
}

/** Runs large requests, one after another. Rejects at the first unsuccessful response. */
export async function runLarge(target: Target, requests: readonly TextRequest[]): Promise<LargeOutcome> {
  const large = await openConnection(target);
  try {
    const times: number[] = [];
    let bytes = 0;
    for (const request of requests) {
      const startMs = performance.now();
      const answer =
        request.body === undefined ? await large.request(requestOf(request)) : await whole(target, request);
      times.push(performance.now() - startMs);
      bytes = answer.bytes;
      if (answer.status >= 300) throw new Error(`${request.path}: ${answer.status} ${answer.kept}`);
    }
    return { requestMs: median(times), bytes };
  } finally {
    large.close();
  }
}

/** Small gets on their own connection, until their end is asked for. */
export class SmallGets {
  readonly #connection: Awaited<ReturnType<typeof openConnection>>;
  readonly #path: string;
  readonly #latencies = new Latencies();
  readonly #pending: Promise<void>[] = [];
  #longestMs = 0;
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(connection: Awaited<ReturnType<typeof openConnection>>, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  /** Resolves after a warm-up. */
  static async begin(target: Target, path: string): Promise<SmallGets> {
    const connection = await openConnection(target);
    const warmUp = new SmallGets(connection, path);
    for (let get = 0; get < WARM_UP_GETS; get++) await warmUp.#get();
    const gets = new SmallGets(connection, path);
    gets.#timer = setInterval(() => gets.#pending.push(gets.#get()), EVERY_MS);
    return gets;
  }

  /** Rejects if a response was unsuccessful. */
  async end(): Promise<SmallOutcome> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    this.#connection.close();
    if (this.#failure !== undefined) throw this.#failure;
    return {
      p99Ms: this.#latencies.at(0.99),
      p999Ms: this.#latencies.at(0.999),
      longestMs: this.#longestMs,
      gets: this.#pending.length,
    };
  }

  async #get(): Promise<void> {
    const sentMs = performance.now();
    const { status } = await this.#connection.request({ method: 'GET', path: this.#path });
    const ms = performance.now() - sentMs;
    if (status !== 200) this.#failure ??= new Error(`GET ${this.#path}: ${status}`);
    this.#latencies.add(ms);
    this.#longestMs = Math.max(this.#longestMs, ms);
  }
}
