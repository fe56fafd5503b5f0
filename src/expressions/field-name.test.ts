import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeFieldName } from './field-name.ts';

const SPELLINGS: readonly (readonly [name: string, spelled: string | undefined])[] = [
  ['replicas', 'replicas'],
  ['_x', '_x'],
  ['a.b', 'a__dot__b'],
  ['a-b', 'a__dash__b'],
  ['a/b', 'a__slash__b'],
  ['a__b', 'a__underscores__b'],
  ['a___b', 'a__underscores___b'],
  ['x-kubernetes.io/y', 'x__dash__kubernetes__dot__io__slash__y'],
  ['namespace', '__namespace__'],
  ['in', '__in__'],
  ['int', 'int'],
  ['1st', undefined],
  ['', undefined],
  ['a b', undefined],
  ['a$', undefined],
  ['é', undefined],
];

for (const [name, spelled] of SPELLINGS) {
  test(`the field name ${JSON.stringify(name)} in CEL is ${spelled ?? 'not available'}`, () => {
    assert.equal(escapeFieldName(name), spelled);
  });
}
