// Library functions on random operands: whatever they are given, they answer or refuse with an EvaluationError, at a
// cost that is a whole number.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { CIDRS } from '../../src/cel/library/cidr.ts';
import { IPS } from '../../src/cel/library/ip.ts';
import { KUBERNETES_LISTS } from '../../src/cel/library/kubernetes-lists.ts';
import type { Library, Overload } from '../../src/cel/library/library.ts';
import { REGEX } from '../../src/cel/library/regex.ts';
import { SEMVER } from '../../src/cel/library/semver.ts';
import { STRINGS } from '../../src/cel/library/strings.ts';
import { URLS } from '../../src/cel/library/urls.ts';
import type { Type } from '../../src/cel/types/type.ts';
import { ArrayList } from '../../src/cel/value/array-list.ts';
import { Duration } from '../../src/cel/value/duration.ts';
import { EvaluationError } from '../../src/cel/value/evaluation-error.ts';
import { HashMap } from '../../src/cel/value/map.ts';
import { isOfType } from '../../src/cel/value/runtime-type.ts';
import { Timestamp } from '../../src/cel/value/timestamp.ts';
import { Double, Uint, type Value } from '../../src/cel/value/value.ts';
import { AUTHORIZER, AUTHORIZER_SELECTORS, Authorizer } from '../../src/expressions/authorizer.ts';
import { FORMATS } from '../../src/expressions/format.ts';
import { JSON_PATCHES } from '../../src/expressions/json-patch.ts';
import { QUANTITIES } from '../../src/expressions/quantity.ts';

const LIBRARIES: readonly Library[] = [
  ...[STRINGS, REGEX, KUBERNETES_LISTS, URLS, IPS, CIDRS, SEMVER],
  ...[QUANTITIES, FORMATS, AUTHORIZER, AUTHORIZER_SELECTORS, JSON_PATCHES],
];
const CALLS_OF_EACH = 300;

const PIECES = [
  ...[
    '',
    'a',
    'B',
    'é',
    '😀',
    ' ',
    '\u0000',
    '\n',
    '%',
    '%s',
    '%.3f',
    '%d',
    '%X',
    '0',
    '1',
    '01',
    '255',
    '256',
    '.',
    ':',
  ],
  ...[
    '::',
    '/',
    '//',
    '?',
    '#',
    '@',
    '[',
    ']',
    '-',
    '+',
    'e',
    'E',
    'Ki',
    'm',
    '(',
    ')',
    '*',
    'x*',
    'http',
    'fe80',
    'v',
    ',',
  ],
  ...['9223372036854775807', '\ud800', '&', '=', ';', 'uuid', '~', 'NaN'],
];
const WHOLE = [
  ...[
    '10.0.0.1',
    'fe80::1',
    '10.0.0.0/8',
    '2001:db8::/32',
    'https://u:p@h:1/p%20q?a=b#c',
    '1.2.3-rc.1+b',
    'v1.2',
    '1.5Gi',
  ],
  ...['100m', '1e999999999', '-0', 'my-name', 'a=b,c!=d', 'a in (b)', '[a-z]+', '(a|b)*c', '%s and %d'],
];
const INTS = [0, 1, -1, 2, 7, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)];
const NUMBERS = [
  0,
  -0,
  1.5,
  -1e300,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  123456.789,
];
const authorizer = new Authorizer(
  { name: 'jane', uid: '', groups: [], extra: {} },
  { authorize: () => ({ allowed: true, reason: '' }) },
);

class Operands {
  readonly #random: SeededRandom;
  /** Values of types that only functions make. */
  readonly #made: Value[] = [authorizer];

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Undefined where there is no value of the type yet. */
  of(type: Type<unknown>, depth = 0): Value | undefined {
    const random = this.#random;
    switch (type.kind) {
      case 'string':
        return this.#text();
      case 'bool':
        return random.chance(50);
      case 'int':
        return random.pick(INTS);
      case 'uint':
        return new Uint(random.pick([0, 1, 2n ** 64n - 1n]));
      case 'double':
        return new Double(random.pick(NUMBERS));
      case 'bytes':
        return Uint8Array.from({ length: random.below(5) }, () => random.below(256));
      case 'duration':
        return new Duration(random.below(10) - 5, 0);
      case 'timestamp':
        return new Timestamp(random.below(1e9), random.below(1e9));
      case 'list':
        return this.#list(type.parameters[0] as Type<unknown>, depth);
      case 'dyn':
      case 'parameter':
        return this.#any(depth);
      default: {
        const fitting = this.#made.filter((value) => isOfType(value, type));
        return fitting.length === 0 ? undefined : random.pick(fitting);
      }
    }
  }

  keep(value: Value): void {
    this.#made.push(value);
    if (this.#made.length > 200) this.#made.splice(1 + this.#random.below(199), 1);
  }

  #text(): string {
    const random = this.#random;
    if (random.chance(40)) return random.pick(WHOLE);
    return Array.from({ length: random.below(6) }, () => random.pick(PIECES)).join('');
  }

  #list(item: Type<unknown>, depth: number): Value {
    const items = Array.from({ length: this.#random.below(4) }, () => this.of(item, depth + 1));
    return new ArrayList(items.filter((each) => each !== undefined));
  }

  #any(depth: number): Value {
    const random = this.#random;
    const leaves: Value[] = [null, true, this.#text(), random.pick(INTS), new Double(random.pick(NUMBERS))];
    const leaf = random.pick([
      ...leaves,
      new Uint(1),
      new Uint8Array([255]),
      new Duration(1, 5),
      random.pick(this.#made),
    ]);
    if (depth > 2 || random.chance(70)) return leaf;
    const items = Array.from({ length: random.below(3) }, () => this.#any(depth + 1));
    return random.chance(50) ? new ArrayList(items) : HashMap.of(items.map((item, index) => [`k${index}`, item]));
  }
}

type Call = (...operands: readonly unknown[]) => unknown;

describe('CEL library functions', () => {
  it('CEL library functions return a value or an error for any arguments', () => {
    const random = new SeededRandom(34);
    const operands = new Operands(random);
    const calls = LIBRARIES.flatMap(({ functions }) => functions.flatMap(({ overloads }) => overloads));
    const unreached = new Set<Overload>(calls);
    for (let round = 0; round < CALLS_OF_EACH; round++) {
      for (const overload of calls) {
        const given = overload.parameters.map((type) => operands.of(type));
        if (given.includes(undefined)) continue;
        const result = evaluated(overload, given);
        if (!(result instanceof EvaluationError)) {
          operands.keep(result as Value);
          unreached.delete(overload);
        }
        const cost = (overload.cost as Call | undefined)?.(result, ...given) ?? 1;
        assert.ok(Number.isSafeInteger(cost) && Number(cost) >= 0, `${overload.id} costs ${cost}`);
      }
    }
    assert.deepEqual(
      [...unreached].map(({ id }) => id),
      [],
    );
  });
});

function evaluated(overload: Overload, operands: readonly unknown[]): unknown {
  try {
    return (overload.evaluate as Call)(...operands);
  } catch (error) {
    assert.ok(error instanceof EvaluationError, `${overload.id}(${operands.map(String).join(', ')}): ${error}`);
    return error;
  }
}
