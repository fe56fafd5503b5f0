import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMergePatch, mergePatch, overlaps } from './merge.ts';

const opened = { metadata: { labels: { a: '1', b: '2' } }, spec: { replicas: 1, list: [1, 2] } };
const mine = { metadata: { labels: { a: '1' } }, spec: { replicas: 3, list: [1, 2] } };
const theirs = { metadata: { labels: { a: '1', b: '2', c: '3' } }, spec: { replicas: 1, list: [1, 2, 3] } };

test('a merge patch holds the differences, and null for removed members', () => {
  assert.deepEqual(mergePatch(opened, mine), { metadata: { labels: { b: null } }, spec: { replicas: 3 } });
  assert.equal(mergePatch(opened, structuredClone(opened)), undefined);
});

test('an edit is merged into a version of the object that another client has written meanwhile', () => {
  assert.deepEqual(applyMergePatch(theirs, mergePatch(opened, mine)), {
    metadata: { labels: { a: '1', c: '3' } },
    spec: { replicas: 3, list: [1, 2, 3] },
  });
});

test('fields that both sides changed are reported as conflicts', () => {
  assert.deepEqual(overlaps(mergePatch(opened, mine), mergePatch(opened, theirs)), []);
  const also = { ...theirs, spec: { replicas: 5, list: [1, 2] } };
  assert.deepEqual(overlaps(mergePatch(opened, mine), mergePatch(opened, also)), ['.spec.replicas']);
});
