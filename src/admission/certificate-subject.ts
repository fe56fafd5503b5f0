// Reads off a certificate signing request (PKCS #10, RFC 2986) for whom it asks: as much of DER as that takes.

import { Buffer } from 'node:buffer';

/** X.520's organizationName, 2.5.4.10. */
const ORGANIZATION = Buffer.from([0x55, 0x04, 0x0a]);
/** X.520's commonName, 2.5.4.3. */
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);
const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/;

/**
 * @param encoded the PEM text, in base64 as the API carries it
 * @returns none for what can't be read, which other rules refuse
 */
export function requestedOrganizations(encoded: string): string[] {
  return namesIn(encoded, ORGANIZATION) ?? [];
}

/** The common name that a request asks for, the last of several; undefined for what can't be read. */
export function requestedCommonName(encoded: string): string | undefined {
  const names = namesIn(encoded, COMMON_NAME);
  return names && (names.at(-1) ?? '');
}

/** The values of one attribute of the subject. */
function namesIn(encoded: string, attribute: Buffer): string[] | undefined {
  const body = PEM.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[1];
  if (body === undefined) return undefined;
  try {
    const [info] = elements(content(Buffer.from(body, 'base64')));
    const [, subject] = elements(info ?? EMPTY);
    return elements(subject ?? EMPTY).flatMap((names) =>
      elements(names).flatMap((each) => attributeValues(each, attribute)),
    );
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const EMPTY = Buffer.alloc(0);

/** The value of an attribute of a name, which is its type, then its value; none of an attribute of another type. */
function attributeValues(attribute: Buffer, wanted: Buffer): string[] {
  const [type, value] = elements(attribute);
  return type?.equals(wanted) && value !== undefined ? [value.toString('utf8')] : [];
}

/** The content of the one element that the bytes begin with. */
function content(bytes: Buffer): Buffer {
  return elements(bytes)[0] ?? EMPTY;
}

/** The contents of the elements that stand one behind the other. @throws RangeError for bytes that are no DER */
function elements(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    let length = bytes.readUInt8(offset + 1);
    let start = offset + 2;
    if (length >= 0x80) {
      const size = length & 0x7f;
      length = bytes.readUIntBE(start, size);
      start += size;
    }
    if (start + length > bytes.length) throw new RangeError('an element is longer than what holds it');
    found.push(bytes.subarray(start, start + length));
    offset = start + length;
  }
  return found;
}
