// Operations of JSON patches that expressions make.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../test/cel/expression-outcome.ts';
import { Environment } from '../cel/environment.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../cel/library/standard-macros.ts';
import { JSON_PATCHES, JsonPatchOperation } from './json-patch.ts';

const environment = new Environment({
  libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }, JSON_PATCHES],
});

describe('JSONPatch in CEL', () => {
  it('JSONPatch in CEL holds the given fields, and empty others', () => {
    const { checked } = environment.compile('[JSONPatch{op: "add", path: "/spec/replicas", value: 3}][0]');
    assert.ok(checked !== undefined);
    const { value } = environment.program(checked).evaluate({});
    assert.ok(value instanceof JsonPatchOperation);
    assert.deepEqual([value.op, value.path, value.from, value.value], ['add', '/spec/replicas', '', 3]);
  });

  it('JSONPatch in CEL equals one with the same fields', () => {
    const values: Readonly<Record<string, boolean>> = {
      'JSONPatch{op: "test", value: [1]} == JSONPatch{value: [1.0], op: "test"}': true,
      'JSONPatch{op: "test", value: null} == JSONPatch{op: "test"}': false,
      'JSONPatch{op: "test"} == JSONPatch{op: "add"}': false,
      'has(JSONPatch{op: "test", value: null}.value)': true,
      'has(JSONPatch{op: "test"}.path)': false,
    };
    for (const [expression, value] of Object.entries(values)) {
      assert.equal(outcomeOf(expression, { environment }).value, value, expression);
    }
  });

  it('JSONPatch in CEL requires the right types of fields', () => {
    assert.match(
      outcomeOf('JSONPatch{op: 1}', { environment }).compile ?? '',
      /expected type of field 'op' is 'string'/,
    );
    assert.match(
      outcomeOf('JSONPatch{to: "a"}', { environment }).compile ?? '',
      /expected type of field 'to' is '' but provided type is 'string'/,
    );
    const { error } = outcomeOf('JSONPatch{op: dyn(1)}', { environment });
    assert.equal(error, "unexpected type int for JSONPatchType 'op' field");
  });

  it('JSONPatch in CEL escapes keys in paths', () => {
    assert.equal(outcomeOf('jsonpatch.escapeKey("a/b~c~1")', { environment }).value, 'a~1b~0c~01');
  });
});
