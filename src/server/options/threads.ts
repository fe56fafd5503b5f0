// The option of how many threads serve.

import { availableParallelism } from 'node:os';
import { platform } from 'node:process';
import { limits } from '../../base/limits.ts';

export interface ThreadOptions {
  /** Threads that accept connections and answer requests; 0 for as many as suit the machine. */
  readonly servingThreads: number;
}

export const defaultThreadOptions: ThreadOptions = { servingThreads: 0 };

interface Threading extends ThreadOptions {
  readonly nodes: number;
  readonly store: string;
  readonly etcdServers: readonly string[];
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
}

interface Machine {
  readonly cores: number;
  readonly platform: string;
}

const thisMachine = (): Machine => ({ cores: availableParallelism(), platform });

/**
 * How many threads serve: as many as the options say, or as the machine has cores but one. One alone where threads cannot
 * share a port, for simulated nodes, which live in one thread, and for storage in memory, as servers of tests have it. Fewer
 * if few requests may be in flight, since each thread has seats of its own for them.
 */
export function servingThreads(options: Threading, at = thisMachine()): number {
  const {
    servingThreads: asked,
    nodes,
    store,
    etcdServers,
    maxRequestsInFlight,
    maxMutatingRequestsInFlight,
  } = options;
  if (asked > 0) return asked;
  const isAlone = nodes > 0 || at.platform !== 'linux' || (store === 'memory' && etcdServers.length === 0);
  if (isAlone) return 1;
  // 0 is no limit.
  const seats = maxRequestsInFlight + maxMutatingRequestsInFlight || Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(limits.servingThreads, at.cores - 1, Math.floor(seats / limits.seatsOfServingThread)));
}

export function threadProblems({ servingThreads: asked, nodes }: Threading, at = thisMachine()): string[] {
  if (!Number.isInteger(asked) || asked < 0 || asked > limits.servingThreads) {
    return [`--serving-threads ${asked} must be between 0 and ${limits.servingThreads}, inclusive`];
  }
  if (asked <= 1) return [];
  return [
    ...(nodes > 0 ? ['--serving-threads must be 1 with --nodes: simulated nodes live in one thread'] : []),
    ...(at.platform === 'linux' ? [] : ['--serving-threads must be 1 except on Linux, where threads can share a port']),
  ];
}
