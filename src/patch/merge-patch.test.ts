import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../api/errors.ts';
import type { JsonObject } from '../api/object.ts';
import { atOnce } from '../base/steps.ts';
import { applyingMergePatch, parseMergePatch } from './merge-patch.ts';

const applyMergePatch = (document: JsonObject, patch: JsonObject) => atOnce(applyingMergePatch(document, patch));

const rows: [what: string, document: JsonObject, patch: JsonObject, result: JsonObject][] = [
  ['sets a member', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['replaces a member', { a: 1 }, { a: 'x' }, { a: 'x' }],
  ['removes a member', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['ignores the removal of an absent member', { a: 1 }, { b: null }, { a: 1 }],
  ['merges objects', { a: { x: 1, y: 2 } }, { a: { y: null, z: 3 } }, { a: { x: 1, z: 3 } }],
  ['replaces a list', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['replaces a list by an empty one', { a: [1, 2] }, { a: [] }, { a: [] }],
  ['replaces a string by an object without its nulls', { a: 'x' }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
  ['replaces an object by a string', { a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ['drops nulls of a new object at any depth', {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
  [
    'drops nulls in objects of a new list, keeps null items',
    {},
    { a: [null, { b: null, c: 1 }] },
    { a: [null, { c: 1 }] },
  ],
  ['drops nulls in a list that replaces a list', { a: [1] }, { a: [{ b: null }] }, { a: [{}] }],
  ['drops nulls in a list that replaces a null', { a: null }, { a: [{ b: null }] }, { a: [{}] }],
  ['keeps nulls in a list that replaces an object', { a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  [
    'keeps nulls of the original object',
    { a: null, b: { c: null } },
    { b: { d: 1 } },
    { a: null, b: { c: null, d: 1 } },
  ],
  ['keeps 64-bit integers', { a: 1 }, { a: 9007199254740993n }, { a: 9007199254740993n }],
  ['has no directives', { a: { b: 1 } }, { a: { $patch: 'replace' } }, { a: { b: 1, $patch: 'replace' } }],
  [
    'treats names of JavaScript like others',
    {},
    { constructor: { a: 1 }, toString: null } as unknown as JsonObject,
    { constructor: { a: 1 } } as unknown as JsonObject,
  ],
];

describe('a merge patch', () => {
  for (const [what, document, patch, result] of rows) {
    it(`a merge patch ${what}`, () => {
      const before = structuredClone([document, patch]);
      assert.deepEqual(applyMergePatch(document, patch), result);
      assert.deepEqual([document, patch], before, 'an argument has changed');
    });
  }

  it('a merge patch treats __proto__ like any other name', () => {
    const merge = (document: string, patch: string) =>
      JSON.stringify(applyMergePatch(JSON.parse(document) as JsonObject, JSON.parse(patch) as JsonObject));
    assert.equal(merge('{}', '{"__proto__":{"a":{"__proto__":1,"b":null}}}'), '{"__proto__":{"a":{"__proto__":1}}}');
    assert.equal(merge('{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}'), '{"__proto__":{"a":1,"b":2}}');
    assert.equal(merge('{"__proto__":{"a":1},"b":2}', '{"__proto__":null}'), '{"b":2}');
  });

  it('a merge patch shares unchanged parts with the original object', () => {
    const document = { a: { x: 1 }, b: { y: 1 } };
    assert.equal(applyMergePatch(document, { b: { y: 2 } })['a'], document.a);
    assert.equal(applyMergePatch(document, {}), document);
  });
});

describe('parsing of a merge patch', () => {
  it('parsing of a merge patch accepts an object unchanged', () => {
    const patch = { a: null };
    assert.equal(parseMergePatch(patch, { isChecked: true }), patch);
  });

  for (const value of [null, [], 'text', 7, true, 7n]) {
    it(`parsing of a merge patch rejects ${typeof value} ${String(value)}`, () => {
      assert.throws(
        () => parseMergePatch(value, { isChecked: true }),
        (error) => error instanceof ApiError && error.code === 400 && error.reason === 'BadRequest',
      );
    });
  }

  it('parsing of a merge patch lets a list replace the object without field validation, and drops nulls in its maps', () => {
    const patch = [1, null, { a: null, b: 1 }, [{ a: null }]];
    assert.deepEqual(parseMergePatch(patch, { isChecked: false }), [1, null, { b: 1 }, [{}]]);
  });

  it('parsing of a merge patch rejects other values without field validation as an invalid JSON Patch', () => {
    for (const value of [null, 'text', 7, true]) {
      assert.throws(
        () => parseMergePatch(value, { isChecked: false }),
        (error) => error instanceof ApiError && error.message === 'Invalid JSON Patch',
      );
    }
  });
});
