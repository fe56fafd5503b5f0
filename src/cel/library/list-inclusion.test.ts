import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Environment } from '../environment.ts';
import { LIST_INCLUSION } from './list-inclusion.ts';
import { standardLibrary } from './standard/standard.ts';

const environment = new Environment({ libraries: [standardLibrary(), LIST_INCLUSION] });

function value(text: string): unknown {
  const { checked, issues } = environment.compile(text);
  assert.ok(checked, JSON.stringify(issues));
  return environment.program(checked).evaluate({}).value;
}

for (const [text, expected] of [
  ['[1, 2, 3].includes(2)', true],
  ['[1, 2, 3].includes(4)', false],
  ["'model-a'.includes('model-a')", true],
  ["'model-a'.includes('model')", false],
  ['[[1]].includes([1])', true],
  ["[].includes('a')", false],
] as const) {
  test(`the CEL expression ${text} is ${expected}`, () => assert.equal(value(text), expected));
}
