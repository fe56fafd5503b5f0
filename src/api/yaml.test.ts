import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import type { Json } from './object.ts';
import { parseYaml, YamlError } from './yaml-reader.ts';
import { stringifyYaml } from './yaml-writer.ts';

async function read(text: string): Promise<Json> {
  return (await parseYaml(text)).value;
}

test('YAML scalars are those of YAML 1.1', async () => {
  const text = `
yes: 1
off: no
octal: 017
newOctal: 0o17
hex: 0xff
under: 1_000
binary: 0b101
float: 1.50
exponent: 1e3
word: 1e
big: 9007199254740993
huge: 18446744073709551616
nothing: ~
empty:
text: "1"
date: 2020-01-01
time: 2020-01-01T00:00:00Z
clock: 1:30
version: 1.2.3
plus: +5
zeros: 08
large: 1e400
5: five
merge: {<<: {x: 1, z: 1}, z: 2}
folded: >-
  a
  b
quoted: 'yes'
typed: !!str 5
number: !!int "5"
bytes: !!binary aGk=
`;
  assert.deepEqual(await read(text), {
    true: 1, false: false, octal: 15, newOctal: 15, hex: 255, under: 1000, binary: 5, float: 1.5, exponent: 1000,
    word: '1e', big: 9007199254740993n, huge: 18446744073709552000, nothing: null, empty: null, text: '1',
    date: '2020-01-01', time: '2020-01-01T00:00:00Z', clock: '1:30', version: '1.2.3', plus: 5, zeros: 8, large: '1e400', '5': 'five',
    merge: { x: 1, z: 2 }, folded: 'a b', quoted: 'yes', typed: '5', number: 5, bytes: 'hi',
  }); // biome-ignore format: a table
});

test('only the first YAML document is read', async () => {
  assert.deepEqual(await read('a: 1\n---\nb: [\n'), { a: 1 });
  assert.deepEqual(await read('---\na: 1\n'), { a: 1 });
  assert.equal(await read(''), null);
  assert.equal(await read('# nothing here\n'), null);
  assert.equal(await read('just words\n'), 'just words');
  assert.deepEqual(await read('{"a": [true, null]}'), { a: [true, null] });
});

test('YAML aliases are copies of their anchors', async () => {
  assert.deepEqual(await read('a: &l\n  app: web\nb: *l\nc: &l 5\nd: *l\n'), {
    a: { app: 'web' },
    b: { app: 'web' },
    c: 5,
    d: 5,
  });
  assert.deepEqual(await read('a: &l {x: 1}\nb: {<<: [*l, {x: 2, w: 3}], z: 4}\n'), {
    a: { x: 1 },
    b: { z: 4, x: 1, w: 3 },
  });
});

test('duplicate YAML keys are reported with their lines', async () => {
  const { value, duplicates } = await parseYaml(
    'apiVersion: v1\nmetadata: {name: a}\ndata: {a: "1", a: "2"}\nb:\n  c: 1\n  c: 2\n',
  );
  assert.deepEqual(value, { apiVersion: 'v1', metadata: { name: 'a' }, data: { a: '2' }, b: { c: 2 } });
  assert.deepEqual(duplicates, ['line 3: key "a" already set in map', 'line 6: key "c" already set in map']);
});

test('__proto__ in YAML is a key like any other', async () => {
  const value = (await read('__proto__: {a: 1}\nb: {<<: {__proto__: 2}}\n')) as Record<string, object>;
  assert.deepEqual(Object.keys(value), ['__proto__', 'b']);
  assert.deepEqual(Object.keys(value.b as object), ['__proto__']);
});

const REFUSALS: [string, RegExp][] = [
  ['a: [', /^yaml: line 1: did not find expected node content$/],
  ['a: 1\nb:\n\tc: 1\n', /^yaml: line 3: /],
  ['a: *missing\n', /^yaml: unknown anchor 'missing' referenced$/],
  ['a: &x [*x]\n', /^yaml: anchor 'x' value contains itself$/],
  ['a: 1\nb: .inf\n', /^json: unsupported value: \+Inf$/],
  ['a: -.INF\n', /^json: unsupported value: -Inf$/],
  ['a: .NaN\n', /^json: unsupported value: NaN$/],
  ['[1]: 2\n', /^yaml: invalid map key: \[\]interface \{\}\{1\}$/],
  ['null: 2\n', /^unsupported map key of type: %!s\(<nil>\), key: <nil>, value: 2$/],
  ['a: !!binary "%%%"\n', /^yaml: !!binary value contains invalid base64 data$/],
  ['a: {<<: 5}\n', /^yaml: map merge requires map or sequence of maps as the value$/],
  ['['.repeat(20_000), /^yaml: /],
  [
    `a: &a [x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[index]}`).join()}]\n`).join('')}`,
    /^yaml: document contains excessive aliasing$/,
  ],
];

for (const [text, message] of REFUSALS) {
  test(`YAML is rejected: ${message}`, async () => {
    await assert.rejects(parseYaml(text), (error) => error instanceof YamlError && message.test(error.message));
  });
}

const VALUES: Record<string, Json> = {
  k0: 'true', k1: '1', k2: '1.5', k3: 'null', k4: '~', k5: 'yes', k6: 'on', k7: 'n', k8: '', k9: ' lead', k10: 'trail ',
  k11: 'a: b', k12: '- x', k13: '# c', k14: 'x #y', k15: '0x10', k16: '0o7', k17: '017', k18: '1e3', k19: '1_000',
  k20: '1:30', k21: '2020-01-01', k22: '.inf', k23: '@at', k24: '*a', k25: '&b', k26: '!c', k27: '%d', k28: '|', k29: '>',
  k30: '{', k31: '[', k32: '}', k33: ',', k34: '?', k35: "it's", k36: '"q"', k37: 'tab\there', k38: 'two\nlines',
  k39: '\nstart', k40: 'end\n\n', k41: '  indented\nblock', k42: 'é🚀', k43: '---', k44: '...', k45: '<<', k46: '=',
  k47: 'word '.repeat(200), k48: '\n', k49: ':', k50: '-', k51: `${'a  b '.repeat(40)}x`, k52: `it's: ${"long 'word' ".repeat(20)}end`,
  k53: 'trailing space \nline', k54: 'last \n', k55: '\u2028\u0085\x00\r', k56: `"${'\t word'.repeat(60)}"`, k57: '- \n- x',
  list: [1, 'a', { b: [['x'], []], c: {} }, [{ d: 1, e: 'two\nlines\n' }]], f: 1.5, g: 1234567.5, h: 1e21, i: null,
  j: 9007199254740993n, [`${'x'.repeat(130)}`]: 'v', [`${'y'.repeat(130)}`]: { z: [1] }, 'two\nlines': 1, y: 'y', 'a/b': true,
}; // biome-ignore format: a table

test('written YAML is read as the same value', async () => {
  const text = stringifyYaml(VALUES);
  const { value, duplicates } = await parseYaml(text);
  assert.deepEqual(value, VALUES);
  assert.deepEqual(duplicates, []);
  for (const each of [null, true, 5, 'text', '', [], {}, [1, [2]], 'a\nb'])
    assert.deepEqual(await read(stringifyYaml(each)), each);
});

const WRITTEN: [Json, string][] = [
  [{ kind: 'ConfigMap', items: [], metadata: {}, a: undefined as never }, 'items: []\nkind: ConfigMap\nmetadata: {}\n'],
  [{ data: { text: 'one\ntwo\n', word: 'plain' } }, 'data:\n  text: |\n    one\n    two\n  word: plain\n'],
  [{ labels: { b: 'x', a: 'y' } }, 'labels:\n  a: "y"\n  b: x\n'],
  [{ at: '2026-01-01T00:00:00Z', rv: '123', off: 'a b' }, 'at: "2026-01-01T00:00:00Z"\n"off": a b\nrv: "123"\n'],
  [{ message: 'configmaps "nothing" not found' }, 'message: configmaps "nothing" not found\n'],
  [{ causes: [{ field: 'a', reason: 'b' }, { field: 'c' }] }, 'causes:\n- field: a\n  reason: b\n- field: c\n'],
  [{ a: "it's: x", b: "it's", c: '- x' }, "a: 'it''s: x'\nb: it's\nc: '- x'\n"],
  [{ a: 'x\ty', b: 'é🚀', c: 'x\n y' }, 'a: "x\\ty"\nb: "é\\U0001F680"\nc: |-\n  x\n   y\n'],
  [{ k2: 1, k10: 2, k1: 3, ab: 4, 'a-b': 5, A: 6, a: 7 }, 'A: 6\na: 7\na-b: 5\nab: 4\nk1: 3\nk2: 1\nk10: 2\n'],
  [[[1, 2], [[]]], '- - 1\n  - 2\n- - []\n'],
  [
    {
      message:
        'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    },
    "message: 'only the following media types are accepted: application/json;stream=watch,\n  application/vnd.kubernetes.protobuf;stream=watch'\n",
  ],
];

for (const [value, text] of WRITTEN) {
  test(`YAML is written as by Kubernetes: ${JSON.stringify(text).slice(0, 60)}`, () => {
    assert.equal(stringifyYaml(value), text);
  });
}

test('the value of a YAML key that is too long for one line begins beside the colon', async () => {
  const key = `k:${'a'.repeat(130)}`;
  assert.equal(
    await stringifyYaml({ [key]: { b: { c: 1 } }, z: { [key]: ['x', { y: 1 }] } }),
    `? ${key}\n: b:\n    c: 1\nz:\n  ? ${key}\n  : - x\n    - "y": 1\n`,
  );
});

test('a YAML mapping with many members is sorted in pieces, and one with too many is rejected', async () => {
  const wide = (members: number) => Array.from({ length: members }, (_, at) => `"k${members - at}": ${at}\n`).join('');
  let pauses = 0;
  const count = 3 * limits.membersInStep;
  const { value, nodes } = await parseYaml(`a: &a\n${wide(count).replaceAll(/^/gm, '  ')}\nb: *a\n`, {
    pause: () => void pauses++,
  });
  const { a, b } = value as Record<string, Record<string, number>>;
  assert.deepEqual(Object.keys(a ?? {}), Object.keys(a ?? {}).toSorted());
  assert.equal(Object.keys(a ?? {}).length, count);
  assert.deepEqual(b, a);
  assert.ok(nodes > 2 * count && pauses > 2 * 3, `${nodes} nodes, ${pauses} pauses`);
  await assert.rejects(parseYaml(wide(limits.objectMembers + 1)), { code: 413 });
});

test('YAML texts over many lines are read in turns, whatever their style', async () => {
  const count = 300_000;
  const lines = '  b\n'.repeat(count);
  const folded = `${'b '.repeat(count - 1)}b`;
  const documents: readonly (readonly [text: string, value: string])[] = [
    [`a:\n${lines}c: d\n`, folded],
    [`a: |\n${lines}c: d\n`, 'b\n'.repeat(count)],
    [`a: >\n${lines}c: d\n`, `${folded}\n`],
    [`a: "\n${lines}  "\nc: d\n`, ` ${folded} `],
    [`a: '\n${lines}  '\nc: d\n`, ` ${folded} `],
    [`a: "${'\\n '.repeat(count)}"\nc: d\n`, '\n '.repeat(count)],
    [`{a: &x\n${lines}, c: d}`, folded],
  ];
  for (const [text, expected] of documents) {
    let pauses = 0;
    const { value } = await parseYaml(text, { pause: () => void pauses++ });
    const { a, c } = value as { a: string; c: string };
    assert.ok(a === expected, text.slice(0, 9));
    assert.equal(c, 'd');
    assert.ok(pauses > 20, `${pauses} pauses for ${text.slice(0, 9)}`);
  }
  await assert.rejects(parseYaml(`a: "\n${lines}`), /^YamlError: yaml: line 300002: found unexpected end of stream$/);
});
