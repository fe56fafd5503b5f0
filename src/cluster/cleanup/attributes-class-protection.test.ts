import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing.ts';

const CLASSES = '/apis/storage.k8s.io/v1/volumeattributesclasses';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';

test('a deleted VolumeAttributesClass remains while a claim names it', async () => {
  await using server = await startTestServer({ controllers: '*,volumeattributesclass-protection-controller' });
  const body = { metadata: { name: 'fast' }, driverName: 'example.com', parameters: { iops: '1' } };
  assert.equal((await server.request('POST', CLASSES, body)).status, 201);
  const resources = { requests: { storage: '1Gi' } };
  const spec = { accessModes: ['ReadWriteOnce'], resources, volumeAttributesClassName: 'fast' };
  assert.equal((await server.request('POST', CLAIMS, { metadata: { name: 'c' }, spec })).status, 201);
  const status = async () => {
    await server.cluster.settled();
    return (await server.request('GET', `${CLASSES}/fast`)).status;
  };
  assert.equal(await status(), 200);
  await server.request('DELETE', `${CLASSES}/fast`);
  assert.equal(await status(), 200);
  await server.patch(`${CLAIMS}/c`, { metadata: { finalizers: null } });
  await server.request('DELETE', `${CLAIMS}/c`);
  assert.equal(await status(), 404);
});
