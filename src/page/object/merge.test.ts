import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMergePatch, mergePatch, overlaps } from './merge.ts';

const opened = { metadata: { labels: { a: '1', b: '2' } }, spec: { replicas: 1, list: [1, 2] } };
const mine = { metadata: { labels: { a: '1' } }, spec: { replicas: 3, list: [1, 2] } };
const theirs = { metadata: { labels: { a: '1', b: '2', c: '3' } }, spec: { replicas: 1, list: [1, 2, 3] } };

test('a merge patch holds what differs, and null for what is gone', () => {
  assert.deepEqual(mergePatch(opened, mine), { metadata: { labels: { b: null } }, spec: { replicas: 3 } });
  assert.equal(mergePatch(opened, structuredClone(opened)), undefined);
});

test('an edit is carried over to what somebody else made of the object meanwhile', () => {
  assert.deepEqual(applyMergePatch(theirs, mergePatch(opened, mine)), {
    metadata: { labels: { a: '1', c: '3' } },
    spec: { replicas: 3, list: [1, 2, 3] },
  });
});

test('what both sides changed is named', () => {
  assert.deepEqual(overlaps(mergePatch(opened, mine), mergePatch(opened, theirs)), []);
  const also = { ...theirs, spec: { replicas: 5, list: [1, 2] } };
  assert.deepEqual(overlaps(mergePatch(opened, mine), mergePatch(opened, also)), ['.spec.replicas']);
});
