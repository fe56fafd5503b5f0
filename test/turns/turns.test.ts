import assert from 'node:assert/strict';
import { test } from 'node:test';
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
