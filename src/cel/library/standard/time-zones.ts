// Offsets of time zones from UTC at a time: `-08:00` and names in the IANA database, through the platform's Intl.
// Formatters are expensive, so a limited number is cached.

import { limits } from '../../../base/limits.ts';
import { EvaluationError } from '../../value/evaluation-error.ts';

export class TimeZones {
  readonly #formats = new Map<string, Intl.DateTimeFormat>();

  /**
   * Seconds east of UTC.
   * @param zone `UTC`, `America/New_York`, `+05:30`, `05:30`, `-08:00`
   * @param seconds the moment, since 1970
   * Throws EvaluationError as Go words it for a zone that is none.
   */
  offset(zone: string, seconds: number): number {
    if (zone === 'UTC' || zone === '' || zone === 'Local') return 0;
    const colon = zone.indexOf(':');
    if (colon === -1) return namedOffset(this.#format(zone), seconds);
    const hours = wholeNumber(zone.slice(0, colon));
    const minutes = wholeNumber(zone.slice(colon + 1));
    return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
  }

  #format(zone: string): Intl.DateTimeFormat {
    let format = this.#formats.get(zone);
    if (format === undefined) {
      format = newFormat(zone);
      this.#formats.set(zone, format);
      if (this.#formats.size > limits.rememberedTimeZones) this.#formats.delete(this.#formats.keys().next().value!);
    }
    return format;
  }
}

function wholeNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new EvaluationError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function newFormat(zone: string): Intl.DateTimeFormat {
  if (zone.includes('..') || /^[/\\]/.test(zone)) throw new EvaluationError('time: invalid location name');
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
  // Intl takes offsets without a colon for zones, and names in any case; Go does not.
  const { timeZone } = format.resolvedOptions();
  const isMisspelt = timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase();
  if (isMisspelt || !/^[A-Za-z]/.test(zone)) throw new EvaluationError(`unknown time zone ${zone}`);
  return format;
}

/** Intl returns the local date and time; their difference from UTC is the offset. */
function namedOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const parts = new Map(format.formatToParts(new Date(seconds * 1000)).map((part) => [part.type, part.value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return local.getTime() / 1000 - seconds;
}
