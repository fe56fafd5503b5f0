import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Environment } from '../../environment.ts';
import { typeText } from '../../types/type-text.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';
import { standardLibrary } from './standard.ts';

const environment = new Environment({ libraries: [standardLibrary()], container: 'google.protobuf' });

function evaluate(text: string): unknown {
  const { checked, issues } = environment.compile(text);
  assert.ok(checked, JSON.stringify(issues));
  return environment.program(checked).evaluate({}).value;
}

describe('protobuf messages in CEL', () => {
  const equal = [
    'Int32Value{value: 1} == 1',
    'Int64Value{} == 0',
    "StringValue{value: 'a'} + 'b' == 'ab'",
    "BytesValue{value: b'a'} == b'a'",
    'UInt64Value{value: 2u} == 2u',
    'FloatValue{value: 1.1} == 1.100000023841858',
    'BoolValue{value: true}',
    "Duration{seconds: 1, nanos: 2000000000} == duration('3s')",
    "Timestamp{nanos: -1} == timestamp('1969-12-31T23:59:59.999999999Z')",
    "Struct{fields: {'a': 1}}.a == 1.0",
    'ListValue{values: [1]}[0] == 1.0',
    'size(Struct{}) == 0 && size(ListValue{}) == 0',
    'Value{} == null',
    'Value{number_value: 2.5} == 2.5',
    "Value{struct_value: {'a': [1]}}.a[0] == 1.0",
    'NullValue.NULL_VALUE == 0',
    "type(Timestamp{seconds: 1}) == Timestamp && type(timestamp('2025-01-01T00:00:00Z')) == Timestamp",
  ];
  for (const text of equal) it(`make ${text} true`, () => assert.equal(evaluate(text), true));

  const failures: readonly (readonly [text: string, message: string])[] = [
    [
      'Int32Value{value: 2147483648}',
      'field type conversion error for google.protobuf.Int32Value.value value type: integer overflow',
    ],
    [
      'UInt32Value{value: 4294967296u}',
      'field type conversion error for google.protobuf.UInt32Value.value value type: unsigned integer overflow',
    ],
    [
      'Duration{nanos: 99999999999}',
      'field type conversion error for google.protobuf.Duration.nanos value type: integer overflow',
    ],
    ['Timestamp{seconds: 9223372036854775807}', 'timestamp overflow'],
  ];
  for (const [text, message] of failures) {
    it(`protobuf messages in CEL are rejected in ${text}`, () => {
      assert.throws(
        () => evaluate(text),
        (error) => error instanceof EvaluationError && error.message === message,
      );
    });
  }

  it('protobuf messages in CEL have the types of the values that they wrap', () => {
    const types = ['Int32Value{}', 'Duration{}', 'Struct{}', 'ListValue{}', 'Value{}'].map((text) =>
      typeText(environment.compile(text).checked!.type),
    );
    assert.deepEqual(types, ['wrapper(int)', 'duration', 'map(string, dyn)', 'list(dyn)', 'dyn']);
  });

  it('protobuf messages in CEL do not support field selection', () => {
    const { issues } = environment.compile('UInt32Value{value: 1u}.value');
    assert.equal(issues[0]?.message, "type 'wrapper(uint)' does not support field selection");
  });
});
