import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spentPatch } from './spent-patch.ts';

test('a merged strategic merge patch lacks the directives that were followed', () => {
  const order = { '$setElementOrder/containers': [{ name: 'a' }] };
  const patch = {
    metadata: { $retainKeys: ['name'], name: 'a', labels: { $patch: 'replace', a: 'b' } },
    spec: { ...order, containers: [{ name: 'a' }], replicas: 'x', other: { $retainKeys: [] } },
  };
  const document = { metadata: { name: 'a', labels: { c: 'd' } }, spec: { containers: [] } };
  assert.deepEqual(spentPatch(patch, document), {
    metadata: { name: 'a', labels: { a: 'b' } },
    spec: { replicas: 'x', other: { $retainKeys: [] } },
  });
  assert.deepEqual(spentPatch({ $patch: 'replace', spec: [] }, document), { spec: [] });
});
