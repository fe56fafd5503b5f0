import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../api/object.ts';
import { findValues } from './evaluate.ts';
import { parseJsonPath } from './parse.ts';

const ITEMS = [
  { a: 'x', b: 1, f: 1.5, t: true, d: { e: 'w w' } },
  { a: 'y', b: 2 },
  { b: 3, c: null },
  { a: '', b: -1 },
];
const OBJECT: Json = {
  labels: { 'example.com/name': 'shop' },
  items: ITEMS,
  tags: ['x', 'y', 'z'],
  numbers: [1, 2, 3],
  none: [],
  no: null,
  map: { k: 'v', s: 't' },
};

/** What client-go selects, or undefined where it fails. */
const FOUND: readonly [string, Json[] | undefined][] = [
  ['.map.k', ['v']],
  ['.missing', []],
  ['.missing.more[5]', []],
  ['.no.more', []],
  ['.tags.more', []],
  ['.map.', []],
  ['.', []],
  ['.no', [null]],
  ['.tags[*]', ['x', 'y', 'z']],
  ['.tags[]', ['x']],
  ['.tags[0]', ['x']],
  ['.tags[-1]', ['z']],
  ['.tags[0,2]', ['x', 'z']],
  ['.tags[0, 1]', ['x', 'y']],
  ['.tags[0:3:2]', ['x', 'z']],
  ['.tags[:-1]', ['x', 'y']],
  ['.tags[::0]', undefined],
  ['.tags[5]', undefined],
  ['.tags[0:9]', undefined],
  ['.tags[2:1]', undefined],
  ['.tags[1:1]', []],
  ['.none[]', undefined],
  ['.none[*]', []],
  ['.map[0]', undefined],
  ["['map'].k", ['v']],
  ["['map','tags'][0]", undefined],
  ['.labels.example\\.com/name', ['shop']],
  [".labels['example\\.com/name']", ['shop']],
  [".labels['example.com/name']", []],
  ['.map.*', ['v', 't']],
  ['..k', ['v']],
  ['..d.e', ['w w']],
  ['.items[?(@.a)].b', [1, 2, -1]],
  ['.items[?(@.a=="x")].b', [1]],
  ["[?(@.a=='x')]", undefined],
  ['.items[?( @.a != "x" )].b', [2, -1]],
  ['.items[?(@.b>=2)].b', [2, 3]],
  ['.items[?(@.b<0)].b', [-1]],
  ['.items[?(@.b==1.0)].b', undefined],
  ['.items[?(@.f==1.5)].b', [1]],
  ['.items[?(@.f>1)].b', undefined],
  ['.items[?(@.t==true)].b', [1]],
  ['.items[?(@.t<true)].b', undefined],
  ['.items[?(@.b=="1")].b', undefined],
  ['.items[?(@.d.e=="w w")].b', [1]],
  ['.items[?(@.d=="w")].b', undefined],
  ['.items[?(@.a=="x)]")].b', []],
  ['.items[?(@.b[0])].b', [1, 2, 3, -1]],
  ['.tags[?(@=="y")]', ['y']],
  ['.numbers[?(@>1)]', [2, 3]],
  ['.map.k "text"', ['text']],
  ['.map.k more', undefined],
  ['.map.k}{.tags[5]', undefined],
  ['.map.k}{.map.s', ['v']],
];

for (const [path, expected] of FOUND) {
  test(`the JSONPath ${path} is evaluated as in client-go`, () =>
    assert.deepEqual(findValues(OBJECT, parseJsonPath(path)), expected));
}
