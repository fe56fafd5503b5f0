import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api/errors.ts';
import { ManualClock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { declareServerMetrics } from '../lifecycle/server-metrics.ts';
import { StorageSeries } from '../lifecycle/storage-series.ts';
import { emulationOf } from '../lifecycle/version.ts';
import { createCatalog } from '../resources/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { StoreTimeoutError } from '../store/store.ts';
import { Registry } from './registry.ts';

test('the first request for a resource fails with 504 if the store does not respond, and a later one succeeds', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const registry = new Registry({ store, clock, random: new SeededRandom(1), gates: new FeatureGates() });
  const pods = createCatalog().find('', 'pods')!;
  const { list } = store;
  store.list = () => Promise.reject(new StoreTimeoutError('away'));
  await assert.rejects(
    async () => await registry.storage(pods),
    (error) => error instanceof ApiError && error.code === 504 && /context deadline exceeded/.test(error.message),
  );
  store.list = list;
  const { cache } = await registry.storage(pods);
  assert.equal(cache.totals.objects, 0);
});

test('a watch cache that cannot be filled is counted as a failed initialization', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const gates = new FeatureGates();
  const metrics = declareServerMetrics({
    ...{ clock, gates, emulation: emulationOf(37, { minor: 37, patch: 2 }), resources: () => [] },
    runtime: { nodeVersion: '', platform: '', arch: '' },
    process: () => ({ cpuSeconds: 0, residentBytes: 0, virtualBytes: 0, startSeconds: 0, openFiles: 0, maxFiles: 0 }),
  });
  const series = new StorageSeries(metrics.storage, metrics.watchCache);
  const registry = new Registry({ store, clock, random: new SeededRandom(1), gates, series });
  const pods = createCatalog().find('', 'pods')!;
  const { list } = store;
  store.list = () => Promise.reject(new StoreTimeoutError('away'));
  await assert.rejects(async () => await registry.storage(pods));
  store.list = list;
  await registry.storage(pods);
  const text = metrics.text();
  const of = '{group="",resource="pods"}';
  assert.ok(text.includes(`apiserver_watch_cache_initialization_errors_total${of} 1\n`));
  assert.ok(text.includes(`apiserver_watch_cache_initializations_total${of} 1\n`));
  assert.ok(text.includes(`apiserver_watch_cache_initialization_duration_seconds_count${of} 1\n`));
});
