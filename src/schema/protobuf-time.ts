// Conversion of times between their canonical text and the seconds and nanoseconds of protobuf.

const SECONDS_OF_DAY = 86_400;
/** The first second of the year 1, Go's zero time, and the range of four-digit years. */
const ZERO_SECONDS = -62_135_596_800;
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/** Seconds since the Unix epoch of a canonical time. */
export function secondsOf(text: string): number {
  const days = daysSinceEpoch(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  return days * SECONDS_OF_DAY + digits(text, 11, 13) * 3_600 + digits(text, 14, 16) * 60 + digits(text, 17, 19);
}

/** The nanoseconds of a canonical time; 0 for a `time`. */
export function nanosecondsOf(text: string): number {
  return text.length > 26 ? digits(text, 20, 26) * 1_000 : 0;
}

/**
 * The canonical text of a time.
 * @param nanoseconds undefined for times in whole seconds
 * @returns null for the zero time, undefined for one that the API cannot represent
 */
export function timeText(seconds: number | bigint, nanoseconds: number | undefined): string | null | undefined {
  if (typeof seconds === 'bigint' || seconds < FIRST_SECOND || seconds > LAST_SECOND) return undefined;
  if (nanoseconds === undefined) return seconds === ZERO_SECONDS ? null : `${dateAndTime(seconds)}Z`;
  if (nanoseconds < 0 || nanoseconds > 999_999_999) return undefined;
  const microseconds = Math.trunc(nanoseconds / 1_000);
  if (seconds === ZERO_SECONDS && microseconds === 0) return null;
  return `${dateAndTime(seconds)}.${String(microseconds).padStart(6, '0')}Z`;
}

function dateAndTime(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_OF_DAY);
  const rest = seconds - days * SECONDS_OF_DAY;
  const hour = Math.trunc(rest / 3_600);
  const minute = Math.trunc((rest % 3_600) / 60);
  return `${dateOf(days)}T${two(hour)}:${two(minute)}:${two(rest % 60)}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

/** In the proleptic Gregorian calendar; years begin in March so that leap days come last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse. */
function dateOf(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
