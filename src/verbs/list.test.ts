import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { roundsDuring, SlowClock } from '../../test/slow-clock.ts';
import { ManualClock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { createCatalog } from '../resources/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { listObjects } from './list.ts';
import { parseQuery } from './query.ts';
import { Registry } from './registry.ts';
import type { StoredObject } from './resource-request.ts';

const COUNT = 2_500;
const user = { name: 'admin', groups: [], uid: '', extra: {} };

/** A server's registry with many ConfigMaps, of which the last one has a label. */
async function manyConfigMaps() {
  const store = new MemoryStore({ clock: new ManualClock() });
  const configMaps = createCatalog().find('', 'configmaps')!;
  const registry = new Registry({
    ...{ store, clock: new SlowClock(), random: new SeededRandom(1), gates: new FeatureGates() },
  });
  for (let index = 0; index < COUNT; index++) {
    const name = `map-${String(index).padStart(4, '0')}`;
    const labels = index === COUNT - 1 ? { picked: 'yes' } : {};
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', labels } };
    await store.put(`/registry/configmaps/default/${name}`, Buffer.from(JSON.stringify(object)), 'any');
  }
  const list = (query: string, namespace = 'default') =>
    listObjects(registry, {
      ...{ definition: configMaps, version: configMaps.versions[0]!, namespace, name: '', subresource: '' },
      ...{ user, userAgent: '', query: parseQuery(query), warnings: [] },
    });
  await list('limit=1');
  return list;
}

function nameOf({ bytes }: StoredObject): string {
  return JSON.parse(bytes.toString()).metadata.name;
}

test('a list that selects few of many objects lets other requests go on while it looks for them', async () => {
  const list = await manyConfigMaps();
  for (const [query, namespace] of [
    ['labelSelector=picked%3Dyes', 'default'],
    ['labelSelector=picked%3Dyes', ''],
    ['labelSelector=picked%3Dyes&limit=10', 'default'],
    ['fieldSelector=metadata.name%3Dmap-2499', ''],
  ] as const) {
    let names: unknown[] = [];
    const rounds = await roundsDuring(async () => {
      const { objects } = await list(query, namespace);
      names = Array.from(objects, nameOf);
    });
    assert.deepEqual(names, ['map-2499'], query);
    assert.ok(rounds > 3, `${query}: ${rounds} rounds`);
  }
});

test('pages of a list by label continue after the last object that was looked at', async () => {
  const list = await manyConfigMaps();
  const first = await list('limit=2499');
  assert.equal([...first.objects].length, 2_499);
  const { objects, continueToken } = await list(`limit=2499&continue=${encodeURIComponent(first.continueToken)}`);
  assert.deepEqual(Array.from(objects, nameOf), ['map-2499']);
  assert.equal(continueToken, '');
});
