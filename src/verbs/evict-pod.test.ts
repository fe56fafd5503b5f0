import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { startTestServer } from '../testing.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const PODS = 60;

test('concurrent evictions under one PodDisruptionBudget all succeed while it allows them', async () => {
  await using server = await startTestServer({ controllers: '' });
  await server.request('POST', BUDGETS, {
    metadata: { name: 'b' },
    spec: { minAvailable: 0, selector: { matchLabels: { app: 'a' } } },
  });
  const allowed = { disruptionsAllowed: PODS, currentHealthy: PODS, desiredHealthy: 0, expectedPods: PODS };
  await server.patch(`${BUDGETS}/b/status`, { status: { observedGeneration: 1, ...allowed } });
  const names = Array.from({ length: PODS }, (_, index) => `p${index}`);
  for (const name of names) {
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
    await server.request('POST', `${NAMESPACE}/pods`, { metadata: { name, labels: { app: 'a' } }, spec });
    const conditions = [{ type: 'Ready', status: 'True' }];
    await server.patch(`${NAMESPACE}/pods/${name}/status`, { status: { phase: 'Running', conditions } });
  }
  const evictions = names.map((name) =>
    server.request('POST', `${NAMESPACE}/pods/${name}/eviction`, { metadata: { name } }),
  );
  const statuses = (await Promise.all(evictions)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([201]));
  const { body } = await server.request('GET', `${BUDGETS}/b`);
  const { disruptionsAllowed, disruptedPods } = (body as JsonObject)['status'] as JsonObject;
  assert.equal(disruptionsAllowed, 0);
  assert.equal(Object.keys(disruptedPods as JsonObject).length, PODS);
});

test('the options of an eviction are validated when the pod is deleted, and not before', async () => {
  await using server = await startTestServer({ controllers: '' });
  const options = { deleteOptions: { propagationPolicy: 'x' } };
  const evict = async (name: string) =>
    (await server.request('POST', `${NAMESPACE}/pods/${name}/eviction`, { metadata: { name }, ...options })).status;
  const make = (name: string) =>
    server.request('POST', `${NAMESPACE}/pods`, {
      metadata: { name, labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
  assert.equal(await evict('none'), 404);
  await make('p');
  assert.equal(await evict('p'), 422);
  await server.patch(`${NAMESPACE}/pods/p/status`, { status: { phase: 'Running' } });
  await server.request('POST', BUDGETS, {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  });
  assert.equal(await evict('p'), 429);
});
