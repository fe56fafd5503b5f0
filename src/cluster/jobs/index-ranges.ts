// Sets of the indexes of an Indexed Job, as ranges: the form in which a Job's status tells which have completed.

interface Range {
  readonly first: number;
  readonly last: number;
}

export class IndexRanges {
  /** In order, with gaps between them. */
  readonly #ranges: readonly Range[];
  readonly size: number;

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
    this.size = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /**
   * The indexes in a text such as `0,2-5`, below the number of completions; what cannot be read is left out.
   *
   * @param text undefined for none
   */
  static parse(text: string | undefined, completions: number): IndexRanges {
    const ranges: Range[] = [];
    for (const part of (text ?? '').split(',')) {
      const [, from = '', to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
      if (from === '' || Number(from) >= completions) continue;
      ranges.push({ first: Number(from), last: Math.min(Number(to), completions - 1) });
    }
    return IndexRanges.#joined(ranges);
  }

  static of(indexes: Iterable<number>): IndexRanges {
    return IndexRanges.#joined(Array.from(indexes, (index) => ({ first: index, last: index })));
  }

  static #joined(ranges: readonly Range[]): IndexRanges {
    const joined: Range[] = [];
    for (const { first, last } of [...ranges].sort((one, other) => one.first - other.first)) {
      const before = joined.at(-1);
      if (before === undefined || first > before.last + 1) joined.push({ first, last });
      else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, last) };
    }
    return new IndexRanges(joined);
  }

  with(other: IndexRanges): IndexRanges {
    return IndexRanges.#joined([...this.#ranges, ...other.#ranges]);
  }

  has(index: number): boolean {
    return this.#ranges.some(({ first, last }) => first <= index && index <= last);
  }

  /** How many indexes are in both. */
  common(other: IndexRanges): number {
    let count = 0;
    for (const one of this.#ranges) {
      for (const { first, last } of other.#ranges) {
        count += Math.max(0, Math.min(one.last, last) - Math.max(one.first, first) + 1);
      }
    }
    return count;
  }

  /** The first indexes that are missing, below the number of completions. */
  missing(count: number, completions: number): number[] {
    const found: number[] = [];
    let candidate = 0;
    for (const { first, last } of [...this.#ranges, { first: completions, last: completions }]) {
      for (; candidate < Math.min(first, completions) && found.length < count; candidate++) found.push(candidate);
      candidate = Math.max(candidate, last + 1);
    }
    return found;
  }

  /** Two neighbours are written as two, more as a range. */
  toString(): string {
    const texts = this.#ranges.map(({ first, last }) =>
      first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`,
    );
    return texts.join();
  }
}
