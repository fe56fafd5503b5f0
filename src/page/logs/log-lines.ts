// Lines of logs: read from what the kubelet sends with timestamps, merged from several containers by time, and searched.

import { compareText } from '../../base/compare-text.ts';

export interface LogLine {
  readonly container: string;
  /** RFC 3339 with nanoseconds; '' if the line has none. */
  readonly time: string;
  readonly text: string;
}

/** `2026-01-05T08:00:00.123456789Z text` */
const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;
/** Colours and movements of a terminal. */
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Returns a line without its timestamp and without what only a terminal understands. */
export function readLine(container: string, line: string): LogLine {
  const [prefix = '', time = ''] = TIMED.exec(line) ?? [];
  return { container, time, text: line.slice(prefix.length).replace(ESCAPES, '').replace(/\r$/, '') };
}

/** Lines and how many earlier ones were dropped. */
export interface Log {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
}

/** Adds lines of one container to those of all, in the order of time; the oldest beyond the maximum are dropped. */
export function merged({ lines, dropped }: Log, added: readonly LogLine[], max: number): Log {
  const last = lines.at(-1)?.time ?? '';
  const all = [...lines, ...added];
  // Lines of one container are in order, and mostly later than those of others.
  if (added.some(({ time }) => time < last)) all.sort(byTime);
  const over = Math.max(0, all.length - max);
  return { lines: over === 0 ? all : all.slice(over), dropped: dropped + over };
}

/** Returns the lines with a text, whatever its case. */
export function matching(lines: readonly LogLine[], text: string): readonly LogLine[] {
  const wanted = text.toLowerCase();
  return wanted === '' ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted));
}

/** A piece of a text, found or not. */
interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** Returns a text in pieces, so that what was searched can be marked. */
export function piecesOf(text: string, searched: string): readonly Piece[] {
  if (searched === '') return [{ text, isFound: false }];
  const [lower, wanted] = [text.toLowerCase(), searched.toLowerCase()];
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isFound: false });
    from = at + wanted.length;
    pieces.push({ text: text.slice(at, from), isFound: true });
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isFound: false });
  return pieces;
}

function byTime(a: LogLine, b: LogLine): number {
  return compareText(a.time, b.time);
}
