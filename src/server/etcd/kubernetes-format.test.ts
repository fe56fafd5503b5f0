import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson } from '../../api/json-reader.ts';
import type { ApiObject } from '../../api/object.ts';
import { readEnvelope, writeEnvelope } from '../../api/protobuf-envelope.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { createCatalog } from '../../resources/catalog.ts';
import { removedVersions } from '../../resources/removed/removed-versions.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import { KubernetesFormat } from './kubernetes-format.ts';

/** What kube-apiserver v1.34.4 wrote: one object of every kind, by its key. */
const written = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/kube-apiserver-values.json'), 'utf8'),
) as Record<string, string>;

function format(
  mediaType = 'application/vnd.kubernetes.protobuf',
  { inCbor = false, minCompatibilityMinor = 33 } = {},
): KubernetesFormat {
  const user = { name: '', uid: '', groups: [], extra: {} };
  return new KubernetesFormat({
    catalog: createCatalog({ runtimeConfig: { 'api/all': 'true' } }),
    prefix: '/registry',
    mediaType,
    eventTtlSeconds: 3_600,
    known: () => undefined,
    rules: () => ({ nowMs: 0, gateEnabled: (gate) => gate !== 'CBORServingAndStorage' || inCbor, user }),
    minCompatibilityMinor,
  });
}

for (const [key, base64] of Object.entries(written)) {
  test(`the object at ${key} in etcd is read, and written as kube-apiserver wrote it`, () => {
    const stored = Buffer.from(base64, 'base64');
    const plain = format().read(key, stored);
    assert.match(plain.toString(), /^\{"kind":"\w+","apiVersion":"[\w./]+","metadata":\{/);
    assert.equal(Buffer.from(format().write(key, plain)).toString('latin1'), stored.toString('latin1'));
  });
}

test('the storage media type JSON applies to writes, and JSON is read with any media type', () => {
  const key = '/registry/namespaces/default';
  const plain = Buffer.from(
    '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default"},"spec":{},"status":{}}',
  );
  const stored = Buffer.from(format('application/json').write(key, plain));
  assert.equal(stored.toString(), `${plain}\n`);
  assert.equal(JSON.parse(format().read(key, stored).toString()).metadata.name, 'default');
});

test('an emulated server stores the version that its oldest compatible release can read, as kube-apiserver does', () => {
  const cases: [minCompatibilityMinor: number, key: string, version: string][] = [
    [31, 'ipaddresses/10.0.0.1', 'networking.k8s.io/v1beta1'],
    [32, 'servicecidrs/a', 'networking.k8s.io/v1beta1'],
    [33, 'servicecidrs/a', 'networking.k8s.io/v1'],
    [31, 'deviceclasses/a', 'resource.k8s.io/v1beta2'],
    [32, 'deviceclasses/a', 'resource.k8s.io/v1beta1'],
    [32, 'resourceslices/a', 'resource.k8s.io/v1beta1'],
    [33, 'resourceslices/a', 'resource.k8s.io/v1beta2'],
    [28, 'flowschemas/a', 'flowcontrol.apiserver.k8s.io/v1beta3'],
    [29, 'validatingadmissionpolicies/a', 'admissionregistration.k8s.io/v1beta1'],
    [30, 'validatingadmissionpolicies/a', 'admissionregistration.k8s.io/v1'],
    [29, 'validatingadmissionpolicybindings/a', 'admissionregistration.k8s.io/v1beta1'],
  ];
  for (const [minCompatibilityMinor, path, version] of cases) {
    const key = `/registry/${path}`;
    const definition = createCatalog({ runtimeConfig: { 'api/all': 'true' } }).definitions.find(({ storagePrefix }) =>
      key.startsWith(`${storagePrefix}/`),
    )!;
    const { group, version: current, kind } = definition.storage;
    const plain = Buffer.from(
      `{"kind":"${kind}","apiVersion":"${group}/${current}","metadata":{"name":"a"},"spec":{}}`,
    );
    const json = format('application/json', { minCompatibilityMinor: minCompatibilityMinor });
    const stored = Buffer.from(json.write(key, plain));
    assert.equal(JSON.parse(stored.toString()).apiVersion, version);
    assert.equal(JSON.parse(json.read(key, stored).toString()).apiVersion, `${group}/${current}`);
    const protobuf = format(undefined, { minCompatibilityMinor: minCompatibilityMinor });
    assert.equal(readEnvelope(Buffer.from(protobuf.write(key, plain))).apiVersion, version);
  }
});

test('an emulated server stores the devices of resource.k8s.io/v1beta1 in `basic`', () => {
  const key = '/registry/resourceslices/a';
  const device = { name: 'd', attributes: { a: { int: 1 } } };
  const object = { kind: 'ResourceSlice', apiVersion: 'resource.k8s.io/v1beta2', metadata: { name: 'a' } };
  const plain = Buffer.from(JSON.stringify({ ...object, spec: { driver: 'x', devices: [device] } }));
  const json = format('application/json', { minCompatibilityMinor: 32 });
  const stored = Buffer.from(json.write(key, plain));
  const [written] = JSON.parse(stored.toString()).spec.devices;
  assert.deepEqual(written, { name: 'd', basic: { attributes: { a: { int: 1 } } } });
  assert.deepEqual(JSON.parse(json.read(key, stored).toString()).spec.devices, [device]);
});

test('custom resources are stored in CBOR behind its gate, and read in either encoding whatever the gate says', () => {
  const key = '/registry/example.com/widgets/default/w';
  const plain = Buffer.from(
    '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"w"},"spec":{"a":[1,-1,1.5,true,null,"é"]}}',
  );
  const encode = (cbor: boolean): Buffer => Buffer.from(format(undefined, { inCbor: cbor }).write(key, plain));
  const inJson = encode(false);
  const inCbor = encode(true);
  assert.equal(inJson[0], 0x7b);
  assert.equal(inCbor.subarray(0, 3).toString('hex'), 'd9d9f7');
  for (const cbor of [false, true]) {
    for (const stored of [inJson, inCbor]) {
      assert.deepEqual(
        JSON.parse(format(undefined, { inCbor: cbor }).read(key, stored).toString()),
        JSON.parse(plain.toString()),
      );
    }
  }
});

test('objects of built-in kinds are not stored in CBOR', () => {
  const plain = Buffer.from('{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"n"},"spec":{},"status":{}}');
  assert.equal(format(undefined, { inCbor: true }).write('/registry/namespaces/n', plain)[0], 0x6b);
  assert.equal(format('application/json', { inCbor: true }).write('/registry/namespaces/n', plain)[0], 0x7b);
});

test('an object from etcd is read with the defaults that only reads fill in', () => {
  const key = '/registry/persistentvolumeclaims/default/a';
  const claim = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'a' }, spec: {}, status: {} };
  const stored = Buffer.from(format().write(key, Buffer.from(JSON.stringify(claim))));
  assert.equal(JSON.parse(format().read(key, stored).toString()).status.phase, 'Pending');
});

test('a PersistentVolumeClaim that was stored with one of its data sources is read with both', () => {
  const key = '/registry/persistentvolumeclaims/default/a';
  const source = { kind: 'PersistentVolumeClaim', name: 'other' };
  for (const member of ['dataSource', 'dataSourceRef']) {
    const claim = {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata: { name: 'a' },
      spec: { [member]: source },
    };
    const { spec } = JSON.parse(
      format()
        .read(key, Buffer.from(JSON.stringify(claim)))
        .toString(),
    );
    assert.deepEqual([spec.dataSource.name, spec.dataSourceRef.name], ['other', 'other']);
  }
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

/** What kube-apiserver v1.34.4 wrote with the gate CBORServingAndStorage. */
const CUSTOM_CBOR =
  'd9d9f7a4446b696e64434261724473706563a7427a7a4042c3a942c3bc43616161a241620142616102436269671b0020000000000001436e656722' +
  '4468616c66f93e00446c69737483f6f5a0486d65746164617461a5437569644131446e616d654161466c6162656c73a2416141324262624131' +
  '4a67656e65726174696f6e01516372656174696f6e54696d657374616d7054323032362d31312d32385430393a31333a31315a' +
  '4a61706956657273696f6e4e6578616d706c652e636f6d2f7631';
const CUSTOM_JSON =
  '{"kind":"Bar","apiVersion":"example.com/v1","metadata":{"uid":"1","name":"a","labels":{"a":"2","bb":"1"},' +
  '"generation":1,"creationTimestamp":"2026-11-28T09:13:11Z"},' +
  '"spec":{"zz":"","é":"ü","aaa":{"b":1,"aa":2},"big":9007199254740993,"neg":-3,"half":1.5,"list":[null,true,{}]}}';
const CUSTOM_KEY = '/registry/example.com/bars/a';

const formatCbor = () => format(undefined, { inCbor: true });

test('with CBORServingAndStorage custom resources are stored in CBOR, and read with and without it, like JSON', () => {
  const stored = Buffer.from(formatCbor().write(CUSTOM_KEY, Buffer.from(CUSTOM_JSON)));
  assert.equal(stored.toString('hex'), CUSTOM_CBOR);
  const withoutIt = format();
  const inJson = Buffer.from(withoutIt.write(CUSTOM_KEY, Buffer.from(CUSTOM_JSON)));
  assert.equal(inJson[0], 0x7b);
  for (const each of [formatCbor(), withoutIt]) {
    for (const bytes of [stored, inJson]) {
      assert.deepEqual(parseJson(each.read(CUSTOM_KEY, bytes)), parseJson(Buffer.from(CUSTOM_JSON)));
    }
  }
});

test('custom resources with more depth or members than CBOR decoders accept are stored in JSON', () => {
  const head = '{"kind":"Bar","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":';
  const specs = [`${'['.repeat(64)}${']'.repeat(64)}`, `[${'0,'.repeat(1_024)}0]`];
  for (const spec of specs) {
    const stored = Buffer.from(formatCbor().write(CUSTOM_KEY, Buffer.from(`${head}${spec}}`)));
    assert.equal(stored[0], 0x7b);
  }
  const within = [`${'['.repeat(63)}${']'.repeat(63)}`, `[${'0,'.repeat(1_023)}0]`];
  for (const spec of within) {
    const stored = Buffer.from(formatCbor().write(CUSTOM_KEY, Buffer.from(`${head}${spec}}`)));
    assert.equal(stored[0], 0xd9);
    assert.equal(format().read(CUSTOM_KEY, stored).toString(), `${head}${spec}}`);
  }
});

test('a value in etcd that is neither JSON nor protobuf nor CBOR is rejected', () => {
  assert.throws(() => format().read('/registry/secrets/default/a', Buffer.from('k8s:enc:aescbc:v1:key1:rest')));
  assert.throws(() => format().read('/registry/secrets/default/a', Buffer.from('nonsense')));
});

test('keys in etcd have the prefix, and only events and endpoint leases expire', () => {
  const one = format();
  assert.equal(one.keyInEtcd('/registry/pods/default/a'), '/registry/pods/default/a');
  assert.equal(one.keyOf('/registry/keelson/mark'), undefined);
  assert.equal(one.ttlSeconds('/registry/events/default/a'), 3_600);
  assert.equal(one.ttlSeconds('/registry/masterleases/10.0.0.1'), 15);
  assert.equal(one.ttlSeconds('/registry/pods/default/a'), undefined);
});

test('the data of a ControllerRevision in etcd are read and written to the byte', () => {
  const key = '/registry/controllerrevisions/default/a';
  for (const data of ['{ "a" : 1.0 }', '{"a":"&&"}', '{"a":"\\u0026"}', '{"a":1,"a":2}']) {
    const plain = `{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"a"},"data":${data},"revision":1 }`;
    const stored = Buffer.from(format().write(key, Buffer.from(plain)));
    assert.ok(stored.includes(data), stored.toString('latin1'));
    assert.equal(Buffer.from(format().write(key, format().read(key, stored))).toString(), stored.toString());
  }
  const inJson = format('application/json');
  const stored = Buffer.from(
    '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"a"},"data":{"a":1.0},"revision":1}\n',
  );
  assert.equal(Buffer.from(inJson.write(key, inJson.read(key, stored))).toString(), stored.toString());
});
