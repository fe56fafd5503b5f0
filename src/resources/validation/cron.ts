// Validation of cron schedules and time zones. Messages are those of Kubernetes' parser.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { durationFault } from '../../base/go-duration.ts';
import { firstFound, part } from '../../base/resumed.ts';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. Names count from the minimum. */
const FIELDS: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];
const DESCRIPTORS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const EVERY = '@every ';
const DURATION = /^[-+]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$/;

/** A required schedule; time zones have a field of their own. */
export function validateSchedule(schedule: string, field: string): FieldError[] {
  if (schedule === '') return [fieldError.required(field)];
  const fault = scheduleFault(schedule);
  const found = fault === undefined ? [] : [fieldError.invalid(field, schedule, fault)];
  if (!schedule.includes('TZ')) return found;
  const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [...found, fieldError.invalid(field, schedule, why)];
}

/** The error in a schedule, if any. */
export function scheduleFault(schedule: string): string | undefined {
  let text = schedule;
  const zone = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(schedule);
  if (zone !== null) {
    const [, name = '', rest = ''] = zone;
    if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
    text = rest.trim();
  }
  if (text.startsWith('@')) return descriptorFault(text);
  const parts = part(() => text.split(/\s+/).filter((each) => each !== ''));
  if (parts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  for (const [index, bounds] of FIELDS.entries()) {
    const ranges = part(() => (parts[index] as string).split(','));
    const fault = firstFound(ranges, (range) => (range === '' ? undefined : rangeFault(range, bounds)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith(EVERY)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(EVERY.length);
  if (duration === '0' || DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: ${durationFault(duration)}`;
}

/** `*`, `3`, `1-5`, each optionally with a step: `1-5/2`. */
function rangeFault(range: string, { least, most, names }: Bounds): string | undefined {
  const [span = '', stepText, ...moreSteps] = range.split('/');
  const ends = span.split('-');
  let [start, end] = [least, most];
  if (ends[0] !== '*' && ends[0] !== '?') {
    const first = numberOf(ends[0] ?? '', least, names);
    if (typeof first === 'string') return first;
    if (ends.length > 2) return `too many hyphens: ${range}`;
    const last = ends[1] === undefined ? first : numberOf(ends[1], least, names);
    if (typeof last === 'string') return last;
    [start, end] = [first, last];
  }
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const step = stepText === undefined ? 1 : numberOf(stepText, 0, undefined);
  if (typeof step === 'string') return step;
  if (stepText !== undefined && ends.length === 1) end = most;
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** A number or a name; otherwise the error. */
function numberOf(text: string, least: number, names: readonly string[] | undefined): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return least + named;
  const failed = (why: string) =>
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`;
  if (!/^[-+]?[0-9]+$/.test(text)) return failed('invalid syntax');
  const number = Number(text);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return failed('value out of range');
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

/** An IANA time zone; an empty name is valid. */
export function validateTimeZone(zone: string | undefined, field: string): FieldError[] {
  if (zone === undefined) return [];
  if (zone === '') return [fieldError.invalid(field, zone, 'timeZone must be nil or non-empty string')];
  const found: FieldError[] = [];
  if (zone.toLowerCase() === 'local') {
    const why = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    found.push(fieldError.invalid(field, zone, why));
  }
  // Go knows the zone of the machine by this name.
  if (zone !== 'Local' && !isTimeZone(zone)) found.push(fieldError.invalid(field, zone, `unknown time zone ${zone}`));
  return found;
}

/** Names are spelled as in the IANA database: every part begins with a capital letter. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][-A-Za-z0-9_+.]*(\/[A-Z][-A-Za-z0-9_+.]*)*$/.test(name)) return /^Etc\/GMT[-+][0-9]+$/.test(name);
  try {
    // Intl accepts names in any case.
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
