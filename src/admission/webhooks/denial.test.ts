import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denial } from './denial.ts';

test('the code of a refusal may be one that no standard knows, and is never one of success', () => {
  const codes = [0, 200, 399, 400, 600, 999, 1000];
  assert.deepEqual(
    codes.map((code) => denial('w', { code }).code),
    [400, 400, 400, 400, 600, 999, 400],
  );
});

test('the metadata of a refusal is passed on as that of a list', () => {
  const { metadata } = denial('w', {
    metadata: { resourceVersion: '5', continue: 'c', labels: { a: 'b' }, selfLink: '' },
  });
  assert.deepEqual(metadata, { resourceVersion: '5', continue: 'c' });
});
