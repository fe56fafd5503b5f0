// One page of metrics made of those of all serving threads of a process: the counts of the threads are added up, and
// metrics of the whole process, or of a time, appear once.

import { formatNumber } from './metric-text.ts';

/** Metrics of the whole process, of the store, of a configuration or of a time: the greatest value is that of all. */
const TOLD_ONCE =
  /^(process_|apiserver_storage_|apiserver_resource_|kubernetes_(build_info|feature_enabled|healthcheck$)|.*(_timestamp_seconds|_info|_status)$)/;

interface Family {
  readonly head: string;
  /** Values by series: the name with its labels. */
  readonly values: Map<string, number>;
}

/**
 * The merged page, one metric after the other, in the order of their names.
 *
 * @param pages in Prometheus' text format, with HELP and TYPE lines before each metric
 */
export function* mergedPages(pages: readonly string[]): Iterable<string> {
  const texts = new Map<string, string[]>();
  for (const page of pages) {
    for (const text of page.split(/^(?=# HELP )/m)) {
      const name = /^# HELP (\S+)/.exec(text)?.[1];
      if (name === undefined) continue;
      const known = texts.get(name);
      if (known === undefined) texts.set(name, [text]);
      else known.push(text);
    }
  }
  for (const name of [...texts.keys()].sort()) {
    const [first, ...others] = texts.get(name) as [string, ...string[]];
    yield others.length === 0 ? first : textOf(merged(readFamily(first), others.map(readFamily), TOLD_ONCE.test(name)));
  }
}

function merged(first: Family, others: readonly Family[], isToldOnce: boolean): Family {
  const { head, values } = first;
  for (const other of others) {
    for (const [series, value] of other.values) {
      const known = values.get(series);
      values.set(series, known === undefined ? value : isToldOnce ? Math.max(known, value) : known + value);
    }
  }
  return { head, values };
}

function readFamily(text: string): Family {
  const values = new Map<string, number>();
  const head: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      head.push(line);
      continue;
    }
    const space = line.lastIndexOf(' ');
    values.set(line.slice(0, space), readValue(line.slice(space + 1)));
  }
  return { head: head.join('\n'), values };
}

function textOf({ head, values }: Family): string {
  let text = `${head}\n`;
  for (const [series, value] of values) text += `${series} ${formatNumber(value)}\n`;
  return text;
}

function readValue(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
