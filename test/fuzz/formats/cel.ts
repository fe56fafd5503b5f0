// CEL: a text has issues or a type; an evaluation ends in a value or an error of the language, the same one each time,
// with and without folded constants, within its cost limit and within the estimate of its cost.

import assert from 'node:assert/strict';
import type { CheckedExpression } from '../../../src/cel/check/checked-expression.ts';
import type { Environment } from '../../../src/cel/environment.ts';
import type { Program } from '../../../src/cel/plan/program.ts';
import { DYN } from '../../../src/cel/types/type.ts';
import { EvaluationError, Interruption } from '../../../src/cel/value/evaluation-error.ts';
import type { Value } from '../../../src/cel/value/value.ts';
import { STORED_EXPRESSIONS } from '../../../src/expressions/environments.ts';
import { readUntyped } from '../../../src/expressions/untyped-value.ts';
import { type Format, outcomeOf } from './format.ts';
import { mutateText } from './mutations.ts';

const COST_LIMIT = 100_000;

const OBJECT = {
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web', 'x/y': '' } },
  spec: {
    replicas: 3,
    ratio: 0.5,
    paused: false,
    items: [{ name: 'a' }, { name: 'b', size: 2 }],
    none: null,
    text: 'ü😀',
  },
};
const VARIABLES = { self: readUntyped(OBJECT), oldSelf: readUntyped(OBJECT.spec.items), object: readUntyped(OBJECT) };

const words = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  ' && ',
  ' || ',
  '!',
  '-',
  ' in ',
  ' == ',
  ' < ',
  ' + ',
  ' * ',
  ' % ',
  'self',
  'self.spec.items',
  'object.spec.replicas',
  '.all(x, ',
  '.map(x, x)',
  '.exists(x, x == ',
  '.filter(x, ',
  'has(',
  'size(',
  'int(',
  'uint(',
  'double(',
  'string(',
  'bytes(',
  'timestamp(',
  'duration(',
  'type(',
  'dyn(',
  'quantity(',
  'url(',
  'ip(',
  'cidr(',
  'semver(',
  'optional.of(',
  '.matches(',
  '.format([',
  '.split(',
  '.find(',
  '.sortBy(x, ',
  'cel.bind(x, ',
  '9223372036854775807',
  '18446744073709551615u',
  '0x1',
  '1e308',
  "'%s'",
  "''",
  'b"\\xff"',
  'r"\\"',
  '"""',
  '"\\u{1F600}"',
  '"2024-02-29T00:00:00Z"',
  '"1h"',
  'null',
  'true',
  '`',
  '//',
  '\n',
  '\xc3\xa4',
];

export const cel: Format = {
  name: 'cel',
  words,
  mutate: (input, other, random) => mutateText(input, other, { random, words }),
  judge: (input) => judgeExpression(input.toString('utf8')),
};

function judgeExpression(text: string): void {
  const base = STORED_EXPRESSIONS.for(text);
  const environment = base.extend({ variables: Object.keys(VARIABLES).map((name) => ({ name, type: DYN })) });
  const { checked, issues } = environment.compile(text);
  assert.equal(checked === undefined, issues.length > 0, 'a type or issues');
  if (checked === undefined) return;
  const range = environment.estimate(checked);
  assert.ok(range.min <= range.max, 'an estimate is a range');
  const folded = evaluated(environment, checked, { foldConstants: true });
  const again = evaluated(environment, checked, { foldConstants: true });
  assert.deepEqual(again, folded, 'the same outcome each time');
  const plain = evaluated(environment, checked, { foldConstants: false });
  if (folded.isOver || plain.isOver) return;
  assert.equal(plain.fault === undefined, folded.fault === undefined, 'folding constants changes no outcome');
  assert.deepEqual(plain.value, folded.value, 'folding constants changes no value');
  assert.ok(folded.cost <= plain.cost, 'folded constants cost nothing');
}

interface Evaluated {
  readonly value?: Value;
  readonly fault?: string | undefined;
  readonly cost: number;
  /** Whether the limit was reached. */
  readonly isOver: boolean;
}

function evaluated(
  environment: Environment,
  checked: CheckedExpression,
  options: { readonly foldConstants: boolean },
): Evaluated {
  const planned = outcomeOf(() => environment.program(checked, { ...options, costLimit: COST_LIMIT }), EvaluationError);
  if (planned.value === undefined) return { fault: planned.fault, cost: 0, isOver: false };
  return run(planned.value);
}

function run(program: Program): Evaluated {
  try {
    return { ...program.evaluate(VARIABLES), isOver: false };
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof Interruption)) throw error;
    return { fault: error.message, cost: error.cost, isOver: error instanceof Interruption };
  }
}
