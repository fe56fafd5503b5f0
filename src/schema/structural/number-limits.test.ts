import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../api/json-reader.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { SchemaPart } from './schema-part.ts';
import { validateValue } from './validation.ts';

/** What kube-apiserver v1.34.4 says, without `in body should be `; '' if it accepts the value. */
const CASES: readonly (readonly [schema: string, value: string, said: string])[] = [
  // Integers are divided as integers: there is no tolerance.
  ['{"type":"integer","multipleOf":3}', '9', ''],
  ['{"type":"integer","multipleOf":3}', '1000000001', 'a multiple of 3'],
  ['{"type":"number","multipleOf":3}', '1000000001', 'a multiple of 3'],
  ['{"type":"integer","multipleOf":3}', '9007199254740993', ''],
  ['{"type":"integer","multipleOf":3}', '9007199254740994', 'a multiple of 3'],
  ['{"type":"integer","multipleOf":3}', '-9', ''],
  ['{"type":"integer","multipleOf":3}', '9223372036854775807', 'a multiple of 3'],
  ['{"type":"integer","multipleOf":3}', '9223372036854775806', ''],
  ['{"type":"integer","multipleOf":3000000000}', '1', 'a multiple of 3000000000'],
  // Their limits lose the fraction.
  ['{"type":"integer","multipleOf":2.5}', '4', ''],
  ['{"type":"integer","multipleOf":2.5}', '5', 'a multiple of 2'],
  ['{"type":"integer","multipleOf":-2}', '4', 'positive: -2'],
  ['{"type":"integer","maximum":2.9}', '3', 'less than or equal to 2'],
  ['{"type":"integer","minimum":-2.9}', '-3', 'greater than or equal to -2'],
  // A schema's numbers are floats, which have no 9007199254740993.
  ['{"type":"integer","maximum":9007199254740992}', '9007199254740992', ''],
  ['{"type":"integer","maximum":9007199254740992}', '9007199254740993', 'less than or equal to 9007199254740992'],
  ['{"type":"integer","maximum":9007199254740993}', '9007199254740993', 'less than or equal to 9007199254740992'],
  ['{"type":"integer","minimum":9007199254740992,"exclusiveMinimum":true}', '9007199254740993', ''],
  ['{"type":"integer","maximum":9223372036854775807}', '1', 'less than or equal to -9223372036854775808'],
  ['{"type":"integer","minimum":-1e19}', '-9223372036854775808', ''],
  ['{"x-kubernetes-int-or-string":true,"multipleOf":3}', '1000000000', 'a multiple of 3'],
  // Floats are divided as floats, and may be negligibly more than a multiple.
  ['{"type":"number","multipleOf":0.1}', '0.3', ''],
  ['{"type":"number","multipleOf":0.01}', '4.35', 'a multiple of 0.01'],
  ['{"type":"number","multipleOf":0.1}', '1e10', ''],
  ['{"type":"number","multipleOf":2.5}', '7.5', ''],
  ['{"type":"number","multipleOf":3}', '3.0000000001', ''],
  ['{"type":"number","multipleOf":3}', '2.9999999999', 'a multiple of 3'],
  ['{"type":"number","multipleOf":3}', '-3.0000000001', 'a multiple of 3'],
  ['{"type":"number","multipleOf":3}', '1e300', 'a multiple of 3'],
  ['{"type":"number","maximum":9007199254740993}', '9007199254740993', 'less than or equal to 9007199254740992'],
  ['{"type":"number","maximum":9007199254740993}', '1e19', 'less than or equal to 9.007199254740992e+15'],
  ['{"type":"number","minimum":1.5,"exclusiveMinimum":true}', '1.5', 'greater than 1.5'],
];

for (const [schema, value, said] of CASES) {
  test(`a custom resource's number ${value} with the schema ${schema} is ${said === '' ? 'valid' : 'refused'}`, () => {
    const part = new SchemaPart(parseJson(Buffer.from(schema)) as JsonObject);
    const found = validateValue(parseJson(Buffer.from(value)) as Json, part, { field: 'n' });
    const details = found.map(({ detail }) => (detail ?? '').replace(/^.*(?:in body should be|must be) /, ''));
    assert.deepEqual(details, said === '' ? [] : [said]);
  });
}
