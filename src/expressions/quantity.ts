// Quantities in CEL: `quantity('1.5Gi').isGreaterThan(quantity('1G'))`. Amounts are those of the object model; this
// file adds the visible effects of Kubernetes' internal representation: which are integers, and which are equal.

import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
} from '../api/quantity.ts';
import { perCharacter } from '../cel/library/call-cost.ts';
import { type Library, method, overload } from '../cel/library/library.ts';
import { equalityAtOneCost } from '../cel/library/named-types.ts';
import { readOnce } from '../cel/library/read-once.ts';
import { BOOL, DOUBLE, INT, STRING, structType, type Type } from '../cel/types/type.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { canonicalInt, isInt64 } from '../cel/value/int.ts';
import { Double, type Int, OpaqueValue, type Value } from '../cel/value/value.ts';

/** Up to this number of digits a parsed amount is represented in 64 bits. */
const WORD_DIGITS = 18;
const NANO = -9;
/** The maximum of binary quantities. */
const MAX_BINARY = 2n ** 63n - 1n;
/** An amount with more decimals is not written out for rounding. */
const MAX_DIGITS = 1_000;

class QuantityValue extends OpaqueValue {
  override readonly type: Type<unknown> = QUANTITY_TYPE;
  readonly quantity: Quantity;
  /** Whether the amount is represented in 64 bits and a power of ten, rather than as a big number. */
  readonly #isWord: boolean;
  /** Whether it is the result of arithmetic. */
  readonly #isComputed: boolean;

  private constructor(quantity: Quantity, kept: { isWord: boolean; isComputed: boolean }) {
    super();
    this.quantity = quantity;
    this.#isWord = kept.isWord;
    this.#isComputed = kept.isComputed;
  }

  /** @throws QuantityError */
  static read(text: string): QuantityValue {
    const quantity = parseQuantity(text);
    const isWord = isKeptInWord(text, quantity);
    return new QuantityValue(isWord ? quantity : inNanos(quantity), { isWord, isComputed: false });
  }

  /** An integer to be added to quantities. */
  static of(amount: Int): QuantityValue {
    const quantity: Quantity = { mantissa: BigInt(amount), exponent: 0, format: 'DecimalExponent' };
    return new QuantityValue(quantity, { isWord: true, isComputed: false });
  }

  plus(other: QuantityValue): QuantityValue {
    return this.#sum(other, addQuantities(this.quantity, other.quantity));
  }

  minus(other: QuantityValue): QuantityValue {
    return this.#sum(other, subtractQuantities(this.quantity, other.quantity));
  }

  #sum(other: QuantityValue, quantity: Quantity): QuantityValue {
    const fit = [quantity, this.quantity, other.quantity].every((each) => fitsWord(each, quantity.exponent));
    return new QuantityValue(quantity, { isWord: this.#isWord && other.#isWord && fit, isComputed: true });
  }

  compareTo(other: QuantityValue): -1 | 0 | 1 {
    return compareQuantities(this.quantity, other.quantity);
  }

  get sign(): -1 | 0 | 1 {
    const { mantissa } = this.quantity;
    return mantissa === 0n ? 0 : mantissa < 0n ? -1 : 1;
  }

  /** The amount as an integer; undefined for a fraction, even an integral one, and beyond 64 bits. */
  get integer(): Int | undefined {
    const { mantissa, exponent } = this.quantity;
    if (!this.#isWord || exponent < 0 || !fitsWord(this.quantity, 0)) return undefined;
    return canonicalInt(mantissa === 0n ? 0n : mantissa * 10n ** BigInt(exponent));
  }

  /** The approximate amount, with the precision of a product of two doubles. */
  get approximateFloat(): number {
    const { mantissa, exponent } = this.quantity;
    return exponent === 0 ? Number(mantissa) : Number(mantissa) * Number(`1e${exponent}`);
  }

  /**
   * By amount. Kubernetes rejects a computed right operand: `quantity('2') == quantity('1').add(1)` is an error,
   * `quantity('1').add(1) == quantity('2')` is not.
   */
  override equals(other: Value): boolean {
    if (!(other instanceof QuantityValue) || other.#isComputed) throw new EvaluationError('no such overload');
    return this.compareTo(other) === 0;
  }
}

export const QUANTITY_TYPE = structType<QuantityValue>('kubernetes.Quantity');

/** Kubernetes' decision when parsing: short decimals, and integral binary amounts with few digits. */
function isKeptInWord(text: string, { exponent, format }: Quantity): boolean {
  const [, whole = '', fraction = '', suffix = ''] = /^[+-]?0*([0-9]*)(?:\.([0-9]*))?(.*)/s.exec(text) ?? [];
  const digits = whole.length || 1;
  if (format !== 'BinarySI' && !suffix.endsWith('i')) {
    return digits + fraction.length <= WORD_DIGITS && exponentOf(suffix) - fraction.length >= NANO;
  }
  const power = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(suffix) + 1;
  return fraction === '' && exponent === 0 && 14 - digits - Math.floor((power * 10 * 3) / 10) >= 0;
}

/** Whether the amount, in a power of ten not greater than its own, fits into 64 bits. */
function fitsWord({ mantissa, exponent }: Quantity, unit: number): boolean {
  if (mantissa === 0n) return true;
  return exponent - unit <= WORD_DIGITS && isInt64(mantissa * 10n ** BigInt(Math.max(exponent - unit, 0)));
}

function exponentOf(suffix: string): number {
  if (/^[eE]/.test(suffix) && suffix.length > 1) return Number(suffix.slice(1));
  return suffix === '' ? 0 : ('num kMGTPE'.indexOf(suffix) - 3) * 3;
}

/** Other representations are rounded to nanos, and counted in them from then on. */
function inNanos(quantity: Quantity): Quantity {
  const { mantissa, exponent, format } = quantity;
  const isCapped = format === 'BinarySI' && exponent === 0 && (mantissa === MAX_BINARY || mantissa === -MAX_BINARY);
  if (mantissa === 0n || isCapped || exponent > MAX_DIGITS) return quantity;
  return { mantissa: mantissa * 10n ** BigInt(exponent - NANO), exponent: NANO, format };
}

/** The quantity that a text stands for. @throws EvaluationError */
export function quantityOf(text: string): QuantityValue {
  try {
    return QuantityValue.read(text);
  } catch (error) {
    throw error instanceof QuantityError ? new EvaluationError(error.message) : error;
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function integerOf(quantity: QuantityValue): Int {
  const { integer } = quantity;
  if (integer === undefined) throw new EvaluationError('cannot convert value to integer');
  return integer;
}

export const QUANTITIES: Library = Object.freeze({
  name: 'quantities',
  equality: equalityAtOneCost(QUANTITY_TYPE),
  functions: [
    {
      name: 'quantity',
      overloads: [
        overload('string_to_quantity', [[STRING], QUANTITY_TYPE], {
          about: 'The quantity in a string such as `100m` or `1.5Gi`; an error if invalid.',
          evaluate: quantityOf,
          specialize: readOnce(quantityOf),
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'isQuantity',
      overloads: [
        overload('is_quantity_string', [[STRING], BOOL], {
          about: 'Whether a string is a valid quantity.',
          evaluate: isQuantity,
          ...perCharacter(),
        }),
      ],
    },
    {
      name: 'sign',
      overloads: [
        overload('quantity_sign', [[QUANTITY_TYPE], INT], {
          about: '-1, 0 or 1 if the quantity is less than, equal to or greater than zero.',
          evaluate: (quantity) => quantity.sign,
        }),
      ],
    },
    {
      name: 'isGreaterThan',
      overloads: [
        method('quantity_is_greater_than', [[QUANTITY_TYPE, QUANTITY_TYPE], BOOL], {
          about: 'Whether the quantity is greater than another.',
          evaluate: (quantity, other) => quantity.compareTo(other) > 0,
        }),
      ],
    },
    {
      name: 'isLessThan',
      overloads: [
        method('quantity_is_less_than', [[QUANTITY_TYPE, QUANTITY_TYPE], BOOL], {
          about: 'Whether the quantity is less than another.',
          evaluate: (quantity, other) => quantity.compareTo(other) < 0,
        }),
      ],
    },
    {
      name: 'compareTo',
      overloads: [
        method('quantity_compare_to', [[QUANTITY_TYPE, QUANTITY_TYPE], INT], {
          about: '-1, 0 or 1 if the quantity is less than, equal to or greater than another.',
          evaluate: (quantity, other) => quantity.compareTo(other),
        }),
      ],
    },
    {
      name: 'asApproximateFloat',
      overloads: [
        method('quantity_get_float', [[QUANTITY_TYPE], DOUBLE], {
          about: 'The approximate amount, as a double.',
          evaluate: (quantity) => new Double(quantity.approximateFloat),
        }),
      ],
    },
    {
      name: 'asInteger',
      overloads: [
        method('quantity_get_int', [[QUANTITY_TYPE], INT], {
          about: 'The amount; an error if `isInteger` is false.',
          evaluate: integerOf,
        }),
      ],
    },
    {
      name: 'isInteger',
      overloads: [
        method('quantity_is_integer', [[QUANTITY_TYPE], BOOL], {
          about: 'Whether the amount is an integer, not computed from fractions, and below about 10^18.',
          evaluate: (quantity) => quantity.integer !== undefined,
        }),
      ],
    },
    {
      name: 'add',
      overloads: [
        method('quantity_add', [[QUANTITY_TYPE, QUANTITY_TYPE], QUANTITY_TYPE], {
          about: 'The sum of two quantities. In `==` it can only be the left operand.',
          evaluate: (quantity, other) => quantity.plus(other),
        }),
        method('quantity_add_int', [[QUANTITY_TYPE, INT], QUANTITY_TYPE], {
          about: 'The quantity plus a number.',
          evaluate: (quantity, amount) => quantity.plus(QuantityValue.of(amount)),
        }),
      ],
    },
    {
      name: 'sub',
      overloads: [
        method('quantity_sub', [[QUANTITY_TYPE, QUANTITY_TYPE], QUANTITY_TYPE], {
          about: 'The difference of two quantities. In `==` it can only be the left operand.',
          evaluate: (quantity, other) => quantity.minus(other),
        }),
        method('quantity_sub_int', [[QUANTITY_TYPE, INT], QUANTITY_TYPE], {
          about: 'The quantity minus a number.',
          evaluate: (quantity, amount) => quantity.minus(QuantityValue.of(amount)),
        }),
      ],
    },
  ],
});
