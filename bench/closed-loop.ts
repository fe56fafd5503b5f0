// A load with a fixed number of requests in flight: several connections with several lanes each, for a time or a number
// of requests.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Http2Connection, openConnection, type Target } from './http2-connection.ts';
import { Latencies } from './latencies.ts';
import { type Lane, lanesOf, type Workload } from './workloads.ts';

export interface ClosedLoop {
  readonly connections: number;
  /** Requests in flight on each connection. */
  readonly streams: number;
  readonly workload: Workload;
  /** How long, unless `requests` says how many. */
  readonly seconds: number;
  readonly requests?: number;
  /** At most so many requests in a second, evenly spread. */
  readonly perSecond?: number;
}

export interface LoopOutcome {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes of all response bodies. */
  readonly bytes: number;
}

/** Connections reused from one load to the next of the same shape. */
export class ConnectionPool {
  #connections: Http2Connection[] = [];

  async take(target: Target, count: number): Promise<readonly Http2Connection[]> {
    if (this.#connections.length !== count) {
      this.close();
      this.#connections = await Promise.all(Array.from({ length: count }, () => openConnection(target)));
    }
    return this.#connections;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections = [];
  }
}

/** Runs a load; rejects at the first unsuccessful response. */
export async function runClosedLoop(
  connections: readonly Http2Connection[],
  { streams, workload, seconds, requests, perSecond = Number.POSITIVE_INFINITY }: ClosedLoop,
): Promise<LoopOutcome> {
  const latencies = new Latencies();
  const startMs = performance.now();
  const endMs = requests === undefined ? startMs + seconds * 1000 : Number.POSITIVE_INFINITY;
  let left = requests ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  let begun = 0;
  const runLane = async (connection: Http2Connection, next: Lane): Promise<void> => {
    let before: Awaited<ReturnType<Http2Connection['request']>> | undefined;
    while (left > 0 && performance.now() < endMs) {
      left--;
      const earlyMs = startMs + (begun++ * 1000) / perSecond - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const sentMs = performance.now();
      before = await connection.request(next(before));
      latencies.add(performance.now() - sentMs);
      bytes += before.bytes;
      if (before.status >= 300) throw new Error(`${workload.kind}: ${before.status} ${before.kept}`);
    }
  };
  const lane = lanesOf(workload);
  const running = connections.flatMap((connection, at) =>
    Array.from({ length: streams }, (_, stream) => runLane(connection, lane(at * streams + stream))),
  );
  await Promise.all(running);
  return {
    requests: latencies.count,
    seconds: (performance.now() - startMs) / 1000,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    bytes,
  };
}
