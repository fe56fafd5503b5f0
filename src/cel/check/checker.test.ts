import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VECTORS } from '../../../test/cel/vectors.ts';
import { Environment, type EnvironmentOptions } from '../environment.ts';
import { OPTIONAL } from '../library/optional.ts';
import { SETS } from '../library/sets.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { STRINGS } from '../library/strings.ts';
import { issuesText } from '../syntax/issue-text.ts';
import {
  BOOL,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  nullable,
  STRING,
  structType,
  type Type,
  type TypeProvider,
} from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import { EvaluationError, Interruption } from '../value/evaluation-error.ts';
import type { CheckedExpression } from './checked-expression.ts';

const SPEC = structType('example.Spec');

const types: TypeProvider = {
  struct(name) {
    if (name !== SPEC.name) return undefined;
    const fields = { replicas: INT, names: listOf(STRING), labels: mapOf(STRING, STRING), limit: nullable(INT) };
    return { type: SPEC, fields: new Map<string, Type<unknown>>(Object.entries(fields)) };
  },
  constant: (name) => (name === 'example.Mode.FAST' ? { type: INT, value: 2 } : undefined),
};

const OPTIONS: EnvironmentOptions = {
  libraries: [standardLibrary(), { name: 'macros', functions: [], macros: STANDARD_MACROS }, OPTIONAL, STRINGS, SETS],
  variables: [
    { name: 'self', type: SPEC },
    { name: 'any', type: DYN },
    { name: 'a.b.c', type: BOOL },
    { name: 'timeout', type: DURATION },
  ],
  types,
  homogeneousLiterals: true,
  crossTypeNumericComparisons: true,
  optionalSyntax: true,
  validateLiterals: true,
};

const environment = new Environment(OPTIONS);

function answer(text: string, within = environment): string {
  const { checked, issues } = within.compile(text);
  return checked === undefined ? issues.map(({ message }) => message).join('; ') : typeText(checked.type);
}

describe('the CEL type checker', () => {
  const answers: readonly (readonly [text: string, answer: string])[] = [
    ['self.replicas + 1', 'int'],
    ['self.names.map(n, size(n))', 'list(int)'],
    ['self.labels.map(k, self.labels[k])', 'list(string)'],
    ['[]', 'list(dyn)'],
    ['[] + [1]', 'list(int)'],
    ['{}', 'map(dyn, dyn)'],
    ['any.b[0].c', 'dyn'],
    ['any == 1 ? any : 1', 'dyn'],
    ['self.limit == null', 'bool'],
    ['self.replicas == null', "found no matching overload for '_==_' applied to '(int, null)'"],
    ['1 < 1.0', 'bool'],
    ['1 == 1.0', "found no matching overload for '_==_' applied to '(int, double)'"],
    ['self.?names', 'optional_type(list(string))'],
    ['self.?names[0]', 'optional_type(string)'],
    ['self.?limit.foo', "type 'wrapper(int)' does not support field selection"],
    ['self.labels[?"a"].orValue("b")', 'string'],
    ['[?self.?replicas, 1]', 'list(int)'],
    ['[?1]', "expected type 'optional_type(int)' but found 'int'"],
    ['{?"a": 1}', "expected type 'optional_type(int)' but found 'int'"],
    ['has(self.names)', 'bool'],
    ['has(self.nothing)', "undefined field 'nothing'"],
    ['self.replicas.x', "type 'int' does not support field selection"],
    ['nothing', "undeclared reference to 'nothing' (in container '')"],
    ['nothing(1)', "undeclared reference to 'nothing' (in container '')"],
    ['self.nothing()', "undeclared reference to 'nothing' (in container '')"],
    ['size(1)', "found no matching overload for 'size' applied to '(int)'"],
    ['"a".size(1)', "found no matching overload for 'size' applied to 'string.(int)'"],
    ['1 && true', "expected type 'bool' but found 'int'"],
    ['1.all(x, true)', "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ['[1].all(x, x)', "expected type 'bool' but found 'int'"],
    ['[1].all(x, x > 0) && x > 0', "undeclared reference to 'x' (in container '')"],
    ['example.Spec{replicas: 1}', 'example.Spec'],
    ['example.Spec{replicas: "1"}', "expected type of field 'replicas' is 'int' but provided type is 'string'"],
    ['example.Spec{nothing: 1}', "undefined field 'nothing'"],
    ['example.Nothing{}', "undeclared reference to 'example.Nothing' (in container '')"],
    ['self{}', "'example.Spec' is not a type"],
    ['int{}', "'int' is not a message type"],
    ['example.Mode.FAST', 'int'],
    ['type(self) == example.Spec', 'bool'],
    ['type(1)', 'type(int)'],
    ['a.b.c', 'bool'],
    ['sets.contains([1], [1])', 'bool'],
    ['[1, "a"]', "expected type 'int' but found 'string'"],
    ['{"a": 1, 2: 3}', "expected type 'string' but found 'int'"],
    ['[[1], ["a"]]', "expected type 'list(int)' but found 'list(string)'"],
    ['[1, dyn("a")]', "expected type 'int' but found 'dyn'"],
    ['"%s %d".format(["a", 1])', 'string'],
    ['"%d".format(["a"])', 'error during formatting: decimal clause can only be used on integers, was given string'],
    ['duration("1h") > timeout', 'bool'],
    ['duration("1 hour") > timeout', 'invalid duration argument'],
    ['timestamp("today")', 'invalid timestamp argument'],
    ['timestamp(null)', 'invalid timestamp argument'],
    ['"a".matches("(")', 'invalid matches argument'],
    ['"a".matches(self.names[0])', 'bool'],
  ];
  for (const [text, expected] of answers) {
    it(`the CEL type checker gives the type or error of ${text}`, () => assert.equal(answer(text), expected));
  }

  it('the CEL type checker resolves names from the container outwards', () => {
    const within = environment.extend({ container: 'a.b', variables: [{ name: 'c', type: INT }] });
    assert.equal(answer('c', within), 'bool');
    assert.equal(answer('.c', within), 'int');
    assert.equal(answer('d', within), "undeclared reference to 'd' (in container 'a.b')");
  });

  it('the CEL type checker lets the variables of a comprehension hide others', () => {
    assert.equal(answer('["a"].map(self, self)'), 'list(string)');
    assert.equal(answer('["a"].map(a, a + "b")'), 'list(string)');
  });

  it('the CEL type checker records the references of names', () => {
    const { checked } = environment.compile('a.b.c && sets.contains([1], [1])');
    const { root, references } = checked!;
    assert.ok(root.kind === 'call');
    const [variable, call] = root.arguments;
    assert.deepEqual(variable, { kind: 'identifier', id: variable!.id, name: 'a.b.c' });
    assert.ok(call?.kind === 'call');
    assert.equal(call.function, 'sets.contains');
    assert.equal(call.target, undefined);
    const reference = references.get(call.id);
    assert.ok(reference?.kind === 'function');
    assert.deepEqual(
      reference.overloads.map(({ id }) => id),
      ['list_sets_contains_list'],
    );
  });

  it('the CEL type checker keeps all overloads that are possible with operands of dyn type', () => {
    const { checked } = environment.compile('size(any)');
    const reference = checked?.references.get(checked.root.id);
    assert.ok(reference?.kind === 'function');
    assert.deepEqual(reference.overloads.map(({ id }) => id).sort(), [
      'size_bytes',
      'size_list',
      'size_map',
      'size_string',
    ]);
  });

  it('the CEL type checker does not change the parsed expression', () => {
    const { parsed } = environment.parse('a.b.c && sets.contains([1], [1])');
    const before = structuredClone(parsed!.root);
    environment.check(parsed!);
    assert.deepEqual(parsed!.root, before);
  });

  it('the CEL type checker follows the language options', () => {
    const plain = new Environment({ ...OPTIONS, ...{ homogeneousLiterals: false, validateLiterals: false } });
    assert.equal(answer('[1, "a"]', plain), 'list(dyn)');
    assert.equal(answer('duration("1 hour")', plain), 'duration');
    const strict = new Environment({ ...OPTIONS, crossTypeNumericComparisons: false });
    assert.equal(answer('1 < 1.0', strict), "found no matching overload for '_<_' applied to '(int, double)'");
  });

  it('the CEL type checker reports the positions of errors', () => {
    const { source, issues } = environment.compile('self.replicas > 0 &&\n  self.nothing == "é" + 1');
    assert.equal(
      issuesText(source, issues),
      [
        "ERROR: <input>:2:7: undefined field 'nothing'",
        ' |   self.nothing == "é" + 1',
        ' | ......^',
        "ERROR: <input>:2:23: found no matching overload for '_+_' applied to '(string, int)'",
        ' |   self.nothing == "é" + 1',
        ' | ...................．..^',
      ].join('\n'),
    );
  });

  it('the CEL type checker rejects an expression whose types grow without limit', () => {
    const growing = `[1]${'.map(x, {x: x})'.repeat(40)}`;
    assert.equal(answer(growing), 'the types of the expression are too large');
  });

  it('the CEL type checker fails with issues only on mutated expressions, like the estimate and the evaluation', () => {
    const random = seeded(20_250_101);
    const texts = Object.values(VECTORS).flatMap((vectors) => vectors.map(({ original }) => original.expr));
    const short = texts.filter((text) => text.length < 300);
    const tokens = short
      .map((text) => text.match(/"[^"]*"|'[^']*'|\w+|\s+|./gsu) ?? [])
      .filter((each) => each.length > 0);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (let round = 0; round < 1500; round++) {
      const mutated = [...pick(tokens)];
      for (let change = 0; change < 1 + random() * 3; change++) {
        mutated.splice(Math.floor(random() * mutated.length), Math.floor(random() * 2), pick(pick(tokens)));
      }
      const text = mutated.join('');
      const { checked, source, issues } = environment.compile(text);
      if (checked === undefined) {
        assert.ok(issues.length > 0 && issuesText(source, issues).startsWith('ERROR: '), text);
        continue;
      }
      const { min, max } = environment.estimate(checked);
      assert.ok(min >= 0 && max >= 0 && max <= 2 ** 64, text);
      evaluate(checked, text);
    }
  });
});

/** Evaluates an expression without its variables; nothing but errors of the language may be thrown. */
function evaluate(checked: CheckedExpression, text: string): void {
  try {
    environment.program(checked, { costLimit: 10_000 }).evaluate({});
  } catch (error) {
    assert.ok(error instanceof EvaluationError || error instanceof Interruption, `${text}: ${error}`);
  }
}

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
