import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Environment } from './environment.ts';
import { type Library, overload } from './library/library.ts';
import { standardLibrary } from './library/standard/standard.ts';
import { STANDARD_MACROS } from './library/standard-macros.ts';
import { DYN, INT, mapOf, STRING, type Type } from './types/type.ts';
import { typeText } from './types/type-text.ts';
import { HashMap } from './value/map.ts';

const SELF = { name: 'self', type: mapOf(STRING, DYN) };

/** `answer(operand)`, which says which library it is of. */
function answering(name: string, operand: Type<unknown> = INT): Library {
  const overloads = [overload(`answer_${operand.name}`, [[operand], STRING], { evaluate: () => name })];
  return { name, functions: [{ name: 'answer', overloads }] };
}

function evaluate(environment: Environment, text: string, variables = {}): unknown {
  const { checked, issues } = environment.compile(text);
  assert.ok(checked, JSON.stringify(issues));
  return environment.program(checked).evaluate(variables).value;
}

describe('a CEL environment', () => {
  const base = new Environment({
    libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }],
  });

  it('a CEL environment extends another one without changing it', () => {
    const extended = base.extend({ variables: [SELF], libraries: [answering('extended')] });
    assert.equal(evaluate(extended, 'answer(size(self))', { self: HashMap.of([]) }), 'extended');
    assert.equal(base.compile('self').checked, undefined);
    assert.equal(base.compile('answer(1)').checked, undefined);
  });

  it('a CEL environment lets a later library replace an overload by its id, and add to a function', () => {
    const first = base.extend({ libraries: [answering('first')] });
    const second = first.extend({ libraries: [answering('second'), answering('texts', STRING)] });
    assert.equal(evaluate(first, 'answer(1)'), 'first');
    assert.equal(evaluate(second, 'answer(1)'), 'second');
    assert.equal(evaluate(second, 'answer("a")'), 'texts');
  });

  it('a CEL environment keeps the options that an extension does not set', () => {
    const strict = base.extend({ homogeneousLiterals: true }).extend({ container: 'a' });
    assert.equal(strict.compile('[1, "a"]').checked, undefined);
    assert.ok(base.compile('[1, "a"]').checked);
    assert.equal(strict.compile('b').issues[0]?.message, "undeclared reference to 'b' (in container 'a')");
  });

  it('a CEL environment lets an extension declare a variable again', () => {
    const one = base.extend({ variables: [{ name: 'x', type: INT }] });
    const other = one.extend({ variables: [{ name: 'x', type: STRING }] });
    assert.equal(typeText(one.compile('x').checked!.type), 'int');
    assert.equal(typeText(other.compile('x').checked!.type), 'string');
  });

  it('a CEL environment passes the cost of has() to estimates and programs', () => {
    for (const presenceTestCost of [0, 1] as const) {
      const environment = base.extend({ variables: [SELF], presenceTestCost });
      const { checked } = environment.compile('has(self.a)');
      assert.deepEqual(environment.estimate(checked!), { min: 1 + presenceTestCost, max: 1 + presenceTestCost });
    }
  });

  it('a CEL environment parses, checks and compiles', () => {
    const { parsed } = base.parse('1 + 1');
    assert.equal(typeText(base.check(parsed!).checked!.type), 'int');
    assert.equal(base.compile('1 +').checked, undefined);
    assert.equal(base.compile('1 +').source.text, '1 +');
  });
});
