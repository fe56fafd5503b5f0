// A parser of Prometheus' text format that reads only the metrics a view needs.

/** Labels of one series and its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples by the name they are written with: for a histogram `x`, `x_bucket`, `x_sum` and `x_count`. */
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const LABEL = /\s*([a-zA-Z_][\w]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?/y;

/**
 * Parses a scrape. Lines that are not samples are ignored.
 * @param wanted selects samples by name; a server has thousands of series, and a view needs few
 */
export function parseMetrics(text: string, wanted: (name: string) => boolean): Metrics {
  const found = new Map<string, Sample[]>();
  const answers = new Map<string, boolean>();
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    const name = text[start] === '#' ? '' : nameAt(text, start, stop);
    let isWanted = answers.get(name);
    if (isWanted === undefined) answers.set(name, (isWanted = name !== '' && wanted(name)));
    const sample = isWanted ? sampleOf(text.slice(start + name.length, stop)) : undefined;
    if (sample !== undefined) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [sample]);
      else known.push(sample);
    }
    start = stop + 1;
  }
  return found;
}

function nameAt(text: string, start: number, stop: number): string {
  let at = start;
  while (at < stop && text[at] !== '{' && text[at] !== ' ' && text[at] !== '\t') at++;
  return text.slice(start, at);
}

/** Parses the text after the name: labels in braces, a value and an optional timestamp. */
function sampleOf(rest: string): Sample | undefined {
  const labels: Record<string, string> = {};
  let at = 0;
  if (rest[0] === '{') {
    LABEL.lastIndex = 1;
    at = 1;
    for (let match = LABEL.exec(rest); match !== null; match = LABEL.exec(rest)) {
      labels[match[1]!] = unescaped(match[2]!);
      at = LABEL.lastIndex;
    }
    while (rest[at] === ' ') at++;
    if (rest[at] !== '}') return undefined;
    at++;
  }
  const [value] = rest.slice(at).trim().split(/\s+/);
  const number = numberOf(value ?? '');
  return number === undefined ? undefined : { labels, value: number };
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)) : text;
}

function numberOf(text: string): number | undefined {
  if (text === '+Inf' || text === 'Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  if (text === 'NaN') return Number.NaN;
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? undefined : number;
}

/** Parses the value of a label, which may be infinity: `le` of the last bucket. */
export function bound(sample: Sample): number {
  return numberOf(sample.labels['le'] ?? '') ?? Number.NaN;
}

/** Returns the sums of the samples' values, grouped by `key` of their labels. */
export function sumBy(
  samples: readonly Sample[] = [],
  key: (labels: Sample['labels']) => string | undefined,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of samples) {
    const name = key(labels);
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}
