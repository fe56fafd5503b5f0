// The periodic comparison of a server's caches with etcd, which is loaded only for servers on etcd.

import type { CheckedCache } from '../../watchcache/consistency-checks.ts';
import type { WiringContext } from './context.ts';
import type { Foundation } from './foundation.ts';

/**
 * Compares the caches of those resources that kube-apiserver caches, until the server closes. For servers to whose store
 * others write, too.
 */
export async function checkCaches(
  { environment: { clock, log }, closing }: WiringContext,
  { gates, registry, metrics }: Pick<Foundation, 'gates' | 'registry' | 'metrics'>,
): Promise<void> {
  if (!gates.enabled('DetectCacheInconsistency')) return;
  const { ConsistencyChecks } = await import('../../watchcache/consistency-checks.ts');
  function* caches(): Generator<CheckedCache> {
    for (const [prefix, { definition, store, cache }] of registry.caches()) {
      if (!registry.isCached(definition)) continue;
      const { group, resource } = definition;
      const checked: CheckedCache['checked'] = (status) =>
        metrics.watchCache.checks.with({ group, resource, status }).add();
      yield { resource: group === '' ? resource : `${resource}.${group}`, prefix: `${prefix}/`, store, cache, checked };
    }
  }
  const checks = new ConsistencyChecks({ clock, log, turns: registry.turns, caches });
  closing.defer(() => checks.stop());
}
