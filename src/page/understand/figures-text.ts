// Formatting of figures for people: durations, sizes and rates, with at most three digits.

/** Formats seconds as `1.5 ms`. */
export function durationText(seconds: number | undefined): string {
  if (seconds === undefined || Number.isNaN(seconds)) return '–';
  if (seconds < 0.001) return `${digits(seconds * 1e6)} µs`;
  return seconds < 1 ? `${digits(seconds * 1000)} ms` : `${digits(seconds)} s`;
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function sizeText(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${digits(bytes / 1024 ** power)} ${SIZES[power]}`;
}

/** `0` for no activity, so that activity stands out. */
export function rateText(perSecond: number): string {
  return perSecond === 0 ? '0' : digits(perSecond);
}

function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toFixed(value >= 10 ? 1 : 2)));
}
