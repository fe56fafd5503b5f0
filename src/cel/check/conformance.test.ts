// Conformance tests of the checker: types, overloads and errors of cel-go. The cases come with the package
// @bufbuild/cel-spec, messages with their descriptors.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { debugText } from '../../../test/cel/debug-text.ts';
import { messageTypes, type ProtoType, typeFrom } from '../../../test/cel/message-types.ts';
import { Environment, type EnvironmentOptions, type Variable } from '../environment.ts';
import { BINDINGS } from '../library/bindings.ts';
import { type FunctionDeclaration, type Library, method, type Overload, overload } from '../library/library.ts';
import { OPTIONAL } from '../library/optional.ts';
import { standardLibrary } from '../library/standard/standard.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { STRINGS } from '../library/strings.ts';
import { issuesText } from '../syntax/issue-text.ts';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT } from '../types/type.ts';
import { typeText } from '../types/type-text.ts';
import type { CheckedExpression } from './checked-expression.ts';

interface Case {
  readonly path: string;
  readonly expr: string;
  readonly container: string;
  readonly typeEnv: readonly Declared[];
  readonly checkedAst: string | undefined;
  readonly error: string | undefined;
}

interface Declared {
  readonly name: string;
  readonly ident?: { readonly type: ProtoType };
  readonly function?: { readonly overloads: readonly ProtoOverload[] };
}

interface ProtoOverload {
  readonly overloadId: string;
  readonly params?: readonly ProtoType[];
  readonly resultType: ProtoType;
  readonly isInstanceFunction?: boolean;
}

async function casesOf(name: 'conformance' | 'checking'): Promise<readonly Case[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const { tests } = (await import(`@bufbuild/cel-spec/testdata/${name}.js`)) as any;
  const cases: Case[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the package's data has no types
  const collect = (suite: any, path: string): void => {
    for (const test of suite.tests ?? []) {
      const { original } = test;
      cases.push({
        path: `${path}/${original.name ?? original.expr}`,
        expr: original.expr,
        container: original.container ?? '',
        typeEnv: original.typeEnv ?? [],
        checkedAst: test.checkedAst,
        error: test.error,
      });
    }
    for (const child of suite.suites ?? []) collect(child, `${path}/${child.name}`);
  };
  collect(tests, name);
  return cases;
}

function functionFrom({ name, function: declared }: Declared): FunctionDeclaration {
  const overloads = declared!.overloads.map(
    (each): Overload => ({
      id: each.overloadId,
      method: each.isInstanceFunction ?? false,
      parameters: (each.params ?? []).map(typeFrom),
      result: typeFrom(each.resultType),
      evaluate: () => null,
    }),
  );
  return { name, overloads };
}

function environmentOf(base: Environment, { typeEnv, container }: Case): Environment {
  const functions = typeEnv.filter((each) => each.function !== undefined).map(functionFrom);
  const variables: Variable[] = typeEnv
    .filter((each) => each.ident !== undefined)
    .map(({ name, ident }) => ({ name, type: typeFrom(ident!.type) }));
  const libraries = functions.length === 0 ? [] : [{ name: 'declared', functions }];
  return base.extend({ libraries, variables, container });
}

/** The tree with types and references, as the vectors hold it. */
function checkedText({ root, types, references }: CheckedExpression): string {
  return debugText(root, ({ id, kind }) => {
    const type = types.get(id);
    const typed = type === undefined ? '' : `~${typeText(type)}`;
    const reference = references.get(id);
    if (reference === undefined || kind === 'entry') return typed;
    if (reference.kind === 'identifier') return `${typed}^${reference.name}`;
    const overloads = reference.overloads.map((overload) => overload.id);
    return `${typed}^${overloads.sort().join('|')}`;
  });
}

/** What cel-go's checker tests declare besides what they name themselves. */
const DECLARED: EnvironmentOptions = {
  libraries: [
    {
      name: 'declared',
      functions: [
        { name: 'fg_s', overloads: [overload('fg_s_0', [[], STRING], { evaluate: () => '' })] },
        { name: 'fi_s_s', overloads: [method('fi_s_s_0', [[STRING], STRING], { evaluate: (text) => text })] },
      ],
    },
  ],
  variables: [
    { name: 'is', type: STRING },
    { name: 'ii', type: INT },
    { name: 'iu', type: UINT },
    { name: 'iz', type: BOOL },
    { name: 'ib', type: BYTES },
    { name: 'id', type: DOUBLE },
    { name: 'ix', type: NULL },
  ],
};

const MACROS: Library = { name: 'macros', functions: [], macros: STANDARD_MACROS };

const conformance = await casesOf('conformance');
const checking = await casesOf('checking');

const base = new Environment({
  libraries: [standardLibrary(), MACROS, OPTIONAL, STRINGS, BINDINGS],
  types: messageTypes(),
}).extend(DECLARED);

/** Cases that need what Keelson has no use for: other libraries, names between backticks, extensions of messages. */
const OUT_OF_SCOPE = /\b(math\.|base64\.|proto\.|cel\.(block|index|iterVar|accuVar)\()|\.`/;

const FORMAT_VERSION = 'version 4 of the strings library; this is version 2, as in Kubernetes';

/** Cases that are answered otherwise, and why. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  [
    'checking/lists.filter(x, x > 1.5)',
    'cel-go forgets within comprehensions that numbers of different types do not compare',
  ],
  [
    'checking/type(testAllTypes.nestedgroup.nested_id) == int',
    'the message has another group in the conformance tests',
  ],
  ...[
    'format/NaN support for decimal',
    'format/positive infinity support for decimal',
    'format/negative infinity support for decimal',
    'format_errors/null not allowed for %d',
    'format_errors/null not allowed for %e',
    'format_errors/null not allowed for %f',
    'format_errors/null not allowed for %x',
    'format_errors/null not allowed for %X',
    'format_errors/null not allowed for %b',
    'format_errors/null not allowed for %o',
    'format_errors/duration substitution not allowed with decimal clause',
    'format_errors/string substitution not allowed with octal clause',
    'format_errors/double substitution not allowed with hex clause',
    'format_errors/string substitution is not allowed with binary clause',
  ].map((name) => [`conformance/string_ext/${name}`, FORMAT_VERSION] as const),
]);

function answerOf(each: Case): string {
  const { checked, source, issues } = environmentOf(base, each).compile(each.expr);
  return checked === undefined ? issuesText(source, issues) : checkedText(checked);
}

/** What the checker answered; undefined where the case did not get there. */
function recordedAnswer(each: Case): string | undefined {
  const fromChecker = each.error?.startsWith('ERROR: <input>:') ? each.error : undefined;
  return OUT_OF_SCOPE.test(each.expr) ? undefined : (each.checkedAst ?? fromChecker);
}

describe('agreement of the CEL type checker with cel-go', () => {
  for (const [suite, cases] of Map.groupBy([...conformance, ...checking], ({ path }) => suiteOf(path))) {
    const recorded = cases.filter((each) => recordedAnswer(each) !== undefined && !EXCEPTIONS.has(each.path));
    if (recorded.length === 0) continue;
    it(`agreement of the CEL type checker with cel-go holds for the ${recorded.length} expressions of ${suite}`, () => {
      for (const each of recorded) assert.equal(answerOf(each), recordedAnswer(each), each.path);
    });
  }

  it('agreement of the CEL type checker with cel-go has only the listed exceptions', () => {
    const exceptions = [...conformance, ...checking].filter(({ path }) => EXCEPTIONS.has(path));
    const answered = exceptions.filter((each) => answerOf(each) === recordedAnswer(each));
    assert.deepEqual(
      answered.map(({ path }) => path),
      [],
    );
    assert.equal(exceptions.length, EXCEPTIONS.size);
  });
});

function suiteOf(path: string): string {
  return path.startsWith('checking/') ? 'checking' : path.split('/').slice(1, 2).join('/');
}
