// Prometheus' text format: escaping, and numbers formatted as by Go, so that bucket labels such as le="1e+06" equal
// those of kube-apiserver and existing queries keep working.

import type { NativeCounts } from './native-histogram.ts';

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

/**
 * A native histogram as a comment beside its series, for which the text format has no form. Pages of metrics with such
 * comments are passed on among the threads of a process and to what writes the protobuf form.
 */
export function nativeLine(name: string, labels: string, counts: NativeCounts): string {
  return `# NATIVE ${JSON.stringify(counts)} ${name}${labels === '' ? '' : `{${labels}}`}\n`;
}

const NATIVE = '# NATIVE ';

/** Reads a line without its end; undefined if it does not tell a native histogram. */
export function readNativeLine(line: string): { readonly series: string; readonly counts: NativeCounts } | undefined {
  // The counts have no objects within.
  const end = line.indexOf('}');
  if (!line.startsWith(NATIVE) || end < 0) return undefined;
  const counts = JSON.parse(line.slice(NATIVE.length, end + 1)) as NativeCounts;
  return { series: line.slice(end + 2), counts };
}

/** Labels from the text between the braces. */
export function readLabels(text: string): (readonly [name: string, value: string])[] {
  return [...text.matchAll(/([^=,]+)="((?:[^"\\]|\\.)*)",?/gsy)].map(
    ([, name = '', value = '']) => [name, unescapeText(value)] as const,
  );
}

/** Also of help texts, in which quotes are not escaped. */
export function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
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
