// One page of metrics made of those of all serving threads of a process: the counts of the threads are added up, and of
// what the threads share, such as the memory of the process, the greatest value is shown.

import { formatNumber, readNativeLine } from './metric-text.ts';
import { NativeHistogram } from './native-histogram.ts';

/** One metric of a page. */
export interface PageFamily {
  readonly name: string;
  /** The HELP and TYPE lines. */
  readonly head: string;
  /** Values by series: the name with its labels. */
  readonly values: Map<string, number>;
  /** Native histograms by series. */
  readonly natives: Map<string, NativeHistogram>;
}

/**
 * The metrics of a page that merges those of several threads, in the order of their names.
 *
 * @param pages in Prometheus' text format, with HELP and TYPE lines before each metric, and with comments that tell
 *   native histograms
 * @param shared the names of metrics that the threads share (`sharedByThreads`)
 */
export function* mergedFamilies(pages: readonly string[], shared: ReadonlySet<string>): Iterable<PageFamily> {
  for (const [name, texts] of textsByName(pages)) yield mergedFamily(name, texts, shared);
}

/**
 * The merged page, one metric after the other, in the order of their names.
 *
 * @param pages as for mergedFamilies, without native histograms
 * @param shared as for mergedFamilies
 */
export function* mergedPages(pages: readonly string[], shared: ReadonlySet<string>): Iterable<string> {
  for (const [name, texts] of textsByName(pages)) {
    yield texts.length === 1 ? texts[0] : textOf(mergedFamily(name, texts, shared));
  }
}

type Texts = [first: string, ...others: string[]];

function* textsByName(pages: readonly string[]): Iterable<readonly [name: string, texts: Texts]> {
  const texts = new Map<string, Texts>();
  for (const page of pages) {
    for (const text of page.split(/^(?=# HELP )/m)) {
      const name = /^# HELP (\S+)/.exec(text)?.[1];
      if (name === undefined) continue;
      const known = texts.get(name);
      if (known === undefined) texts.set(name, [text]);
      else known.push(text);
    }
  }
  for (const name of [...texts.keys()].sort()) yield [name, texts.get(name) as Texts];
}

function mergedFamily(name: string, [first, ...others]: Texts, shared: ReadonlySet<string>): PageFamily {
  const family = readFamily(name, first);
  const { values, natives } = family;
  const isShared = shared.has(name);
  for (const text of others) {
    const other = readFamily(name, text);
    for (const [series, value] of other.values) {
      const known = values.get(series);
      values.set(series, known === undefined ? value : isShared ? Math.max(known, value) : known + value);
    }
    for (const [series, native] of other.natives) {
      const known = natives.get(series);
      if (known === undefined) natives.set(series, native);
      else known.add(native.counts());
    }
  }
  return family;
}

function readFamily(name: string, text: string): PageFamily {
  const values = new Map<string, number>();
  const natives = new Map<string, NativeHistogram>();
  const head: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const native = readNativeLine(line);
    if (native !== undefined) {
      const histogram = new NativeHistogram();
      histogram.add(native.counts);
      natives.set(native.series, histogram);
    } else if (line.startsWith('#')) {
      head.push(line);
    } else {
      const space = line.lastIndexOf(' ');
      values.set(line.slice(0, space), readValue(line.slice(space + 1)));
    }
  }
  return { name, head: head.join('\n'), values, natives };
}

function textOf({ head, values }: PageFamily): string {
  let text = `${head}\n`;
  for (const [series, value] of values) text += `${series} ${formatNumber(value)}\n`;
  return text;
}

function readValue(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
