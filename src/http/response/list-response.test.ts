import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../api/object.ts';
import { stringifyYaml } from '../../api/yaml-writer.ts';
import { ManualClock } from '../../base/clock.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Text that JSON, YAML and HTML each have to take care of. */
const DATA = { text: 'größer & <b>"q"</b>\nline: 2\n', long: 'word '.repeat(40), empty: '' };

async function serverWithConfigMaps(count: number): Promise<TestServer> {
  // Ages are told in whole seconds: no second passes.
  const server = await startTestServer({}, { clock: new ManualClock(Date.UTC(2026, 0, 1)) });
  for (let at = 0; at < count; at++) {
    const metadata = { name: `c${at}`, annotations: { note: `ä ${at}` }, labels: { odd: String(at % 2) } };
    await server.request('POST', CONFIG_MAPS, { metadata, data: DATA });
  }
  return server;
}

test('a continue token expires after the time of history, even if its resource has seen no write since', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const name of ['a', 'b']) await server.request('POST', CONFIG_MAPS, { metadata: { name } });
  const page = async (query: string) => {
    const { status, body } = await server.request('GET', `${CONFIG_MAPS}?limit=1${query}`);
    return { status, metadata: (body as { metadata: { continue: string; resourceVersion: string } }).metadata };
  };
  const { metadata: first } = await page('');
  const secrets = '/api/v1/namespaces/default/secrets';
  const later = async (name: string, by: string) => {
    await server.request('POST', secrets, { metadata: { name } });
    await server.clock?.advance(by);
    return page(`&continue=${first.continue}`);
  };
  assert.equal((await later('a', '4m')).status, 200);
  const expired = await later('b', '4m');
  assert.equal(expired.status, 410);
  assert.equal((await page(`&continue=${expired.metadata.continue}`)).status, 200, 'the rest of what is there now');
  assert.equal((await page(`&resourceVersion=${first.resourceVersion}&resourceVersionMatch=Exact`)).status, 410);
});

async function textOf(server: TestServer, query: string, accept: string): Promise<string> {
  const url = `http://server${CONFIG_MAPS}${query}`;
  const response = await server.fetch(
    new Request(url, { headers: { accept, authorization: `Bearer ${server.token}` } }),
  );
  assert.equal(response.status, 200);
  return response.text();
}

const escaped = (text: string) => text.replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);

for (const count of [0, 3]) {
  for (const [name, type] of [
    ['itself', 'application/json'],
    ['as a table', TABLE],
    ['as metadata', METADATA],
  ] as const) {
    test(`a list of ${count} ${name} has the same content in compact and indented JSON and in YAML`, async () => {
      await using server = await serverWithConfigMaps(count);
      const compact = await textOf(server, '', type);
      const value = JSON.parse(compact) as JsonObject;
      const list = (value['items'] ?? value['rows']) as Json[] | null;
      assert.equal(list?.length ?? 0, count);
      assert.equal(compact, `${JSON.stringify(value)}\n`);
      const indented = await textOf(server, '?pretty=true', type);
      assert.deepEqual(JSON.parse(indented), value);
      assert.equal(indented, escaped(JSON.stringify(JSON.parse(indented), undefined, 2)));
      const yaml = await textOf(server, '', type.replace('json', 'yaml'));
      assert.equal(yaml, stringifyYaml(value));
    });
  }
}

test('table rows and PartialObjectMetadata in a list equal those of the object itself', async () => {
  await using server = await serverWithConfigMaps(1);
  const { body } = await server.request('GET', `${CONFIG_MAPS}/c0`);
  const { metadata } = body as JsonObject;
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  const listed = JSON.parse(await textOf(server, '', METADATA)) as { items: JsonObject[] };
  assert.deepEqual(listed.items, [partial]);
  const rowsOf = async (query: string) =>
    (JSON.parse(await textOf(server, query, TABLE)) as { rows: { cells: Json[]; object: Json }[] }).rows;
  assert.deepEqual((await rowsOf(''))[0]!.object, partial);
  assert.deepEqual((await rowsOf('?includeObject=None'))[0]!.object, null);
  assert.deepEqual((await rowsOf('?includeObject=Object'))[0]!.object, body);
  assert.deepEqual((await rowsOf(''))[0]!.cells.slice(0, 2), ['c0', 3]);
});
