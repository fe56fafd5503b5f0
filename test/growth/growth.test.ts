import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { longestTurn } from '../turns/longest-turn.ts';
import { until } from '../until.ts';
import { superlinear } from './growth.ts';
import { PAIRS, superlinearPairs } from './pairs.ts';

/** Fields that once took time with the square of their items; `npm run growth` looks at all. */
const FOUND = [
  'core/v1.ResourceQuotaSpec.scopes',
  'storage/v1.StorageClass.allowedTopologies',
  'node/v1.Scheduling.tolerations',
  'apiextensions/v1.CustomResourceDefinitionSpec.versions',
  'meta/v1.ObjectMeta.ownerReferences',
];

test('every list takes time at most in proportion to its items, from 1,000 to 8,000', async () => {
  const found = await superlinear(
    (name) => FOUND.includes(name),
    () => {},
  );
  assert.deepEqual(found, []);
});

for (const name of Object.keys(PAIRS)) {
  test(`${name} takes time at most in proportion to its items, from 1,000 to 8,000`, async () => {
    assert.deepEqual(await superlinearPairs((each) => each === name), []);
  });
}

test('garbage collection takes the same time for a thousand references to a large object as to a small one', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/configmaps';
  await server.request('POST', maps, { metadata: { name: 'small' } });
  await server.request('POST', maps, { metadata: { name: 'large' }, data: { text: 'x'.repeat(1_000_000) } });
  const collected = async (owner: string, name: string) => {
    const ownerReferences = Array.from({ length: 1_000 }, (_, index) => {
      return { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: `absent-${index}` };
    });
    await server.request('POST', maps, { metadata: { name, ownerReferences } });
    await until(`${name} is collected`, async () => (await server.request('GET', `${maps}/${name}`)).status === 404);
  };
  await collected('small', 'first');
  const { wholeMs: smallMs } = await longestTurn(() => collected('small', 'second'));
  const { wholeMs: largeMs } = await longestTurn(() => collected('large', 'third'));
  assert.ok(largeMs < 4 * smallMs + 50, `${smallMs.toFixed(0)} ms, ${largeMs.toFixed(0)} ms`);
});

test('no signal gets a listener for each watch, with all of which it would compare the next', async () => {
  const added = new Map<EventTarget, number>();
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...given) {
    added.set(this, (added.get(this) ?? 0) + 1);
    addEventListener.apply(this, given);
  };
  try {
    await using server = await startTestServer();
    const headers = { authorization: `Bearer ${server.token}` };
    const path = 'https://x/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0';
    for (let count = 0; count < 50; count++) {
      const answer = await server.fetch(new Request(path, { headers }));
      assert.equal(answer.status, 200);
    }
    const most = Math.max(...added.values());
    assert.ok(most < 25, `${most} listeners`);
  } finally {
    EventTarget.prototype.addEventListener = addEventListener;
  }
});
