import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { at } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const MAPS = '/api/v1/namespaces/kube-system/configmaps';
const AUTHENTICATION = `${MAPS}/extension-apiserver-authentication`;
const TRACKING = `${MAPS}/kube-apiserver-legacy-service-account-token-tracking`;

async function dataAt(server: TestServer, path: string): Promise<JsonObject | undefined> {
  return at((await server.request('GET', path)).body as JsonObject, 'data') as JsonObject | undefined;
}

/** Replaces the data, whatever version is there. */
async function replaceData(server: TestServer, path: string, data: JsonObject): Promise<void> {
  const name = path.slice(MAPS.length + 1);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' }, data };
  assert.equal((await server.request('PUT', path, body)).status, 200);
}

test('servers that extend this one find the authority of its clients, and it comes back', async () => {
  await using server = await startTestServer({ listen: true });
  const told = async () => String((await dataAt(server, AUTHENTICATION))?.['client-ca-file'] ?? '');
  await until('it is there', async () => (await told()).includes('BEGIN CERTIFICATE'));
  const authority = await told();
  assert.equal((await server.request('DELETE', AUTHENTICATION)).status, 200);
  await until('it is back', async () => (await told()) === authority);
  const other = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  await replaceData(server, AUTHENTICATION, { 'client-ca-file': other, mine: 'x' });
  await until('it stands beside another', async () => (await told()) === other + authority);
  assert.equal((await dataAt(server, AUTHENTICATION))?.['mine'], 'x');
});

test('the day since which the use of tokens in secrets is noted stays, and is a day', async () => {
  await using server = await startTestServer();
  const since = async () => (await dataAt(server, TRACKING))?.['since'];
  await until('it is there', async () => /^\d{4}-\d\d-\d\d$/.test(String(await since())));
  await replaceData(server, TRACKING, { since: 'x' });
  await until('it is a day again', async () => /^\d{4}-\d\d-\d\d$/.test(String(await since())));
  await replaceData(server, TRACKING, { since: '2001-02-03' });
  assert.equal(await since(), '2001-02-03');
});
