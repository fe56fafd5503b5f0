import assert from 'node:assert/strict';
import { test } from 'node:test';
import { map, scalar, string, struct } from '../schema/build.ts';
import { applyMergePatch } from './merge-patch.ts';
import { patchedText } from './patched-text.ts';

const Inner = struct('x/v1.Inner', () => ({ zone: string(1), area: string(2) }));
const Thing = struct('x/v1.Thing', () => ({
  zone: string(1),
  labels: map(2, scalar('string')),
  area: string(3),
}));

test('what a patch reached into has its members by name, the rest as declared', () => {
  const before = { zone: 'z', labels: { b: '1', a: '2' }, area: 'a' };
  assert.equal(
    patchedText(before, applyMergePatch(before, { zone: 'y' }), Thing),
    '{"area":"a","labels":{"a":"2","b":"1"},"zone":"y"}',
  );
  assert.equal(patchedText({ zone: 'z', area: 'a' }, { zone: 'z', area: 'a' }, Inner), '{"area":"a","zone":"z"}');
  const same = { area: 'a', zone: 'z' };
  assert.equal(patchedText(same, same, Inner), '{"zone":"z","area":"a"}');
});
