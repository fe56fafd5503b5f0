// JSON: the runtime's reader, the slow decoder at once and the decoder in pieces agree on every text, and what is written
// is what was read.

import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { JsonDecoder, JsonError } from '../../../src/api/json-decoder.ts';
import {
  countKeys,
  findDuplicateFields,
  floatLiterals,
  numberFault,
  parseJson,
  strictDecodingErrors,
} from '../../../src/api/json-reader.ts';
import { jsonText } from '../../../src/api/json-text.ts';
import { copyJson, stringifyJson } from '../../../src/api/json-writer.ts';
import { longJson } from '../../../src/api/long-json-writer.ts';
import type { Json } from '../../../src/api/object.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { atOnce } from '../../../src/base/steps.ts';
import { type Format, outcomeOf, randomOf } from './format.ts';
import { mutateDocument } from './mutations.ts';

const words = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u0000',
  '\\ud83d',
  '\\ude00',
  '"a":',
  '"__proto__":{',
  '-0',
  '-0.0',
  '1e400',
  '1E-400',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '0.1',
  '00',
  'true',
  'nul',
  '\xef\xbb\xbf',
  '\xff',
  '\xe2\x80\xa8',
  ' ',
  '\n',
];

export const json: Format = {
  name: 'json',
  words,
  mutate: (input, other, random) => mutateDocument(input, other, { random, words }),
  judge: judgeText,
};

function judgeText(input: Buffer): void {
  const text = jsonText(input);
  const random = randomOf(input);
  const whole = outcomeOf(() => parseJson(text), JsonError);
  const native = outcomeOf(() => JSON.parse(text), SyntaxError);
  if (whole.fault === undefined || !/exceeded max depth/.test(whole.fault))
    assert.equal(whole.fault === undefined, native.fault === undefined, 'the runtime accepts the same texts');
  const decoder = new JsonDecoder(text, { infinite: true });
  const sliced = outcomeOf(() => readInPieces(decoder, random, text.length), JsonError);
  assert.equal(sliced.fault, whole.fault, 'the same fault in pieces as at once');
  outcomeOf(() => parseJson(text, { mergeRepeated: true }), JsonError);
  outcomeOf(() => atOnce(numberFault(text)), JsonError);
  if (whole.value === undefined) return;
  assert.equal(textOf(sliced.value!), textOf(whole.value), 'the same value in pieces as at once');
  assert.equal(decoder.members, countKeys(text), 'the same number of members');
  if (decoder.hasFloats) assert.notEqual(floatLiterals(`[${text}]`), undefined, 'floats are found');
  assert.equal(decoder.repeats, findDuplicateFields(text).length > 0, 'the same opinion on duplicates');
  atOnce(strictDecodingErrors(text, []));
  judgeWriters(whole.value);
}

function readInPieces(decoder: JsonDecoder, random: SeededRandom, length: number): Json {
  const characters = 1 + random.below(100);
  // A token costs up to sixteen characters more than it has.
  let left = 2 + Math.ceil((17 * (length + 1)) / characters);
  while (!decoder.read(characters)) assert.ok(left-- > 0, 'the work is bounded by the length');
  return decoder.value;
}

function judgeWriters(value: Json): void {
  const written = stringifyJson(value);
  assert.equal(textOf(value), written, 'the same text in pieces as at once');
  assert.equal(stringifyJson(parseJson(written)), written, 'what is written is what was read');
  assert.equal(stringifyJson(copyJson(value)), written, 'a copy is the same');
}

function textOf(value: Json): string {
  return atOnce(longJson(value)).join('');
}
