import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { JsonDecoder } from './json-decoder.ts';
import { countKeys, floatLiterals, parseJson, parseLongJson } from './json-reader.ts';

const VALUES = [
  '1',
  '-0',
  '2.50',
  '1e3',
  '12345678901234567',
  'true',
  'null',
  '""',
  '"a\\u00e9\\n"',
  '"\\ud83d\\ude00"',
  '[]',
  '{}',
  '"\\ud800"',
];

function randomText(random: SeededRandom, depth: number): string {
  const kind = random.below(depth === 0 ? 1 : 3);
  if (kind === 0) return VALUES[random.below(VALUES.length)] as string;
  const count = random.below(5);
  const items = Array.from({ length: count }, () => randomText(random, depth - 1));
  if (kind === 1) return `[${items.join(' ,')}]`;
  return `{${items.map((item) => `"k${random.below(4)}" :${item}`).join(',\n')}}`;
}

/** What a reader makes of a text: its value, or what is wrong with it. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
}

function inPieces(text: string, characters: number): JsonDecoder {
  const decoder = new JsonDecoder(text, { infinite: true });
  while (!decoder.read(characters));
  return decoder;
}

test('JSON that is read in pieces has the same value or error as JSON that is read at once', () => {
  const random = new SeededRandom(12);
  for (let round = 0; round < 2_000; round++) {
    const whole = randomText(random, 4);
    const text = round % 3 === 0 ? whole.slice(0, random.below(whole.length + 1)) : whole;
    const expected = outcome(() => parseJson(text));
    assert.deepEqual(
      outcome(() => inPieces(text, 1 + random.below(50)).value),
      expected,
      text,
    );
    if (typeof expected === 'string' && text !== whole) continue;
    const decoder = inPieces(whole, 30);
    assert.equal(decoder.members, countKeys(whole), whole);
    assert.equal(decoder.hasFloats, floatLiterals(`[${whole}]`) !== undefined, whole);
  }
});

test('strings and names of long JSON that are longer than a piece are joined', () => {
  const long = `${'x'.repeat(20_000)}\\n`.repeat(3);
  const text = `{"${long}":"${long}"}`;
  assert.deepEqual(inPieces(text, 10).value, JSON.parse(text));
  assert.throws(() => inPieces(text.slice(0, 30_000), 10), /unexpected end of JSON input/);
});

test('a member of long JSON named __proto__ is a member', () => {
  assert.deepEqual(Object.keys(inPieces('{"__proto__":{"a":1}}', 3).value as object), ['__proto__']);
});

test('long JSON is read in pieces, and short JSON at once', async () => {
  let pauses = 0;
  const pause = async () => void pauses++;
  assert.equal(parseLongJson('{}', pause), undefined);
  const text = `{"a":[${'1,'.repeat(limits.wholeJsonCharacters)}1],"a":2}`;
  const read = await parseLongJson(text, pause);
  assert.deepEqual(read?.value, { a: 2 });
  assert.deepEqual({ ...read, value: 0 }, { value: 0, keys: 2, repeats: true, hasFloats: false });
  assert.ok(pauses > 5, `${pauses}`);
});

test('an object in a body has a limited number of members', async () => {
  const wide = (members: number) => `{"a":{${Array.from({ length: members }, (_, at) => `"${at}":0`).join()}}}`;
  const read = await parseLongJson(wide(limits.objectMembers), () => undefined);
  assert.equal(read?.keys, limits.objectMembers + 1);
  const tooWide = parseLongJson(wide(limits.objectMembers + 1), () => undefined);
  await assert.rejects(async () => tooWide, {
    code: 413,
    message: `Request entity too large: an object in it has more than ${limits.objectMembers} members`,
  });
});
