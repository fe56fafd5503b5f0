import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { readEnvelope, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { limits } from '../../base/limits.ts';
import { WatchEvent } from '../../resources/builtin/meta/v1.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { startTestServer, type TestServer } from '../../testing.ts';
import { protobufBytes, protobufFrame, protobufType } from './protobuf-bytes.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const MAPS = '/api/v1/namespaces/default/configmaps';
const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } };

interface Sent {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: Buffer;
}

async function send(server: TestServer, path: string, { method = 'GET', accept = PROTOBUF, body }: Sent = {}) {
  const headers = { authorization: `Bearer ${server.token}`, accept, 'content-type': PROTOBUF };
  const init = body === undefined ? { method, headers } : { method, headers, body: new Uint8Array(body) };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}

/** An object out of its envelope. */
function open(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const type = protobufType({ apiVersion, kind });
  assert.ok(type, `${apiVersion} ${kind}`);
  return { kind, apiVersion, ...decodeProtobuf(type, raw) };
}

describe('the protobuf media type', () => {
  it('the protobuf media type carries objects in both directions', async () => {
    await using server = await startTestServer();
    const created = await send(server, MAPS, { method: 'POST', body: protobufBytes(MAP) });
    assert.deepEqual([created.status, created.type], [201, PROTOBUF]);
    const map = open(created.bytes) as JsonObject & { metadata: JsonObject };
    assert.deepEqual(map.data, { k: 'v' });
    assert.equal(map.metadata.namespace, 'default');
    assert.match(String(map.metadata.resourceVersion), /^[0-9]+$/);
    const got = await send(server, `${MAPS}/a`);
    assert.deepEqual(open(got.bytes), map);
    const put = await send(server, `${MAPS}/a`, { method: 'PUT', body: protobufBytes({ ...map, data: { k: 'w' } }) });
    assert.deepEqual([put.status, open(put.bytes).data], [200, { k: 'w' }]);
    const json = (await server.request('GET', `${MAPS}/a`)).body as JsonObject;
    assert.deepEqual(json, open(put.bytes));
  });

  it('a protobuf body of nothing but its prefix is refused', async () => {
    await using server = await startTestServer();
    const { status, bytes } = await send(server, MAPS, { method: 'POST', body: Buffer.from('k8s\0') });
    assert.equal(status, 400);
    assert.match(bytes.toString(), /must be of type ConfigMap\): empty body \(6b387300\)/);
  });

  it('the protobuf media type accepts as many map entries as an object in a body may have', async () => {
    await using server = await startTestServer();
    const data = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, '']));
    const sent = async (members: number) => {
      const body = protobufBytes({ ...MAP, data: data(members - 1) });
      return (await send(server, MAPS, { method: 'POST', body })).status;
    };
    assert.equal(await sent(limits.objectMembers), 201);
    assert.equal(await sent(limits.objectMembers + 1), 413);
  });

  it('the protobuf media type carries lists, PartialObjectMetadata, statuses and discovery', async () => {
    await using server = await startTestServer();
    await server.request('POST', MAPS, MAP);
    const list = open((await send(server, `${MAPS}?labelSelector=x%3Dy`)).bytes) as JsonObject & {
      items?: JsonObject[];
    };
    assert.deepEqual([list.kind, list.items?.length, list.items?.[0]?.data], ['ConfigMapList', 1, { k: 'v' }]);
    const as = (kind: string) => `${PROTOBUF};as=${kind};v=v1;g=meta.k8s.io`;
    const partial = open((await send(server, `${MAPS}/a`, { accept: as('PartialObjectMetadata') })).bytes);
    assert.deepEqual(
      [partial.kind, partial.apiVersion, partial.data],
      ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined],
    );
    const partials = open((await send(server, MAPS, { accept: as('PartialObjectMetadataList') })).bytes);
    assert.equal(partials.kind, 'PartialObjectMetadataList');
    const missing = await send(server, `${MAPS}/nothing`);
    assert.deepEqual([missing.status, missing.type, open(missing.bytes).reason], [404, PROTOBUF, 'NotFound']);
    for (const [path, kind] of [
      ['/api', 'APIVersions'],
      ['/apis', 'APIGroupList'],
      ['/apis/apps', 'APIGroup'],
      ['/api/v1', 'APIResourceList'],
    ] as const) {
      const { type, bytes } = await send(server, path);
      assert.deepEqual([type, open(bytes).kind], [PROTOBUF, kind]);
    }
    const { resources } = open((await send(server, '/api/v1')).bytes) as { resources: JsonObject[] };
    assert.deepEqual(resources.find(({ name }) => name === 'pods/status')?.verbs, ['get', 'patch', 'update']);
  });

  it('the protobuf media type is not available without a message type: for Tables, and documents that exist only as JSON', async () => {
    await using server = await startTestServer();
    const table = await send(server, MAPS, { accept: `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io` });
    assert.deepEqual([table.status, table.type], [406, 'application/json']);
    const either = await send(server, MAPS, { accept: `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,${PROTOBUF}` });
    assert.deepEqual([either.status, either.type], [200, PROTOBUF]);
    assert.equal((await send(server, '/version')).status, 406);
    assert.equal((await send(server, '/version', { accept: `${PROTOBUF},*/*` })).type, 'application/json');
    assert.equal((await send(server, '/')).type, 'application/json');
  });
});

describe('bodies in protobuf', () => {
  it('bodies in protobuf may be DeleteOptions', async () => {
    await using server = await startTestServer();
    await server.request('POST', MAPS, MAP);
    const options = (preconditions: JsonObject) =>
      protobufBytes({ kind: 'DeleteOptions', apiVersion: 'apps/v1', preconditions });
    const conflict = await send(server, `${MAPS}/a`, { method: 'DELETE', body: options({ uid: 'other' }) });
    assert.equal(conflict.status, 409);
    const removed = await send(server, `${MAPS}/a`, { method: 'DELETE', body: options({}) });
    assert.deepEqual([removed.status, open(removed.bytes).status], [200, 'Success']);
  });

  it('bodies in protobuf are rejected when they are not in the envelope, or objects of other kinds', async () => {
    await using server = await startTestServer();
    const broken = Buffer.from(protobufBytes(MAP));
    broken[broken.length - 6] = 0xff;
    const named = (kind: string) => {
      const out = new ProtobufWriter();
      writeEnvelope(out, { apiVersion: 'v1', kind }, () => {});
      return Buffer.from(out.bytes());
    };
    for (const [body, message] of [
      [
        Buffer.from('{"kind":"ConfigMap"}'),
        /^the object provided is unrecognized \(must be of type ConfigMap\): .*\(\{"kind":"ConfigMap"\}\)/,
      ],
      [
        protobufBytes(MAP).subarray(0, 10),
        /^the object provided is unrecognized \(must be of type ConfigMap\): unexpected EOF/,
      ],
      [broken, /^ConfigMap in version "v1" cannot be handled as a ConfigMap: /],
      [
        named('Secret'),
        /^Secret in version "v1" cannot be handled as a ConfigMap: converting \(v1.Secret\) to \(core.ConfigMap\): unknown conversion/,
      ],
      [named('Nothing'), /^Nothing in version "v1" cannot be handled as a ConfigMap: no kind "Nothing"/],
    ] as const) {
      const { status, bytes } = await send(server, MAPS, { method: 'POST', body: Buffer.from(body) });
      assert.equal(status, 400);
      assert.match(String(open(bytes).message), message);
    }
    const nameless = await send(server, MAPS, { method: 'POST', body: named('') });
    assert.equal(nameless.status, 422);
  });
});

describe('a RawExtension in protobuf', () => {
  it('a RawExtension in protobuf aborts the request if it is not JSON, where kube-apiserver panics', async () => {
    await using server = await startTestServer();
    const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const names = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };
    const holding = (text: string) => {
      const out = new ProtobufWriter();
      // The fields metadata and data, and in each its first field.
      const name = [0x0a, 3, 0x0a, 1, 0x61];
      writeEnvelope(out, names, () =>
        out.raw(Uint8Array.from([...name, 0x12, text.length + 2, 0x0a, text.length, ...Buffer.from(text)])),
      );
      return Buffer.from(out.bytes());
    };
    const create = (text: string) => send(server, path, { method: 'POST', body: holding(text) });
    for (const text of ['', '"', '{', '[', '1z', 'z']) await assert.rejects(create(text), `with ${text}`);
    assert.equal((await create('{}')).status, 201);
    await assert.rejects(send(server, `${path}/a`, { method: 'PUT', body: holding('z') }));
  });
});

describe('a watch in protobuf', () => {
  it('a watch in protobuf has a length before each event', () => {
    const frame = protobufFrame('ADDED', MAP);
    assert.equal(frame.readUInt32BE(0), frame.length - 4);
    const event = frame.subarray(4);
    assert.equal(event.toString('hex', 0, 8), '0a05414444454412');
    // The object of an event is in its own envelope, which is not JSON.
    assert.throws(() => decodeProtobuf(WatchEvent, event), /json: /);
    assert.deepEqual(open(event.subarray(event.indexOf('k8s\0'))), MAP);
  });
});
