import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../api/object.ts';
import { Budget, BudgetError } from '../budget.ts';
import { JqSyntaxError } from './error.ts';
import { compileJq, JqError } from './jq.ts';

const POD: Json = {
  metadata: { name: 'web', annotations: { 'example.com/delay': '10s' }, labels: {} },
  spec: { nodeName: 'node-1', replicas: 3, containers: [{ name: 'a' }, { name: 'b', image: 'nginx:1' }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'PodScheduled', status: 'False' },
    ],
  },
};

function results(source: string, input: Json = POD, steps = 20_000): Json[] {
  return compileJq(source).run(input, { budget: new Budget(steps), nowMs: 1_700_000_000_000 });
}

/** Expressions, each with all of its results. */
function check(expected: Readonly<Record<string, Json[]>>): void {
  for (const [source, values] of Object.entries(expected)) assert.deepEqual(results(source), values, source);
}

test('a path in jq leads to members and items, and to null where there are none', () => {
  check({
    '.metadata.name': ['web'],
    '.metadata["annotations"]["example.com/delay"]': ['10s'],
    '.metadata.annotations."example.com/delay"': ['10s'],
    '.spec.containers[0].name': ['a'],
    '.spec.containers.[-1].name': ['b'],
    '.spec.containers.[].name': ['a', 'b'],
    '.spec.containers[1:] | length': [1],
    '.metadata.missing.deeper': [null],
    '.missing[]?.name': [],
    '.metadata.labels.constructor': [null],
    '.spec.replicas.x?': [],
  });
  assert.throws(() => results('.missing.[].kind'), new JqError('cannot iterate over null'));
  assert.throws(() => results('.spec.replicas.x'), new JqError('cannot index number (3) with key "x"'));
});

test('a pipeline in jq selects, compares and combines', () => {
  check({
    '.status.conditions.[] | select( .type == "Ready" ) | .status': ['True'],
    '[.status.conditions[] | select(.type != "Ready") | .type]': [['PodScheduled']],
    '.spec.replicas > 2 and (.metadata.name | startswith("w"))': [true],
    '.spec.replicas > 5 or .metadata.name == "web"': [true],
    '.metadata.labels.a // .metadata.labels.b // "none"': ['none'],
    '.spec.replicas * 2 + 1': [7],
    'if .spec.replicas > 5 then "many" elif .spec.replicas > 2 then "some" else "few" end': ['some'],
    '.spec.containers | map(.name) | join(",")': ['a,b'],
    'any(.status.conditions[]; .status == "False")': [true],
    '.status.conditions | all(.status == "True")': [false],
    'first(.spec.containers[].image | values)': ['nginx:1'],
    '.metadata | has("name"), has("uid")': [true, false],
    '.spec.containers[1].image | test("^nginx:\\\\d+$")': [true],
    '{name: .metadata.name, (.spec.nodeName): .spec.replicas}': [{ name: 'web', 'node-1': 3 }],
    '.metadata.annotations | to_entries | map("\\(.key)=\\(.value)")': [['example.com/delay=10s']],
    '.spec.replicas as $n | [range($n)] | add': [3],
    'reduce .spec.containers[] as $each (""; . + $each.name)': ['ab'],
    'try error("no") catch .': ['no'],
    '[.. | strings] | length': [10],
    'now | todate': ['2023-11-14T22:13:20Z'],
  });
});

test('values in jq are ordered by type, then by value', () => {
  const values: Json = [{ b: 1 }, 'a', [2], null, 3, true, { a: 2 }, [1, 5], false, 'B'];
  const sorted = [null, false, true, 3, 'B', 'a', [1, 5], [2], { a: 2 }, { b: 1 }];
  assert.deepEqual(results('sort', values), [sorted]);
  assert.deepEqual(results('group_by(type) | map(length)', values), [[2, 2, 1, 1, 2, 2]]);
  assert.deepEqual(results('min_by(.v), max_by(.v)', [{ v: 2 }, { v: 1 }]), [{ v: 1 }, { v: 2 }]);
});

test('a jq expression with an unsupported feature is an error that names it', () => {
  const faults = {
    '.a = 1': '= is not supported',
    'def f: 1; f': 'def is not supported here',
    'getpath(["a"])': 'function getpath/1 is not defined',
    constructor: 'function constructor/0 is not defined',
    $x: '$x is not defined',
    '.a |': 'the expression ends unexpectedly',
    '.a .[': 'the expression ends unexpectedly',
    '@base64': 'unexpected "@"',
    '"a': 'unterminated string',
    '1 )': 'unexpected ")"',
  };
  for (const [source, message] of Object.entries(faults)) {
    assert.throws(() => compileJq(source), new JqSyntaxError(message), source);
  }
});

test('an expression of jq never takes more steps than it may', () => {
  const endless = [
    '[range(1e9)] | length',
    '"x" * 1e9',
    'last(range(1e12))',
    '[.. , ..] | map([range(1000)]) | length',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" | . * 10000 | test("(a*)*b")',
    '[range(1000)] | map(. as $x | [range(1000)]) | add | length',
    'reduce range(1e6) as $i ("x"; . + .)',
  ];
  for (const source of endless) assert.throws(() => results(source), BudgetError, source);
  assert.throws(() => compileJq(`${'('.repeat(100)}1${')'.repeat(100)}`), /nested too deeply/);
  assert.throws(() => compileJq(`"${'x'.repeat(5_000)}"`), /too long/);
  for (const repeated of ['-', 'try ', '1|', '[']) {
    assert.throws(() => compileJq(`${repeated.repeat(1_000)}1`), /nested too deeply/, repeated);
  }
  assert.deepEqual(results(`${'1+'.repeat(2_000)}1`), [2_001]);
  assert.deepEqual(results('.a'.repeat(2_000)), [null]);
});

test('the members of objects in jq may have any name', () => {
  const object = JSON.parse('{"__proto__": 1, "constructor": 2}') as Json;
  assert.deepEqual(results('keys', object), [['__proto__', 'constructor']]);
  assert.deepEqual(results('.__proto__ + .constructor', object), [3]);
  assert.deepEqual(results('{("__proto__"): 1} | has("__proto__")', {}), [true]);
  assert.deepEqual(results('has("toString")', {}), [false]);
});
