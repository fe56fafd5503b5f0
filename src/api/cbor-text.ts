// Text form of byte strings and times in CBOR documents.

import { withoutTrailing } from '../base/without-trailing.ts';
import { CborError } from './cbor-form.ts';

/** Tags for the text encoding of a byte string, and for times; `selfDescribed` marks CBOR. */
export const TAGS = { time: 0, epoch: 1, base64Url: 21, base64: 22, base16: 23, selfDescribed: 55799 } as const;

const laxText = new TextDecoder('utf-8', { ignoreBOM: true });

/** One character per byte: anything but ASCII is garbled. */
export function asciiOf(bytes: Uint8Array): string {
  return laxText.decode(bytes.map((byte) => byte & 0x7f));
}

/** Bytes as text: in the encoding of a tag, or as UTF-8. */
export function bytesAsText(bytes: Uint8Array, encoding: number | undefined): string {
  if (encoding === undefined) return laxText.decode(bytes);
  if (encoding === TAGS.base16) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const base64 = btoa(binary);
  return encoding === TAGS.base64 ? base64 : withoutTrailing(base64.replaceAll('+', '-').replaceAll('/', '_'), '=');
}

/** A time in RFC 3339 format, with all digits of its fraction. */
export function instantOf(seconds: number): string {
  const date = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) {
    throw new CborError('cbor: decoded time cannot be represented in RFC3339 format with sub-second precision');
  }
  const nanoseconds = Math.trunc((seconds - Math.floor(seconds)) * 1e9);
  const fraction = nanoseconds === 0 ? '' : `.${withoutTrailing(String(nanoseconds).padStart(9, '0'), '0')}`;
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** @throws CborError for a text that is not an RFC 3339 time */
export function rfc3339(text: string): string {
  if (RFC3339.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new CborError(`cbor: cannot set ${text} for time.Time: parsing time ${JSON.stringify(text)}`);
}
