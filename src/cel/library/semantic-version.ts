// Semantic versions (semver.org 2.0.0) as CEL values: `1.2.3-rc.1+build`. Error messages are those of Kubernetes'
// parser, github.com/blang/semver.

import { byteLength } from '../../base/byte-length.ts';
import { goQuote } from '../../base/go-quote.ts';
import { structType, type Type } from '../types/type.ts';
import { compareStrings } from '../value/comparison.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { canonicalInt } from '../value/int.ts';
import { type Int, OpaqueValue, type Value } from '../value/value.ts';

const NUMBERS = /^[0-9]*$/;
const IDENTIFIER = /^[0-9A-Za-z-]*$/;
const MOST = 2n ** 64n - 1n;

/** A component of what follows the dash: a number or a name. */
type Identifier = bigint | string;

export class SemanticVersion extends OpaqueValue {
  override readonly type: Type<unknown> = SEMVER_TYPE;
  readonly #numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly #prerelease: readonly Identifier[];

  constructor(numbers: readonly [major: bigint, minor: bigint, patch: bigint], prerelease: readonly Identifier[]) {
    super();
    this.#numbers = numbers;
    this.#prerelease = prerelease;
  }

  get major(): Int {
    return int64(this.#numbers[0]);
  }

  get minor(): Int {
    return int64(this.#numbers[1]);
  }

  get patch(): Int {
    return int64(this.#numbers[2]);
  }

  /** By precedence, ignoring build metadata. */
  compareTo(other: SemanticVersion): -1 | 0 | 1 {
    for (const [index, number] of this.#numbers.entries()) {
      const order = compareIdentifiers(number, other.#numbers[index] as bigint);
      if (order !== 0) return order;
    }
    return comparePrereleases(this.#prerelease, other.#prerelease);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof SemanticVersion)) throw new EvaluationError('no such overload');
    return this.compareTo(other) === 0;
  }
}

export const SEMVER_TYPE = structType<SemanticVersion>('kubernetes.Semver');

/** Numbers beyond an int come out as Go converts them. */
function int64(number: bigint): Int {
  return canonicalInt(BigInt.asIntN(64, number));
}

/** A version that is one is greater than those before it. */
function comparePrereleases(left: readonly Identifier[], right: readonly Identifier[]): -1 | 0 | 1 {
  if (left.length === 0 || right.length === 0) {
    return left.length === right.length ? 0 : left.length === 0 ? 1 : -1;
  }
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] as Identifier, right[index] as Identifier);
    if (order !== 0) return order;
  }
  return signOf(left.length - right.length);
}

function compareIdentifiers(left: Identifier, right: Identifier): -1 | 0 | 1 {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left === right ? 0 : left < right ? -1 : 1;
  if (typeof left === 'string' && typeof right === 'string') return signOf(compareStrings(left, right));
  return typeof left === 'bigint' ? -1 : 1;
}

function signOf(order: number): -1 | 0 | 1 {
  return order === 0 ? 0 : order < 0 ? -1 : 1;
}

/** Why a text is not a version. Thrown inside this file. */
class Fault {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Reads a version. A string is the reason why it is none. */
export function readVersion(text: string): SemanticVersion | string {
  return orReason(() => parse(text));
}

/**
 * Parses a tolerant version: a leading `v`, leading zeros and missing numbers are allowed. Returns a string with the
 * reason if it is invalid nonetheless.
 */
export function readLenientVersion(text: string): SemanticVersion | string {
  return orReason(() => parse(normalized(text)));
}

function orReason(read: () => SemanticVersion): SemanticVersion | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function normalized(text: string): string {
  const parts = splitInThree(text.startsWith('v') ? text.slice(1) : text).map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new Fault('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** A component that does not start with a number gets a zero in front. */
function withoutLeadingZeros(part: string): string {
  if (byteLength(part) < 2) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

/** At the first two dots. */
function splitInThree(text: string): string[] {
  const [major = '', minor, ...rest] = text.split('.');
  if (minor === undefined) return [major];
  return rest.length === 0 ? [major, minor] : [major, minor, rest.join('.')];
}

function parse(text: string): SemanticVersion {
  if (text === '') throw new Fault('Version string empty');
  const [major, minor, rest] = splitInThree(text);
  if (major === undefined || minor === undefined || rest === undefined) {
    throw new Fault('No Major.Minor.Patch elements found');
  }
  const [majorNumber, minorNumber] = [numberOf(major, 'major'), numberOf(minor, 'minor')];
  const [behindNumbers = '', build] = cut(rest, '+');
  const [patch = '', prerelease] = cut(behindNumbers, '-');
  const numbers = [majorNumber, minorNumber, numberOf(patch, 'patch')] as const;
  const identifiers = prerelease === undefined ? [] : prerelease.split('.').map(identifierOf);
  for (const part of build?.split('.') ?? []) checkBuild(part);
  return new SemanticVersion(numbers, identifiers);
}

function cut(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(text: string, place: 'major' | 'minor' | 'patch'): bigint {
  if (!NUMBERS.test(text)) throw new Fault(`Invalid character(s) found in ${place} number ${goQuote(text)}`);
  if (hasLeadingZero(text)) {
    const name = `${place[0]?.toUpperCase()}${place.slice(1)}`;
    throw new Fault(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return uint64(text);
}

function identifierOf(text: string): Identifier {
  if (text === '') throw new Fault('Prerelease is empty');
  if (!IDENTIFIER.test(text)) throw new Fault(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  if (!NUMBERS.test(text)) return text;
  if (hasLeadingZero(text)) {
    throw new Fault(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
  }
  return uint64(text);
}

function checkBuild(text: string): void {
  if (text === '') throw new Fault('Build meta data is empty');
  if (!IDENTIFIER.test(text)) throw new Fault(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

function hasLeadingZero(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}

function uint64(text: string): bigint {
  const fault = (reason: string) => new Fault(`strconv.ParseUint: parsing ${goQuote(text)}: ${reason}`);
  if (text === '') throw fault('invalid syntax');
  // The largest number has twenty digits; longer text is not parsed.
  const number = text.length > 20 ? MOST + 1n : BigInt(text);
  if (number > MOST) throw fault('value out of range');
  return number;
}
