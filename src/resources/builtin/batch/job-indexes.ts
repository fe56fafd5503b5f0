// Parsing of the index lists of indexed Jobs: `1,3-5,7`.

const MAX_INTEGER = 2n ** 63n - 1n;
const MAX_DIGITS = 19;

/** The number of indexes in a text, or an error; indexes must increase and be below `completions`. */
export function parseIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last = -1;
  for (const interval of text.split(',')) {
    const parts = interval.split('-');
    if (parts.length > 2) {
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    const fault = parts.map((part) => indexFault(part, completions)).find((each) => each !== undefined);
    if (fault !== undefined) return fault;
    const first = Number(parts[0]);
    const end = parts.length === 2 ? Number(parts[1]) : first;
    if (parts.length === 2 && first >= end) return `non-increasing order, previous: ${first}, current: ${end}`;
    if (last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

/** The first index that both texts contain, as far as they can be parsed. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [one, other].map((text) => intervalsOf(text, completions)) as [Interval[], Interval[]];
  while (left[0] !== undefined && right[0] !== undefined) {
    const [[first, end], [otherFirst, otherEnd]] = [left[0], right[0]];
    if (first <= otherEnd && otherFirst <= end) return Math.max(first, otherFirst);
    (first <= otherFirst ? left : right).shift();
  }
  return undefined;
}

type Interval = readonly [first: number, end: number];

function intervalsOf(text: string, completions: number): Interval[] {
  const intervals =
    text === '' ? [] : text.split(',').filter((each) => typeof parseIndexes(each, completions) === 'number');
  return intervals.map((each) => {
    const [first = '', end = first] = each.split('-');
    return [Number(first), Number(end)];
  });
}

/** Whether a number is beyond Go's integers. */
function isTooLarge(text: string): boolean {
  const digits = text.replace(/^\+?0*/, '');
  return digits.length > MAX_DIGITS || BigInt(digits) > MAX_INTEGER;
}

function indexFault(text: string, completions: number): string | undefined {
  if (!/^\+?[0-9]+$/.test(text) || isTooLarge(text))
    return `cannot convert string to integer for index: ${JSON.stringify(text)}`;
  return Number(text) >= completions ? `too large index: ${JSON.stringify(text)}` : undefined;
}
