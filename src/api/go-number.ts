// Formatting of numbers as by Go's %v, for messages.

/** From this power of ten on, numbers have an exponent. */
const LARGE = 6;
const SMALL = -4;

/** A float in its shortest form; large and small ones have an exponent of at least two digits. */
export function goFloatText(value: number): string {
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value === 0 || (exponent >= SMALL && exponent < LARGE)) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
