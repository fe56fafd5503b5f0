// The share of each serving thread in the limits of the process: they are divided, since a thread cannot know what the
// others use without asking them. What must not depend on the thread that has a connection is counted by the leader instead
// (EventRateLimit).

import { limits } from '../../base/limits.ts';
import type { ServerOptions } from '../options.ts';

/** Memory that clients and caches can take, and connections, of all threads together. */
const DIVIDED = [
  'unsentBytes',
  'waitingHandshakes',
  'waitingHandshakeBytes',
  'keptFormBytes',
  'auditQueuedCharacters',
  'auditWebhookCalls',
] as const;

export type Limits = { readonly [name in keyof typeof limits]: number };

/** The limits of each of so many serving threads, rounded up. */
export function shareOfLimits(threads: number): Limits {
  const divided = DIVIDED.map((name) => [name, share(limits[name], threads)]);
  return { ...limits, ...(Object.fromEntries(divided) as Record<(typeof DIVIDED)[number], number>) };
}

/** The options of each serving thread, rounded up; 0, which often means no limit, stays 0, and what is invalid stays so. */
export function shareOfOptions(options: ServerOptions): ServerOptions {
  const { servingThreads } = options;
  const part = (limit: number) => share(limit, servingThreads);
  return {
    ...options,
    auditLogBatchBufferSize: part(options.auditLogBatchBufferSize),
    auditLogBatchThrottleQps: options.auditLogBatchThrottleQps / servingThreads,
    auditLogBatchThrottleBurst: part(options.auditLogBatchThrottleBurst),
    auditWebhookBatchBufferSize: part(options.auditWebhookBatchBufferSize),
    auditWebhookBatchThrottleQps: options.auditWebhookBatchThrottleQps / servingThreads,
    auditWebhookBatchThrottleBurst: part(options.auditWebhookBatchThrottleBurst),
  };
}

function share(limit: number, threads: number): number {
  return limit > 0 ? Math.ceil(limit / threads) : limit;
}
