// The options of one of several serving threads: limits of the whole process are divided among them.

import type { ServerOptions } from '../options.ts';

/** @returns the options of each thread; 0, which often means no limit, stays 0 */
export function shareOfOptions(options: ServerOptions): ServerOptions {
  const share = (limit: number) => Math.ceil(limit / options.servingThreads);
  return {
    ...options,
    maxRequestsInFlight: share(options.maxRequestsInFlight),
    maxMutatingRequestsInFlight: share(options.maxMutatingRequestsInFlight),
  };
}
