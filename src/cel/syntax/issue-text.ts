// Formatting of issues: position, message, the line of the text and a marker.

import { stringSize } from '../value/size.ts';
import type { Issue, Source } from './expression.ts';

/** Lines longer than this, in bytes of UTF-8, are not shown. */
const LONGEST_LINE = 16_384;
/** How many issues are shown. */
const MAX_ISSUES = 100;

/** All issues, in the order of their places, a line break between them. */
export function issuesText(source: Source, issues: readonly Issue[]): string {
  const lines = source.text.split('\n');
  const starts = lineStarts(lines);
  const placed = issues.slice(0, MAX_ISSUES).map((issue) => ({ issue, place: placeOf(starts, issue) }));
  placed.sort((left, right) => left.place.line - right.place.line || left.place.column - right.place.column);
  const texts = placed.map(({ issue, place }) => {
    const head = `ERROR: ${source.description}:${place.line}:${place.column + 1}: ${issue.message}`;
    const line = source.text === '' ? undefined : lines[place.line - 1];
    return line === undefined ? head : head + excerpt(line, place.column);
  });
  if (issues.length > MAX_ISSUES) {
    texts.push(`${issues.length - MAX_ISSUES} more errors were truncated`);
  }
  return texts.join('\n');
}

interface Place {
  /** From 1; -1 for none. */
  readonly line: number;
  /** In code points from 0; -1 before the first. */
  readonly column: number;
}

/** Where the lines begin, in code points. */
function lineStarts(lines: readonly string[]): readonly number[] {
  let start = 0;
  return lines.map((line) => {
    const here = start;
    start += stringSize(line) + 1;
    return here;
  });
}

function placeOf(starts: readonly number[], { offset }: Issue): Place {
  if (offset === undefined) {
    return { line: -1, column: -1 };
  }
  const line = Math.max(
    starts.findLastIndex((start) => start <= offset),
    0,
  );
  return { line: line + 1, column: offset - (starts[line] as number) };
}

/** The line and the mark under it; nothing for a very long line. */
function excerpt(text: string, column: number): string {
  const line = text.replaceAll('\t', ' ');
  const isLong = line.length > LONGEST_LINE || new TextEncoder().encode(line).length > LONGEST_LINE;
  return isLong ? '' : `\n | ${line}\n | ${mark(line, column)}`;
}

/** Dots up to a column and a mark, each wide where the character above takes more than one byte. */
function mark(line: string, column: number): string {
  const characters = Array.from(line.slice(0, 2 * column + 4));
  const dots = characters.slice(0, Math.max(column, 0)).map((character) => (isWide(character) ? '\uff0e' : '.'));
  return `${dots.join('')}${isWide(characters[Math.max(column, 0)] ?? '') ? '\uff3e' : '^'}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
