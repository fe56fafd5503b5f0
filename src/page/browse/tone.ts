// The tone of a cell: whether a status is good, a warning or bad. Only status columns have one.

const STATUS_COLUMNS = new Set(['Status', 'Phase', 'Reason', 'Type', 'Available', 'Established']);
const GOOD = new Set([
  'Running',
  'Active',
  'Bound',
  'Ready',
  'Available',
  'Complete',
  'Succeeded',
  'True',
  'Established',
]);
const BAD = /Error|Failed|BackOff|Evicted|Lost|Unknown|OOMKilled|NotReady|Invalid/;
const WARN = /Pending|Terminating|Creating|Warning|Released|Init:|SchedulingDisabled|Suspended|Unavailable|False/;

/** Returns 'good', 'warn', 'bad', or '' for neutral text. */
export function toneOf(column: string, text: string): string {
  if (!STATUS_COLUMNS.has(column) || text === '') return '';
  if (GOOD.has(text)) return 'good';
  if (BAD.test(text)) return 'bad';
  return WARN.test(text) ? 'warn' : '';
}
