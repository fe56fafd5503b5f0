// Parser for certificate requests (PKCS #10, RFC 2986), as far as validation needs: whether a text is one, and its
// subject. A request that cannot be parsed completely is rejected, because its subject would be unknown.

import { DER_TAGS, type DerElement, DerError, derBytes, derContent, derElements, derText } from '../../base/der.ts';
import { pemBlocks } from '../../base/pem.ts';

/** A text that is not a request; the message has Go's words. */
export class CertificateRequestError extends Error {
  override name = 'CertificateRequestError';
}

export interface CertificateRequestSubject {
  readonly organizations: readonly string[];
  /** The last one of several; empty for none. */
  readonly commonName: string;
}

/** X.520's organizationName, 2.5.4.10, and commonName, 2.5.4.3. */
const ORGANIZATION = '\x55\x04\x0a';
const COMMON_NAME = '\x55\x04\x03';
const ATTRIBUTES = 0xa0;

/**
 * The subject of the request in a PEM text.
 * @param text the PEM text, one character a byte
 * @throws CertificateRequestError for a text that is not one
 */
export function certificateRequestSubject(text: string): CertificateRequestSubject {
  const [block] = pemBlocks(text);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    throw new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST');
  }
  try {
    return subjectOf(block.bytes);
  } catch (error) {
    throw error instanceof DerError ? new CertificateRequestError(error.message) : error;
  }
}

/** The PEM text of a request in base64. */
export function requestText(base64: string): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
}

/** The parts of a certificate request that its signature involves, each as DER. */
interface SignedRequest {
  /** The signed part. */
  readonly info: string;
  /** SubjectPublicKeyInfo. */
  readonly key: string;
  /** Object identifier and parameters of the algorithm. */
  readonly algorithm: readonly DerElement[];
  readonly signature: string;
}

/** The signed parts of a text that `certificateRequestSubject` accepts. */
export function signedRequest(text: string): SignedRequest {
  const [request] = derElements(pemBlocks(text)[0]!.bytes);
  const [info, algorithm, signature] = derContent(request, DER_TAGS.sequence);
  const key = derContent(info, DER_TAGS.sequence)[2]!;
  return {
    info: derText(info!),
    key: derText(key),
    algorithm: derContent(algorithm, DER_TAGS.sequence),
    // The first byte of a bit string is the number of unused bits.
    signature: derBytes(signature, DER_TAGS.bitString).slice(1),
  };
}

function subjectOf(bytes: string): CertificateRequestSubject {
  const [request, ...rest] = derElements(bytes);
  const [info, algorithm, signature] = derContent(request, DER_TAGS.sequence);
  if (rest.length > 0) throw new DerError('asn1: syntax error: trailing data');
  derContent(algorithm, DER_TAGS.sequence);
  derBytes(signature, DER_TAGS.bitString);
  const [version, subject, key, attributes] = derContent(info, DER_TAGS.sequence);
  derBytes(version, DER_TAGS.integer);
  derContent(key, DER_TAGS.sequence);
  derContent(attributes, ATTRIBUTES);
  const names = derContent(subject, DER_TAGS.sequence).flatMap(attributesOf);
  const valuesOf = (type: string) => names.filter((name) => name.type === type).map(({ value }) => value);
  const texts = (type: string) => valuesOf(type).filter((value) => value !== undefined);
  return { organizations: texts(ORGANIZATION), commonName: texts(COMMON_NAME).at(-1) ?? '' };
}

interface NameAttribute {
  /** The encoded object identifier. */
  readonly type: string;
  /** Undefined for a value that is not a string. */
  readonly value: string | undefined;
}

function attributesOf(names: DerElement): NameAttribute[] {
  return derContent(names, DER_TAGS.set).map((name) => {
    const [type, value] = derContent(name, DER_TAGS.sequence);
    if (value === undefined) throw new DerError('asn1: syntax error: sequence truncated');
    return { type: identifierOf(type), value: textOf(value) };
  });
}

/** An object identifier has a single encoding: no number has leading zeros. */
function identifierOf(element: DerElement | undefined): string {
  const bytes = derBytes(element, DER_TAGS.objectIdentifier);
  if (bytes === '') throw new DerError('asn1: syntax error: zero length OBJECT IDENTIFIER');
  for (let at = 0; at < bytes.length; at++) {
    const begins = at === 0 || bytes.charCodeAt(at - 1) < 0x80;
    if (begins && bytes.charCodeAt(at) === 0x80) {
      throw new DerError('asn1: syntax error: integer is not minimally encoded');
    }
  }
  if (bytes.charCodeAt(bytes.length - 1) >= 0x80) throw new DerError('asn1: syntax error: truncated base 128 integer');
  return bytes;
}

/** A string in any of ASN.1's string types. */
function textOf({ tag, content }: DerElement): string | undefined {
  switch (tag) {
    case DER_TAGS.utf8String:
      return utf8Text(content);
    case DER_TAGS.printableString:
      return checked(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/, 'PrintableString');
    case DER_TAGS.numericString:
      return checked(content, /^[0-9 ]*$/, 'NumericString');
    case DER_TAGS.ia5String:
      return checked(content, /^[\0-\x7f]*$/, 'IA5String');
    case DER_TAGS.t61String:
      return content;
    case DER_TAGS.bmpString:
      return utf16Text(content);
    default:
      return undefined;
  }
}

function checked(content: string, pattern: RegExp, type: string): string {
  if (pattern.test(content)) return content;
  throw new DerError(`asn1: syntax error: ${type} contains invalid character`);
}

function utf8Text(content: string): string {
  try {
    const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DerError('asn1: invalid UTF-8 string');
  }
}

/** Two bytes per unit, without an optional trailing zero. */
function utf16Text(content: string): string {
  if (content.length % 2 !== 0) throw new DerError('invalid BMPString');
  const end = content.endsWith('\0\0') ? content.length - 2 : content.length;
  let text = '';
  for (let at = 0; at < end; at += 2) {
    text += String.fromCharCode(content.charCodeAt(at) * 256 + content.charCodeAt(at + 1));
  }
  return text;
}
