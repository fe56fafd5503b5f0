import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import type { Turn } from '../../base/short-turns.ts';
import { type Format, writeValue } from './format.ts';

const many = <Item>(count: number, of: (index: number) => Item) => Array.from({ length: count }, (_, i) => of(i));

const VALUES: Readonly<Record<string, JsonObject>> = {
  'a ConfigMap': {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'm', labels: {}, finalizers: ['a.b/<c>'], creationTimestamp: null },
    data: Object.fromEntries(many(3_000, (index) => [`k${(index * 7_919) % 10_007}`, `é & ${index}\n`])),
    binaryData: { b: 'AAEC' },
  },
  'a Pod': {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', managedFields: [{ fieldsV1: { 'f:a': {} } }] },
    spec: {
      containers: many(300, (index) => ({
        name: `c${index}`,
        env: many(5, (at) => ({ name: `A${at}`, value: 'x'.repeat(20) })),
        ports: [{ containerPort: index, protocol: 'TCP' }],
        resources: { limits: { cpu: '1', memory: '2Gi' } },
        livenessProbe: { httpGet: { port: 80, path: '/' } },
      })),
      tolerations: [],
    },
    status: { startTime: '2020-01-01T00:00:00Z' },
  },
  'a custom object': {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    10: 1,
    9: [1.5, -1, 2 ** 53, true, null, [], {}, [[]], { a: { b: [{ c: 'd' }] } }],
    text: '"\\\u0000😀'.repeat(30_000),
  },
};

const FORMATS: readonly Pick<Format, 'media' | 'pretty'>[] = [
  { media: 'json', pretty: false },
  { media: 'json', pretty: true },
  { media: 'yaml', pretty: false },
  { media: 'cbor', pretty: false },
  { media: 'protobuf', pretty: false },
];

for (const { media, pretty } of FORMATS) {
  test(`a long value is encoded in slices as it is at once, as ${media}${pretty ? ', indented' : ''}`, async () => {
    const format: Format = { media, pretty, contentType: '', as: undefined };
    for (const [name, value] of Object.entries(VALUES)) {
      if (media === 'protobuf' && value.kind === 'Widget') continue;
      let pauses = 0;
      const turn: Turn = { over: () => void pauses++ };
      const sliced = await writeValue(value, format, { turn });
      assert.ok(sliced.equals(await writeValue(value, format)), name);
      assert.ok(pauses > 0, `${name}: ${pauses} pauses`);
    }
  });
}
