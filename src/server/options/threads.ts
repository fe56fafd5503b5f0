// The option of how many threads serve.

import { availableParallelism, totalmem } from 'node:os';
import { constrainedMemory, platform } from 'node:process';
import { limits } from '../../base/limits.ts';

export interface ThreadOptions {
  /** Threads that accept connections and answer requests; 0 for as many as suit the machine, four at most. */
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
  /** What the process may use: that of the machine, or less in a container. */
  readonly memoryMegabytes: number;
}

function thisMachine(): Machine {
  const limited = constrainedMemory();
  const bytes = Math.min(totalmem(), limited > 0 ? limited : Number.POSITIVE_INFINITY);
  return { cores: availableParallelism(), platform, memoryMegabytes: bytes / 2 ** 20 };
}

/**
 * How many threads serve: as many as the options say, or four, or as the machine has cores but one. One alone where threads cannot
 * share a port, for simulated nodes, which live in one thread, and for storage in memory, as servers of tests have it. Fewer
 * if few requests may be in flight, since each thread has seats of its own for them, and in a small container.
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
  const forSeats = Math.floor(seats / limits.seatsOfServingThread);
  const forMemory = Math.floor(at.memoryMegabytes / limits.servingThreadMegabytes);
  return Math.max(1, Math.min(limits.defaultServingThreads, at.cores - 1, forSeats, forMemory));
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
