// Readers of what clients send, fed with rubbish from a seeded generator: each text is read, or refused with the
// reader's own error; nothing else may come out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeContinueToken } from './continue-token.ts';
import { ApiError } from './errors.ts';
import { FieldSelectorError, parseFieldSelector } from './field-selector.ts';
import { countKeys, findDuplicateFields, JsonError, parseJson } from './json-reader.ts';
import { stringifyJson } from './json-writer.ts';
import { LabelSelectorError, parseLabelSelector } from './label-selector.ts';
import { negotiate } from './media-type.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, QuantityError } from './quantity.ts';
import { parseYaml, YamlError } from './yaml-reader.ts';

/** A small generator of numbers (xorshift), the same in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function texts(seed: number, pieces: readonly string[], count: number): string[] {
  const below = generator(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: below(12) }, () => pieces[below(pieces.length)]).join(''),
  );
}

/** Runs `read`; undefined when it refuses with one of the errors it may throw. */
function attempt<T>(read: () => T, refusal: abstract new (...given: never[]) => Error): T | undefined {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof refusal, String(error instanceof Error ? error.stack : error));
    return undefined;
  }
}

const PUNCTUATION = [
  '=',
  '==',
  '!=',
  '!',
  ',',
  '(',
  ')',
  '<',
  '>',
  ' ',
  '\t',
  '\0',
  '\\',
  ';',
  '/',
  '"',
  'é',
  '🚀',
  '\ud800',
];

test('a label selector that can be parsed has a canonical text with the same meaning', () => {
  const pieces = [
    ...PUNCTUATION,
    'in',
    'notin',
    'a',
    'b',
    'app',
    'example.com/x',
    '-',
    '5',
    '-5',
    'constructor',
    '__proto__',
  ];
  let read = 0;
  for (const text of texts(1, pieces, 4_000)) {
    const selector = attempt(() => parseLabelSelector(text), LabelSelectorError);
    if (selector === undefined) continue;
    read++;
    assert.equal(String(parseLabelSelector(String(selector))), String(selector), JSON.stringify(text));
    assert.equal(typeof selector.matches({ a: 'b', app: '5' }), 'boolean');
    assert.equal(selector.empty, selector.requirements.length === 0);
  }
  assert.ok(read > 50, String(read));
});

test('a field selector that can be parsed has a canonical text with the same meaning', () => {
  const pieces = [...PUNCTUATION, 'metadata.name', 'a', 'b', 'spec.nodeName'];
  let read = 0;
  for (const text of texts(2, pieces, 4_000)) {
    const selector = attempt(() => parseFieldSelector(text), FieldSelectorError);
    if (selector === undefined) continue;
    read++;
    assert.deepEqual(
      parseFieldSelector(String(selector)).requirements.toSorted(byField),
      selector.requirements.toSorted(byField),
    );
  }
  assert.ok(read > 50, String(read));
});

function byField(one: { field: string; value: string }, other: { field: string; value: string }): number {
  return `${one.field}\0${one.value}` < `${other.field}\0${other.value}` ? -1 : 1;
}

test('the canonical text of a quantity is the same amount', () => {
  const pieces = [
    '0',
    '1',
    '5',
    '8',
    '1024',
    '000',
    '.',
    '+',
    '-',
    'e',
    'E',
    'm',
    'n',
    'u',
    'k',
    'Ki',
    'Mi',
    'G',
    'Gi',
    'Ei',
    'i',
    ' ',
    'x',
  ];
  let read = 0;
  for (const text of texts(3, pieces, 4_000)) {
    const quantity = attempt(() => parseQuantity(text), QuantityError);
    if (quantity === undefined) continue;
    read++;
    assert.equal(compareQuantities(parseQuantity(formatQuantity(quantity)), quantity), 0, text);
    const sum = addQuantities(quantity, parseQuantity('1'));
    assert.ok(compareQuantities(sum, quantity) >= 0, text);
  }
  assert.ok(read > 50, String(read));
});

test('JSON is rejected if JSON.parse rejects it, and read like by JSON.parse', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"a":',
    '1',
    '0',
    '-',
    '.',
    'e',
    'true',
    'null',
    ' ',
    '\n',
    '\\',
    '\\u00e9',
    '\\u',
    '1234567890123456',
    '\x01',
    'é',
    '🚀',
  ];
  let read = 0;
  for (const text of texts(4, pieces, 8_000)) {
    // What overflows a number is the one thing that the two readers tell differently.
    if (/e\d{3}/.test(text)) continue;
    const value = attempt(() => parseJson(text), JsonError);
    countKeys(text);
    attempt(() => findDuplicateFields(text), JsonError);
    const merged = attempt(() => parseJson(text, { mergeRepeated: true }), JsonError);
    assert.equal(merged === undefined, value === undefined, text);
    let expected: string | undefined;
    try {
      expected = JSON.stringify(JSON.parse(text));
    } catch {}
    if (value === undefined) assert.equal(expected, undefined, text);
    else if (/\d{16}/.test(text)) read++;
    else assert.equal(stringifyJson(value), expected, text);
  }
  assert.ok(read > 20, String(read));
});

test('any YAML text is read or rejected', async () => {
  const pieces = [
    ...PUNCTUATION,
    'a: ',
    '- ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    '&x ',
    '*x',
    '<<: ',
    '? ',
    '|',
    '>',
    '"',
    "'",
    '#',
    '---\n',
    '1',
    'yes',
    '!!int ',
    '!!binary ',
  ];
  let read = 0;
  for (const text of texts(5, pieces, 800)) {
    try {
      await parseYaml(text);
      read++;
    } catch (error) {
      assert.ok(error instanceof YamlError, `${JSON.stringify(text)} ${error instanceof Error ? error.stack : error}`);
    }
  }
  assert.ok(read > 50, String(read));
});

test('any continue token and media type is read or rejected', () => {
  const pieces = [
    ...PUNCTUATION,
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEi',
    'LCJydiI6NX0',
    'a',
    '-',
    '_',
    '*',
    '*/*',
    'application/json',
    'q=',
    '0.5',
    'as=Table',
  ];
  const offer = { mediaTypes: [{ mediaType: 'application/json' }], transformations: [] };
  for (const text of texts(6, pieces, 2_000)) {
    attempt(() => decodeContinueToken(text), ApiError);
    negotiate(text, offer);
  }
});
