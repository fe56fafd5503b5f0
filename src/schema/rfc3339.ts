// Times in the API: RFC 3339 in UTC, in whole seconds or with microseconds. Parsing follows Go's time.Parse: any zone,
// a fraction of any length after whole seconds, exactly six digits for microseconds.

const SECONDS = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|([+-])(\d\d):(\d\d))$/;
const MICROSECONDS = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)([.,]\d{6})(?:Z|([+-])(\d\d):(\d\d))$/;
const ZERO = '0001-01-01T00:00:00';

/**
 * The canonical text of a time: `2026-01-02T03:04:05Z`, or with microseconds `2026-01-02T03:04:05.000000Z`.
 *
 * @returns null for the zero time (which is null in JSON), undefined for an invalid text
 */
export function canonicalTime(text: string, kind: 'time' | 'microTime'): string | null | undefined {
  if (kind === 'time' && isPlain(text)) return text;
  const parts = (kind === 'time' ? SECONDS : MICROSECONDS).exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [sign, zoneHours, zoneMinutes] = parts.slice(-3);
  const fraction = kind === 'time' ? '' : `.${parts[7]?.slice(1)}`;
  if (sign === undefined && text.charCodeAt(13) === COLON) return finish(text.slice(0, 19), fraction);
  const zone = Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0);
  if (Number(zoneHours ?? 0) > 24 || Number(zoneMinutes ?? 0) > 60) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute - (sign === '-' ? -zone : zone), second);
  if (utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999) return undefined;
  return finish(utc.toISOString().slice(0, 19), fraction);
}

/** Whether a text is certainly canonical, as servers and controllers send it. Others are parsed completely. */
function isPlain(text: string): boolean {
  return (
    text.length === 20 &&
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === LETTER_T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON &&
    text.charCodeAt(19) === LETTER_Z &&
    isBetween(twoDigits(text, 0), 1, 99) &&
    isBetween(twoDigits(text, 2), 0, 99) &&
    isBetween(twoDigits(text, 5), 1, 12) &&
    isBetween(twoDigits(text, 8), 1, 28) &&
    isBetween(twoDigits(text, 11), 0, 23) &&
    isBetween(twoDigits(text, 14), 0, 59) &&
    isBetween(twoDigits(text, 17), 0, 59)
  );
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** The number with two digits; -1 if invalid. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - DIGIT_0;
  const ones = text.charCodeAt(at + 1) - DIGIT_0;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

type Six = [number, number, number, number, number, number];

const DASH = 0x2d;
const DIGIT_0 = 0x30;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

function finish(dateAndTime: string, fraction: string): string | null {
  return dateAndTime === ZERO && (fraction === '' || fraction === '.000000') ? null : `${dateAndTime}${fraction}Z`;
}

/** The number of days in a month. */
export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
