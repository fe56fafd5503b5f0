// Ages of objects in kubectl's short form, kept up to date while the page is open.

import { signal } from '@preact/signals';

/** The current time in milliseconds, advanced every few seconds. */
const now = signal(Date.now());

const EVERY_MS = 5000;

/** Starts the clock; called once. */
export function followTime(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, EVERY_MS);
}

/**
 * Returns the age for an RFC 3339 timestamp, such as `5d3h`, rounded as kubectl does; '' if the timestamp is invalid.
 */
export function age(timestamp: string | undefined, at = now.value): string {
  const then = Date.parse(timestamp ?? '');
  if (Number.isNaN(then)) return '';
  const seconds = Math.max(0, Math.floor((at - then) / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return `${minutes}m${rest(seconds % 60, 's')}`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return `${hours}h${rest(minutes % 60, 'm')}`;
  if (hours < 48) return `${hours}h`;
  if (days < 8) return `${days}d${rest(hours % 24, 'h')}`;
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? `${years}y${rest(days % 365, 'd')}` : `${years}y`;
}

function rest(count: number, unit: string): string {
  return count === 0 ? '' : `${count}${unit}`;
}
