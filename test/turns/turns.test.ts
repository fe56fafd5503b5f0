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
