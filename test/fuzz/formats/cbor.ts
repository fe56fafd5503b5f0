// CBOR: what is written is what was read, members are found where the reader finds them, and malformed documents have
// errors of the format.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { CborError } from '../../../src/api/cbor-form.ts';
import { locateInCbor, parseCbor, readCborMember } from '../../../src/api/cbor-reader.ts';
import { CborWriter } from '../../../src/api/cbor-writer.ts';
import { isObject } from '../../../src/api/is-object.ts';
import { stringifyJson } from '../../../src/api/json-writer.ts';
import type { Json } from '../../../src/api/object.ts';
import { mutateValue } from '../mutate.ts';
import { type Format, outcomeOf } from './format.ts';
import { mutateText } from './mutations.ts';

const words = [
  '\xd9\xd9\xf7',
  '\x1b\xff\xff\xff\xff\xff\xff\xff\xff',
  '\x3b\x7f\xff\xff\xff\xff\xff\xff\xff',
  '\x9f',
  '\xbf',
  '\x5f',
  '\x7f',
  '\xff',
  '\xc0\x74',
  '\xc1\x1a\xff\xff\xff\xff',
  '\xc2\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00',
  '\xd5\x41a',
  '\xd6\x42ab',
  '\xd7\x41\xff',
  '\xf9\x7e\x00',
  '\xf9\x7c\x00',
  '\xfa\x7f\x80\x00\x00',
  '\xfb\x7f\xf0\x00\x00\x00\x00\x00\x00',
  '\xf7',
  '\xf8\x20',
  '\x81',
  '\xa1',
  '\x41a',
  '\x61\xff',
  '\x9b\x7f\xff\xff\xff\xff\xff\xff\xff',
  '\xbb\x00\x00\x00\x01\x00\x00\x00\x00',
];

export const cbor: Format = {
  name: 'cbor',
  words,
  mutate(input, other, random) {
    const { value } = random.chance(30) ? outcomeOf(() => parseCbor(input), CborError) : {};
    if (value === undefined) return mutateText(input, other, { random, words });
    return written(mutateValue(value, random) as Json);
  },
  judge: judgeItem,
};

function judgeItem(input: Buffer): void {
  const value = judgedValue(input);
  if (value === undefined) return;
  const text = stringifyJson(value);
  assert.equal(stringifyJson(parseCbor(written(value))), text, 'what is written is what was read');
  if (!isObject(value)) return;
  for (const name of Object.keys(value).filter((each) => !/[.[]|^$/.test(each))) {
    const member = readCborMember(input, name);
    assert.equal(stringifyJson(member), stringifyJson(value[name]), 'a member alone is what it is in the object');
    assert.notEqual(locateInCbor(input, name), undefined, 'every member has a place');
  }
}

/** The value of a document; undefined for one that cannot be decoded. */
function judgedValue(input: Buffer): Json | undefined {
  try {
    return parseCbor(input);
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    // Of a well-formed document, members can be read nevertheless.
    if (error.depth > 0) outcomeOf(() => readCborMember(input, 'kind'), CborError);
    return undefined;
  }
}

function written(value: Json): Buffer {
  const out = new CborWriter();
  out.selfDescribed();
  out.value(value);
  return Buffer.from(out.view());
}
