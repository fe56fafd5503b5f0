import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { readEnvelope, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const NAMES = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };

interface Sent {
  readonly method?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
}

async function send(server: TestServer, path: string, sent: Sent = {}) {
  const { method = 'GET', accept = 'application/json', type = 'application/json', body } = sent;
  const headers = { authorization: `Bearer ${server.token}`, accept, 'content-type': type };
  const bytes = typeof body === 'string' ? body : body && new Uint8Array(body);
  const response = await server.fetch(
    new Request(`https://localhost${path}`, { method, headers, ...(bytes !== undefined && { body: bytes }) }),
  );
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The data of a revision, its second field, as a reader of protobuf finds it. */
async function dataOf(server: TestServer, name: string): Promise<string> {
  const { bytes } = await send(server, `${REVISIONS}/${name}`, { accept: PROTOBUF });
  const { raw } = readEnvelope(bytes);
  const start = 2 + (raw[1] as number) + ((raw[1] as number) < 0x80 ? 0 : 1 + ((raw[2] as number) - 1) * 128);
  const message = Buffer.from(raw.subarray(start));
  assert.equal(message[0], 0x12);
  return message.toString('utf8', 4, 4 + (message[3] as number));
}

function inProtobuf(name: string, data: string): Buffer {
  const out = new ProtobufWriter();
  const bytes = Buffer.from(data);
  const nested = [0x0a, name.length + 2, 0x0a, name.length, ...Buffer.from(name)];
  writeEnvelope(out, NAMES, () =>
    out.raw(Uint8Array.from([...nested, 0x12, bytes.length + 2, 0x0a, bytes.length, ...bytes, 0x18, 1])),
  );
  return Buffer.from(out.bytes());
}

const TEXTS = ['{ "a" :  [1 ,2] }', '{"a":"\\u0026 \\u003c"}', '{"a":"&& <"}', '{"a":1.0,"b":1e3}', '{"a":1,"a":2}'];

test('readers of protobuf get the data of a ControllerRevision to the byte, whoever wrote it', async () => {
  await using server = await startTestServer();
  for (const [index, text] of TEXTS.entries()) {
    const body = `{"metadata":{"name":"j${index}"},"revision":1,"data":${text}}`;
    assert.equal((await send(server, REVISIONS, { method: 'POST', body })).status, 201);
    const sent = { method: 'POST', type: PROTOBUF, body: inProtobuf(`p${index}`, text) };
    assert.equal((await send(server, REVISIONS, sent)).status, 201);
    for (const name of [`j${index}`, `p${index}`]) {
      assert.equal(await dataOf(server, name), text);
      // Labels are not part of it.
      const path = `${REVISIONS}/${name}`;
      const { bytes } = await send(server, path);
      const labelled = { ...JSON.parse(bytes.toString()).metadata, labels: { a: 'b' } };
      const put = `{"metadata":${JSON.stringify(labelled)},"revision":1,"data":${text}}`;
      assert.equal((await send(server, path, { method: 'PUT', body: put })).status, 200);
      assert.equal(await dataOf(server, name), text);
    }
  }
});

test('readers of JSON get the data of a ControllerRevision without white space, its numbers as they were written', async () => {
  await using server = await startTestServer();
  const data = '{ "a" : 1.0 ,\n "b":"x && y", "b" : "<" }';
  const body = `{"metadata":{"name":"a"},"revision":1,"data":${data}}`;
  const shown = '"data":{"a":1.0,"b":"x \\u0026\\u0026 y","b":"\\u003c"},"revision":1}';
  for (const { bytes } of [
    await send(server, REVISIONS, { method: 'POST', body }),
    await send(server, `${REVISIONS}/a`),
    await send(server, REVISIONS),
  ]) {
    const text = bytes.toString();
    assert.ok(text.includes(shown), text);
  }
  const { bytes } = await send(server, `${REVISIONS}/a`, { accept: PROTOBUF });
  assert.ok(bytes.includes(data));
});

test('the data of a ControllerRevision are immutable to the byte', async () => {
  await using server = await startTestServer();
  const of = (data: string) => `{"metadata":{"name":"a"},"revision":1,"data":${data}}`;
  await send(server, REVISIONS, { method: 'POST', body: of('{ "a": 1.0 }') });
  const put = (data: string) => send(server, `${REVISIONS}/a`, { method: 'PUT', body: of(data) });
  assert.equal((await put('{"a":1}')).status, 422);
  assert.equal((await put('{"a": 1.0}')).status, 422);
  assert.equal((await put('{ "a": 1.0 }')).status, 200);
});

test('a merge patch keeps the numbers and escapes of opaque values, and removes their white space', async () => {
  await using server = await startTestServer();
  const patched = async (name: string, data: string) => {
    await send(server, REVISIONS, {
      method: 'POST',
      body: `{"metadata":{"name":"${name}"},"revision":1,"data":${data}}`,
    });
    const patch = { method: 'PATCH', type: 'application/merge-patch+json', body: '{"metadata":{"labels":{"a":"b"}}}' };
    return (await send(server, `${REVISIONS}/${name}`, patch)).status;
  };
  assert.equal(await patched('a', '{"a":1.0,"b":"\\u0041","b":1e3}'), 200);
  assert.equal(await dataOf(server, 'a'), '{"a":1.0,"b":"\\u0041","b":1e3}');
  // The data of a revision are immutable.
  assert.equal(await patched('b', '{"a": 1}'), 422);
  assert.equal(await patched('c', '{"a":"&"}'), 422);
});
