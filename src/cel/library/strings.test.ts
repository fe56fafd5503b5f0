// The strings library against the conformance vectors of the language, and its estimates of sizes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { Range } from '../cost/range.ts';
import { Environment } from '../environment.ts';
import type { ParsedExpression } from '../syntax/expression.ts';
import { STRING } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import type { Value } from '../value/value.ts';
import type { Operand } from './library.ts';
import { standardLibrary } from './standard/standard.ts';
import { STRINGS } from './strings.ts';

interface Vector {
  readonly original: {
    readonly name: string;
    readonly expr: string;
    readonly disableCheck?: boolean;
    readonly value?: Readonly<Record<string, unknown>>;
    readonly evalError?: { readonly errors: readonly { readonly message: string }[] };
    readonly bindings?: unknown;
    readonly typeEnv?: unknown;
  };
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}

const environment = new Environment({ libraries: [standardLibrary(), STRINGS] });
const stringSuites = (conformance as unknown as Suite).suites?.find(({ name }) => name === 'string_ext')?.suites ?? [];

function evaluate({ original }: Vector): Value | EvaluationError {
  const { checked, parsed } = original.disableCheck
    ? { ...environment.parse(original.expr), checked: undefined }
    : { ...environment.compile(original.expr), parsed: undefined };
  const expression: ParsedExpression | undefined = checked ?? parsed;
  assert.ok(expression !== undefined, 'it compiles');
  try {
    return environment.program(expression).evaluate({}).value;
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** Positions behind the end: an error to the specification, and nothing found to cel-go. */
const LENIENT: readonly string[] = ['indexof_out_of_range', 'lastindexof_out_of_range'];

describe('the strings extension of CEL', () => {
  for (const { name, tests = [] } of stringSuites) {
    if (name.startsWith('format')) continue;
    it(`the strings extension of CEL passes the tests ${name}`, () => {
      for (const vector of tests) {
        const { original } = vector;
        if (LENIENT.includes(original.name)) continue;
        const value = evaluate(vector);
        const [error] = original.evalError?.errors ?? [];
        const context = `${original.name}: ${original.expr}`;
        if (error !== undefined) {
          assert.ok(value instanceof EvaluationError, context);
          continue;
        }
        const expected = Object.values(original.value ?? { boolValue: true })[0];
        assert.equal(String(value), String(expected), context);
      }
    });
  }
});

describe('estimated sizes of replace() in CEL', () => {
  const estimate = STRINGS.functions.find(({ name }) => name === 'replace')?.overloads[0]?.estimate;
  const sizeOf = (...sizes: Range[]): Range | undefined =>
    estimate?.(...sizes.map((size) => ({ size, type: STRING }) as Operand)).resultSize;
  const exactly = (size: number): Range => ({ min: size, max: size });

  it('estimated sizes of replace() in CEL count a replacement around each character for an empty string', () => {
    assert.deepEqual(sizeOf(exactly(3), exactly(0), exactly(1)), exactly(7));
  });

  it('estimated sizes of replace() in CEL lie between no replacement and all of them', () => {
    assert.deepEqual(sizeOf(exactly(3), exactly(1), exactly(0)), { min: 0, max: 3 });
    assert.deepEqual(sizeOf(exactly(4), exactly(2), exactly(4)), { min: 4, max: 8 });
    assert.deepEqual(sizeOf(exactly(4), { min: 1, max: 1 }, { min: 1, max: 2 }), { min: 4, max: 8 });
    assert.deepEqual(sizeOf(exactly(4), { min: 1, max: 2 }, { min: 1, max: 1 }), { min: 2, max: 4 });
    assert.deepEqual(sizeOf(exactly(4), { min: 0, max: 1 }, { min: 0, max: 2 }), { min: 0, max: 14 });
  });
});
