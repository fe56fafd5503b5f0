import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api/errors.ts';
import { ManualClock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { createCatalog } from '../resources/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { StoreTimeoutError } from '../store/store.ts';
import { Registry } from './registry.ts';

test('who asks for a resource first, while the store does not answer, is told that, and who asks later gets it', async () => {
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
