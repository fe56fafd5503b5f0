// Digits of a number of any length: BigInt takes quadratic time for them, so lengths are compared first.

/** Digits without leading zeros; `0` for nothing else. */
export function withoutLeadingZeros(digits: string): string {
  let first = 0;
  while (first < digits.length - 1 && digits.charCodeAt(first) === ZERO) first++;
  return first === 0 ? digits : digits.slice(first);
}

const ZERO = 0x30;
