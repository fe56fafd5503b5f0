// Tests of regular expressions in CEL.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../../test/cel/expression-outcome.ts';
import { Environment } from '../environment.ts';
import { STRING } from '../types/type.ts';
import { REGEX } from './regex.ts';
import { standardLibrary } from './standard/standard.ts';

const environment = new Environment({
  libraries: [standardLibrary(), REGEX],
  variables: [{ name: 'pattern', type: STRING }],
});
const outcome = (expression: string, pattern = '') => outcomeOf(expression, { environment, variables: { pattern } });

describe('the CEL functions find and findAll', () => {
  const values: Readonly<Record<string, unknown>> = {
    '"abc 123 456".find("[0-9]+")': '123',
    '"abc".find("[0-9]+")': '',
    '"abc 123 456".findAll("[0-9]+")': ['123', '456'],
    '"abc 123 456".findAll("[0-9]+", 1)': ['123'],
    '"abc 123 456".findAll("[0-9]+", 0)': [],
    '"baaac".findAll("a*")': ['', 'aaa', ''],
    '"😀a".findAll("")': ['', '', ''],
    '"aaa".findAll("^a")': ['a'],
  };
  for (const [expression, value] of Object.entries(values)) {
    it(`the CEL functions find and findAll evaluate ${expression}`, () =>
      assert.deepEqual(outcome(expression).value, value));
  }

  it('the CEL functions find and findAll accept computed patterns with the same result', () => {
    assert.deepEqual(outcome('"baaac".findAll(pattern)', 'a*').value, ['', 'aaa', '']);
  });

  it('the CEL functions find and findAll allow groups with the same name', () => {
    assert.equal(outcome('"xy[(?<n>".find("(?P<n>x)(?<n>y)[[(?<n>\\\\]]\\\\Q(?<n>\\\\E")').value, 'xy[(?<n>');
    assert.equal(outcome('"ab".find(pattern)', '(?<n>a)(?<n>b)').value, 'ab');
  });

  it('the CEL functions find and findAll reject an invalid pattern, a constant one before evaluation', () => {
    const reason = 'error parsing regexp: missing closing ): `(`';
    assert.equal(outcome('"a".find("(")').program, reason);
    assert.equal(outcome('"a".find(pattern)', '(').error, `Illegal regex: ${reason}`);
  });
});
