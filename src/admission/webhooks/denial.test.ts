import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denial } from './denial.ts';

test('the status code of a denial may be any from 400 to 999, and is otherwise 400', () => {
  const codes = [0, 200, 399, 400, 600, 999, 1000];
  assert.deepEqual(
    codes.map((code) => denial('w', { code }).code),
    [400, 400, 400, 400, 600, 999, 400],
  );
});

test('the metadata of a denial is passed on as ListMeta', () => {
  const { metadata } = denial('w', {
    metadata: { resourceVersion: '5', continue: 'c', labels: { a: 'b' }, selfLink: '' },
  });
  assert.deepEqual(metadata, { resourceVersion: '5', continue: 'c' });
});
