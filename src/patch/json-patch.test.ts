import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { applyJsonPatch, jsonPatchStrictErrors, parseJsonPatch } from './json-patch.ts';

const OPAQUE = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
};

/** The result of a patch given as JSON text, applied to a document that must stay as it is. */
function patched(document: Json, text: string): Json {
  const before = structuredClone(document);
  const result = applyJsonPatch(document, parseJsonPatch(JSON.parse(text), { text }));
  assert.deepEqual(document, before, 'the document has changed');
  return result;
}

const refused = (document: Json, text: string): ApiError => {
  try {
    patched(document, text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${text} was applied`);
};

const list = { l: ['a', 'b', 'c'] };
const tree = { a: { b: { c: 1 } }, s: 'text', n: null, '': 'empty', 'x/y': { '~': 2 } };

const applied: [what: string, document: Json, patch: string, result: Json][] = [
  ['add', {}, '[{"op":"add","path":"/a","value":1}]', { a: 1 }],
  ['add replaces', { a: 1 }, '[{"op":"add","path":"/a","value":{"b":2}}]', { a: { b: 2 } }],
  ['add without a value adds null', {}, '[{"op":"add","path":"/a"}]', { a: null }],
  [
    'add into what was added',
    {},
    '[{"op":"add","path":"/a","value":{}},{"op":"add","path":"/a/b","value":1}]',
    { a: { b: 1 } },
  ],
  ['add before an item', list, '[{"op":"add","path":"/l/1","value":"x"}]', { l: ['a', 'x', 'b', 'c'] }],
  ['add at the end by index', list, '[{"op":"add","path":"/l/3","value":"x"}]', { l: ['a', 'b', 'c', 'x'] }],
  ['add at the end', list, '[{"op":"add","path":"/l/-","value":"x"}]', { l: ['a', 'b', 'c', 'x'] }],
  ['add counted from the end', list, '[{"op":"add","path":"/l/-1","value":"x"}]', { l: ['a', 'b', 'c', 'x'] }],
  ['add counted back to the start', list, '[{"op":"add","path":"/l/-4","value":"x"}]', { l: ['x', 'a', 'b', 'c'] }],
  ['leading zeros and signs', list, '[{"op":"add","path":"/l/+01","value":"x"}]', { l: ['a', 'x', 'b', 'c'] }],
  ['remove', { a: 1, b: 2 }, '[{"op":"remove","path":"/a"}]', { b: 2 }],
  ['remove a null', { n: null }, '[{"op":"remove","path":"/n"}]', {}],
  ['remove an item', list, '[{"op":"remove","path":"/l/0"}]', { l: ['b', 'c'] }],
  ['remove counted from the end', list, '[{"op":"remove","path":"/l/-3"}]', { l: ['b', 'c'] }],
  ['replace', { a: 1 }, '[{"op":"replace","path":"/a","value":2}]', { a: 2 }],
  ['replace adds a missing member', {}, '[{"op":"replace","path":"/a","value":2}]', { a: 2 }],
  ['replace an item', list, '[{"op":"replace","path":"/l/-2","value":"x"}]', { l: ['a', 'x', 'c'] }],
  [
    'replace the document',
    list,
    '[{"op":"replace","path":"","value":{"a":1}},{"op":"add","path":"/b","value":2}]',
    { a: 1, b: 2 },
  ],
  [
    'replace the document by a text, which changes nothing',
    { a: 1 },
    '[{"op":"replace","path":"","value":"x"}]',
    { a: 1 },
  ],
  [
    'replace the document by null, which changes nothing',
    { a: 1 },
    '[{"op":"replace","path":"","value":null}]',
    { a: 1 },
  ],
  [
    'replace the document by a list',
    {},
    '[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/0","value":0}]',
    [0, 1],
  ],
  ['move', { a: 1 }, '[{"op":"move","from":"/a","path":"/b"}]', { b: 1 }],
  ['move an item', list, '[{"op":"move","from":"/l/0","path":"/l/2"}]', { l: ['b', 'c', 'a'] }],
  ['move to itself', { a: { b: 1 } }, '[{"op":"move","from":"/a","path":"/a"}]', { a: { b: 1 } }],
  ['copy', { a: [1] }, '[{"op":"copy","from":"/a","path":"/b"}]', { a: [1], b: [1] }],
  ['copy a missing member as null', {}, '[{"op":"copy","from":"/a","path":"/b"}]', { b: null }],
  ['copy into itself', { a: { b: 1 } }, '[{"op":"copy","from":"/a","path":"/a/c"}]', { a: { b: 1, c: { b: 1 } } }],
  [
    'names are split at slashes and decoded',
    tree,
    '[{"op":"replace","path":"/x~1y/~0","value":3}]',
    { ...tree, 'x/y': { '~': 3 } },
  ],
  ['~01 is ~1', {}, '[{"op":"add","path":"/~01~2","value":1}]', { '~1~2': 1 }],
  ['an empty name', tree, '[{"op":"replace","path":"/","value":1}]', { ...tree, '': 1 }],
  ['what stands before the first slash is ignored', {}, '[{"op":"add","path":"data/a","value":1}]', { a: 1 }],
  ['nothing', list, '[]', list],
  ['null', list, 'null', list],
];

const holding: [document: Json, path: string, value: string][] = [
  [{ a: 2 }, '/a', '2'],
  [{ a: 1.5 }, '/a', '1.5'],
  [{ a: 1e21 }, '/a', '1e+21'],
  [{ a: 'x' }, '/a', '"\\u0078"'],
  [{ a: { x: 1, y: [true] } }, '/a', '{"y":[true],"x":1}'],
  [{ a: null }, '/a', 'null'],
  [{}, '/missing', 'null'],
  [{ l: ['a', 'b'] }, '/l/-1', '"b"'],
  [{ a: 1 }, '', '{"a":1}'],
  [{ image: 'x:1.0' }, '/image', '"x:1.0"'],
];

const notHolding: [document: Json, path: string, value: string][] = [
  [{ a: 2 }, '/a', '"2"'],
  [{ a: 2 }, '/a', '2.0'],
  [{ a: 0 }, '/a', '-0'],
  [{ a: [{ b: 100 }] }, '/a', '[{"b":1e2}]'],
  [{ a: false }, '/missing', 'false'],
  [{ a: ['a', 'b'] }, '/a', '["b","a"]'],
  [{ a: { x: 1, y: 2 } }, '/a', '{"x":1}'],
  [{ a: { x: 1 } }, '/a', '{"x":1,"y":2}'],
  [{ a: { x: null } }, '/a', '{"y":null}'],
  [{ a: [] }, '/a', '{}'],
  [{ a: 1 }, '/a', 'null'],
  [{ a: 1 }, '/a/deeper', 'null'],
  [{ l: ['a'] }, '/l/1', 'null'],
];

const failing: [what: string, document: Json, patch: string][] = [
  ['remove a missing member', {}, '[{"op":"remove","path":"/a"}]'],
  ['remove beyond the end', list, '[{"op":"remove","path":"/l/3"}]'],
  ['remove before the start', list, '[{"op":"remove","path":"/l/-4"}]'],
  ['remove the item after the last', list, '[{"op":"remove","path":"/l/-"}]'],
  ['an index that is none', list, '[{"op":"remove","path":"/l/x"}]'],
  ['a fraction for an index', list, '[{"op":"remove","path":"/l/1.0"}]'],
  ['replace beyond the end', list, '[{"op":"replace","path":"/l/3","value":1}]'],
  ['add beyond the end', list, '[{"op":"add","path":"/l/4","value":1}]'],
  ['add before the start', list, '[{"op":"add","path":"/l/-5","value":1}]'],
  ['add below a missing member', {}, '[{"op":"add","path":"/a/b","value":1}]'],
  ['add below a null', tree, '[{"op":"add","path":"/n/b","value":1}]'],
  ['add below a text', tree, '[{"op":"add","path":"/s/b","value":1}]'],
  ['replace below a missing member', {}, '[{"op":"replace","path":"/a/b","value":1}]'],
  ['move a missing member', {}, '[{"op":"move","from":"/a","path":"/b"}]'],
  ['move into itself', { a: {} }, '[{"op":"move","from":"/a","path":"/a/b"}]'],
  ['copy from below a missing member', {}, '[{"op":"copy","from":"/a/b","path":"/c"}]'],
  ['copy a missing item', list, '[{"op":"copy","from":"/l/3","path":"/c"}]'],
  ['add the document', {}, '[{"op":"add","path":"","value":{}}]'],
  ['remove the document', {}, '[{"op":"remove","path":""}]'],
  ['a path without a slash', { a: 1 }, '[{"op":"remove","path":"a"}]'],
  ['an unknown operation', {}, '[{"op":"frobnicate","path":"/a"}]'],
  ['no operation', {}, '[{"path":"/a","value":1}]'],
  ['no path', {}, '[{"op":"add","value":1}]'],
  ['a null path', {}, '[{"op":"add","path":null,"value":1}]'],
  ['no from', {}, '[{"op":"copy","path":"/a"}]'],
  ['a null for an operation', {}, '[null]'],
  ['a name of the language', {}, '[{"op":"remove","path":"/toString"}]'],
  ['below a name of the language', {}, '[{"op":"add","path":"/constructor/x","value":1}]'],
];

describe('a JSON patch', () => {
  for (const [what, document, patch, result] of applied) {
    it(`a JSON patch is applied as by Kubernetes: ${what}`, () => assert.deepEqual(patched(document, patch), result));
  }

  for (const [document, path, value] of holding) {
    it(`a JSON patch finds ${value} at ${path} in ${JSON.stringify(document)}`, () => {
      assert.equal(patched(document, `[{"op":"test","path":"${path}","value":${value}}]`), document);
    });
  }

  for (const [document, path, value] of notHolding) {
    it(`a JSON patch does not find ${value} at ${path} in ${JSON.stringify(document)}`, () => {
      assert.deepEqual(refused(document, `[{"op":"test","path":"${path}","value":${value}}]`).status, OPAQUE);
    });
  }

  for (const [what, document, patch] of failing) {
    it(`a JSON patch is rejected: ${what}`, () => {
      const error = refused(document, patch);
      assert.deepEqual(error.status, OPAQUE);
      assert.ok(error.cause instanceof Error && error.cause.message !== '', 'nothing for the log');
    });
  }

  it('a JSON patch applies all operations in order, or none', () => {
    assert.deepEqual(
      refused({ a: 1 }, '[{"op":"add","path":"/b","value":2},{"op":"test","path":"/a","value":2}]').status,
      OPAQUE,
    );
  });

  it('a JSON patch leaves the members of changed objects sorted by name', () => {
    const document = { other: { z: 1, a: 2 }, data: { spec: {} } };
    const text =
      '[{"op":"remove","path":"/data/spec"},{"op":"add","path":"/data/z","value":1},{"op":"add","path":"/data/a","value":{"q":1,"b":2}}]';
    assert.equal(JSON.stringify(patched(document, text)), '{"data":{"a":{"q":1,"b":2},"z":1},"other":{"z":1,"a":2}}');
  });

  it('a JSON patch distinguishes integers of more than 53 bits', () => {
    const patch = parseJsonPatch([{ op: 'test', path: '/a', value: 9007199254740993n }]);
    assert.deepEqual(applyJsonPatch({ a: 9007199254740993n }, patch), { a: 9007199254740993n });
    assert.throws(() => applyJsonPatch({ a: 9007199254740992n }, patch), ApiError);
  });

  it('a JSON patch rejects an operation whose op, path or from is not a string', () => {
    for (const odd of ['{"toString":null}', '["add"]', '7', 'true']) {
      for (const operation of [
        `{"op":${odd},"path":"/s"}`,
        `{"op":"add","path":${odd},"value":1}`,
        `{"op":"copy","path":"/s","from":${odd}}`,
      ]) {
        const patch = parseJsonPatch([JSON.parse(operation)], { isChecked: false });
        assert.throws(() => applyJsonPatch(tree, patch), ApiError, operation);
      }
    }
  });

  it('a JSON patch treats __proto__ like any other name', () => {
    const document = JSON.parse('{"data":{"__proto__":{"a":"1"}}}') as Json;
    const text =
      '[{"op":"add","path":"/data/__proto__/b","value":"2"},{"op":"copy","from":"/data","path":"/__proto__"},{"op":"remove","path":"/data/__proto__"}]';
    const result = patched(document, text);
    assert.equal(JSON.stringify(result), '{"__proto__":{"__proto__":{"a":"1","b":"2"}},"data":{}}');
    assert.equal(
      JSON.stringify(patched({}, '[{"op":"add","path":"/__proto__","value":{"x":1}}]')),
      '{"__proto__":{"x":1}}',
    );
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
    refused({}, '[{"op":"add","path":"/__proto__/x","value":1}]');
  });

  it('a JSON patch changes only one of two copies', () => {
    const text =
      '[{"op":"add","path":"/a/b/d","value":2},{"op":"copy","from":"/a","path":"/e"},{"op":"add","path":"/a/b/f","value":3},{"op":"remove","path":"/e/b/d"}]';
    assert.deepEqual(patched({ a: { b: { c: 1 } } }, text), { a: { b: { c: 1, d: 2, f: 3 } }, e: { b: { c: 1 } } });
  });

  it('a JSON patch can be applied again with unchanged values', () => {
    const patch = parseJsonPatch([
      { op: 'add', path: '/a', value: { l: [1] } },
      { op: 'add', path: '/a/l/-', value: 2 },
    ]);
    assert.deepEqual(applyJsonPatch({}, patch), { a: { l: [1, 2] } });
    assert.deepEqual(applyJsonPatch({}, patch), { a: { l: [1, 2] } });
  });

  it('a JSON patch shares unchanged parts with the original object', () => {
    const document = { a: { x: 1 }, b: { y: 2 } };
    const result = applyJsonPatch(
      document,
      parseJsonPatch([{ op: 'replace', path: '/b/y', value: 3 }]),
    ) as typeof document;
    assert.equal(result.a, document.a);
  });

  it('a JSON patch does not let copies of copies grow without limit', () => {
    const doubling = Array.from({ length: 64 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }));
    const operations = doubling.map((each) => ({ ...each, from: '/a', path: '/a/-' }));
    const error = refused({ a: ['x'.repeat(1000)] }, JSON.stringify(operations));
    assert.deepEqual(error.status, OPAQUE);
    assert.equal((error.cause as Error).message, 'copies add too much');
  });

  it('a JSON patch copies up to the limit', () => {
    const half = 'x'.repeat(limits.jsonPatchCopiedCharacters / 2 - 2);
    const copies = [1, 2, 3].map((i) => ({ op: 'copy', from: '/a', path: `/b${i}` }));
    patched({ a: half }, JSON.stringify(copies.slice(0, 2)));
    refused({ a: half }, JSON.stringify(copies));
  });
});

describe('parsing of a JSON patch', () => {
  for (const text of [
    '{"op":"add","path":"/a","value":1}',
    '["add"]',
    '[[]]',
    '"text"',
    '7',
    '[{"op":7,"path":"/a"}]',
    '[{"op":"add","path":1}]',
    '[{"op":"move","from":{},"path":"/a"}]',
  ]) {
    it(`parsing of a JSON patch rejects ${text}`, () => {
      const { code, reason, message } = refused({}, text);
      assert.deepEqual({ code, reason }, { code: 400, reason: 'BadRequest' });
      assert.match(message, /^error decoding patch: /);
    });
  }

  it('parsing of a JSON patch accepts operations up to the limit', () => {
    const operations = new Array(limits.jsonPatchOperations).fill({ op: 'add', path: '/a', value: 1 });
    assert.equal(parseJsonPatch(operations).length, limits.jsonPatchOperations);
    const { code, reason, message } = refused({}, JSON.stringify([...operations, null]));
    assert.deepEqual({ code, reason }, { code: 413, reason: 'RequestEntityTooLarge' });
    assert.equal(
      message,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });

  it('parsing of a JSON patch compares numbers by value if the text is not known', () => {
    const patch = parseJsonPatch(JSON.parse('[{"op":"test","path":"/a","value":2.0}]'));
    assert.deepEqual(applyJsonPatch({ a: 2 }, patch), { a: 2 });
  });

  it('parsing of a JSON patch compares the text of numbers in test operations only', () => {
    const text = '[{"op":"test","path":"/a","value":1},{"op":"add","path":"/b","value":[2.0, 1e2]}]';
    assert.deepEqual(patched({ a: 1 }, text), { a: 1, b: [2, 100] });
  });
});

describe('strict decoding of a JSON patch', () => {
  const errorsIn = (text: string) => jsonPatchStrictErrors(JSON.parse(text), { text });

  it('strict decoding of a JSON patch reports unknown and duplicate members in the order of the text', () => {
    const text =
      '[{"op":"add","note":"x","value":{"a":1,"a":2}},null,{"op":"test","from":"/a","from":"/b","Value":{"c":1,"c":2}}]';
    assert.deepEqual(errorsIn(text), [
      'json patch unknown field "[0].note"',
      'json patch duplicate field "[0].value.a"',
      'json patch duplicate field "[2].from"',
      'json patch unknown field "[2].Value"',
    ]);
  });

  it('strict decoding of a JSON patch reports nothing for a valid patch, for what is not a patch, and inside values', () => {
    assert.deepEqual(errorsIn('[{"op":"add","path":"/a","value":{"note":[{"x":1}]}}]'), []);
    assert.deepEqual(errorsIn('null'), []);
    assert.deepEqual(errorsIn('[7,"x"]'), []);
  });

  it('strict decoding of a JSON patch reports errors up to the limit', () => {
    const value = Array.from({ length: 300 }, () => ({ op: 'add', note: 1 }));
    assert.equal(errorsIn(JSON.stringify(value)).length, limits.strictErrors);
  });
});

it('an invalid operation of a JSON patch fails when it is reached', () => {
  const causeOf = (operations: Json) => {
    try {
      applyJsonPatch({ a: 1 }, parseJsonPatch(operations));
      return undefined;
    } catch (error) {
      return ((error as ApiError).cause as Error).message;
    }
  };
  const never = [{ op: 'zap' }, { op: 'add', path: 'b' }];
  assert.equal(causeOf(never), 'Unexpected kind: zap');
  assert.equal(causeOf([{ op: 'test', path: '/a', value: 2 }, ...never]), 'testing value /a failed: test failed');
  assert.equal(
    causeOf([{ op: 'remove', path: '/b' }, ...never]),
    "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value",
  );
});

it('without field validation the types of a JSON patch are reported differently', () => {
  const fault = (value: unknown, isChecked: boolean) => {
    try {
      applyJsonPatch({}, parseJsonPatch(value, { isChecked }));
      return undefined;
    } catch (error) {
      return (error as { message: string }).message;
    }
  };
  const cannot = (what: string) => `json: cannot unmarshal ${what}`;
  assert.equal(fault({}, false), cannot('object into Go value of type jsonpatch.Patch'));
  assert.equal(fault([1], false), cannot('number into Go value of type jsonpatch.Operation'));
  assert.match(fault([{ op: 1 }], false)!, /the server rejected our request/);
  assert.equal(
    fault({}, true),
    `error decoding patch: ${cannot('object into Go value of type []handlers.jsonPatchOp')}`,
  );
});
