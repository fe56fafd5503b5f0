// A client that floods a server: a fixed number of requests in flight at all times, without a pause after a rejection.

import { openConnection, type Target } from './http2-connection.ts';
import { Latencies } from './latencies.ts';

export interface Flood {
  readonly token: string;
  readonly path: string;
  readonly connections: number;
  /** Requests in flight on each connection. */
  readonly streams: number;
  readonly seconds: number;
}

export interface Answered {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface FloodOutcome {
  readonly served: Answered;
  /** With 429. */
  readonly refused: Answered;
}

/** Rejects at a response that is neither a success nor 429. */
export async function runFlood({ url }: Target, flood: Flood): Promise<FloodOutcome> {
  const { token, path, streams, seconds } = flood;
  const open = () => openConnection({ url, token });
  const connections = await Promise.all(Array.from({ length: flood.connections }, open));
  const [served, refused] = [new Latencies(), new Latencies()];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const lane = async (connection: (typeof connections)[number]) => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const { status, kept } = await connection.request({ method: 'GET', path });
      if (status !== 200 && status !== 429) throw new Error(`GET ${path}: ${status} ${kept}`);
      (status === 200 ? served : refused).add(performance.now() - sentMs);
    }
  };
  try {
    await Promise.all(connections.flatMap((each) => Array.from({ length: streams }, () => lane(each))));
    const tookSeconds = (performance.now() - startMs) / 1000;
    return { served: answered(served, tookSeconds), refused: answered(refused, tookSeconds) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

function answered(latencies: Latencies, seconds: number): Answered {
  return { perSecond: latencies.count / seconds, p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99) };
}
