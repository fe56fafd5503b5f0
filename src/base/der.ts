// Parser for ASN.1 DER (X.690), as strict as Go's encoding/asn1: lengths have a single form, and nothing is skipped.
// Errors have Go's words, which clients see.

export class DerError extends Error {
  override name = 'DerError';
}

export interface DerElement {
  /** The first byte: class, constructed flag, and tag number. */
  readonly tag: number;
  /** The content, one character per byte. */
  readonly content: string;
}

export const DER_TAGS = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const LONG_LENGTH = 0x80;
const MAX_LENGTH_BYTES = 4;
/** The tag number that announces a number in further bytes. */
const LONG_TAG = 0x1f;

/** The consecutive elements in bytes, one character per byte. @throws DerError */
export function derElements(bytes: string): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.charCodeAt(at);
    if ((tag & LONG_TAG) === LONG_TAG) throw new DerError("asn1: structure error: tags don't match");
    const { length, start } = lengthAt(bytes, at + 1);
    if (start + length > bytes.length) throw new DerError('asn1: syntax error: data truncated');
    found.push({ tag, content: bytes.slice(start, start + length) });
    at = start + length;
  }
  return found;
}

/** An element as encoded in the text it was parsed from: lengths have a single encoding. */
export function derText({ tag, content }: DerElement): string {
  const { length } = content;
  if (length < LONG_LENGTH) return String.fromCharCode(tag, length) + content;
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return String.fromCharCode(tag, LONG_LENGTH + bytes.length, ...bytes) + content;
}

/** The elements within one with this tag. @throws DerError for another one, or none */
export function derContent(element: DerElement | undefined, tag: number): DerElement[] {
  return derElements(derBytes(element, tag));
}

/** The content of an element with this tag. @throws DerError for another one, or none */
export function derBytes(element: DerElement | undefined, tag: number): string {
  if (element === undefined) throw new DerError('asn1: syntax error: sequence truncated');
  if (element.tag !== tag) throw new DerError("asn1: structure error: tags don't match");
  return element.content;
}

function lengthAt(bytes: string, at: number): { readonly length: number; readonly start: number } {
  if (at >= bytes.length) throw new DerError('asn1: syntax error: truncated tag or length');
  const first = bytes.charCodeAt(at);
  if (first < LONG_LENGTH) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0) throw new DerError('asn1: syntax error: indefinite length found (not DER)');
  if (at + count >= bytes.length) throw new DerError('asn1: syntax error: truncated tag or length');
  if (bytes.charCodeAt(at + 1) === 0) {
    throw new DerError('asn1: structure error: superfluous leading zeros in length');
  }
  if (count > MAX_LENGTH_BYTES) throw new DerError('asn1: structure error: length too large');
  let length = 0;
  for (let index = 1; index <= count; index++) length = length * 256 + bytes.charCodeAt(at + index);
  if (length < LONG_LENGTH) throw new DerError('asn1: structure error: non-minimal length');
  return { length, start: at + 1 + count };
}
