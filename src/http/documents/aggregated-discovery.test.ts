import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { readEnvelope } from '../../api/protobuf-envelope.ts';
import { parseYaml } from '../../api/yaml-reader.ts';
import { APIGroupDiscoveryList } from '../../resources/builtin/apidiscovery/v2.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { startTestServer } from '../../testing.ts';

const FORM = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('aggregated discovery says the same in JSON, YAML and protobuf, under one tag', async () => {
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
