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
    patchedText(before, applyMergePatch(before, { zone: 'y' }), { node: Thing, isMerge: true }),
    '{"area":"a","labels":{"a":"2","b":"1"},"zone":"y"}',
  );
  assert.equal(
    patchedText({ zone: 'z', area: 'a' }, { zone: 'z', area: 'a' }, { node: Inner, isMerge: true }),
    '{"area":"a","zone":"z"}',
  );
  const same = { area: 'a', zone: 'z' };
  assert.equal(patchedText(same, same, { node: Inner, isMerge: true }), '{"zone":"z","area":"a"}');
});

test('what a merge brings has its members by name at every depth, what an operation brings as it came', () => {
  const brought = { list: [{ zone: 'z', area: 'a & b' }] };
  assert.equal(
    patchedText({}, brought, { node: Thing, isMerge: true }),
    String.raw`{"list":[{"area":"a \u0026 b","zone":"z"}]}`,
  );
  assert.equal(
    patchedText({}, brought, { node: Thing, isMerge: false }),
    String.raw`{"list":[{"zone":"z","area":"a \u0026 b"}]}`,
  );
});
