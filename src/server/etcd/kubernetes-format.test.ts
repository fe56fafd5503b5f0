import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject } from '../../api/object.ts';
import { writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { createCatalog } from '../../resources/catalog.ts';
import { removedVersions } from '../../resources/removed/removed-versions.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import { KubernetesFormat } from './kubernetes-format.ts';

/** What kube-apiserver v1.34.4 wrote: one object of every kind, by its key. */
const written = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/kube-apiserver-values.json'), 'utf8'),
) as Record<string, string>;

function format(mediaType = 'application/vnd.kubernetes.protobuf', cbor = false): KubernetesFormat {
  const user = { name: '', uid: '', groups: [], extra: {} };
  return new KubernetesFormat({
    catalog: createCatalog({ runtimeConfig: { 'api/all': 'true' } }),
    prefix: '/registry',
    mediaType,
    cbor,
    eventTtlSeconds: 3_600,
    known: () => undefined,
    rules: () => ({ nowMs: 0, gateEnabled: () => true, user }),
  });
}

for (const [key, base64] of Object.entries(written)) {
  test(`what is read of ${key} is written as kube-apiserver wrote it`, () => {
    const stored = Buffer.from(base64, 'base64');
    const plain = format().read(key, stored);
    assert.match(plain.toString(), /^\{"kind":"\w+","apiVersion":"[\w./]+","metadata":\{/);
    assert.equal(Buffer.from(format().write(key, plain)).toString('latin1'), stored.toString('latin1'));
  });
}

test('JSON is written where it is asked for, and read whatever is asked for', () => {
  const key = '/registry/namespaces/default';
  const plain = Buffer.from(
    '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"},"spec":{},"status":{}}',
  );
  const stored = Buffer.from(format('application/json').write(key, plain));
  assert.equal(stored.toString(), `${plain}\n`);
  assert.equal(JSON.parse(format().read(key, stored).toString()).metadata.name, 'default');
});

test('custom objects are stored in CBOR behind its gate, and read in either encoding whatever the gate says', () => {
  const key = '/registry/example.com/widgets/default/w';
  const plain = Buffer.from(
    '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"w"},"spec":{"a":[1,-1,1.5,true,null,"é"]}}',
  );
  const encode = (cbor: boolean): Buffer => Buffer.from(format(undefined, cbor).write(key, plain));
  const inJson = encode(false);
  const inCbor = encode(true);
  assert.equal(inJson[0], 0x7b);
  assert.equal(inCbor.subarray(0, 3).toString('hex'), 'd9d9f7');
  for (const cbor of [false, true]) {
    for (const stored of [inJson, inCbor]) {
      assert.deepEqual(JSON.parse(format(undefined, cbor).read(key, stored).toString()), JSON.parse(plain.toString()));
    }
  }
});

test('objects of built-in kinds are not stored in CBOR', () => {
  const plain = Buffer.from('{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"n"},"spec":{},"status":{}}');
  assert.equal(format(undefined, true).write('/registry/namespaces/n', plain)[0], 0x6b);
  assert.equal(format('application/json', true).write('/registry/namespaces/n', plain)[0], 0x7b);
});

test('what only reads fill in is filled in', () => {
  const key = '/registry/persistentvolumeclaims/default/a';
  const claim = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'a' }, spec: {}, status: {} };
  const stored = Buffer.from(format().write(key, Buffer.from(JSON.stringify(claim))));
  assert.equal(JSON.parse(format().read(key, stored).toString()).status.phase, 'Pending');
});

for (const { group, resource, kind, served } of removedVersions) {
  const apiVersion = `${group}/${served.version}`;
  const definition = createCatalog().find(group, resource);
  if (definition === undefined) continue;
  test(`an object stored as ${apiVersion} ${kind} is read in the current storage version`, () => {
    const object = { kind, apiVersion, metadata: { name: 'a', labels: { a: 'b' } } };
    const out = new ProtobufWriter();
    writeEnvelope(out, { kind, apiVersion }, () => encodeProtobuf(served.schema, object as ApiObject, out));
    const { storage, storagePrefix } = definition;
    for (const stored of [Buffer.from(out.bytes()), Buffer.from(JSON.stringify(object))]) {
      const read = JSON.parse(format().read(`${storagePrefix}/default/a`, stored).toString());
      assert.equal(read.apiVersion, storage.group === '' ? storage.version : `${storage.group}/${storage.version}`);
      assert.equal(read.kind, storage.kind);
      assert.deepEqual(read.metadata.labels, { a: 'b' });
    }
  });
}

test('a PodDisruptionBudget stored as policy/v1beta1 with an empty selector selects nothing, as then', () => {
  const [kind, apiVersion] = ['PodDisruptionBudget', 'policy/v1beta1'];
  const stored = JSON.stringify({ kind, apiVersion, metadata: { name: 'a' }, spec: { selector: {} } });
  const { spec } = JSON.parse(
    format().read('/registry/poddisruptionbudgets/default/a', Buffer.from(stored)).toString(),
  );
  const expected = {
    matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' }],
  };
  assert.deepEqual(spec.selector, expected);
});

test('a value that is neither is refused', () => {
  assert.throws(() => format().read('/registry/secrets/default/a', Buffer.from('k8s:enc:aescbc:v1:key1:rest')));
  assert.throws(() => format().read('/registry/secrets/default/a', Buffer.from('nonsense')));
});

test('keys lie behind the prefix; only events and addresses of servers go by themselves', () => {
  const one = format();
  assert.equal(one.keyInEtcd('/registry/pods/default/a'), '/registry/pods/default/a');
  assert.equal(one.keyOf('/registry/keelson/mark'), undefined);
  assert.equal(one.ttlSeconds('/registry/events/default/a'), 3_600);
  assert.equal(one.ttlSeconds('/registry/masterleases/10.0.0.1'), 15);
  assert.equal(one.ttlSeconds('/registry/pods/default/a'), undefined);
});
