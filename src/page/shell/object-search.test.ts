import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import { type FoundObject, findObjects } from './object-search.ts';

const object = (kind: string, name: string, namespace = 'shop'): FoundObject => ({
  resource: { kind, name: `${kind.toLowerCase()}s`, shortNames: kind === 'Pod' ? ['po'] : [] } as unknown as Resource,
  meta: { name, namespace, uid: `${kind} ${name}`, resourceVersion: '1' },
});
const OBJECTS = [
  object('Pod', 'web-7d4b9c-x2k8p'),
  object('Deployment', 'web'),
  object('ConfigMap', 'my-web-settings', 'store'),
  object('Service', 'cart'),
];
const found = (query: string) => findObjects(OBJECTS, query, 10).map(({ meta }) => meta.name);

test('an object search finds parts of names, exact names first', () => {
  assert.deepEqual(found('web'), ['web', 'web-7d4b9c-x2k8p', 'my-web-settings']);
  assert.deepEqual(found('X2K8P'), ['web-7d4b9c-x2k8p']);
});

test('further words narrow an object search to a kind or a namespace', () => {
  assert.deepEqual(found('pod web'), ['web-7d4b9c-x2k8p']);
  assert.deepEqual(found('po/web'), ['web-7d4b9c-x2k8p']);
  assert.deepEqual(found('store web'), ['my-web-settings']);
});

test('an object search for a kind alone, or for nothing, finds no objects', () => {
  assert.deepEqual(found('deployment'), []);
  assert.deepEqual(found(' '), []);
});

test('an object search finds a limited number of objects', () => {
  assert.equal(findObjects(OBJECTS, 'web', 1).length, 1);
});
