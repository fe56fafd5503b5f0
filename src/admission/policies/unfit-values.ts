// Values of apply configurations that objects cannot have: Kubernetes rejects them with a message that contains Go's
// formatting.

import { UnfitScalar } from '../../apply/type-faults.ts';
import { Duration, formatDuration, nanosOf } from '../../cel/value/duration.ts';
import { formatTimestamp, Timestamp } from '../../cel/value/timestamp.ts';
import { OpaqueValue, Uint, type Value } from '../../cel/value/value.ts';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const MONTH_NAMES: readonly string[] = [...MONTHS, 'November', 'December'];

/** Undefined for a valid value. */
export function unfitValue(value: Value): UnfitScalar | undefined {
  if (value === null) return new UnfitScalar({ word: 'structpb.NullValue', text: 'NULL_VALUE', syntax: '0' });
  // Objects have no unsigned integers.
  if (value instanceof Uint) {
    const syntax = `0x${BigInt(value.value).toString(16)}`;
    return new UnfitScalar({ word: 'uint64', text: String(value.value), syntax });
  }
  if (value instanceof Uint8Array) {
    const syntax = [...value].map((byte) => `0x${byte.toString(16)}`).join(', ');
    return new UnfitScalar({ word: '[]uint8', text: `[${value.join(' ')}]`, syntax: `[]uint8{${syntax}}` });
  }
  if (value instanceof Duration) {
    const text = formatDuration(value);
    return new UnfitScalar({ word: 'time.Duration', text, syntax: String(nanosOf(value)) });
  }
  if (value instanceof Timestamp) return unfitTime(formatTimestamp(value));
  if (value instanceof OpaqueValue) {
    const word = `*${value.type.name}`;
    return new UnfitScalar({ word, text: word, syntax: `(${word})` });
  }
  return undefined;
}

/** @param text in RFC 3339 format, in UTC */
function unfitTime(text: string): UnfitScalar {
  const [date = '', time = ''] = text.replace(/Z$/, '').split('T');
  const [whole = '', fraction = ''] = time.split('.');
  const [year, month, day] = date.split('-').map(Number);
  const parts = [day, ...whole.split(':').map(Number), Number(fraction.padEnd(9, '0'))];
  return new UnfitScalar({
    word: 'time.Time',
    text: `${date} ${time} +0000 UTC`,
    syntax: `time.Date(${year}, time.${MONTH_NAMES[(month ?? 1) - 1]}, ${parts.join(', ')}, time.UTC)`,
  });
}
