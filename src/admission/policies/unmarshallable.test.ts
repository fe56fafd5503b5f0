import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Environment } from '../../cel/environment.ts';
import { standardLibrary } from '../../cel/library/standard/standard.ts';
import { Optional, type Value } from '../../cel/value/value.ts';
import { PATCH_OBJECT_TYPE, PatchObject } from '../../expressions/patch-object.ts';
import { fieldFault, unmarshallable } from './unmarshallable.ts';

const ENVIRONMENT = new Environment({ libraries: [standardLibrary()] });

function evaluated(text: string): Value {
  const { checked, issues } = ENVIRONMENT.compile(text);
  assert.ok(checked, JSON.stringify(issues));
  return ENVIRONMENT.program(checked).evaluate({}).value as Value;
}

test('a CEL value that JSON cannot express is rejected with the message of cel-go, also within lists and maps', () => {
  const cases: readonly [expression: string, fault: string | undefined][] = [
    ['{"a": [dyn(1), {"b": null}]}', undefined],
    ['{1: "a"}', "unsupported type conversion from 'int' to string"],
    ['[{"a": {1u: "b"}}]', "unsupported type conversion from 'uint' to string"],
    ['{true: "a"}', "type conversion error from bool to 'string'"],
    ['{dyn(1.5): "a"}', "type conversion error from Double to 'string'"],
    ['{dyn(duration("1s")): "a"}', "type conversion error from 'Duration' to 'string'"],
    ['{dyn(null): "a"}', "type conversion error from 'null_type' to 'string'"],
    ['[type(1)]', "type conversion not supported for 'type'"],
  ];
  for (const [expression, fault] of cases) assert.equal(unmarshallable(evaluated(expression)), fault, expression);
});

test('an optional value of CEL is its content, and an absent one is rejected', () => {
  assert.equal(unmarshallable(new Optional('a')), undefined);
  assert.equal(unmarshallable(new Optional(undefined)), 'optional.none() dereference');
});

test('a map with other keys than strings cannot be a field of an object literal', () => {
  const faultOf = (keys: string) => {
    const fields = new Map([['labels', evaluated(`{${keys}: "a"}`)]]);
    return fieldFault(new PatchObject(PATCH_OBJECT_TYPE, fields))?.replace(
      'fail to convert field "labels": map key ',
      '',
    );
  };
  assert.equal(faultOf('"b"'), undefined);
  assert.equal(faultOf('1'), String.raw`'\x01' is of type types.Int, not string`);
  assert.equal(faultOf('65u'), "'A' is of type types.Uint, not string");
  assert.equal(faultOf('dyn(null)'), String.raw`'\x00' is of type types.Null, not string`);
  assert.equal(faultOf('true'), '%!q(types.Bool=true) is of type types.Bool, not string');
});
