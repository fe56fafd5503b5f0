import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../base/steps.ts';
import { embedded, list, map, scalar, string, struct } from '../schema/build.ts';
import type { JsonPatch } from './json-patch.ts';
import { applyingMergePatch } from './merge-patch.ts';
import { orderedByMerge, orderedByOperations, quoted } from './patched-text.ts';

const Inner = struct('x/v1.Inner', () => ({ zone: string(1), area: string(2) }));
const Thing = struct('x/v1.Thing', () => ({
  zone: string(1),
  labels: map(2, scalar('string')),
  area: string(3),
}));

const mergedText = (...[before, patched, node]: Parameters<typeof orderedByMerge>) =>
  quoted(orderedByMerge(before, patched, node));

test('an object that a merge patch changed has sorted members, others the declared order', () => {
  const before = { zone: 'z', labels: { b: '1', a: '2' }, area: 'a' };
  assert.equal(
    mergedText(before, atOnce(applyingMergePatch(before, { zone: 'y' })), Thing),
    '{"area":"a","labels":{"a":"2","b":"1"},"zone":"y"}',
  );
  assert.equal(mergedText({ zone: 'z', area: 'a' }, { zone: 'z', area: 'a' }, Inner), '{"area":"a","zone":"z"}');
  const same = { area: 'a', zone: 'z' };
  assert.equal(mergedText(same, same, Inner), '{"zone":"z","area":"a"}');
});

test('an object from a merge patch has sorted members at every depth', () => {
  const brought = { list: [{ zone: 'z', area: 'a & b' }] };
  assert.equal(mergedText({}, brought, Thing), String.raw`{"list":[{"area":"a \u0026 b","zone":"z"}]}`);
});

const Outer = struct('x/v1.Outer', () => ({
  first: embedded(1, Thing),
  items: list(2, Thing),
  last: embedded(3, Thing),
}));

test('an object on the path of a JSON patch has sorted members, others the declared order', () => {
  const thing = () => ({ area: 'a', labels: { b: '1', a: '2' }, zone: 'z' });
  const before = { items: [thing(), thing()], last: thing(), first: thing() };
  const declared = '{"zone":"z","labels":{"a":"2","b":"1"},"area":"a"}';
  const byName = '{"area":"a","labels":{"a":"2","b":"1"},"zone":"z"}';
  const text = (...operations: JsonPatch) => JSON.stringify(orderedByOperations(before, operations, Outer));
  const document = (first: string, items: string, last: string) =>
    `{"first":${first},"items":[${items}],"last":${last}}`;
  const plain = `${declared},${declared}`;
  assert.equal(text(), document(declared, plain, declared));
  assert.equal(text({ op: 'remove', path: ['items', '0', 'zone'] }).length, text().length - '"zone":"z",'.length);
  assert.equal(
    text({ op: 'replace', path: ['items', '1', 'zone'], value: 'z' }),
    document(declared, `${declared},${byName}`, declared),
  );
  assert.equal(
    text({ op: 'test', path: ['first'], value: thing() }, { op: 'copy', path: ['items', '-'], from: ['last'] }),
    document(byName, `${plain},${declared}`, declared),
  );
  assert.equal(
    text({ op: 'copy', path: ['last', 'area'], from: ['first', 'zone'] }),
    document(byName, plain, byName.replace('"area":"a"', '"area":"z"')),
  );
});

test('a value from a JSON patch keeps the order of its members', () => {
  const value = { zone: 'z', area: 'a' };
  const ordered = orderedByOperations({ zone: 'z' }, [{ op: 'add', path: ['a'], value }], Thing);
  assert.equal(JSON.stringify(ordered), '{"a":{"zone":"z","area":"a"},"zone":"z"}');
});

test('a quoted document has the numbers as the patch wrote them', () => {
  const literals = (path: string) => (path === 'spec.counts[1]' ? '1.0' : path === 'big' ? '1e400' : undefined);
  const document = { spec: { counts: [1, 1] }, big: Number.POSITIVE_INFINITY };
  assert.equal(quoted(document, literals), '{"spec":{"counts":[1,1.0]},"big":1e400}');
});
