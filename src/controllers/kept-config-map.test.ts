import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { strangers } from '../../test/listening.ts';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { at } from '../resources/value.ts';
import { makeCertificates } from '../server/pki.ts';
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

test('the ConfigMap extension-apiserver-authentication holds the client CA, and is created again', async () => {
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

test('a client CA that is replaced on disk is kept beside the new one, and expired ones are removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-clients-'));
  try {
    const clientCaFile = join(folder, 'ca.crt');
    const [first, second] = [strangers(['a']).caCertPem, strangers(['b']).caCertPem];
    const expired = makeCertificates({ clock: new ManualClock(Date.UTC(2001)), hosts: ['c'] }).caCertPem;
    writeFileSync(clientCaFile, first);
    await using server = await startTestServer({ listen: true, clientCaFile });
    const told = async () => String((await dataAt(server, AUTHENTICATION))?.['client-ca-file'] ?? '');
    await until('it is there', async () => (await told()) === first);
    const before = await told();
    await replaceData(server, AUTHENTICATION, { 'client-ca-file': expired + before });
    await until('the expired one is gone', async () => (await told()) === before);
    writeFileSync(clientCaFile, second);
    await until('the new one is there, too', async () => (await told()) === before + second);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('requestheader settings of another server come before those of this one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-proxies-'));
  try {
    const requestheaderClientCaFile = join(folder, 'ca.crt');
    writeFileSync(requestheaderClientCaFile, strangers(['localhost']).caCertPem);
    const requestheaderAllowedNames = ['ours', 'both'];
    await using server = await startTestServer({ listen: true, requestheaderClientCaFile, requestheaderAllowedNames });
    const names = async () => (await dataAt(server, AUTHENTICATION))?.['requestheader-allowed-names'];
    await until('it is there', async () => (await names()) === '["ours","both"]');
    // kube-apiserver takes an empty list away again: two servers would take turns for ever.
    assert.equal((await dataAt(server, AUTHENTICATION))?.['requestheader-uid-headers'], undefined);
    await replaceData(server, AUTHENTICATION, { 'requestheader-allowed-names': '["theirs","both"]' });
    await until('all are told', async () => (await names()) === '["theirs","both","ours"]');
    await replaceData(server, AUTHENTICATION, { 'requestheader-allowed-names': 'spoilt' });
    await until('what is spoilt is mended', async () => (await names()) === '["ours","both"]');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the ConfigMap kube-apiserver-legacy-service-account-token-tracking keeps its date, and repairs an invalid one', async () => {
  await using server = await startTestServer();
  const since = async () => (await dataAt(server, TRACKING))?.['since'];
  await until('it is there', async () => /^\d{4}-\d\d-\d\d$/.test(String(await since())));
  await replaceData(server, TRACKING, { since: 'x' });
  await until('it is a day again', async () => /^\d{4}-\d\d-\d\d$/.test(String(await since())));
  await replaceData(server, TRACKING, { since: '2001-02-03' });
  assert.equal(await since(), '2001-02-03');
});
