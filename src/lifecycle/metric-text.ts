// Prometheus' text format: escaping, and numbers formatted as by Go, so that bucket labels such as le="1e+06" equal
// those of kube-apiserver and existing queries keep working.

/** Labels between the braces, in the given order. */
export function labelText(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',');
}

function escapeLabelValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** A help text, in which quotes are not escaped. */
export function escapeHelp(text: string): string {
  return text.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'));
}

/** The shortest decimal that parses as the same number: with an exponent from 1e+06 up and below 0.0001. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : `${value < 0 ? '-' : '+'}Inf`;
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  // JavaScript writes 1e+6, Go 1e+06.
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
