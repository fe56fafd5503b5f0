import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { atOnce } from '../../base/steps.ts';
import type { OpenApiV2Encoding, OpenApiV2Entry } from './document-v2.ts';
import { encodingMembers, orderingEntries } from './encoded-entries.ts';

for (const separator of [',', '']) {
  const encoding: OpenApiV2Encoding = {
    name: 'json',
    entry: (_member, name, value) => Buffer.from(`${name}=${value}`),
    separator: Buffer.from(separator),
    pieces: () => [],
  };
  const list = (values: Record<string, number>) => {
    const described = Object.entries(values).map(([name, value]): OpenApiV2Entry => {
      return { member: 'paths', name, value: value as unknown as JsonObject };
    });
    return atOnce(encodingMembers(described, encoding)).paths;
  };
  const pieces = (...lists: Record<string, number>[]) =>
    atOnce(orderingEntries(lists.map(list), encoding.separator)).map((piece) => Buffer.from(piece).toString());

  test(`encoded lists that follow each other give one piece each (separator '${separator}')`, () => {
    assert.deepEqual(
      pieces({ d: 3, e: 4 }, { a: 1, c: 2 }, {}).filter((piece) => piece !== separator),
      [`a=1${separator}c=2`, `d=3${separator}e=4`],
    );
    assert.deepEqual(pieces({}), []);
  });

  test(`encoded lists that overlap are merged in order, and the last of equal names wins (separator '${separator}')`, () => {
    const joined = pieces({ a: 1, c: 2, e: 3, f: 4 }, { b: 5, c: 6, g: 7 }, { e: 8 }).join('');
    assert.equal(joined, ['a=1', 'b=5', 'c=6', 'e=8', 'f=4', 'g=7'].join(separator));
    const within = pieces({ a: 1, b: 2, c: 3, d: 4 }, { b: 5, c: 6 }).join('');
    assert.equal(within, ['a=1', 'b=5', 'c=6', 'd=4'].join(separator));
  });
}

test('described entries are sorted by name, and those described twice are encoded once', () => {
  const encoding: OpenApiV2Encoding = {
    name: 'json',
    entry: (member, name) => Buffer.from(`${member[0]}${name}`),
    separator: Buffer.from(','),
    pieces: () => [],
  };
  const entry = (member: 'paths' | 'definitions', name: string) => ({ member, name, value: {} });
  const described = [
    entry('paths', '/b'),
    undefined,
    entry('definitions', 'x'),
    entry('paths', '/a'),
    entry('paths', '/b'),
  ];
  const { paths, definitions } = atOnce(encodingMembers(described, encoding));
  assert.deepEqual([paths.names, [...paths.ends], String(Buffer.from(paths.bytes))], [['/a', '/b'], [3, 7], 'p/a,p/b']);
  assert.deepEqual([definitions.names, String(Buffer.from(definitions.bytes))], [['x'], 'dx']);
});
