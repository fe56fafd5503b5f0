// Random values of a declared type, for tests: from the minimum to every field set.

import type { Json, JsonObject } from '../src/api/object.ts';
import type { SeededRandom } from '../src/base/seeded-random.ts';
import type { Field, Node, ScalarNode, StructNode } from '../src/schema/node.ts';

export interface ValueShape {
  /** Percentage of fields that are set. */
  readonly percent: number;
  /** Depth to which structs are filled; below, only other values are set. */
  readonly depth: number;
}

/** A value as a client might write it in JSON; decoding makes it canonical. */
export function randomValue(node: Node, random: SeededRandom, { percent, depth }: ValueShape): Json {
  const within = { percent, depth: depth - 1 };
  switch (node.kind) {
    case 'struct':
      return randomStruct(node, random, { percent, depth });
    case 'list':
      return Array.from({ length: random.below(3) + 1 }, () => randomValue(node.items, random, within));
    case 'map': {
      const map: JsonObject = {};
      const keys = random.below(3) + 1;
      while (Object.keys(map).length < keys) map[randomText(random)] = randomValue(node.values, random, within);
      return map;
    }
    case 'raw':
    case 'fields':
      return { kind: 'Thing', [randomText(random)]: [1, null, { deep: -1.5 }] };
    case 'json':
      return random.pick<Json>([true, 'text', 12, { any: ['thing'] }, [[1], {}]]);
    default:
      return randomScalar(node.kind, random);
  }
}

function randomStruct(node: StructNode, random: SeededRandom, { percent, depth }: ValueShape): Json {
  if (node.form === 'structOrBool' && random.chance(50)) return random.chance(50);
  const members = node.form === undefined ? numberedFields(node) : node.fields;
  const value: JsonObject = {};
  for (const field of members) {
    const isDeep = field.node.kind === 'struct' || field.node.kind === 'list' || field.node.kind === 'map';
    if (!random.chance(percent) || (isDeep && depth <= 0)) continue;
    const member = randomValue(field.node, random, { percent, depth: depth - 1 });
    const isForm = node.form === 'structOrList' ? isDeep : field.node.kind === 'struct';
    if (node.form === undefined) value[field.name] = member;
    else if (isForm) return member;
  }
  return value;
}

/** The fields of a struct that exist in protobuf: not kind and apiVersion. */
function numberedFields(node: StructNode): Field[] {
  return node.fields
    .filter((field) => field.number > 0)
    .flatMap((field) => (field.inline ? numberedFields(field.node as StructNode) : [field]));
}

const INT32 = [0, 1, -1, 127, 128, 300, 2_147_483_647, -2_147_483_648];
const INT64 = [
  ...INT32,
  2 ** 40,
  -(2 ** 40),
  9_007_199_254_740_991,
  9_007_199_254_740_993n,
  -(2n ** 63n),
  2n ** 63n - 1n,
];

function randomScalar(kind: ScalarNode['kind'], random: SeededRandom): Json {
  switch (kind) {
    case 'string':
      return random.chance(10) ? '' : randomText(random);
    case 'bool':
      return random.chance(50);
    case 'int32':
      return random.pick(INT32);
    case 'int64':
      return random.pick(INT64);
    case 'float64':
      return random.pick([0, 1.5, -2.25e10, 1e-7]);
    case 'bytes':
      return random.pick(['', 'AA==', '//79', 'aGVsbG8gd29ybGQ=']);
    case 'quantity':
      return random.pick(['0', '100m', '1500m', '1Gi', '1e3', '0.5', '-3', '12345678901234567890']);
    case 'intOrString':
      return random.pick<Json>([0, 8080, -1, '', '25%', 'http']);
    case 'time':
      return random.pick([
        '2026-01-02T03:04:05Z',
        '1970-01-01T00:00:00Z',
        '1969-12-31T23:59:59Z',
        '9999-12-31T23:59:59Z',
      ]);
    case 'microTime':
      return random.pick(['2026-01-02T03:04:05.000006Z', '1969-12-31T23:59:59.999999Z', '2000-02-29T12:00:00.500000Z']);
    case 'duration':
      return random.pick(['0s', '1m30s', '-1h0m0.5s', '250ms', '1ns']);
  }
}

const LETTERS = [...'abcdefgh-./0123456789 "\\\n\u00e9\u20ac\u{1f600}\uffff'];

function randomText(random: SeededRandom): string {
  const length = random.chance(5) ? 200 : random.below(12) + 1;
  return Array.from({ length }, () => random.pick(LETTERS)).join('');
}
