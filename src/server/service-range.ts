// The range of service addresses, whose first one belongs to the `kubernetes` service.

/** The first usable address of the (first) range: 10.0.0.1 of 10.0.0.0/24. */
export function firstServiceAddress(ranges: string): string {
  const [base = ''] = (ranges.split(',')[0] ?? '').trim().split('/');
  if (base.includes(':')) return base.endsWith('::') ? `${base}1` : base;
  const parts = base.split('.').map(Number);
  const last = (parts[3] ?? 0) + 1;
  return [...parts.slice(0, 3), last].join('.');
}
