// Mutations that formats share: of bytes with words of a format and parts of another input, of JSON documents by their
// values, and of inputs that consist of parts.

import { Buffer } from 'node:buffer';
import { JsonError, parseJson } from '../../../src/api/json-reader.ts';
import { stringifyJson } from '../../../src/api/json-writer.ts';
import type { Json } from '../../../src/api/object.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { mutateBytes, mutateValue } from '../mutate.ts';

/** The longest input; a longer one is cut. */
const LONGEST_BYTES = 8_192;

/** Changes bytes, inserts words, repeats parts, and crosses two inputs. */
export function mutateText(
  input: Buffer,
  other: Buffer,
  by: { random: SeededRandom; words: readonly string[] },
): Buffer {
  const { random, words } = by;
  let changed = input;
  for (let times = 1 + random.below(3); times > 0; times--) changed = onceChanged(changed, other, { random, words });
  return changed.subarray(0, LONGEST_BYTES);
}

function onceChanged(input: Buffer, other: Buffer, by: { random: SeededRandom; words: readonly string[] }): Buffer {
  const { random, words } = by;
  const from = random.below(input.length + 1);
  const to = Math.min(input.length, from + random.below(random.chance(70) ? 12 : 200));
  const kind = random.below(7);
  if (kind === 0) return mutateBytes(input, random);
  // A part is left out, written several times, or replaced by a part of the other input; or a word is inserted.
  const start = random.below(other.length + 1);
  const filling = [
    Buffer.alloc(0),
    repeated(input.subarray(from, to), 2 + random.below(random.chance(10) ? 300 : 4)),
    other.subarray(start, start + random.below(100)),
    Buffer.from(random.pick(words), 'latin1'),
    Buffer.from(random.pick(words), 'latin1'),
    repeated(Buffer.from(random.pick(words), 'latin1'), 1 + random.below(100)),
  ][kind - 1]!;
  const keeps = kind === 4 || kind === 6;
  return Buffer.concat([input.subarray(0, from), filling, input.subarray(keeps ? from : to)]);
}

function repeated(part: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => part));
}

/** Changes values of a JSON document, or its text. */
export function mutateDocument(
  input: Buffer,
  other: Buffer,
  by: { random: SeededRandom; words: readonly string[] },
): Buffer {
  const { random } = by;
  const document = random.chance(70) ? documentIn(input) : undefined;
  if (document === undefined) return mutateText(input, other, by);
  const changed = random.chance(25) ? crossed(document, documentIn(other), random) : mutateValue(document, random);
  return Buffer.from(stringifyJson(changed));
}

/** The document in an input; undefined if there is none. */
export function documentIn(input: Buffer): Json | undefined {
  try {
    return parseJson(input);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** A member somewhere in one document is replaced by one of another. */
function crossed(document: Json, other: Json | undefined, random: SeededRandom): Json {
  const copy = structuredClone(document);
  const place = placeIn(copy, random);
  if (place !== undefined) place.holder[place.key] = structuredClone(valueIn(other ?? null, random));
  return copy;
}

function placeIn(value: Json, random: SeededRandom): { holder: Record<string, Json>; key: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const holder = value as Record<string, Json>;
  const keys = Object.keys(holder).filter((key) => key !== '__proto__');
  if (keys.length === 0) return undefined;
  const key = random.pick(keys);
  return (random.chance(70) ? placeIn(holder[key]!, random) : undefined) ?? { holder, key };
}

function valueIn(value: Json, random: SeededRandom): Json {
  const place = placeIn(value, random);
  return place === undefined ? value : place.holder[place.key]!;
}

/** Leaves out, doubles, swaps or changes some parts of an input, or inserts a part of another. */
export function mutateParts(
  parts: readonly Buffer[],
  others: readonly Buffer[],
  random: SeededRandom,
  change: (part: Buffer) => Buffer,
): Buffer[] {
  const changed = [...parts];
  for (let times = 1 + random.below(4); times > 0 && changed.length > 0; times--) {
    const at = random.below(changed.length);
    const kind = random.below(6);
    if (kind === 0) changed.splice(at, 1);
    else if (kind === 1) changed.splice(at, 0, changed[at]!);
    else if (kind === 2) changed.push(...changed.splice(at, 1));
    else if (kind === 3 && others.length > 0) changed.splice(at, random.below(2), random.pick(others));
    else changed[at] = change(changed[at]!);
  }
  return changed;
}
