// Ages and durations in kubectl's short form.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A duration as `47s`, `3m20s`, `5h`, `2d3h`, `400d` or `3y10d`; up to a second in the future counts as now. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(durationMs / MINUTE);
  if (minutes < 10) return both(`${minutes}m`, seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(durationMs / HOUR);
  if (hours < 8) return both(`${hours}h`, minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return both(`${days}d`, hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? both(`${years}y`, days % 365, 'd') : `${years}y`;
}

function both(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large}${small}${unit}`;
}
