import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { resourceClaimTemplateV1beta1, resourceClaimV1beta1, resourceSliceV1beta1 } from './device-claims.ts';

function claim(...requests: JsonObject[]): ApiObject {
  return { metadata: { name: 'c' }, spec: { devices: { requests } } } as ApiObject;
}

test('a device request of v1beta1 holds the fields of `exactly` in v1beta2', () => {
  const older = claim({ name: 'gpu', deviceClassName: 'gpu.example.com', count: 2 });
  const stored = claim({ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', count: 2 } });
  assert.deepEqual(resourceClaimV1beta1.toStorage(older), stored);
  assert.deepEqual(resourceClaimV1beta1.fromStorage(stored), older);
});

test('a device request with firstAvailable has no `exactly`', () => {
  const either = claim({ name: 'any', firstAvailable: [{ name: 'big', deviceClassName: 'big' }] });
  assert.deepEqual(resourceClaimV1beta1.toStorage(either), either);
  assert.deepEqual(resourceClaimV1beta1.fromStorage(either), either);
});

test('a ResourceClaimTemplate is converted with the claim that it holds', () => {
  const older = { metadata: {}, spec: { spec: { devices: { requests: [{ name: 'a', deviceClassName: 'b' }] } } } };
  const stored = {
    metadata: {},
    spec: { spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'b' } }] } } },
  };
  assert.deepEqual(resourceClaimTemplateV1beta1.toStorage(older as ApiObject), stored);
  assert.deepEqual(resourceClaimTemplateV1beta1.fromStorage(stored as ApiObject), older);
});

test('a device of v1beta1 has its attributes and capacity in `basic`', () => {
  const older = {
    metadata: {},
    spec: { driver: 'd', devices: [{ name: 'a', basic: { attributes: { x: { int: 1 } } } }] },
  };
  const stored = { metadata: {}, spec: { driver: 'd', devices: [{ name: 'a', attributes: { x: { int: 1 } } }] } };
  assert.deepEqual(resourceSliceV1beta1.toStorage(older as ApiObject), stored);
  assert.deepEqual(resourceSliceV1beta1.fromStorage(stored as ApiObject), older);
});
