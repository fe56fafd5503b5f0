import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { readEnvelope } from '../../api/protobuf-envelope.ts';
import { parseYaml } from '../../api/yaml-reader.ts';
import { APIGroupDiscoveryList } from '../../resources/builtin/apidiscovery/v2.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { startTestServer } from '../../testing.ts';

const FORM = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('aggregated discovery has the same content in JSON, YAML and protobuf, with one ETag', async () => {
  await using server = await startTestServer({ controllers: '' });
  const ask = async (path: string, mediaType: string) => {
    const accept = `${mediaType};${FORM}`;
    const headers = { authorization: `Bearer ${server.token}`, accept };
    const response = await server.fetch(new Request(`https://localhost${path}`, { headers }));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), accept);
    return { tag: response.headers.get('etag'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  for (const path of ['/api', '/apis']) {
    const json = await ask(path, 'application/json');
    const document = JSON.parse(json.bytes.toString()) as JsonObject;
    assert.equal(document['kind'], 'APIGroupDiscoveryList');
    const yaml = await ask(path, 'application/yaml');
    assert.deepEqual((await parseYaml(yaml.bytes.toString())).value, document);
    const protobuf = await ask(path, 'application/vnd.kubernetes.protobuf');
    const { raw, apiVersion, kind } = readEnvelope(protobuf.bytes);
    assert.deepEqual({ apiVersion, kind }, { apiVersion: document['apiVersion'], kind: document['kind'] });
    const { metadata, items } = decodeProtobuf(APIGroupDiscoveryList, raw);
    assert.deepEqual({ metadata, items }, { metadata: document['metadata'], items: document['items'] });
    assert.deepEqual([yaml.tag, protobuf.tag], [json.tag, json.tag]);
  }
});

test('the list of groups is sorted by the order of APIServices, and aggregated discovery by name, at one priority', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const name of ['v2.a.example.com', 'v1.b.example.com']) {
    const [version = '', group] = [name.slice(0, 2), name.slice(3)];
    const service = { namespace: 'default', name: 'other' };
    await server.request('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name },
      spec: { group, version, groupPriorityMinimum: 20_000, versionPriority: 1, service },
    });
  }
  const { body } = await server.request('GET', '/apis');
  const listed = (body as { groups: { name: string }[] }).groups.map(({ name }) => name);
  assert.deepEqual(listed.slice(1, 3), ['b.example.com', 'a.example.com']);
  const headers = { authorization: `Bearer ${server.token}`, accept: `application/json;${FORM}` };
  const answer = await server.fetch(new Request('https://localhost/apis', { headers }));
  const { items } = (await answer.json()) as { items: { metadata: { name: string } }[] };
  const names = items.map(({ metadata }) => metadata.name).filter((name) => name.endsWith('example.com'));
  assert.deepEqual(names, ['a.example.com', 'b.example.com']);
});
