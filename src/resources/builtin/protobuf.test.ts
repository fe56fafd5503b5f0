import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { randomValue, type ValueShape } from '../../../test/random-value.ts';
import type { JsonObject } from '../../api/object.ts';
import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { StructNode } from '../../schema/node.ts';
import { decodeProtobuf } from '../../schema/protobuf-decode.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
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
  it('protobuf of built-in types keeps every field of every kind', () => {
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

  it('protobuf of built-in types rejects a truncated object, or reads a smaller one', () => {
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

  it('protobuf of built-in types fails with a ProtobufError on damaged bytes', () => {
    const pod = builtinType('', 'v1', 'Pod');
    const random = new SeededRandom(6);
    const bytes = encode(pod, decodeObject(pod, randomValue(pod, random, { percent: 50, depth: 5 })).value);
    for (let round = 0; round < 500; round++) {
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

  const zeroMetadata = '0a0012001a0022002a003200380042 00';

  for (const [groupVersion, kind, value, hex] of [
    [
      'v1',
      'ConfigMap',
      { metadata: { name: 'a' }, data: { k: 'v', é: '', '': 'x' }, immutable: false },
      '0a11 0a016112001a0022002a003200380042 00 1205 0a00120178 1206 0a016b120176 1206 0a02c3a91200 2000',
    ],
    [
      'v1',
      'ConfigMap',
      { metadata: { creationTimestamp: '2026-01-02T03:04:05Z', generation: -1 }, binaryData: { b: 'AAECAw==' } },
      '0a21 0a0012001a0022002a003200 38ffffffffffffffffff01 4208 08a5ebdcca06 1000 1a09 0a0162 1204 00010203',
    ],
    [
      'v1',
      'Status',
      { metadata: {}, status: 'Failure', code: 404 },
      '0a06 0a0012001a00 1207 4661696c757265 1a00 2200 309403',
    ],
    [
      'v1',
      'APIResourceList',
      {
        groupVersion: 'v1',
        resources: [{ name: 'p', singularName: '', namespaced: true, kind: 'P', verbs: ['get', 'list'] }],
      },
      '0a02 7631 121d 0a0170 1001 1a0150 220b 0a03676574 0a046c697374 3200 4200 4a00 5200',
    ],
    [
      'policy/v1',
      'PodDisruptionBudget',
      {
        metadata: {},
        spec: { minAvailable: '50%', maxUnavailable: -1 },
        status: {
          disruptedPods: { p: '1970-01-01T00:00:00Z' },
          disruptionsAllowed: 0,
          currentHealthy: 0,
          desiredHealthy: 0,
          expectedPods: 0,
        },
      },
      `0a10 ${zeroMetadata} 121c 0a09 08011000 1a03353025 1a0f 0800 10ffffffffffffffffff01 1a00 1a15 0800 1209 0a0170 1204 08001000 1800200028003000`,
    ],
    [
      'v1',
      'LimitRange',
      { metadata: {}, spec: { limits: [{ type: 'Pod', max: { cpu: '500m' } }] } },
      `0a10 ${zeroMetadata} 1216 0a14 0a03506f64 120d 0a03637075 1206 0a04 3530306d`,
    ],
    [
      'coordination.k8s.io/v1',
      'Lease',
      { metadata: {}, spec: { holderIdentity: '', renewTime: '2026-01-02T03:04:05.000006Z' } },
      `0a10 ${zeroMetadata} 120d 0a00 2209 08a5ebdcca06 10f02e`,
    ],
    [
      'apps/v1',
      'ControllerRevision',
      { metadata: {}, data: { a: 1 }, revision: 3 },
      `0a10 ${zeroMetadata} 1209 0a07 7b2261223a317d 1803`,
    ],
    [
      'authentication.k8s.io/v1',
      'SelfSubjectReview',
      { metadata: {}, status: { userInfo: { extra: { k: ['a', 'b'] } } } },
      `0a10 ${zeroMetadata} 1213 0a11 0a00 1200 220b 0a016b 1206 0a0161 0a0162`,
    ],
    [
      'v1',
      'DeleteOptions',
      { gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: ['All'] },
      '0800 1203 0a0175 2a03416c6c',
    ],
  ] as [string, string, JsonObject, string][]) {
    it(`protobuf of built-in types encodes a ${kind} as Kubernetes does: ${JSON.stringify(value)}`, () => {
      const slash = groupVersion.lastIndexOf('/');
      const type = builtinType(slash < 0 ? '' : groupVersion.slice(0, slash), groupVersion.slice(slash + 1), kind);
      const canonical = decodeObject(type, value).value;
      const bytes = encode(type, canonical);
      assert.equal(bytes.toString('hex'), hex.replaceAll(' ', ''));
      assert.deepStrictEqual(decodeProtobuf(type, bytes), canonical);
    });
  }
});
