// Requests at a steady rate, regardless of response times: what clients notice of a server that is loaded by others.

import { requestOf } from './beside.ts';
import { openConnection, StreamResetError, type Target } from './http2-connection.ts';
import { Latencies } from './latencies.ts';
import type { TextRequest } from './text-request.ts';

/** One client, on its own connection. */
export interface SteadyClient {
  readonly token: string;
  readonly request: TextRequest;
  readonly everyMs: number;
}

export interface SteadyLoad {
  readonly clients: readonly SteadyClient[];
  readonly seconds: number;
}

export interface SteadyOutcome {
  readonly requests: number;
  /** Unsuccessful responses. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** Runs all clients concurrently; returns one result for each. */
export function runSteadyLoad({ url }: Target, { clients, seconds }: SteadyLoad): Promise<SteadyOutcome[]> {
  return Promise.all(clients.map((client) => runClient({ url, token: client.token }, client, seconds)));
}

/** More may be under way on one connection than a slow server takes: kube-apiserver resets what comes then. */
function notServed(error: unknown): { readonly status: number } {
  if (error instanceof StreamResetError) return { status: 503 };
  throw error;
}

async function runClient(target: Target, { request, everyMs }: SteadyClient, seconds: number): Promise<SteadyOutcome> {
  const connection = await openConnection(target);
  const latencies = new Latencies();
  let failed = 0;
  let longestMs = 0;
  const send = async () => {
    const sentMs = performance.now();
    const { status } = await connection.request(requestOf(request)).catch(notServed);
    const ms = performance.now() - sentMs;
    if (status >= 300) failed++;
    latencies.add(ms);
    longestMs = Math.max(longestMs, ms);
  };
  try {
    const pending: Promise<void>[] = [];
    const timer = setInterval(() => pending.push(send()), everyMs);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    clearInterval(timer);
    await Promise.all(pending);
    return { requests: pending.length, failed, p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99), longestMs };
  } finally {
    connection.close();
  }
}
