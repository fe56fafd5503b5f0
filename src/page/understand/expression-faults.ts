// Errors of an expression as editor markers: converts positions from code points and computes how far each error
// extends.

import type { Examination } from '../../expressions/examination.ts';

interface FaultMark {
  /** In UTF-16 units, as the editor counts. */
  readonly from: number;
  readonly to: number;
  readonly severity: 'error';
  readonly message: string;
}

/** Returns the markers of an examination; errors without a position mark the whole text. */
export function diagnosticsOf(text: string, { fault, issues = [] }: Examination): FaultMark[] {
  if (fault === undefined) return [];
  const placed = issues.map(({ offset, message }): FaultMark => {
    if (offset === undefined || offset < 0) return { from: 0, to: text.length, severity: 'error', message };
    const from = Math.min(unitsOf(text, offset), text.length);
    const [word] = /^(?:\w+|\W)/.exec(text.slice(from)) ?? [''];
    return { ...markOf(text, from, from + word.length), severity: 'error', message };
  });
  if (placed.length > 0) return placed;
  return [{ from: 0, to: text.length, severity: 'error', message: fault }];
}

/** An unexpected end of the text is marked at its last character. */
function markOf(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  return from === to ? { from: Math.max(0, text.length - 1), to: text.length } : { from, to };
}

function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of text) {
    if (left-- === 0) break;
    units += character.length;
  }
  return units;
}

/** Formats a position as `2:5`, with lines and columns starting at 1. */
export function placeText(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}
