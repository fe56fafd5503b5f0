// Tests of cost estimates: the numbers of cel-go 0.26's own tests, and some of kube-apiserver's.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Environment, type EnvironmentOptions, type Variable } from '../environment.ts';
import { type Library, method, type Overload } from '../library/library.ts';
import { OPTIONAL } from '../library/optional.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../library/two-variable-comprehensions.ts';
import { issuesText } from '../syntax/issue-text.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  STRING,
  structType,
  TIMESTAMP,
  type Type,
  type TypeProvider,
} from '../types/type.ts';
import { add, exactly, multiply, type Range, scale } from './range.ts';

const OBJECT = structType('test.Object');

const ITEM = structType('test.Item');
const SELF = structType('test.Self');

const FIELDS: Readonly<Record<string, Readonly<Record<string, Type<unknown>>>>> = {
  'test.Object': { single_int32: INT, single_float: DOUBLE, single_string: STRING },
  'test.Item': { name: STRING, tags: listOf(STRING) },
  'test.Self': { items: listOf(ITEM), inner: SELF, labels: mapOf(STRING, STRING) },
};

const types: TypeProvider = {
  struct(name) {
    const fields = FIELDS[name];
    return fields && { type: structType(name), fields: new Map(Object.entries(fields)) };
  },
  constant: () => undefined,
};

/** Functions beside the standard ones, or in place of them, by their estimates. */
function functionOf(
  name: string,
  { id, parameters, result }: Pick<Overload, 'id' | 'parameters' | 'result'>,
  estimate: Overload['estimate'],
): Library {
  const declared = method(id, [parameters, result], { evaluate: () => null });
  return { name: id, functions: [{ name, overloads: [{ ...declared, estimate }] }] };
}

const YEAR_AT_7 = functionOf('getFullYear', { id: 'timestamp_to_year', parameters: [TIMESTAMP], result: INT }, () => ({
  cost: exactly(7),
}));

const CONTAINS_TWICE = functionOf(
  'contains',
  { id: 'contains_string', parameters: [STRING, STRING], result: BOOL },
  (text, part) => ({ cost: multiply(scale(text!.size, 0.2), scale(part!.size, 0.2)) }),
);

const MAX_OF_BYTES = functionOf(
  'max',
  { id: 'list_bytes_max', parameters: [listOf(BYTES)], result: BYTES },
  (list) => ({ cost: multiply(list!.size, add(exactly(1), scale(list!.items!.size, 0.1))) }),
);

const environment = new Environment({
  libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }, YEAR_AT_7, MAX_OF_BYTES],
  types,
});

interface Row {
  readonly variables?: Readonly<Record<string, Type<unknown>>>;
  /** The greatest size by path. */
  readonly sizes?: Readonly<Record<string, number>>;
  readonly options?: EnvironmentOptions;
}

function costOf(text: string, { variables = {}, sizes = {}, options = {} }: Row): Range {
  const declared: Variable[] = Object.entries(variables).map(([name, type]) => ({ name, type }));
  const extended = environment.extend({ ...options, variables: declared });
  const { checked, source, issues } = extended.compile(text);
  assert.ok(checked, issuesText(source, issues));
  return extended.estimate(checked, {
    size(path, type) {
      const max = sizes[path?.join('.') ?? ''];
      if (max !== undefined) return { min: 0, max };
      return type === BYTES ? { min: 0, max: 12 } : undefined;
    },
  });
}

const OBJECTS = listOf(OBJECT);
const OBJECTS_BY_NAME = mapOf(STRING, OBJECT);
const NESTED = mapOf(STRING, OBJECTS_BY_NAME);
const FREE_HAS: EnvironmentOptions = { presenceTestCost: 0 };
const SIZES = {
  'self.items': 10,
  'self.items.@items.name': 20,
  'self.items.@items.tags': 5,
  'self.items.@items.tags.@items': 7,
  'self.inner.labels': 9,
  'self.inner.labels.@keys': 13,
  'self.inner.labels.@values': 17,
};
/** A tenth of what has no bound. */
const TENTH = 2 ** 64 / 10;

const ROWS: readonly (readonly [text: string, cost: number | readonly [min: number, max: number], row?: Row])[] = [
  ['"Hello World!"', 0],
  ['input', 1, { variables: { input: listOf(INT) } }],
  ["input['key']", 2, { variables: { input: mapOf(STRING, STRING) } }],
  ['input.single_int32', 2, { variables: { input: OBJECT } }],
  ['has(input.single_int32)', 1, { variables: { input: OBJECT }, options: FREE_HAS }],
  ['has(input.single_int32)', 2, { variables: { input: OBJECT } }],
  ['has(input.testAttr.nestedAttr)', 3, { variables: { input: NESTED } }],
  ['has(input.testAttr.nestedAttr)', 2, { variables: { input: NESTED }, options: FREE_HAS }],
  ['input.getFullYear()', 8, { variables: { input: TIMESTAMP } }],
  ['[1, 2, 3]', 10],
  ["test.Object{single_int32: 1, single_float: 3.14, single_string: 'str'}", 40],
  ['{"a": 1, "b": 2, "c": 3}', 30],
  ['input.all(x, true)', [2, 302], { variables: { input: OBJECTS }, sizes: { input: 100 } }],
  [
    'input.all(x, x.all(y, true))',
    [2, 1752],
    { variables: { input: listOf(OBJECTS) }, sizes: { input: 50, 'input.@items': 10 } },
  ],
  ['[1, 2, 3].all(x, true)', 20],
  ["input.matches('[0-9]')", [3, 103], { variables: { input: STRING }, sizes: { input: 500 } }],
  ["'123'.matches('[0-9]')", 2],
  ['true || false', 0],
  ['a || b || c || d', [1, 4], { variables: { a: BOOL, b: BOOL, c: BOOL, d: BOOL } }],
  ['true && false', 0],
  ['a && b && c && d', [1, 4], { variables: { a: BOOL, b: BOOL, c: BOOL, d: BOOL } }],
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
  ['size(b"123")', 1],
  ['string(input)', [1, 51], { variables: { input: BYTES }, sizes: { input: 500 } }],
  ['string(input) == string(input)', [3, 152], { variables: { input: BYTES }, sizes: { input: 500 } }],
  ['bytes(input)', [1, 51], { variables: { input: STRING }, sizes: { input: 500 } }],
  ['bytes(input) == bytes(input)', [3, 302], { variables: { input: STRING }, sizes: { input: 500 } }],
  ['string(1)', 1],
  ['input.contains(arg1)', [2, 2502], { variables: { input: STRING, arg1: STRING }, sizes: { input: 500, arg1: 500 } }],
  ["input.matches('\\\\d+a\\\\d+b')", [3, 103], { variables: { input: STRING }, sizes: { input: 500 } }],
  ['input.startsWith(arg1)', [2, 52], { variables: { input: STRING, arg1: STRING }, sizes: { arg1: 500 } }],
  ['input.endsWith(arg1)', [2, 52], { variables: { input: STRING, arg1: STRING }, sizes: { arg1: 500 } }],
  ['input.size()', 2, { variables: { input: STRING } }],
  ['size(input)', 2, { variables: { input: STRING } }],
  [
    '(x > 2 ? input1 : input2).all(y, true)',
    [4, 7],
    { variables: { x: INT, input1: OBJECTS, input2: OBJECTS }, sizes: { input1: 1, input2: 1 } },
  ],
  ['input.all(k, input[k].single_int32 > 3)', [2, 82], { variables: { input: OBJECTS_BY_NAME }, sizes: { input: 10 } }],
  [
    'input.all(k, input[k].all(x, true))',
    [2, 187],
    { variables: { input: NESTED }, sizes: { input: 5, 'input.@values': 10 } },
  ],
  ['input.all(k, k.contains(k))', [2, 32], { variables: { input: NESTED }, sizes: { input: 5, 'input.@keys': 10 } }],
  [
    'input.all(k, input[k].all(k, true) && k.contains(k))',
    [2, 34],
    { variables: { input: NESTED }, sizes: { input: 2, 'input.@values': 2, 'input.@keys': 5 } },
  ],
  [
    '(list1 + list2).all(x, true)',
    [4, 64],
    { variables: { list1: listOf(INT), list2: listOf(INT) }, sizes: { list1: 10, list2: 10 } },
  ],
  [
    '"abcdefg".contains(str1 + str2)',
    [2, 6],
    { variables: { str1: STRING, str2: STRING }, sizes: { str1: 10, str2: 10 } },
  ],
  [
    '"abcdefg".contains(str1 + str2)',
    [2, 12],
    {
      variables: { str1: STRING, str2: STRING },
      sizes: { str1: 10, str2: 10 },
      options: { libraries: [CONTAINS_TWICE] },
    },
  ],
  ['list1.size() == list2.size()', 5, { variables: { list1: listOf(INT), list2: listOf(INT) } }],
  ['x > y ? list1.size() : list2.size()', 5, { variables: { x: INT, y: INT, list1: listOf(INT), list2: listOf(INT) } }],
  [
    '([x, y] + list1 + list2).size()',
    17,
    { variables: { x: INT, y: INT, list1: listOf(INT), list2: listOf(INT) }, sizes: { list1: 10, list2: 20 } },
  ],
  [
    "[list1, list2].exists(l, l.exists(v, v.startsWith('hi')))",
    [21, 265],
    {
      variables: { list1: listOf(STRING), list2: listOf(STRING) },
      sizes: { list1: 10, 'list1.@items': 64, list2: 20, 'list2.@items': 128 },
    },
  ],
  [
    'str1.endsWith("abcdefghijklmnopqrstuvwxyz") == str2.endsWith("abcdefghijklmnopqrstuvwxyz")',
    9,
    { variables: { str1: STRING, str2: STRING } },
  ],
  ['((5 != 6) == (1 == 2)) == ((3 <= 4) == (9 != 9))', 7],
  ['string(t1) == string(t2)', [5, TENTH + 4], { variables: { t1: TIMESTAMP, t2: TIMESTAMP } }],
  ['t1 == t2', 3, { variables: { t1: TIMESTAMP, t2: TIMESTAMP } }],
  ['d1 != d2', 3, { variables: { d1: DURATION, d2: DURATION } }],
  ['[1,2,3,4,5].filter(x, x % 2 == 0)', [41, 101]],
  ['[1,2,3,4,5].map(x, x)', 86],
  ['[1,2,3,4,5].map(x, x).filter(x, x % 2 == 0)', [117, 177]],
  ['[1,2,3,4,5].map(x, x).exists(x, x == 5) == true', [108, 118]],
  ['[1,2,3,4,5].map(x, x).map(x, x)', 162],
  ['[1,2,3,4,5].map(x, x)[4]', 87],
  ['[[1,2],[1,2],[1,2],[1,2],[1,2]][4]', 61],
  ["{'a': [1,2], 'b': [1,2], 'c': [1,2], 'd': [1,2], 'e': [1,2]}.b", 81],
  ['[[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]].all(y, y.all(y, y == 1))', [76, 136]],
  ['[1,2,3,4,5].map(x, [x, x]).all(y, y.all(y, y == 1))', [157, 217]],
  ['["a", "ab", "abc", "abcd", "abcde"].map(x, [x, x]).all(y, y.all(y, y.startsWith(\'a\')))', [157, 217]],
  [
    "input.map(x, [x, x]).all(y, y.all(y, y.startsWith('a')))",
    [13, 208],
    { variables: { input: listOf(STRING) }, sizes: { input: 5, 'input.@items': 10 } },
  ],
  ['[1,2,3,4,5].map(x, x).map(x, x) + [1]', 173],
  ['[1,2,3].all(i, i in [1,2,3].map(j, j + j))', [20, 230]],
  ['dyn([1,2,3]).all(i, i in dyn([1,2,3]).map(j, j + j))', [21, 234]],
  ["{'hello': 'hi'}['hello'] != {'hello': 'bye'}['hello']", 63],
  ["['hello', 'hi'][0] != ['hello', 'bye'][1]", 23],
  ['type(1)', 1],
  ['type(self.val1)', 3, { variables: { self: mapOf(STRING, INT) } }],
  ['type(self.val1) == int', [5, TENTH + 4], { variables: { self: mapOf(STRING, INT) } }],
  ['type(1) == int', [3, TENTH + 2]],
  ['self.val1 == 1.0', 2, { variables: { 'self.val1': DOUBLE } }],
  ['self.val1 == 1.0', 3, { variables: { self: mapOf(STRING, DOUBLE) } }],
  [
    "self.val1 == timestamp('2011-08-18T00:00:00.000+01:00') + duration('19h3m37s10ms')",
    6,
    { variables: { self: mapOf(STRING, TIMESTAMP) } },
  ],
  [
    "timestamp(self.val1) == timestamp('2011-08-18T00:00:00.000+01:00') + duration('19h3m37s10ms')",
    7,
    { variables: { self: mapOf(STRING, TIMESTAMP) } },
  ],
  ['self.val1 != self.val2', 5, { variables: { self: mapOf(STRING, BOOL) } }],
  ['self.val1 != true', 3, { variables: { self: mapOf(STRING, BOOL) } }],
  [
    "[bytes('012345678901'), bytes('012345678901'), bytes('012345678901'), bytes('012345678901'), bytes('012345678901')].max()",
    [25, 35],
  ],
  // As kube-apiserver's: what was asked for `x.tags` is answered for `x.name`, whose path took its place meanwhile.
  ['self.items.all(x, x.tags.all(t, t == x.name))', [3, 1463], { variables: { self: SELF }, sizes: SIZES }],
  ['self.items.all(x, x.tags.all(t, t == "a"))', [3, 313], { variables: { self: SELF }, sizes: SIZES }],
  [
    'self.inner.labels.all(k, v, k.contains("x") && v.contains("y"))',
    [4, 85],
    { variables: { self: SELF }, sizes: SIZES, options: { libraries: [TWO_VARIABLE_COMPREHENSIONS] } },
  ],
];

describe('the static cost estimate', () => {
  for (const [text, cost, row = {}] of ROWS) {
    const [min, max] = typeof cost === 'number' ? [cost, cost] : cost;
    const sizes = row.options === undefined ? '' : ` with ${Object.keys(row.options)}`;
    it(`the static cost estimate of ${text}${sizes} is ${min} to ${max}`, () => {
      assert.deepEqual(costOf(text, row), { min, max });
    });
  }
});

/** Numbers of cel-go 0.22, and those of 0.23 and later. */
const WITHOUT_FOLLOWING: readonly (readonly [text: string, earlier: readonly [number, number], later: number])[] = [
  ['dyn(input) == dyn([1, 2])', [14, TENTH], 14],
  ['optional.of(1) == optional.of(2)', [3, TENTH], 3],
  ["['a', 'bb'].all(x, x.contains('a'))", [17, 2 * TENTH], 21],
  ["{'a': 'bc'}.all(k, k.contains('a'))", [34, TENTH], 36],
  ["['a', 'bb'][0] == 'abc'", [12, 12], 12],
  ["['a'].map(x, x).all(y, y == 'b')", [38, 40], 40],
];

describe('the static cost estimate of cel-go before 0.23', () => {
  for (const [text, [min, max], later] of WITHOUT_FOLLOWING) {
    it(`of ${text} does not follow sizes`, () => {
      const cost = (followsSizes: boolean) =>
        costOf(text, { variables: { input: listOf(INT) }, options: { libraries: [OPTIONAL], followsSizes } });
      const earlier = cost(false);
      assert.equal(earlier.min, min);
      // Fractions of what has no bound are not exact.
      assert.equal(earlier.max.toPrecision(12), max.toPrecision(12));
      assert.deepEqual(cost(true), { min, max: later });
    });
  }
});
