// The parameter `shardSelector` of lists and watches (KEP-5866), a CEL expression that is only parsed: the parts of a
// collection whose hashes of UID or namespace lie in its ranges.

import { byteLength } from '../base/byte-length.ts';
import { goQuote } from '../base/go-quote.ts';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import type { Expression } from '../cel/syntax/expression.ts';
import { OPERATORS } from '../cel/syntax/operators.ts';
import { parse } from '../cel/syntax/parse.ts';
import { type Hash64, hash64, isLess } from './hash64.ts';

/** What a shard selector reads of an object. */
type ShardKey = 'uid' | 'namespace';

interface Range {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

/** One or more ranges of hashes. */
export class ShardSelector {
  readonly key: ShardKey;
  /** The selector as lists repeat it. */
  readonly text: string;
  readonly #ranges: readonly (readonly [start: Hash64, end: Hash64])[];

  constructor(ranges: readonly Range[]) {
    this.key = ranges[0]?.field === FIELDS.namespace ? 'namespace' : 'uid';
    this.text = ranges.map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(' || ');
    this.#ranges = ranges.map(({ start, end }) => [bound(start), bound(end)]);
  }

  /** The number of ranges. */
  get size(): number {
    return this.#ranges.length;
  }

  /** Whether an object with this value of the key is selected. */
  matches(value: string): boolean {
    const hash = hash64(value);
    return this.#ranges.some(([start, end]) => !isLess(hash, start) && isLess(hash, end));
  }
}

/** A shard selector that cannot be used; the message is kube-apiserver's, which knows no limit of its length. */
export class ShardSelectorError extends Error {}

/**
 * Parses a shard selector: `shardRange(object.metadata.uid, '0x…', '0x…')`, or several of them joined by `||`.
 *
 * @param written the value of the parameter
 * @throws ShardSelectorError
 */
export function parseShardSelector(written: string): ShardSelector {
  const text = written.trim();
  if (text === '') fail('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const { shardSelectorCharacters: most } = limits;
  if (text.length > most) fail(`it has ${text.length} characters, and may have ${most}`);
  const { parsed, issues } = parse(text, { macros: [], optionalSyntax: false });
  if (parsed === undefined) return fail(`CEL parse error: ${issues[0]?.message}`);
  const ranges = [...rangesOf(parsed.root)];
  const [first] = ranges;
  const other = ranges.find(({ field }) => field !== first?.field);
  if (other !== undefined) {
    fail(`all shard ranges must use the same field, got "${first?.field}" and "${other.field}"`);
  }
  return new ShardSelector(ranges);
}

const FIELDS = { uid: 'object.metadata.uid', namespace: 'object.metadata.namespace' };
const SUPPORTED: readonly string[] = Object.values(FIELDS);

/** The exclusive upper bound of all hashes. */
const END = '0x10000000000000000';
const HEX_DIGITS = 16;

/** The kinds of expressions by their numbers in cel-go, which messages contain. */
const KIND_NUMBERS: Readonly<Record<Expression['kind'], number>> = {
  call: 1,
  comprehension: 2,
  identifier: 3,
  list: 4,
  constant: 5,
  map: 6,
  select: 7,
  struct: 8,
};

/** Go's types of literals. */
const GO_TYPES: Readonly<Record<string, string>> = lookup({
  null: 'structpb.NullValue',
  bool: 'bool',
  int: 'int64',
  uint: 'uint64',
  double: 'float64',
  bytes: '[]uint8',
});

function* rangesOf(expression: Expression): Generator<Range> {
  if (expression.kind !== 'call') {
    const kind = KIND_NUMBERS[expression.kind];
    return fail(`unexpected expression kind ${kind}; expected shardRange() call or || operator`);
  }
  if (expression.function === OPERATORS.or) {
    for (const side of expression.arguments) yield* rangesOf(side);
  } else if (expression.function === 'shardRange') yield rangeOf(expression.arguments);
  else fail(`unsupported function "${expression.function}"; only shardRange() and || are allowed`);
}

function rangeOf(given: readonly Expression[]): Range {
  const [path, first, second] = given;
  if (given.length !== 3) fail(`shardRange() requires exactly 3 arguments, got ${given.length}`);
  const field = pathOf(path!);
  if (!SUPPORTED.includes(field)) fail(`unsupported field path "${field}"; supported: ${SUPPORTED.join(', ')}`);
  const start = hexOf(first!, 'hexStart');
  const end = hexOf(second!, 'hexEnd');
  if (!isLess(bound(start), bound(end))) fail(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

function pathOf(expression: Expression): string {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind === 'select') return `${pathOf(expression.operand)}.${expression.field}`;
  const kind = KIND_NUMBERS[expression.kind];
  return fail(
    `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kind}`,
  );
}

function hexOf(expression: Expression, name: string): string {
  if (expression.kind !== 'constant') {
    const kind = KIND_NUMBERS[expression.kind];
    return fail(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kind}`);
  }
  const { type, value } = expression.literal;
  if (type !== 'string') return fail(`${name} must be a string literal, got ${GO_TYPES[type]}`);
  if (!value.startsWith('0x')) fail(`${name} must have '0x' prefix, got ${goQuote(value)}`);
  const digits = value.slice(2);
  if (digits === '') fail(`${name}: hex value is required after '0x'`);
  const bytes = byteLength(digits);
  if (bytes > HEX_DIGITS + 1) {
    fail(`${name}: hex value too long (${bytes} chars, max ${HEX_DIGITS + 1}): ${goQuote(digits)}`);
  }
  const wrong = [...digits].find((each) => !/[0-9a-f]/.test(each));
  if (wrong !== undefined) fail(`${name}: invalid hex character ${goQuote(wrong)} in ${goQuote(value)}`);
  if (digits.length > HEX_DIGITS && value !== END) {
    fail(`${name}: 17-digit hex value must be '${END}' (2^64), got ${goQuote(value)}`);
  }
  if (digits.length < HEX_DIGITS) {
    const padded = goQuote(`0x${digits.padStart(HEX_DIGITS, '0')}`);
    fail(`${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(value)} (did you mean ${padded}?)`);
  }
  return value;
}

function bound(hex: string): Hash64 {
  if (hex === END) return { high: 2 ** 32, low: 0 };
  return { high: Number.parseInt(hex.slice(2, 10), 16), low: Number.parseInt(hex.slice(10), 16) };
}

function fail(message: string): never {
  throw new ShardSelectorError(message);
}
