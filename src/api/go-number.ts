// Formatting of numbers as by Go's %v, for messages.

/** From this power of ten on, numbers have an exponent. */
const LARGE = 6;
const SMALL = -4;

/** A float in its shortest form; large and small ones have an exponent of at least two digits. */
export function goFloatText(value: number): string {
  return textOf(value, value.toExponential());
}

/** A finite float of 32 bits in its shortest form, which distinguishes it from other floats of 32 bits only. */
export function goFloatText32(value: number): string {
  if (value === 0) return goFloatText(value);
  let digits = 0;
  while (Math.fround(Number(value.toExponential(digits))) !== value) digits++;
  return textOf(Number(value.toExponential(digits)), value.toExponential(digits));
}

function textOf(value: number, exponential: string): string {
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', power = '0'] = exponential.split('e');
  const exponent = Number(power);
  if (value === 0 || (exponent >= SMALL && exponent < LARGE)) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
