import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import type { ApiObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';

test('the Secret of a legacy token is labelled with the day of its last use', async () => {
  await using server = await startTestServer();
  const path = '/api/v1/namespaces/default/secrets';
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  const type = 'kubernetes.io/service-account-token';
  await server.request('POST', path, { metadata: { name: 'kept', annotations }, type });
  const secret = async () => (await server.request('GET', `${path}/kept`)).body as ApiObject;
  const tokenOf = (object: ApiObject) => (object['data'] as { token?: string } | undefined)?.token;
  await until('the token', async () => tokenOf(await secret()) !== undefined);
  const { metadata, ...kept } = await secret();
  assert.equal(metadata.labels, undefined);
  const token = Buffer.from(tokenOf({ metadata, ...kept }) ?? '', 'base64').toString();
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await server.fetch(new Request('https://localhost/version', { headers }))).status, 200);
  await until('the label', async () => (await secret()).metadata.labels !== undefined);
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual((await secret()).metadata.labels, { 'kubernetes.io/legacy-token-last-used': today });
});
