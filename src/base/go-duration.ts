// Durations as Kubernetes' flags write them, which is Go's way: 1h30m, 500ms, 1.5s.

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds; throws an Error in Go's words. A number needs its unit, only 0 may go without. */
export function parseGoDuration(text: string): number {
  const [, sign, rest] = /^([+-]?)(.*)$/s.exec(text)!;
  if (rest === '0') return 0;
  let total = 0;
  let read = 0;
  for (const part of rest!.matchAll(/(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/gy)) {
    const [whole, number, unit] = part as unknown as [string, string, string];
    if (unit === '') throw new Error(`time: missing unit in duration ${JSON.stringify(text)}`);
    const scale = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined;
    if (scale === undefined) {
      throw new Error(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    }
    total += Number(number) * scale;
    read += whole.length;
  }
  if (read === 0 || read !== rest!.length) throw new Error(`time: invalid duration ${JSON.stringify(text)}`);
  return sign === '-' ? -total : total;
}

/** The way Go prints a duration: 1m0s, 1h0m0s, 500ms, 0s. */
export function formatGoDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatGoDuration(-durationMs)}`;
  if (durationMs > 0 && durationMs < 1000) return `${durationMs}ms`;
  const seconds = `${(durationMs % 60_000) / 1000}s`;
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}
