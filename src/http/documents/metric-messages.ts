// Prometheus' protobuf form of a page of metrics: a message io.prometheus.client.MetricFamily for each metric, preceded by
// its length. It is made of the text, which is what the threads of a process tell each other; unlike the text it has
// native histograms.

import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import type { PageFamily } from '../../lifecycle/merged-pages.ts';
import { readLabels, unescapeText } from '../../lifecycle/metric-text.ts';
import { type BucketCount, type NativeCounts, ZERO_THRESHOLD } from '../../lifecycle/native-histogram.ts';

/** The enumeration MetricType. */
const TYPES: ReadonlyMap<string, number> = new Map([
  ['counter', 0],
  ['gauge', 1],
  ['histogram', 4],
]);

/** Gaps of up to two empty buckets do not end a span. */
const LONGEST_GAP = 2;

/** Wire types, as the last bits of a tag. */
const [VARINT, FIXED64, BYTES] = [0, 1, 2];

type Labels = readonly (readonly [name: string, value: string])[];

/** The message of one metric, with its length. */
export function metricMessage(family: PageFamily): Uint8Array<ArrayBuffer> {
  const [, help = ''] = /^# HELP \S+ (.*)$/m.exec(family.head) ?? [];
  const [, type = ''] = /^# TYPE \S+ (.*)$/m.exec(family.head) ?? [];
  const out = new ProtobufWriter();
  // Backwards, as the writer works.
  if (type === 'histogram') for (const each of histogramsOf(family).toReversed()) histogram(out, each);
  else for (const [series, value] of [...family.values].toReversed()) single(out, { series, value, type });
  out.uint(TYPES.get(type) ?? 0);
  tag(out, 3, VARINT);
  text(out, 2, unescapeText(help));
  text(out, 1, family.name);
  out.uint(out.size);
  return out.bytes();
}

interface Single {
  readonly series: string;
  readonly value: number;
  readonly type: string;
}

function single(out: ProtobufWriter, { series, value, type }: Single): void {
  message(out, 4, () => {
    message(out, type === 'counter' ? 3 : 2, () => double(out, 1, value));
    labelPairs(out, readLabels(labelsIn(series)));
  });
}

interface HistogramOfPage {
  readonly labels: Labels;
  readonly buckets: (readonly [bound: number, count: number])[];
  count: number;
  sum: number;
  native: NativeCounts | undefined;
}

/** The series of a histogram, each with its buckets but the one without a bound, which the count tells. */
function histogramsOf({ name, values, natives }: PageFamily): HistogramOfPage[] {
  const found = new Map<string, HistogramOfPage>();
  const known = (labels: Labels): HistogramOfPage => {
    const key = JSON.stringify(labels);
    const one = found.get(key) ?? { labels, buckets: [], count: 0, sum: 0, native: undefined };
    found.set(key, one);
    return one;
  };
  for (const [series, value] of values) {
    const labels = readLabels(labelsIn(series));
    if (series.startsWith(`${name}_sum`)) known(labels).sum = value;
    else if (series.startsWith(`${name}_count`)) known(labels).count = value;
    else {
      const bound = Number(labels.at(-1)?.[1]);
      if (Number.isFinite(bound)) known(labels.slice(0, -1)).buckets.push([bound, value]);
    }
  }
  for (const [series, native] of natives) known(readLabels(labelsIn(series))).native = native.counts();
  return [...found.values()];
}

function histogram(out: ProtobufWriter, { labels, buckets, count, sum, native }: HistogramOfPage): void {
  message(out, 4, () => {
    message(out, 7, () => {
      if (native !== undefined) nativeFields(out, native);
      for (const [bound, counted] of buckets.toReversed()) {
        message(out, 3, () => {
          double(out, 2, bound);
          uint64(out, 1, counted);
        });
      }
      double(out, 2, sum);
      uint64(out, 1, count);
    });
    labelPairs(out, labels);
  });
}

function nativeFields(out: ProtobufWriter, { schema, zeroCount, positive, negative }: NativeCounts): void {
  spans(out, 12, positive);
  spans(out, 9, negative);
  uint64(out, 7, zeroCount);
  double(out, 6, ZERO_THRESHOLD);
  signed(out, 5, schema);
}

interface Span {
  readonly offset: number;
  readonly counts: number[];
}

/** Spans of buckets, and in the field that follows the difference of each count from the one before. */
function spans(out: ProtobufWriter, field: number, buckets: readonly BucketCount[]): void {
  const all: Span[] = [];
  let next = 0;
  for (const [index, count] of buckets) {
    const gap = index - next;
    const last = all.at(-1);
    if (last === undefined || gap > LONGEST_GAP) all.push({ offset: gap, counts: [count] });
    else last.counts.push(...new Array<number>(gap).fill(0), count);
    next = index + 1;
  }
  const counts = all.flatMap((span) => span.counts);
  for (let index = counts.length - 1; index >= 0; index--) {
    signed(out, field + 1, counts[index]! - (counts[index - 1] ?? 0));
  }
  for (const { offset, counts: within } of all.toReversed()) {
    message(out, field, () => {
      uint64(out, 2, within.length);
      signed(out, 1, offset);
    });
  }
}

function labelPairs(out: ProtobufWriter, labels: Labels): void {
  for (const [name, value] of labels.toReversed()) {
    message(out, 1, () => {
      text(out, 2, value);
      text(out, 1, name);
    });
  }
}

/** What is between the braces of a series. */
function labelsIn(series: string): string {
  const open = series.indexOf('{');
  return open < 0 ? '' : series.slice(open + 1, -1);
}

function message(out: ProtobufWriter, field: number, write: () => void): void {
  const before = out.size;
  write();
  out.uint(out.size - before);
  tag(out, field, BYTES);
}

function text(out: ProtobufWriter, field: number, value: string): void {
  out.text(value);
  tag(out, field, BYTES);
}

function double(out: ProtobufWriter, field: number, value: number): void {
  out.double(value);
  tag(out, field, FIXED64);
}

/** A count: sums of times may have fractions. */
function uint64(out: ProtobufWriter, field: number, value: number): void {
  out.int(Math.round(value));
  tag(out, field, VARINT);
}

/** The types sint32 and sint64: small numbers take few bytes, also negative ones. */
function signed(out: ProtobufWriter, field: number, value: number): void {
  out.int(value < 0 ? -2 * value - 1 : 2 * value);
  tag(out, field, VARINT);
}

function tag(out: ProtobufWriter, field: number, wire: number): void {
  out.uint((field << 3) | wire);
}
