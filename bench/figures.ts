// Figures of a row of the benchmark, each as measured, as measured for kube-apiserver, or as a target.

export interface Figures {
  /** Operations per second. */
  readonly perSecond?: number;
  /** Processor time of the server per operation, in microseconds. */
  readonly cpuMicros?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly p999Ms?: number;
  /** The maximum. */
  readonly longestMs?: number;
  /** Ratio to the quiet case, p99 to p99. */
  readonly times?: number;
  /** Processor time relative to the same work without the measured feature. */
  readonly costs?: number;
  /** Durations of one-time events, such as a start. */
  readonly ms?: number;
  readonly megabytes?: number;
}

type Figure = keyof Figures;

const FORMS: { readonly [figure in Figure]: (value: number) => string } = {
  perSecond: (value) => `${count(value)}/s`,
  cpuMicros: (value) => `${count(value)} us CPU`,
  p50Ms: (value) => `p50 ${precise(value)} ms`,
  p99Ms: (value) => `p99 ${precise(value)} ms`,
  p999Ms: (value) => `p99.9 ${precise(value)} ms`,
  longestMs: (value) => `longest ${precise(value)} ms`,
  times: (value) => `${precise(value)} x quiet`,
  costs: (value) => `${precise(value)} x without`,
  ms: (value) => `${precise(value)} ms`,
  megabytes: (value) => `${count(value)} MB`,
};

/** Figures as one text: `12,345/s, 65 us CPU`. */
export function describe(figures: Figures): string {
  return named(figures)
    .map(([figure, value]) => FORMS[figure](value))
    .join(', ');
}

/** Whether all targets were reached; undefined if there are none, or none for what was measured. */
export function reaches(measured: Figures, target: Figures): boolean | undefined {
  const compared = named(target).filter(([figure]) => measured[figure] !== undefined);
  if (compared.length === 0) return undefined;
  return compared.every(([figure, value]) =>
    figure === 'perSecond' ? measured[figure]! >= value : measured[figure]! <= value,
  );
}

function named(figures: Figures): [Figure, number][] {
  return (Object.keys(FORMS) as Figure[]).flatMap((figure) => {
    const value = figures[figure];
    return value === undefined ? [] : [[figure, value]];
  });
}

function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function precise(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}
