// The difference of two texts line by line, in the unified format, as Kubernetes puts it into messages. Which lines count as
// unchanged is up to the algorithm, which is that of difflib (Python's and Go's): the longest run that both have, then
// the same in front of it and behind it, where lines that are frequent in a long text begin no run.

import { limits } from './limits.ts';

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** From so many lines on, those that make up more than a hundredth begin no run. */
const LONG = 200;

/** Lines from `a` to `aEnd` of the old text, in place of which the new text has those from `b` to `bEnd`. */
interface Span {
  readonly isEqual: boolean;
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** The difference without a header, ending with a line feed; '' for equal texts, and for texts of too many lines. */
export function unifiedDiff(before: string, after: string): string {
  const [old, next] = [before.split('\n'), after.split('\n')];
  if (old.length > limits.diffedLines || next.length > limits.diffedLines) return '';
  return hunks(spansOf(old, next))
    .map((hunk) => hunkText(hunk, old, next))
    .join('');
}

function hunkText(hunk: readonly Span[], old: readonly string[], next: readonly string[]): string {
  const [first, last] = [hunk[0] as Span, hunk.at(-1) as Span];
  const lines = [`@@ -${range(first.a, last.aEnd)} +${range(first.b, last.bEnd)} @@`];
  for (const { isEqual, a, aEnd, b, bEnd } of hunk) {
    if (isEqual) lines.push(...old.slice(a, aEnd).map((line) => ` ${line}`));
    else lines.push(...old.slice(a, aEnd).map((line) => `-${line}`), ...next.slice(b, bEnd).map((line) => `+${line}`));
  }
  return `${lines.join('\n')}\n`;
}

function range(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

/** The spans around changes, divided where there are more unchanged lines than the context of both. */
function hunks(spans: readonly Span[]): Span[][] {
  const found: Span[][] = [];
  let hunk: Span[] = [];
  for (const [index, span] of spans.entries()) {
    if (!span.isEqual) {
      hunk.push(span);
      continue;
    }
    const isFirst = index === 0;
    const isLast = index === spans.length - 1;
    if (isFirst || span.aEnd - span.a > 2 * CONTEXT) {
      if (!isFirst) found.push([...hunk, head(span)]);
      hunk = isLast ? [] : [tail(span)];
    } else hunk.push(isLast ? head(span) : span);
  }
  if (hunk.some(({ isEqual }) => !isEqual)) found.push(hunk);
  return found;
}

function head(span: Span): Span {
  return { ...span, aEnd: Math.min(span.aEnd, span.a + CONTEXT), bEnd: Math.min(span.bEnd, span.b + CONTEXT) };
}

function tail(span: Span): Span {
  return { ...span, a: Math.max(span.a, span.aEnd - CONTEXT), b: Math.max(span.b, span.bEnd - CONTEXT) };
}

/** What is equal and what is not, alternating, from the beginning to the end. */
function spansOf(old: readonly string[], next: readonly string[]): Span[] {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  for (const run of [...runsOf(old, next), { a: old.length, b: next.length, length: 0 }]) {
    if (run.a > a || run.b > b) spans.push({ isEqual: false, a, aEnd: run.a, b, bEnd: run.b });
    [a, b] = [run.a + run.length, run.b + run.length];
    const last = spans.at(-1);
    if (last?.isEqual === true && last.aEnd === run.a) spans[spans.length - 1] = { ...last, aEnd: a, bEnd: b };
    else if (run.length > 0) spans.push({ isEqual: true, a: run.a, aEnd: a, b: run.b, bEnd: b });
  }
  return spans;
}

interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** The runs of lines that both texts have, in order. */
function runsOf(old: readonly string[], next: readonly string[]): Run[] {
  const places = placesOf(next);
  const runs: Run[] = [];
  const open: Span[] = [{ isEqual: false, a: 0, aEnd: old.length, b: 0, bEnd: next.length }];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const run = longestRun({ old, next, places }, span);
    if (run.length === 0) continue;
    runs.push(run);
    if (run.a > span.a && run.b > span.b) open.push({ ...span, aEnd: run.a, bEnd: run.b });
    const [a, b] = [run.a + run.length, run.b + run.length];
    if (a < span.aEnd && b < span.bEnd) open.push({ ...span, a, b });
  }
  return runs.sort((one, other) => one.a - other.a || one.b - other.b);
}

/** Where each line is, without those that are too frequent. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < LONG) return places;
  const most = Math.floor(lines.length / 100) + 1;
  for (const [line, found] of places) if (found.length > most) places.delete(line);
  return places;
}

interface Texts {
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The longest run within a span; of equally long ones the first in the old text, and of those the first in the new one. */
function longestRun({ old, next, places }: Texts, { a: from, aEnd, b: start, bEnd }: Span): Run {
  let [a, b, length] = [from, start, 0];
  let lengths = new Map<number, number>();
  for (let i = from; i < aEnd; i++) {
    const here = new Map<number, number>();
    for (const j of places.get(old[i] as string) ?? []) {
      if (j < start || j >= bEnd) continue;
      const reached = (lengths.get(j - 1) ?? 0) + 1;
      here.set(j, reached);
      if (reached > length) [a, b, length] = [i - reached + 1, j - reached + 1, reached];
    }
    lengths = here;
  }
  // Frequent lines can extend a run.
  for (; a > from && b > start && old[a - 1] === next[b - 1]; a--, b--) length++;
  while (a + length < aEnd && b + length < bEnd && old[a + length] === next[b + length]) length++;
  return { a, b, length };
}
