import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { debugText, kindAdornment } from '../../../test/cel/debug-text.ts';
import { VECTORS } from '../../../test/cel/vectors.ts';
import { OPTIONAL } from '../library/optional.ts';
import { STANDARD_MACROS } from '../library/standard-macros.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../library/two-variable-comprehensions.ts';
import type { Expression } from './expression.ts';
import { issuesText } from './issue-text.ts';
import { type ParseOptions, parse } from './parse.ts';

const OPTIONS: ParseOptions = { macros: STANDARD_MACROS };

/** Vectors whose tree is another in an environment, as Kubernetes has one. */
const OTHER_TREES: ReadonlyMap<string, string> = new Map([
  ['m.existsOne(v, f)', 'with one variable a macro of the parser alone, which no environment has'],
  ['[].existsOne(__result__, __result__)', 'the same'],
]);

for (const [name, vectors] of Object.entries(VECTORS)) {
  test(`the CEL parser passes the ${name} vectors`, () => {
    for (const { original, ast, error } of vectors) {
      if (OTHER_TREES.has(original.expr) || (ast === undefined && error === undefined)) {
        continue;
      }
      // The vectors were made without optional syntax and with lower limits than usual.
      const { parsed, source, issues } = parse(original.expr, {
        ...OPTIONS,
        description: original.name ?? '',
        ...(ast === undefined && { optionalSyntax: false, limits: { depth: 32, recoveries: 4, recoveryTokens: 4 } }),
      });
      if (ast === undefined) {
        assert.equal(issuesText(source, issues), error?.trim());
      } else {
        assert.equal(issuesText(source, issues), '');
        assert.equal(parsed && debugText(parsed.root, kindAdornment), ast);
      }
    }
  });
}

function messages(text: string, options = OPTIONS): string[] {
  return parse(text, options).issues.map(({ message, offset }) => `${offset}: ${message}`);
}

function tree(text: string, options = OPTIONS): string {
  const { parsed, source, issues } = parse(text, options);
  assert.equal(issuesText(source, issues), '');
  return debugText((parsed as NonNullable<typeof parsed>).root, () => '').replaceAll(/\s+/g, ' ');
}

test('the CEL parser makes a balanced tree of a chain of && or ||', () => {
  assert.equal(tree('a && b && c && d'), '_&&_( _&&_( a, b ), _&&_( c, d ) )');
  assert.equal(tree('a || b || c'), '_||_( _||_( a, b ), c )');
});

test('the CEL parser reads a minus before a number as its sign, and drops an even number of them', () => {
  assert.equal(tree('-9223372036854775808'), '-9223372036854775808');
  assert.equal(tree('- 1.5.f()'), '-1.5.f()');
  assert.equal(tree('--a'), 'a');
  assert.equal(tree('---a'), '-_( a )');
  assert.equal(tree('!!a'), 'a');
  assert.deepEqual(messages('9223372036854775808'), ['0: invalid int literal']);
  assert.deepEqual(messages('18446744073709551616u'), ['0: invalid uint literal']);
  assert.deepEqual(messages('1e999'), ['0: invalid double literal']);
});

test('the CEL parser reads strings and bytes with their escapes', () => {
  const value = (text: string): unknown => {
    const { parsed } = parse(text, OPTIONS);
    const root = parsed?.root as Extract<Expression, { kind: 'constant' }>;
    return root.literal.type === 'bytes' ? [...root.literal.value] : root.literal.value;
  };
  assert.equal(value(`'a"\\'\\x41\\u00e9\\U0001F600\\101\\n\\\`\\?'`), `a"'A\u00e9\u{1f600}A\n\`?`);
  assert.equal(value(`r'\\d\\'`), '\\d\\');
  assert.equal(value(`R"""a\r\nb"c"""`), 'a\nb"c');
  assert.equal(value(`""`), '');
  assert.deepEqual(value(`b'\\xff\\377\u00e9'`), [255, 255, 0xc3, 0xa9]);
  assert.deepEqual(value(`br'\\x'`), [92, 120]);
  assert.deepEqual(messages(`'\\ud800'`), ['0: invalid unicode code point']);
  assert.deepEqual(messages(`b'\\u0041'`), ['0: unable to unescape string']);
});

test('the CEL parser accepts names between backticks if they are enabled', () => {
  assert.equal(tree('a.`b-c.d/e f`', { ...OPTIONS, quotedNames: true }), 'a.b-c.d/e f');
  assert.equal(tree('T{`in`: 1}', { ...OPTIONS, quotedNames: true }), 'T{ in:1 }');
  assert.deepEqual(messages('a.`b`'), ["2: unsupported syntax: '`'"]);
});

test('the CEL parser accepts reserved words as field names, not as variables', () => {
  assert.equal(tree('self.if.namespace'), 'self.if.namespace');
  assert.deepEqual(messages('if + var'), ['0: reserved identifier: if', '5: reserved identifier: var']);
  assert.equal(messages('a.in')[0], "2: Syntax error: no viable alternative at input '.in'");
  assert.deepEqual(messages('a.true'), ["2: Syntax error: mismatched input 'true' expecting IDENTIFIER"]);
});

test('the CEL parser counts positions in code points', () => {
  const { parsed } = parse(`'\u{1f600}' + b`, OPTIONS);
  const call = parsed?.root as Extract<Expression, { kind: 'call' }>;
  const positions = [call, ...call.arguments].map(({ id }) => parsed?.positions.get(id));
  assert.deepEqual(positions, [4, 0, 6]);
});

test('the CEL parser records the calls of macros by the id of their expansion', () => {
  const { parsed } = parse('a.all(x, has(x.y))', OPTIONS);
  assert.ok(parsed);
  const written = parsed.macroCalls.get(parsed.root.id);
  assert.equal(written?.kind === 'call' && written.function, 'all');
  assert.equal(parsed.macroCalls.size, 2);
});

test('the CEL parser reports common syntax errors', () => {
  const operand =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
  assert.deepEqual(messages('self.x > '), [`9: Syntax error: mismatched input '<EOF>' expecting ${operand}`]);
  assert.deepEqual(messages('(self.x'), ["7: Syntax error: missing ')' at '<EOF>'"]);
  assert.deepEqual(messages('self.x == 1)'), ["11: Syntax error: extraneous input ')' expecting <EOF>"]);
  assert.deepEqual(messages('self.x = 1'), [
    "7: Syntax error: token recognition error at: '= '",
    "9: Syntax error: extraneous input '1' expecting <EOF>",
  ]);
  assert.deepEqual(messages('self.x.all(1, true)'), ['11: argument must be a simple name']);
  assert.deepEqual(messages('has(self)'), ['4: invalid argument to has() macro']);
  assert.deepEqual(messages("'abc"), [
    "0: Syntax error: token recognition error at: ''abc'",
    `4: Syntax error: mismatched input '<EOF>' expecting ${operand}`,
  ]);
});

test('the CEL parser reports invalid texts in the words of cel-go v0.26.0', () => {
  const macros = [STANDARD_MACROS, OPTIONAL.macros, TWO_VARIABLE_COMPREHENSIONS.macros].flatMap((each) => each ?? []);
  const facts = readFileSync(new URL('../../../test/cel/syntax-facts.jsonl', import.meta.url), 'utf8').trimEnd();
  for (const line of facts.split('\n')) {
    const { text, errors } = JSON.parse(line) as { readonly text: string; readonly errors: string };
    const { source, issues } = parse(text, { macros });
    assert.equal(issuesText(source, issues), errors, text);
  }
});

test('the CEL parser has limits for size and depth', () => {
  assert.deepEqual(messages(`${' '.repeat(100_000)}1`), [
    'undefined: expression code point size exceeds limit: size: 100001, limit 100000',
  ]);
  assert.deepEqual(messages(`${'('.repeat(249)}1${')'.repeat(249)}`), []);
  assert.deepEqual(messages(`${'('.repeat(250)}1${')'.repeat(250)}`), [
    'undefined: expression recursion limit exceeded: 250',
  ]);
  assert.deepEqual(messages(`a${'.b'.repeat(250)}`), []);
  assert.deepEqual(messages(`a${'.b'.repeat(251)}`), ['undefined: max recursion depth exceeded']);
  assert.deepEqual(messages(Array(1000).fill('a').join(' && ')), []);
  assert.equal(messages('@ '.repeat(200)).at(-1), '200: Syntax error: More than 100 syntax errors');
  assert.deepEqual(messages('*'.repeat(300)).slice(-1), [
    '30: Syntax error: error recovery attempt limit exceeded: 30',
  ]);
  assert.deepEqual(messages(`1 ${'2 '.repeat(300)}`), [
    "2: Syntax error: mismatched input '2' expecting <EOF>",
    'undefined: error recovery token lookahead limit exceeded: 256',
  ]);
});

test('the CEL parser limits the tree of macros that repeat their operands', () => {
  const options = { macros: OPTIONAL.macros ?? [] };
  assert.deepEqual(messages(`a${'.optMap(x, x)'.repeat(5)}`, options), []);
  assert.deepEqual(messages(`a${'.optMap(x, x)'.repeat(100)}`, options), [
    'undefined: expression node limit exceeded: 250000',
  ]);
});

test('the CEL parser returns a tree or issues with valid positions for any text', () => {
  const parts = [
    ...[
      'a',
      'x.y',
      '1',
      '2u',
      '1.5',
      '-',
      '!',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.',
      ',',
      ':',
      '?',
      '==',
      'in',
      '&&',
      '+',
    ],
    ...[
      '"s"',
      "b'x'",
      'null',
      'if',
      'has(',
      '.all(x,',
      'T{',
      '`q`',
      '.?',
      '@',
      '|',
      '"',
      "'''",
      '\\',
      '\n',
      '\u{1f600}',
      '//',
    ],
  ];
  let state = 20_261_121;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: 1 + random(20) }, () => parts[random(parts.length)]).join(random(2) ? ' ' : '');
    const { parsed, source, issues } = parse(text, OPTIONS);
    assert.equal(parsed === undefined, issues.length > 0, text);
    assert.ok(issuesText(source, issues).length >= issues.length);
    for (const { offset } of issues) {
      assert.ok(offset === undefined || (offset >= -1 && offset <= text.length), text);
    }
  }
});

test('the CEL parser takes linear time for the longest texts', () => {
  const shapes = [
    '(',
    ')',
    '[',
    '{',
    '-',
    '!',
    '"',
    "'''",
    '`',
    'a.',
    '1+',
    'a?',
    'a,',
    '@',
    '&&',
    '.',
    'b"',
    '"""\\',
    'a.all(x,',
  ];
  for (const shape of shapes) {
    const { source, issues } = parse(shape.repeat(100_000 / shape.length), OPTIONS);
    assert.notEqual(issuesText(source, issues), '', shape);
  }
});
