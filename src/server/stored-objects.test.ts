import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { roundsDuring, SlowClock } from '../../test/slow-clock.ts';
import type { ApiObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { createCatalog } from '../resources/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Registry } from '../verbs/registry.ts';
import { storedObjects } from './stored-objects.ts';

const PODS = { group: '', resource: 'pods' };

/** Objects as admission finds them, of a store with so many pods. */
async function lookupAmong(count: number) {
  const store = new MemoryStore({ clock: new ManualClock() });
  for (let index = 0; index < count; index++) {
    const name = `pod-${String(index).padStart(3, '0')}`;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: { containers: [] } };
    await store.put(`/registry/pods/default/${name}`, Buffer.from(JSON.stringify(pod)), 'any');
  }
  const catalog = createCatalog();
  const registry = new Registry({
    ...{ store, clock: new SlowClock(), random: new SeededRandom(1), gates: new FeatureGates() },
  });
  await registry.storage(catalog.find('', 'pods')!);
  return storedObjects(catalog, registry);
}

test('admission lets other requests go on while it decodes many objects of a namespace', async () => {
  const objects = await lookupAmong(200);
  let found: readonly (readonly ApiObject[])[] = [];
  const rounds = await roundsDuring(async () => {
    found = await Promise.all([objects.all(PODS, 'default'), objects.all(PODS, 'default')]);
  });
  const [first, second] = found;
  assert.equal(first?.length, 200);
  assert.equal(second, first, 'two requests at once decode them once');
  assert.ok(rounds >= 200, `${rounds} rounds`);
  assert.equal(objects.all(PODS, 'default'), first, 'the next request has them at once');
});

test('objects of the namespace "" are none of a namespaced kind, whether or not all were asked for before', async () => {
  const objects = await lookupAmong(1);
  assert.equal((await objects.all(PODS)).length, 1);
  assert.equal((await objects.all(PODS, '')).length, 0);
});
