// Times as Go writes them in RFC 3339.

import { withoutTrailing } from '../../base/without-trailing.ts';

/** With as many digits of a second as it has: `2026-01-01T00:00:00.25Z`. */
export function goTime(ms: number): string {
  const [seconds = '', fraction = ''] = new Date(ms).toISOString().slice(0, -1).split('.');
  const digits = withoutTrailing(fraction, '0');
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`;
}
