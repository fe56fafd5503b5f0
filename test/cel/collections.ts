// The environment for tests of the libraries of lists, sets, optionals and folds: a few variables, with size estimates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SizeEstimator } from '../../src/cel/cost/size-estimator.ts';
import { Environment } from '../../src/cel/environment.ts';
import { BINDINGS } from '../../src/cel/library/bindings.ts';
import { LISTS } from '../../src/cel/library/lists.ts';
import { OPTIONAL } from '../../src/cel/library/optional.ts';
import { SETS } from '../../src/cel/library/sets.ts';
import { standardLibrary } from '../../src/cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../../src/cel/library/standard-macros.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../src/cel/library/two-variable-comprehensions.ts';
import { DYN, INT, listOf, mapOf, optionalOf, STRING } from '../../src/cel/types/type.ts';
import { ArrayList } from '../../src/cel/value/array-list.ts';
import { HashMap } from '../../src/cel/value/map.ts';
import { Double, Optional, Uint } from '../../src/cel/value/value.ts';
import { type Outcome, outcomeOf, type Setting } from './expression-outcome.ts';

const environment = new Environment({
  libraries: [
    standardLibrary(),
    { name: 'macros', functions: [], macros: STANDARD_MACROS },
    ...[OPTIONAL, SETS, LISTS, TWO_VARIABLE_COMPREHENSIONS, BINDINGS],
  ],
  variables: [
    { name: 'l', type: listOf(INT) },
    { name: 'ls', type: listOf(STRING) },
    { name: 'll', type: listOf(listOf(INT)) },
    { name: 'ld', type: listOf(DYN) },
    { name: 'lo', type: listOf(optionalOf(INT)) },
    { name: 'm', type: mapOf(STRING, INT) },
    { name: 'i', type: INT },
    { name: 's', type: STRING },
    { name: 'd', type: DYN },
  ],
  optionalSyntax: true,
  crossTypeNumericComparisons: true,
  presenceTestCost: 0,
});

/** Lists and maps have up to 10 items, strings up to 20 characters. */
const sizes: SizeEstimator = {
  size: (path) => {
    if (path === undefined || path.length > 2) {
      return undefined;
    }
    const isText = path.length === 2 ? path[1] === '@items' : path[0] === 's';
    const isCollection = path.length === 1 && /^(l.?|m)$/.test(path[0] as string);
    return isText ? { min: 0, max: 20 } : isCollection ? { min: 0, max: 10 } : undefined;
  },
};

const one = new ArrayList([1]);

const setting: Setting = {
  environment,
  sizes,
  variables: {
    l: new ArrayList([3, 1, 2, 3]),
    ls: new ArrayList(['b', 'a', '\u00fc', 'a']),
    ll: new ArrayList([new ArrayList([1, 2]), new ArrayList([3])]),
    ld: new ArrayList([1, new Double(1), new Uint(1), 'x', one, one]),
    lo: new ArrayList([new Optional(1), new Optional(undefined)]),
    m: HashMap.of([['a', 1]]),
    i: 2,
    s: 'text',
    d: 7,
  },
};

/** A table of expressions and their outcomes. */
export function testOutcomes(name: string, outcomes: Readonly<Record<string, Outcome>>): void {
  test(`CEL results, costs and estimates agree with Kubernetes: ${name}`, () => {
    for (const [expression, outcome] of Object.entries(outcomes)) {
      assert.deepEqual(outcomeOf(expression, setting), outcome, expression);
    }
  });
}

/** Returns the outcome of an expression in the environment. */
export function outcome(expression: string): Outcome {
  return outcomeOf(expression, setting);
}
