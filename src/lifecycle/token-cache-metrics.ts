// Metrics of the token authentication cache, with kube-apiserver's names.

import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

export type TokenCacheMetrics = ReturnType<typeof declareTokenCacheMetrics>;

export function declareTokenCacheMetrics(registry: MetricRegistry) {
  const prefix = 'authentication_token_cache_';
  const labels = ['status'] as const;
  const counter = (name: string, help: string) =>
    registry.counter({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels });
  const requests = counter('request_total', 'Presented bearer tokens, by whether they were cached.');
  const fetches = counter(
    'fetch_total',
    'Bearer tokens that were authenticated without the cache; error for invalid ones.',
  );
  const seconds = registry.histogram(
    {
      name: `${prefix}request_duration_seconds`,
      help: 'Latency of token authentication in seconds, by whether the token was cached.',
      stability: 'ALPHA',
      labels,
    },
    usualSeconds,
  );
  const active = registry
    .gauge({
      name: `${prefix}active_fetch_count`,
      help: 'Bearer tokens being authenticated.',
      stability: 'ALPHA',
      labels,
    })
    .with({ status: 'in_flight' });
  const of = (status: 'hit' | 'miss') => ({ requests: requests.with({ status }), seconds: seconds.with({ status }) });
  const [hits, misses] = [of('hit'), of('miss')];
  return {
    hit(): void {
      hits.requests.add();
      hits.seconds.observe(0);
    },
    /** Records a cache miss. @returns a function to call when authentication has ended */
    missed(): (status: 'ok' | 'error', seconds: number) => void {
      misses.requests.add();
      active.add(1);
      return (status, spent) => {
        active.add(-1);
        fetches.with({ status }).add();
        misses.seconds.observe(spent);
      };
    },
  };
}
