import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { longestTurn } from './longest-turn.ts';

const COUNT = 1_500;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function createAll(create: (index: number) => Promise<{ status: number }>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: COUNT }, (_, index) => create(index)));
  assert.ok(answers.every(({ status }) => status === 201));
}

test('other requests run while a namespace of many pods is checked against a new Pod Security level', async () => {
  await using server = await startTestServer();
  await createAll((index) =>
    server.request('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: `p${index}` },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }),
  );
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const { rounds } = await longestTurn(() => server.patch('/api/v1/namespaces/default', { metadata: { labels } }));
  assert.ok(rounds > 4, `${rounds} rounds`);
});

test('other requests run while all objects of a deleted CustomResourceDefinition are deleted', async () => {
  await using server = await startTestServer({ controllers: '*' });
  await server.request('POST', DEFINITIONS, {
    metadata: { name: 'widgets.turns.example' },
    spec: {
      ...{ group: 'turns.example', scope: 'Cluster', names: { plural: 'widgets', kind: 'Widget' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const widgets = '/apis/turns.example/v1/widgets';
  await until('the resource is served', async () => (await server.request('GET', widgets)).status === 200);
  await createAll((index) =>
    server.request('POST', widgets, {
      apiVersion: 'turns.example/v1',
      kind: 'Widget',
      metadata: { name: `w${index}` },
    }),
  );
  const definition = `${DEFINITIONS}/widgets.turns.example`;
  const { longestMs, wholeMs } = await longestTurn(async () => {
    await server.request('DELETE', definition);
    await until('the definition is gone', async () => (await server.request('GET', definition)).status === 404);
  });
  assert.ok(longestMs < wholeMs / 3, `${longestMs} of ${wholeMs} ms in one turn`);
});

test('the rules of an aggregated ClusterRole are summed up in proportion to their number', async () => {
  await using server = await startTestServer({ controllers: '*' });
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const matchLabels = { part: 'yes' };
  const whole = {
    metadata: { name: 'whole' },
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
  };
  assert.equal((await server.request('POST', roles, whole)).status, 201);
  const rulesOf = async () =>
    ((await server.request('GET', `${roles}/whole`)).body as { rules?: unknown[] }).rules ?? [];
  const aggregated = async (count: number) => {
    const rules = Array.from({ length: count }, (_, at) => ({
      verbs: ['get'],
      apiGroups: [''],
      resources: [`r${at}`],
    }));
    const part = { metadata: { name: `part-${count}`, labels: matchLabels }, rules };
    const { wholeMs } = await longestTurn(async () => {
      assert.equal((await server.request('POST', roles, part)).status, 201);
      await until('the role has all rules', async () => (await rulesOf()).length === count);
    });
    return wholeMs;
  };
  await aggregated(1_000);
  const less = await aggregated(2_000);
  const more = await aggregated(8_000);
  assert.ok(more < 8 * less, `${less} ms for 2,000 rules, ${more} ms for 8,000`);
});
