// Random expressions over random values, always the same ones: whatever happens is a value or an error of the language,
// and no evaluation goes past its budget by more than what stands in its text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from '../../base/seeded-random.ts';
import { Environment } from '../environment.ts';
import { OPTIONAL } from '../library/optional.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { DYN } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { Duration } from '../value/duration.ts';
import { equal } from '../value/equality.ts';
import { EvaluationError, Interruption } from '../value/evaluation-error.ts';
import { HashMap } from '../value/map.ts';
import { Timestamp } from '../value/timestamp.ts';
import { Double, Optional, Uint, type Value } from '../value/value.ts';
import type { Program } from './program.ts';

const ENVIRONMENT = new Environment({
  libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }, OPTIONAL],
  variables: ['a', 'b', 'c'].map((name) => ({ name, type: DYN })),
  crossTypeNumericComparisons: true,
  optionalSyntax: true,
});

const UNARY = ['-', '!', 'size', 'int', 'uint', 'double', 'string', 'bytes', 'bool', 'type', 'timestamp', 'duration'];
const BINARY = ['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '&&', '||', 'in'];
const METHODS = ['startsWith', 'endsWith', 'contains', 'matches', 'getHours', 'or', 'orValue'];
const MACROS = ['all', 'exists', 'exists_one', 'map', 'filter'];
const FIELDS = ['x', 'y', 'missing'];
const LEAVES = [
  'a',
  'b',
  'c',
  '0',
  '1',
  '-7',
  '3u',
  '0.5',
  "''",
  "'x'",
  "b'x'",
  'true',
  'false',
  'null',
  '[]',
  '{}',
  'int',
];

/** Expressions that are well formed and mostly make no sense. */
class Expressions {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  make(depth: number): string {
    if (depth === 0) return this.#random.pick(LEAVES);
    const part = () => this.make(this.#random.below(depth));
    switch (this.#random.below(11)) {
      case 0: {
        const name = this.#random.pick(UNARY);
        return /\w/.test(name) ? `${name}(dyn(${part()}))` : `${name}(dyn(${part()}))`;
      }
      case 1:
      case 2:
      case 3:
        return `(dyn(${part()}) ${this.#random.pick(BINARY)} dyn(${part()}))`;
      case 4:
        return `dyn(${part()}).${this.#random.pick(METHODS)}(dyn(${part()}))`;
      case 5: {
        const body = this.#random.pick(['a', 'b', 'c']);
        return `dyn(${part()}).${this.#random.pick(MACROS)}(${body}, ${part()})`;
      }
      case 6:
        return `(dyn(${part()}) ? dyn(${part()}) : dyn(${part()}))`;
      case 7:
        return `dyn(${part()})${this.#random.pick(['.', '.?'])}${this.#random.pick(FIELDS)}`;
      case 8:
        return `dyn(${part()})${this.#random.pick(['[', '[?'])}dyn(${part()})]`;
      case 9:
        return `[dyn(${part()}), dyn(${part()})]`;
      default:
        return `{dyn(${part()}): dyn(${part()})}`;
    }
  }
}

class Values {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  make(depth: number): Value {
    const items = (): Value[] => Array.from({ length: this.#random.below(4) }, () => this.make(depth - 1));
    if (depth > 0 && this.#random.chance(60)) {
      if (this.#random.chance(50)) return new ArrayList(items());
      return HashMap.of(items().map((value) => [this.#random.pick([...FIELDS, 1, true, new Uint(2)]), value]));
    }
    return this.#random.pick<Value>([
      null,
      true,
      false,
      0,
      -1,
      2 ** 53 - 1,
      2n ** 63n - 1n,
      -(2n ** 63n),
      new Uint(7),
      new Uint(2n ** 64n - 1n),
      new Double(0.5),
      new Double(Number.NaN),
      new Double(Number.NEGATIVE_INFINITY),
      new Double(2 ** 63),
      '',
      'x',
      '1',
      'ünïcödé €😀',
      '2024-02-29T00:00:00Z',
      '1h',
      '[',
      new Uint8Array([0xff, 0x41]),
      new Timestamp(-62_135_596_800, 0),
      new Timestamp(253_402_300_799, 999_999_999),
      new Duration(9_223_372_036, 854_775_807),
      new Optional(undefined),
      new Optional(1),
    ]);
  }
}

interface Outcome {
  readonly value?: Value;
  readonly failure?: string;
  readonly cost: number;
}

function outcomeOf(program: Program, variables: Readonly<Record<string, Value>>): Outcome {
  try {
    return program.evaluate(variables);
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof Interruption)) throw error;
    return { failure: error.message, cost: error.cost };
  }
}

describe('the evaluation of random CEL expressions', () => {
  const random = new SeededRandom(20_240_229);
  const expressions = new Expressions(random);
  const values = new Values(random);
  const cases = Array.from({ length: 3000 }, () => expressions.make(1 + random.below(5)));

  it('the evaluation of random CEL expressions ends in a value or an error within its budget, and repeats it', () => {
    let evaluated = 0;
    for (const text of cases) {
      const { checked } = ENVIRONMENT.compile(text);
      if (checked === undefined) continue;
      let program: Program;
      try {
        program = ENVIRONMENT.program(checked);
      } catch (error) {
        assert.ok(error instanceof EvaluationError, text);
        continue;
      }
      const variables = { a: values.make(3), b: values.make(2), c: values.make(1) };
      const outcome = outcomeOf(program, variables);
      const again = outcomeOf(program, variables);
      assert.equal(again.cost, outcome.cost, text);
      assert.equal(again.failure, outcome.failure, text);
      if (outcome.failure === undefined) evaluated++;
      checkLimits(text, outcome, (costLimit) => outcomeOf(ENVIRONMENT.program(checked, { costLimit }), variables));
    }
    assert.ok(evaluated > 500, String(evaluated));
  });
});

/** An evaluation goes on to the last unit of its budget, and not much beyond. */
function checkLimits(text: string, { cost, failure }: Outcome, limited: (limit: number) => Outcome): void {
  const enough = limited(cost);
  assert.equal(enough.failure, failure, text);
  if (cost === 0) return;
  const short = limited(cost - 1);
  assert.equal(short.failure, 'operation cancelled: actual cost limit exceeded', text);
  const scarce = limited(Math.floor(cost / 2));
  assert.ok(scarce.cost <= Math.floor(cost / 2) + 40 * text.length, `${text}: ${scarce.cost} of ${cost}`);
}

describe('equality in CEL', () => {
  const random = new SeededRandom(7);
  const values = new Values(random);

  it('equality in CEL is symmetric and never fails', () => {
    for (let i = 0; i < 5000; i++) {
      const left = values.make(3);
      const right = values.make(3);
      assert.equal(equal(left, right), equal(right, left));
    }
  });
});
