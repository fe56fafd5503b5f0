// Why a text is not a time, in the words of Go's time.Parse, which parses a layout piece by piece and names the piece
// that failed.

import { goTimeQuote } from '../base/go-quote.ts';
import { daysOfMonth } from './rfc3339.ts';

/** The layouts in Go's form, as in messages. */
const LAYOUTS = Object.freeze({
  time: '2006-01-02T15:04:05Z07:00',
  microTime: '2006-01-02T15:04:05.000000Z07:00',
});

interface Piece {
  /** As in the layout. */
  readonly layout: string;
  readonly pattern: RegExp;
  /** The component that is out of range. */
  readonly range?: { readonly what: string; readonly least: number; readonly most: number };
}

const literal = (text: string): Piece => ({ layout: text, pattern: new RegExp(`^${text}`) });

const DATE_AND_TIME: readonly Piece[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  literal('-'),
  { layout: '01', pattern: /^\d\d/, range: { what: 'month', least: 1, most: 12 } },
  literal('-'),
  { layout: '02', pattern: /^\d\d/ },
  literal('T'),
  { layout: '15', pattern: /^\d\d?/, range: { what: 'hour', least: 0, most: 23 } },
  literal(':'),
  { layout: '04', pattern: /^\d\d/, range: { what: 'minute', least: 0, most: 59 } },
  literal(':'),
  { layout: '05', pattern: /^\d\d/, range: { what: 'second', least: 0, most: 59 } },
];
const FRACTION: Piece = { layout: '.000000', pattern: /^[.,]\d{6}/ };
const ZONE: Piece = { layout: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ };

/** @param text that was rejected as a time of this kind */
export function timeFault(text: string, kind: 'time' | 'microTime'): string {
  const about = `parsing time ${goTimeQuote(text)}`;
  const fault = (why: string) => `${about}: ${why}`;
  let rest = text;
  const numbers: number[] = [];
  for (const { layout, pattern, range } of [...DATE_AND_TIME, ...(kind === 'microTime' ? [FRACTION] : []), ZONE]) {
    // A fraction may follow the seconds whatever the layout is.
    if (kind === 'time' && layout === 'Z07:00') rest = rest.replace(/^[.,]\d+/, '');
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) {
      return `${about} as "${LAYOUTS[kind]}": cannot parse ${goTimeQuote(rest)} as "${layout}"`;
    }
    rest = rest.slice(found.length);
    const number = Number(found);
    if (range !== undefined && (number < range.least || number > range.most))
      return fault(`${range.what} out of range`);
    if (layout.length > 1) numbers.push(number);
    if (layout === 'Z07:00') {
      if (Number(found.slice(1, 3)) > 24) return fault('time zone offset hour out of range');
      if (Number(found.slice(4, 6)) > 60) return fault('time zone offset minute out of range');
    }
  }
  if (rest !== '') return fault(`extra text: ${goTimeQuote(rest)}`);
  const [year = 0, month = 0, day = 0] = numbers;
  return fault(day < 1 || day > daysOfMonth(year, month) ? 'day out of range' : 'cannot parse');
}
