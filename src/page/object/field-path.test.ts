import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldPath, withoutPath } from './field-path.ts';

const value = {
  metadata: { labels: { 'app.kubernetes.io/name': 'a', app: 'b' }, finalizers: ['x', 'y, "z"]'] },
  spec: {
    replicas: 2,
    ports: [
      { port: 80, protocol: 'TCP' },
      { port: 80, protocol: 'UDP', name: 'dns' },
    ],
  },
};

test('a field is found by its path, with dots in names', () => {
  assert.deepEqual(fieldPath('.spec.replicas', value), ['spec', 'replicas']);
  assert.deepEqual(fieldPath('.metadata.labels.app.kubernetes.io/name', value), [
    'metadata',
    'labels',
    'app.kubernetes.io/name',
  ]);
  assert.deepEqual(fieldPath('.metadata.labels.app', value), ['metadata', 'labels', 'app']);
  assert.equal(fieldPath('.spec.paused', value), undefined);
});

test('an item is found by its keys, its value or its place', () => {
  assert.deepEqual(fieldPath('.spec.ports[port=80,protocol="UDP"].name', value), ['spec', 'ports', 1, 'name']);
  assert.deepEqual(fieldPath('.metadata.finalizers[="y, \\"z\\"]"]', value), ['metadata', 'finalizers', 1]);
  assert.deepEqual(fieldPath('.spec.ports[0].port', value), ['spec', 'ports', 0, 'port']);
  assert.equal(fieldPath('.spec.ports[port=81]', value), undefined);
  assert.equal(fieldPath('.spec.ports[7]', value), undefined);
});

test('a field that is removed leaves no empty parents behind', () => {
  assert.deepEqual(withoutPath({ a: { b: { c: 1 } }, d: 2 }, ['a', 'b', 'c']), { d: 2 });
  assert.deepEqual(withoutPath({ a: [{ b: 1 }, { b: 2 }] }, ['a', 0, 'b']), { a: [{ b: 2 }] });
  assert.equal(withoutPath({ a: 1 }, ['a']), undefined);
});
