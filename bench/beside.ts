// Latency of small requests during a large one: a small get every two milliseconds on its own connection, while the
// large one is processed on another.

import { Buffer } from 'node:buffer';
import { Http1Client } from './http1-client.ts';
import { type LoadRequest, openConnection, type Target } from './http2-connection.ts';
import { Latencies, median } from './latencies.ts';
import type { TextRequest } from './load.ts';

const EVERY_MS = 2;

export interface Beside {
  /** The large requests, one after another. */
  readonly requests: readonly TextRequest[];
  /** The path of the small gets. */
  readonly small: string;
}

export interface BesideOutcome {
  /** Of the large requests: the middle one's time. */
  readonly requestMs: number;
  /** Bytes of the last one's body. */
  readonly bytes: number;
  /** Of the small gets. */
  readonly p99Ms: number;
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

/** Rejects at the first unsuccessful response. */
export async function runBeside(target: Target, { requests, small }: Beside): Promise<BesideOutcome> {
  const [large, probe] = [await openConnection(target), await openConnection(target)];
  const latencies = new Latencies();
  let longestMs = 0;
  let failure: Error | undefined;
  const get = async () => {
    const sentMs = performance.now();
    const { status } = await probe.request({ method: 'GET', path: small });
    const ms = performance.now() - sentMs;
    if (status !== 200) failure ??= new Error(`GET ${small}: ${status}`);
    latencies.add(ms);
    longestMs = Math.max(longestMs, ms);
  };
  try {
    for (let warmUp = 0; warmUp < 50; warmUp++) await get();
    longestMs = 0;
    const pending: Promise<void>[] = [];
    const timer = setInterval(() => pending.push(get()), EVERY_MS);
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
    clearInterval(timer);
    await Promise.all(pending);
    if (failure !== undefined) throw failure;
    return { requestMs: median(times), bytes, p99Ms: latencies.at(0.99), longestMs, gets: pending.length };
  } finally {
    large.close();
    probe.close();
  }
}
