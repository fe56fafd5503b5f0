import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { longestTurn } from './longest-turn.ts';
import { longestTurns } from './turns.ts';

/** One of each reader of bodies, in the order of bodies.ts. */
const READ_IN_TURNS = [
  'create, JSON: unknown field',
  'create, custom: many members',
  'create, YAML: many members',
  'patch: apply, custom',
  'patch: merge, custom',
];

test('others have their turn while a body of 3 MB is read and worked on', async () => {
  const rows = await longestTurns((name) => READ_IN_TURNS.includes(name), 1);
  assert.deepEqual(
    rows.map(({ name, rounds }) => (rounds > 8 ? name : `${name}: ${rounds} rounds`)),
    READ_IN_TURNS,
  );
});

test('others have their turn while a short patch changes a long object', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/events';
  const annotations = { long: 'x'.repeat(200_000) };
  const related = { kind: 'Pod', namespace: 'default', name: 'a' };
  const event = { metadata: { name: 'e', annotations }, involvedObject: related };
  assert.equal((await server.request('POST', maps, event)).status, 201);
  const operations = Array.from({ length: 1_000 }, (_, index) => ({
    op: 'add',
    path: `/metadata/labels/l${index}`,
    value: 'v',
  }));
  const patch = JSON.stringify([{ op: 'add', path: '/metadata/labels', value: {} }, ...operations]);
  const { rounds } = await longestTurn(() =>
    server.fetch(
      new Request(`https://localhost${maps}/e`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json-patch+json' },
        body: patch,
      }),
    ),
  );
  assert.ok(rounds > 2, `${rounds} rounds`);
});

test('others have their turn while a page is searched with a long selector', async () => {
  await using server = await startTestServer();
  const maps = '/api/v1/namespaces/default/configmaps';
  const names = Array.from({ length: 500 }, (_, index) => `m${index}`);
  await Promise.all(names.map((name) => server.request('POST', maps, { metadata: { name } })));
  const selector = Array.from({ length: 6_000 }, (_, index) => `k${index}!=v`).join(',');
  for (const [method, query] of [
    ['GET', 'limit=1000'],
    ['DELETE', 'dryRun=All'],
  ] as const) {
    const { rounds } = await longestTurn(() =>
      server.request(method, `${maps}?${query}&labelSelector=${encodeURIComponent(`${selector},nowhere`)}`),
    );
    assert.ok(rounds > 3, `${method}: ${rounds} rounds`);
  }
});
