// `format` against the conformance vectors of the language, but for what version 2 of the strings library writes in
// another way than the version that they are for; and what is found when a call is compiled.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { Environment } from '../environment.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { standardLibrary } from './standard/standard.ts';
import { STRINGS } from './strings.ts';

interface Vector {
  readonly original: {
    readonly name: string;
    readonly expr: string;
    readonly value?: { readonly stringValue?: string };
    readonly evalError?: { readonly errors: readonly { readonly message: string }[] };
    readonly bindings?: unknown;
  };
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}

const environment = new Environment({ libraries: [standardLibrary(), STRINGS], homogeneousLiterals: true });
const strings = (conformance as unknown as Suite).suites?.find(({ name }) => name === 'string_ext')?.suites ?? [];
const vectors = strings.filter(({ name }) => name.startsWith('format')).flatMap(({ tests }) => tests ?? []);

/** Later versions write exponents, infinities and what is in lists and maps in another way, and know no structs here. */
const LATER = /scientific|infinity|NaN support for decimal|list support|map support|support for (?:lists|maps)|object /;

/** The text, or the message of what fails. */
function formatted(expression: string): string {
  const { parsed } = environment.parse(expression);
  assert.ok(parsed !== undefined);
  try {
    return String(environment.program(parsed).evaluate({}).value);
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

describe('string.format() in CEL', () => {
  for (const { original } of vectors) {
    const { name, expr, bindings, evalError, value } = original;
    if (bindings !== undefined || LATER.test(name)) continue;
    it(`string.format() in CEL passes the vector ${name}: ${expr}`, () => {
      assert.equal(formatted(expr), evalError?.errors[0]?.message ?? value?.stringValue);
    });
  }

  it('groups digits, and takes the precision of %e as a width', () => {
    assert.equal(formatted("'%f'.format([1234567.891])"), '1,234,567.891000');
    assert.equal(formatted("'%.1f'.format([0.25])"), '0.2');
    assert.equal(formatted("'%.3e'.format([1234567.891])"), '1.234568×10⁰⁶');
    assert.equal(formatted("'%.15e'.format([-0.00012])"), '-1.200000×10⁻⁰⁴'.padStart(15));
    assert.equal(formatted("'%f %f'.format(['-Infinity', 'NaN'])"), '-∞ NaN');
  });

  it('string.format() in CEL formats values in lists and maps like literals', () => {
    assert.equal(
      formatted(`'%s'.format([["a", b"b", 1.5, 2u, timestamp("2023-02-03T23:31:20Z"), duration("90s"), null, int]])`),
      '["a", b"b", 1.500000, 2, timestamp("2023-02-03T23:31:20Z"), duration("90s"), null, int]',
    );
    assert.equal(formatted(`'%s'.format([{"b": 1, "a": [double("NaN")], 3: true}])`), '{"a":["NaN"], "b":1, 3:true}');
  });
});

describe('a literal format string in CEL', () => {
  const issuesOf = (expression: string) => environment.compile(expression).issues;

  it('a literal format string in CEL accepts values of several types', () => {
    assert.deepEqual(issuesOf("'%s %d %.2f'.format(['a', 1, 1.5])"), []);
  });

  it('a literal format string in CEL is rejected with the position of a value that does not fit its clause', () => {
    const [issue] = issuesOf("'%s %d'.format(['a', 'b'])");
    assert.equal(
      issue?.message,
      'error during formatting: decimal clause can only be used on integers, was given string',
    );
    assert.equal(issue?.offset, 21);
  });

  it('a literal format string in CEL is rejected with too many or too few values', () => {
    assert.equal(issuesOf("'%s'.format(['a', 'b'])")[0]?.message, TOO_MANY);
    assert.equal(issuesOf("'%s %s'.format(['a'])")[0]?.message, 'index 1 out of range');
    assert.equal(issuesOf("'%'.format([])")[0]?.message, 'unexpected end of string');
  });
});

const TOO_MANY = 'too many arguments supplied to string.format (expected 1, got 2)';
