// Functions of sprig that make texts.

import { createHash } from 'node:crypto';
import { lookup } from '../../../base/lookup.ts';
import type { Random } from '../../../base/random.ts';
import { withoutTrailing } from '../../../base/without-trailing.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from './error.ts';
import { integerFrom, listIn, stringIn, type TemplateFunction, taking } from './function.ts';
import { textOf, type Value } from './values.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';

/** A function of one text. */
function ofText(compute: (text: string) => string): TemplateFunction {
  return taking(1, 1, ([text], { budget }) => {
    budget.spendText(stringIn(text).length);
    return compute(stringIn(text));
  });
}

/** A function of two texts, the main one last, so that it can be piped. */
function ofTexts(compute: (text: string, other: string) => Value): TemplateFunction {
  return taking(2, 2, ([other, text], { budget }) => {
    budget.spendText(stringIn(text).length + stringIn(other).length);
    return compute(stringIn(text), stringIn(other));
  });
}

/** A function of a number and a text. */
function sized(compute: (text: string, size: number, budget: Budget) => string): TemplateFunction {
  return taking(2, 2, ([size, text], { budget }) => {
    budget.spendText(stringIn(text).length);
    return compute(stringIn(text), integerFrom(size), budget);
  });
}

function hashed(algorithm: string): TemplateFunction {
  return ofText((text) => createHash(algorithm).update(text).digest('hex'));
}

function drawn(characters: string): TemplateFunction {
  return taking(1, 1, ([count], { random, budget }) => {
    budget.spend(integerFrom(count));
    return picked(characters, integerFrom(count), random);
  });
}

function picked(characters: string, count: number, random: Random): string {
  return Array.from({ length: Math.max(0, count) }, () => characters[random.below(characters.length)]).join('');
}

const trimAll = ofTexts((text, cut) => trimmed(text, cut));

export const TEXT_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = lookup({
  trim: ofText((text) => text.trim()),
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  title: ofText((text) =>
    text.replace(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (_all, before, letter) => before + letter.toUpperCase()),
  ),
  untitle: ofText((text) =>
    text.replace(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (_all, before, letter) => before + letter.toLowerCase()),
  ),
  nospace: ofText((text) => text.replace(/\s/g, '')),
  trimAll,
  trimall: trimAll,
  trimPrefix: ofTexts((text, prefix) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)),
  trimSuffix: ofTexts((text, suffix) => (text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text)),
  contains: ofTexts((text, part) => text.includes(part)),
  hasPrefix: ofTexts((text, prefix) => text.startsWith(prefix)),
  hasSuffix: ofTexts((text, suffix) => text.endsWith(suffix)),
  splitList: ofTexts((text, separator) => text.split(separator)),
  split: ofTexts((text, separator) => numbered(text.split(separator))),
  splitn: taking(3, 3, ([separator, count, text], { budget }) => {
    budget.spendText(stringIn(text).length);
    return numbered(splitInto(stringIn(text), stringIn(separator), integerFrom(count)));
  }),
  trunc: sized((text, size) => {
    if (size < 0) return text.length + size > 0 ? text.slice(size) : text;
    return text.slice(0, size);
  }),
  abbrev: sized((text, size) => (text.length <= size || size < 4 ? text : `${text.slice(0, size - 3)}...`)),
  repeat: sized((text, count, budget) => {
    if (count < 0) throw new TemplateError('strings: negative Repeat count');
    budget.spendText(text.length * count);
    return text.repeat(count);
  }),
  indent: sized((text, size, budget) => indented(text, size, budget)),
  nindent: sized((text, size, budget) => `\n${indented(text, size, budget)}`),
  substr: taking(3, 3, ([start, end, text]) => {
    const [from, to, whole] = [integerFrom(start), integerFrom(end), stringIn(text)];
    if (from < 0) return whole.slice(0, Math.max(0, to));
    return to < 0 || to > whole.length ? whole.slice(from) : whole.slice(from, to);
  }),
  replace: taking(3, 3, ([before, after, text], { budget }) => {
    const parts = stringIn(text).split(stringIn(before));
    budget.spendText(stringIn(text).length + parts.length * stringIn(after).length);
    return parts.join(stringIn(after));
  }),
  quote: (given, { budget }) =>
    present(given)
      .map((value) => textOf(textOf(value, budget), budget, true))
      .join(' '),
  squote: (given, { budget }) =>
    present(given)
      .map((value) => `'${textOf(value, budget)}'`)
      .join(' '),
  cat: (given, { budget }) =>
    present(given)
      .map((value) => textOf(value, budget))
      .join(' '),
  plural: taking(3, 3, ([one, many, count]) => (integerFrom(count) === 1 ? one : many)),
  snakecase: ofText((text) => words(text).join('_')),
  kebabcase: ofText((text) => words(text).join('-')),
  toString: taking(1, 1, ([value], { budget }) => textOf(value, budget)),
  toStrings: taking(1, 1, ([value], { budget }) => textsIn(value, budget)),
  join: taking(2, 2, ([separator, values], { budget }) => {
    const texts = textsIn(values, budget);
    budget.spendText(stringIn(separator).length * texts.length);
    return texts.join(stringIn(separator));
  }),
  sortAlpha: taking(1, 1, ([values], { budget }) => {
    const texts = textsIn(values, budget);
    budget.spend(texts.length);
    return texts.sort();
  }),
  b64enc: ofText((text) => Buffer.from(text).toString('base64')),
  b64dec: ofText((text) => Buffer.from(text, 'base64').toString()),
  sha1sum: hashed('sha1'),
  sha256sum: hashed('sha256'),
  sha512sum: hashed('sha512'),
  randAlphaNum: drawn(LETTERS + DIGITS),
  randAlpha: drawn(LETTERS),
  randNumeric: drawn(DIGITS),
  uuidv4: taking(0, 0, (_given, { random }) => random.uuid()),
  base: ofText((text) => withoutTrailing(text, '/').replace(/^.*\//s, '') || (text === '' ? '.' : '/')),
});

/** The items of a list as texts, or a single one; without nil. */
function textsIn(value: Value, budget: Budget): string[] {
  const items = Array.isArray(value) ? listIn(value) : [value];
  return present(items).map((item) => textOf(item, budget));
}

function present(values: readonly Value[]): Value[] {
  return values.filter((value) => value !== undefined);
}

/** Text without any of some characters at its ends. */
function trimmed(text: string, cut: string): string {
  const isCut = (index: number) => cut.includes(text[index]!);
  let start = 0;
  let end = text.length;
  while (start < end && isCut(start)) start++;
  while (end > start && isCut(end - 1)) end--;
  return text.slice(start, end);
}

function splitInto(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator);
  if (count < 0 || parts.length <= count) return parts;
  return count === 0 ? [] : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

/** Parts by their places: `_0`, `_1`. */
function numbered(parts: readonly string[]): { [name: string]: Value } {
  return Object.fromEntries(parts.map((part, index) => [`_${index}`, part]));
}

function indented(text: string, size: number, budget: Budget): string {
  const pad = ' '.repeat(Math.max(0, Math.min(size, 1_000)));
  const lines = text.split('\n');
  budget.spendText(lines.length * pad.length);
  return pad + lines.join(`\n${pad}`);
}

/** The words of a name in lower case: `fooBar` has two. */
function words(text: string): string[] {
  const parted = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return parted
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
