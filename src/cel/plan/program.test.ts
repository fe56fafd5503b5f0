// Tests of programs: costs, limits, errors, and loops that are compiled specially but behave as written.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Declarations } from '../check/declarations.ts';
import { Environment, type EnvironmentOptions } from '../environment.ts';
import { OPTIONAL } from '../library/optional.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { BOOL, BYTES, DYN, INT, listOf, mapOf, STRING, type Type } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { FREE_PARTS } from '../value/comparing.ts';
import { EvaluationError, Interruption } from '../value/evaluation-error.ts';
import { HashMap } from '../value/map.ts';
import type { Value } from '../value/value.ts';
import { Program, type ProgramOptions, type Variables } from './program.ts';

const BASE: EnvironmentOptions = {
  libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }, OPTIONAL],
  optionalSyntax: true,
};
const ENVIRONMENT = new Environment(BASE);
const DECLARATIONS = new Declarations(BASE);

/** JSON as values. */
function valueFrom(json: unknown): Value {
  if (Array.isArray(json)) return new ArrayList(json.map(valueFrom));
  if (typeof json !== 'object' || json === null || json instanceof Uint8Array) return json as Value;
  return HashMap.of(Object.entries(json).map(([key, value]) => [key, valueFrom(value)]));
}

type Inputs = Readonly<Record<string, readonly [type: Type<unknown>, value: unknown]>>;

function programOf(text: string, inputs: Inputs, options?: ProgramOptions): Program {
  const variables = Object.entries(inputs).map(([name, [type]]) => ({ name, type }));
  const { checked, issues } = ENVIRONMENT.extend({ variables }).compile(text);
  assert.ok(checked !== undefined, `${text}: ${issues.map(({ message }) => message).join(', ')}`);
  return new Program(checked, DECLARATIONS, options);
}

function evaluate(text: string, inputs: Inputs = {}, options?: ProgramOptions) {
  const values = Object.entries(inputs).map(([name, [, json]]) => [name, valueFrom(json)]);
  return programOf(text, inputs, options).evaluate(Object.fromEntries(values));
}

/** The text and cost of the error or the interruption that an evaluation ends with. */
function failure(text: string, inputs: Inputs = {}, options?: ProgramOptions) {
  try {
    evaluate(text, inputs, options);
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof Interruption) return error;
    throw error;
  }
  return assert.fail(`${text} succeeds`);
}

const INTS = listOf(INT);
const STRINGS = listOf(STRING);
const STRING_MAP = mapOf(STRING, STRING);
const NESTED_MAP = mapOf(STRING, mapOf(STRING, DYN));
const FLAGS: Inputs = { a: [BOOL, false], b: [BOOL, false], c: [BOOL, false], d: [BOOL, false] };
const SET_FLAGS: Inputs = { a: [BOOL, true], b: [BOOL, true], c: [BOOL, true], d: [BOOL, true] };
const LONG = 'x'.repeat(500);

/** Costs that cel-go counts for programs planned without its optimizations. */
const COSTS: readonly (readonly [text: string, cost: number, inputs?: Inputs])[] = [
  ['"Hello World!"', 0],
  ['input', 1, { input: [INTS, [1, 2]] }],
  ["input['key']", 2, { input: [STRING_MAP, { key: 'v' }] }],
  ['input[0]', 2, { input: [STRINGS, ['v']] }],
  ['input.key', 2, { input: [STRING_MAP, { key: 'v' }] }],
  ["input['ke' + 'y']", 3, { input: [STRING_MAP, { key: 'v' }] }],
  ['input[3-3]', 3, { input: [STRINGS, ['v']] }],
  ['has(input.key)', 2, { input: [STRING_MAP, {}] }],
  ['has(input.outer.inner)', 3, { input: [NESTED_MAP, { outer: { inner: '0' } }] }],
  ['[1, 2, 3]', 10],
  ['{"a": 1, "b": 2, "c": 3}', 30],
  ['input.all(x, true)', 2, { input: [INTS, []] }],
  ['input.all(x, x.all(y, true))', 2, { input: [listOf(INTS), []] }],
  ['[1, 2, 3].all(x, true)', 20],
  ["input.matches('[0-9]')", 103, { input: [STRING, LONG] }],
  ["'123'.matches('[0-9]')", 2],
  ['false || false', 0],
  ['true || false', 0],
  ['a || b || c || d', 4, FLAGS],
  ['true && false', 0],
  ['false && true', 0],
  ['a && b && c && d', 4, SET_FLAGS],
  ['a && b && c && d', 1, FLAGS],
  ['1 < 2', 1],
  ['1 <= 2', 1],
  ['1 == 2', 1],
  ['2 > 1', 1],
  ['2 >= 1', 1],
  ['2 in [1, 2, 3]', 13],
  ['1 + 1', 1],
  ['1 - 1', 1],
  ['1 / 1', 1],
  ['1 * 1', 1],
  ['1 % 1', 1],
  ['true ? 1 : 2', 0],
  ['size("123")', 1],
  ["'12345678901234567890' == '123456789012345678901234567890'", 2],
  ['string(input)', 51, { input: [BYTES, new Uint8Array(500).fill(65)] }],
  ['bytes(input)', 51, { input: [STRING, LONG] }],
  ['string(1)', 1],
  ['input.contains(part)', 2502, { input: [STRING, LONG], part: [STRING, LONG] }],
  ["input.matches('\\\\d+a\\\\d+b')", 103, { input: [STRING, LONG] }],
  ['input.startsWith(part)', 3, { input: [STRING, 'idc'], part: [STRING, LONG] }],
  ['input.endsWith(part)', 3, { input: [STRING, 'idc'], part: [STRING, LONG] }],
  ['input.size()', 2, { input: [STRING, '500'] }],
  ['size(input)', 2, { input: [STRING, '500'] }],
  ['(x > 2 ? one : two).all(y, true)', 6, { x: [INT, 1], one: [INTS, [0]], two: [INTS, [0]] }],
  ['true ? false : 1 > 3', 0],
  ['false ? false : 1 > 3', 1],
  ['input.all(k, input[k].field > 3)', 9, { input: [mapOf(STRING, mapOf(STRING, INT)), { val: { field: 0 } }] }],
  ['input.all(k, input[k].all(x, true))', 2, { input: [NESTED_MAP, {}] }],
  ['input.all(k, k.contains(k))', 2, { input: [NESTED_MAP, {}] }],
  ['input.all(k, input[k].all(k, true) && k.contains(k))', 2, { input: [NESTED_MAP, {}] }],
  ['(one + two).all(x, true)', 4, { one: [INTS, []], two: [INTS, []] }],
  ['"abcdefg".contains(one + two)', 6, { one: [STRING, 'val1'], two: [STRING, 'val2222222'] }],
  ['(1 > 2 ? 5 : 3) > 1', 2],
  ['(1 > 2 || 2 > 1) == true', 3],
  ["[{'k1': 1}, {'k2': 2}].all(x, true)", 77],
  ['[1,2,3,4,5].filter(x, x % 2 == 0)', 62],
  ['[1,2,3,4,5].map(x, x)', 86],
  ['[1,2,3,4,5].map(x, x).filter(x, x % 2 == 0)', 138],
  ['[1,2,3,4,5].map(x, x).exists(x, x == 5) == true', 118],
  ['[1,2,3,4,5].map(x, x).map(x, x)', 162],
  ['[1,2,3,4,5].map(x, [x, x]).filter(z, z.size() == 2)', 232],
  ['[1,2,3,4,5].map(x, [x, x]).all(y, y.all(y, y == 1))', 171],
  ['[1,2,3,4,5].map(x, x).map(x, x) + [1]', 173],
  ['[1,2,3].all(i, i in [1,2,3].map(j, j + j))', 86],
];

/** Costs of programs planned as Kubernetes does: constants are folded, and `has()` is free. */
const OBJECT: Inputs = { self: [DYN, { a: 1, s: 'Pending', array: [1, 2, 3, 4, 5, 6, 7, 8], o: { b: 1 } }] };
const FOLDED_COSTS: readonly (readonly [text: string, cost: number])[] = [
  ['has(self.a)', 1],
  ['has(self.o.b)', 2],
  ['has((self.a > 0 ? self.o : self).b)', 4],
  ["self.s in ['Pending', 'Available']", 2],
  ['self.missing in []', 0],
  ['self.array.all(e, e > 0)', 43],
  ['self.array.exists(e, e > 2)', 24],
  ['self.array.exists_one(e, e > 7)', 22],
  ['size(self.array.filter(e, e % 2 == 0)) == 4', 81],
  ['!self.array.all(e, e < 2)', 16],
  ['self.array.map(e, 1).size()', 20],
  ["double(5) > 4.0 && duration('1h') < duration('2h')", 2],
  ['(self.a > 0 ? self.a : self.s) == 1', 5],
  ['self.?missing.orValue(1 + 1)', 2],
  ['self.?a.orValue(1 + 1)', 2],
];

describe('runtime costs of CEL expressions', () => {
  for (const [text, cost, inputs] of COSTS) {
    it(`the CEL expression ${text} costs ${cost} at run time`, () =>
      assert.equal(evaluate(text, inputs, { foldConstants: false }).cost, cost));
  }

  for (const [text, cost] of FOLDED_COSTS) {
    it(`runtime costs of CEL expressions count less with folded constants: ${text}`, () =>
      assert.equal(evaluate(text, OBJECT, { presenceTestCost: 0 }).cost, cost));
  }
});

describe('the cost limit of a CEL evaluation', () => {
  const inputs: Inputs = { one: [STRING, 'val1'], two: [STRING, 'val2222222'] };

  it('the cost limit of a CEL evaluation may be used up', () => {
    assert.equal(evaluate('"abcdefg".contains(one + two)', inputs, { costLimit: 6 }).cost, 6);
  });

  it('the cost limit of a CEL evaluation is never exceeded', () => {
    const error = failure('"abcdefg".contains(one + two)', inputs, { costLimit: 5 });
    assert.ok(error instanceof Interruption);
    assert.equal(error.message, 'operation cancelled: actual cost limit exceeded');
  });

  it('the cost limit of a CEL evaluation ends a loop at once', () => {
    const list: Inputs = { list: [INTS, Array.from({ length: 1000 }, (_, i) => i)] };
    const text = 'list.all(a, list.all(b, list.all(c, a + b + c >= 0)))';
    const error = failure(text, list, { costLimit: 10_000 });
    assert.ok(error instanceof Interruption);
    assert.ok(error.cost <= 10_020, String(error.cost));
  });

  it('the cost limit of a CEL evaluation also ends an expression whose operator absorbs errors', () => {
    const list: Inputs = { list: [INTS, Array.from({ length: 100 }, (_, i) => i)] };
    assert.ok(failure('list.all(x, x >= 0) || true', list, { costLimit: 50 }) instanceof Interruption);
  });

  // cel-go charges 1 to 10 for each: the size of the outermost map.
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const deep: Inputs = { a: [NESTED_MAP, { k: { numbers } }], b: [NESTED_MAP, { k: { numbers } }] };

  it('the cost limit of a CEL evaluation counts the parts of large values that are compared', () => {
    assert.equal(evaluate('a == b', deep).cost, 3 + 2 * (1_002 - FREE_PARTS));
    const small = { k: { numbers: numbers.slice(0, FREE_PARTS - 3) } };
    assert.equal(evaluate('a == b', { a: [NESTED_MAP, small], b: [NESTED_MAP, small] }).cost, 3);
  });

  it('the cost limit of a CEL evaluation counts the number of items only for a search among numbers', () => {
    const list = JSON.stringify(numbers);
    assert.ok(evaluate(`${list}.all(x, x in ${list})`, {}).cost < 1_100_000);
  });

  it('the cost limit of a CEL evaluation ends comparisons that take longer than their cost', () => {
    const loop = `${JSON.stringify(numbers)}.all(x, a == b)`;
    assert.ok(failure(loop, deep, { costLimit: 100_000 }) instanceof Interruption);
    // In the middle of one.
    assert.ok(failure('a == b', deep, { costLimit: 1_000 }) instanceof Interruption);
    const long = (last: string): Inputs[string] => [NESTED_MAP, { k: { text: 'x'.repeat(1_000_000) + last } }];
    assert.ok(failure('a == b', { a: long('a'), b: long('b') }, { costLimit: 1_000 }) instanceof Interruption);
  });

  it('the cost limit of a CEL evaluation counts evaluations that fail', () => {
    assert.equal(failure('self.a + self.missing', OBJECT).cost, 5);
    assert.equal(failure('self.missing.deeper + self.a', OBJECT).cost, 5);
  });
});

describe('a CEL evaluation', () => {
  it('a CEL evaluation can be interrupted', () => {
    let asked = 0;
    const list: Inputs = { list: [INTS, Array.from({ length: 1000 }, (_, i) => i)] };
    const error = failure('list.all(x, x >= 0)', list, { interrupted: () => ++asked === 3 });
    assert.ok(error instanceof Interruption);
    assert.equal(error.message, 'operation interrupted');
  });

  it('a CEL evaluation evaluates a variable once, when it is needed', () => {
    const asked: string[] = [];
    const inputs: Inputs = { a: [BOOL, true], b: [BOOL, true] };
    const read: Variables = (name) => {
      asked.push(name);
      return name === 'a';
    };
    assert.equal(programOf('a && a || b', inputs).evaluate(read).value, true);
    assert.deepEqual(asked, ['a']);
  });

  it('a CEL evaluation absorbs errors if the other operand decides', () => {
    assert.equal(evaluate('1 / 0 == 1 || true').value, true);
    assert.equal(evaluate('false && 1 / 0 == 1').value, false);
    assert.equal(evaluate('[1, 0].exists(x, 1 / x == 1)').value, true);
    assert.equal(evaluate('[0, 1].exists(x, 1 / x == 1)').value, true);
    assert.equal(evaluate('[0, 2].all(x, 4 / x == 1)').value, false);
  });
});

describe('errors of CEL evaluations', () => {
  const cases: readonly (readonly [text: string, message: string])[] = [
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['-(-9223372036854775807 - 1)', 'integer overflow'],
    ['0u - 1u', 'unsigned integer overflow'],
    ['[1][5]', 'index out of bounds: 5'],
    ['self.missing', 'no such key: missing'],
    ["self['missing']", 'no such key: missing'],
    ['{1: 2}[3]', 'no such key: 3'],
    ["self.a + 'x'", 'no such overload'],
    ['self.array < 1', 'no such overload: _<_'],
    ['self.s.startsWith(self.a)', 'no such overload'],
    ['int(self.array)', 'no such overload: int(list)'],
    ['self.a && true', 'no such overload'],
    ['self.a ? 1 : 2', 'no such overload'],
    ['self.a.all(x, true)', "got 'types.Int', expected iterable type"],
    ['int(self.s)', "type conversion error from 'string' to 'int'"],
    ['timestamp(self.s)', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    [
      "timestamp(253402300799) + duration(self.s + '1s')",
      "type conversion error from 'string' to 'google.protobuf.Duration'",
    ],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", 'timestamp overflow'],
    ["timestamp('2020-01-01T00:00:00Z').getHours('Nowhere/There')", 'unknown time zone Nowhere/There'],
    ["self.s.matches('[' + self.s)", 'error parsing regexp: missing closing ]: `[Pending`'],
    ['0.0 / 0.0 < 1.0', 'NaN values cannot be ordered'],
  ];
  for (const [text, message] of cases) {
    it(`the CEL expression ${text} fails: ${message}`, () => assert.equal(failure(text, OBJECT).message, message));
  }

  it('errors of CEL evaluations in constants are found while the program is planned', () => {
    for (const text of ["int('x')", "'a'.matches('[')", "duration('1') == duration('1h')"]) {
      assert.throws(() => programOf(text, {}), EvaluationError, text);
    }
  });
});
