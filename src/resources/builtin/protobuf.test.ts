import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { StructNode } from '../../schema/node.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
import { randomValue, type ValueShape } from '../../schema/random-value.ts';
import { APIGroupList, APIResourceList, APIVersions, DeleteOptions, Status } from './meta/v1.ts';
import { builtinResources } from './resources.ts';
import { builtinType } from './types.ts';

function encode(type: StructNode, value: JsonObject): Buffer {
  const out = new ProtobufWriter();
  encodeProtobuf(type, value, out);
  return Buffer.from(out.bytes());
}

const META_TYPES = [APIGroupList, APIResourceList, APIVersions, DeleteOptions, Status];

/** Every type that a resource is served in, and those that all groups share. */
const TYPES = new Set([
  ...builtinResources.flatMap(({ versions }) => versions.map(({ schema }) => schema)),
  builtinType('autoscaling', 'v1', 'Scale'),
  ...META_TYPES,
]);

/** From nothing said, by a few members deep down, to every member. */
const SHAPES: readonly ValueShape[] = [
  { percent: 0, depth: 0 },
  { percent: 25, depth: 12 },
  { percent: 70, depth: 7 },
  { percent: 100, depth: 6 },
];

describe('protobuf of built-in types', () => {
  it('loses nothing of any kind', () => {
    assert.ok(TYPES.size > 70, `${TYPES.size} types`);
    for (const type of TYPES) {
      for (const [seed, shape] of SHAPES.entries()) {
        const { value } = decodeObject(type, randomValue(type, new SeededRandom(seed), shape));
        const back = decodeProtobuf(type, encode(type, value));
        assert.deepStrictEqual(back, value, `${type.name}, seed ${seed}`);
        assert.deepEqual(Object.keys(back), Object.keys(value), type.name);
      }
    }
  });

  it('refuses every object that is cut short, or reads a smaller one', () => {
    const pod = builtinType('', 'v1', 'Pod');
    const { value } = decodeObject(pod, randomValue(pod, new SeededRandom(5), { percent: 40, depth: 5 }));
    const bytes = encode(pod, value);
    for (let length = 0; length < bytes.length; length++) {
      try {
        assert.notDeepStrictEqual(decodeProtobuf(pod, bytes.subarray(0, length)), value);
      } catch (error) {
        assert.equal((error as Error).name, 'ProtobufError', String(error));
      }
    }
  });

  it('fails in words, never otherwise, on bytes that were damaged', () => {
    const pod = builtinType('', 'v1', 'Pod');
    const random = new SeededRandom(6);
    const bytes = encode(pod, decodeObject(pod, randomValue(pod, random, { percent: 50, depth: 5 })).value);
    for (let round = 0; round < 2_000; round++) {
      const damaged = Buffer.from(bytes);
      for (let count = random.below(4) + 1; count > 0; count--) {
        damaged[random.below(damaged.length)] = random.below(256);
      }
      try {
        const value = decodeProtobuf(pod, damaged);
        assert.deepStrictEqual(decodeProtobuf(pod, encode(pod, value)), value);
      } catch (error) {
        assert.equal((error as Error).name, 'ProtobufError', String(error));
      }
    }
  });

  it('writes what Kubernetes writes', () => {
    const cases: [StructNode, JsonObject, string][] = [
      [
        builtinType('', 'v1', 'ConfigMap'),
        { metadata: { name: 'a' }, data: { k: 'v' }, immutable: false },
        '0a130a0161120 01a0022002a0032003800420 0 12060a016b12017620 00',
      ],
      [builtinType('', 'v1', 'ConfigMap'), { metadata: {}, binaryData: { b: 'AAECAw==' } }, '0a100a0012001a0022002a003200380042001a090a0162120400010203'],
      [Status, { metadata: {}, status: 'Failure', code: 404 }, '0a06 0a00 1200 1a00 1207 4661696c757265 1a00 2200 309403'],
      [
        APIResourceList,
        { groupVersion: 'v1', resources: [{ name: 'p', singularName: '', namespaced: true, kind: 'P', verbs: ['get', 'list'] }] },
        '0a0276311 2210a01701001 1a0150 220b 0a03676574 0a046c697374 3200 4200 4a00 5200',
      ],
      [
        builtinType('policy', 'v1', 'PodDisruptionBudget'),
        { metadata: {}, spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } },
        '0a100a0012001a0022002a003200380042001 20b0a09080110001a033530251a0a0800180020002800300 0',
      ],
    ];
    for (const [type, value, hex] of cases) {
      const bytes = encode(type, value);
      assert.equal(bytes.toString('hex'), hex.replaceAll(' ', ''), type.name);
      assert.deepStrictEqual(decodeProtobuf(type, bytes), decodeObject(type, value).value, type.name);
    }
  });
});
