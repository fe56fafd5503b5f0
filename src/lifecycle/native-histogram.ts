// A native histogram of Prometheus: its buckets grow exponentially and exist only where values were observed. kube-apiserver
// has one beside the fixed buckets of each histogram, with the gate NativeHistograms (KEP-5808); only the protobuf form
// of a page of metrics shows it.

import { limits } from '../base/limits.ts';

/** Eight buckets for each power of two: the fewest that grow by no more than a tenth, as kube-apiserver asks. */
const FINEST_SCHEMA = 3;
/** Of the greatest numbers. */
const GREATEST_EXPONENT = 1023;
/** A bucket for each sixteen powers of two. */
const COARSEST_SCHEMA = -4;

/** Values up to this size are counted together, as client_golang does. */
export const ZERO_THRESHOLD = 2 ** -128;

/** The lower bounds of the buckets of the finest schema between one half and one, as client_golang has them. */
const FRACTIONS: readonly number[] = [
  ...[0.5, 0.5452538663326288, 0.5946035575013605, 0.6484197773255048],
  ...[0.7071067811865475, 0.7711054127039704, 0.8408964152537144, 0.9170040432046711],
];

/** What was observed, by bucket. */
export interface NativeCounts {
  /** Two to the power of its negative is the exponent of the growth from bucket to bucket. */
  readonly schema: number;
  readonly zeroCount: number;
  /** Pairs of the index of a bucket and its count, in the order of indices. */
  readonly positive: readonly BucketCount[];
  /** Of the sizes of negative values. */
  readonly negative: readonly BucketCount[];
}

export type BucketCount = readonly [index: number, count: number];

export class NativeHistogram {
  #schema = FINEST_SCHEMA;
  #zeroCount = 0;
  #positive = new Map<number, number>();
  #negative = new Map<number, number>();

  /** NaN is not counted, and infinities are in the bucket after that of the greatest number. */
  observe(value: number): void {
    if (Number.isNaN(value)) return;
    const size = Math.abs(value);
    if (size <= ZERO_THRESHOLD) this.#zeroCount++;
    else add(value > 0 ? this.#positive : this.#negative, bucketOf(size, this.#schema), 1);
    this.#limit();
  }

  /** Adds what another one has counted. */
  add({ schema, zeroCount, positive, negative }: NativeCounts): void {
    while (this.#schema > schema) this.#widen();
    this.#zeroCount += zeroCount;
    const steps = schema - this.#schema;
    for (const [index, count] of positive) add(this.#positive, widened(index, steps), count);
    for (const [index, count] of negative) add(this.#negative, widened(index, steps), count);
    this.#limit();
  }

  reset(): void {
    this.#schema = FINEST_SCHEMA;
    this.#zeroCount = 0;
    this.#positive.clear();
    this.#negative.clear();
  }

  counts(): NativeCounts {
    return {
      schema: this.#schema,
      zeroCount: this.#zeroCount,
      positive: sorted(this.#positive),
      negative: sorted(this.#negative),
    };
  }

  #limit(): void {
    while (
      this.#positive.size + this.#negative.size > limits.nativeHistogramBuckets &&
      this.#schema > COARSEST_SCHEMA
    ) {
      this.#widen();
    }
  }

  /** Each two buckets become one. */
  #widen(): void {
    this.#schema--;
    this.#positive = halved(this.#positive);
    this.#negative = halved(this.#negative);
  }
}

function add(buckets: Map<number, number>, index: number, count: number): void {
  buckets.set(index, (buckets.get(index) ?? 0) + count);
}

function halved(buckets: ReadonlyMap<number, number>): Map<number, number> {
  const wider = new Map<number, number>();
  for (const [index, count] of buckets) add(wider, widened(index, 1), count);
  return wider;
}

/** The index of the bucket that has what that of `index` had, after some steps to coarser schemas. */
function widened(index: number, steps: number): number {
  return Math.ceil(index / 2 ** steps) + 0;
}

/** Upper bounds belong to their buckets. @param size more than ZERO_THRESHOLD */
function bucketOf(size: number, schema: number): number {
  if (size === Number.POSITIVE_INFINITY) return bucketOf(Number.MAX_VALUE, schema) + 1;
  let exponent = Math.min(Math.floor(Math.log2(size)), GREATEST_EXPONENT);
  let fraction = size / 2 ** exponent / 2;
  // The logarithm is rounded.
  if (fraction < 0.5) {
    exponent--;
    fraction *= 2;
  } else if (fraction >= 1) {
    exponent++;
    fraction /= 2;
  }
  let below = 0;
  while (below < FRACTIONS.length && fraction > FRACTIONS[below]!) below++;
  const index = below + exponent * FRACTIONS.length;
  return schema === FINEST_SCHEMA ? index : widened(index, FINEST_SCHEMA - schema);
}

function sorted(buckets: ReadonlyMap<number, number>): BucketCount[] {
  return [...buckets].sort(([one], [other]) => one - other);
}
