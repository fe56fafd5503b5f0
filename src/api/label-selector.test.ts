import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabelSelectorError, type Labels, labelSelectorOf, NO_LABELS, parseLabelSelector } from './label-selector.ts';

const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const OBJECTS: Record<string, Labels> = {
  a: { app: 'x', tier: 'front' },
  b: { app: 'x', tier: 'back' },
  c: { app: 'y', size: '5' },
  d: { app: '' },
  e: {},
  f: undefined,
};

const SELECTIONS: [string, string][] = [
  ['app=x', 'ab'],
  ['app==x', 'ab'],
  ['app!=x', 'cdef'],
  ['app=x,tier!=front', 'b'],
  ['app', 'abcd'],
  ['!app', 'ef'],
  ['!tier', 'cdef'],
  ['app=', 'd'],
  ['', 'abcdef'],
  [' app = x , tier = back ', 'b'],
  ['app in (x,y)', 'abc'],
  ['app in (x)', 'ab'],
  ['app notin (x)', 'cdef'],
  ['app notin (x,y),app', 'd'],
  ['app in ()', 'd'],
  ['app in (,x)', 'abd'],
  ['size>4', 'c'],
  ['size<5', ''],
  ['size<6', 'c'],
  ['app>4', ''],
  ['tier in ( back ),!size', 'b'],
  ['app,tier,!size', 'ab'],
  ['constructor', ''],
  ['!constructor,app=y', 'c'],
];

for (const [text, names] of SELECTIONS) {
  test(`the label selector '${text}' selects '${names}'`, () => {
    const { matches } = parseLabelSelector(text);
    const selected = Object.keys(OBJECTS).filter((name) => matches(OBJECTS[name]));
    assert.equal(selected.join(''), names);
  });
}

const REFUSALS: [string, string][] = [
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ['a in', "unable to parse requirement: found '' expected: '('"],
  ['a in b', "unable to parse requirement: found 'b' expected: '('"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
  ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['a,', "found '', expected: identifier after ','"],
  ['=b', "found '=', expected: !, identifier, or 'end of string'"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ['!a=b', "found '=', expected: ',' or 'end of string'"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['a=-b', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${LABEL_VALUE}`],
  ['/a=b', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  [
    'a>b',
    "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
];

for (const [text, message] of REFUSALS) {
  test(`the label selector '${text}' is rejected`, () => {
    assert.throws(
      () => parseLabelSelector(text),
      (error) => error instanceof LabelSelectorError && error.message === message,
    );
  });
}

const CANONICAL: [string, string][] = [
  ['b=1,a=2', 'a=2,b=1'],
  ['x in (foo,,baz),y,z notin ()', 'x in (,baz,foo),y,z notin ()'],
  ['!a', '!a'],
  ['k > 1, k<2', 'k>1,k<2'],
  ['a==b', 'a==b'],
  ['in in (in, notin)', 'in in (in,notin)'],
];

for (const [text, canonical] of CANONICAL) {
  test(`the label selector '${text}' is formatted as '${canonical}'`, () => {
    assert.equal(String(parseLabelSelector(text)), canonical);
  });
}

test('a LabelSelector object selects by its matchLabels and matchExpressions', () => {
  const selector = labelSelectorOf({
    matchLabels: { app: 'x' },
    matchExpressions: [
      { key: 'tier', operator: 'NotIn', values: ['back'] },
      { key: 'size', operator: 'DoesNotExist' },
    ],
  });
  assert.equal(String(selector), 'app=x,!size,tier notin (back)');
  assert.ok(selector.matches(OBJECTS.a));
  assert.ok(!selector.matches(OBJECTS.b));
});

test('an absent LabelSelector object selects nothing, an empty one everything', () => {
  assert.equal(labelSelectorOf(undefined), NO_LABELS);
  assert.ok(!labelSelectorOf(null).matches({ a: 'b' }));
  assert.ok(labelSelectorOf({}).matches(undefined));
  assert.ok(labelSelectorOf({}).empty);
});

test('an invalid LabelSelector object is rejected', () => {
  const cases: [Parameters<typeof labelSelectorOf>[0], string][] = [
    [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }, '"Near" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
    [{ matchLabels: { '/a': 'b' } }, 'key: Invalid value: "/a": prefix part must be non-empty'],
  ];
  for (const [object, message] of cases) {
    assert.throws(
      () => labelSelectorOf(object),
      (error) => error instanceof LabelSelectorError && error.message === message,
    );
  }
});
