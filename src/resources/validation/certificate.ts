// Parser for certificates (RFC 5280), as far as validation needs: whether bytes are a certificate. Its structure is
// parsed as strictly as by Go's crypto/x509, with its error messages, which clients see. The contents of extensions are
// not parsed.

import { DER_TAGS, type DerElement, DerError, derElements, derText } from '../../base/der.ts';

class CertificateError extends Error {
  override name = 'CertificateError';
}

const VERSION = 0xa0;
const ISSUER_ID = 0x81;
const SUBJECT_ID = 0x82;
const EXTENSIONS = 0xa3;
const BOOLEAN = 0x01;
const OCTET_STRING = 0x04;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const LAST_VERSION = 3;

export interface LeafCertificate {
  /** SubjectPublicKeyInfo in DER, one character per byte. */
  readonly key: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Returns why bytes, one character each, are not a sequence of certificates; undefined if they are. */
export function certificatesFault(bytes: string): string | undefined {
  try {
    for (const certificate of elementsOf(bytes, 'malformed certificate')) readCertificate(certificate);
    return undefined;
  } catch (error) {
    if (error instanceof CertificateError) return `x509: ${error.message}`;
    throw error;
  }
}

/** Returns the relevant fields of a single certificate; undefined if the bytes are not one. */
export function readLeaf(bytes: string): LeafCertificate | undefined {
  try {
    const [certificate, ...rest] = elementsOf(bytes, 'malformed certificate');
    return rest.length > 0 || certificate === undefined ? undefined : readCertificate(certificate);
  } catch (error) {
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}

function readCertificate(certificate: DerElement): LeafCertificate {
  const [tbs, algorithm, signature] = elementsOf(
    expect(certificate, DER_TAGS.sequence, 'malformed certificate').content,
    'malformed tbs certificate',
  );
  if (tbs === undefined) refuse('malformed tbs certificate');
  const found = readSigned(contentOf(tbs, DER_TAGS.sequence, 'malformed tbs certificate'), algorithm);
  expect(signature, DER_TAGS.bitString, 'malformed signature');
  return found;
}

/** The signed part: optional fields are identified by their tags. */
function readSigned(members: readonly DerElement[], outerAlgorithm: DerElement | undefined): LeafCertificate {
  const rest = [...members];
  const next = () => rest.shift();
  const optional = (tag: number) => (rest[0]?.tag === tag ? rest.shift() : undefined);
  const version = versionOf(optional(VERSION));
  const serial = expect(next(), DER_TAGS.integer, 'malformed serial number');
  if (!isMinimal(serial.content)) refuse('malformed serial number');
  if (serial.content.charCodeAt(0) >= 0x80) refuse('negative serial number');
  const algorithm = expect(next(), DER_TAGS.sequence, 'malformed signature algorithm identifier');
  const outer = expect(outerAlgorithm, DER_TAGS.sequence, 'malformed algorithm identifier');
  if (outer.content !== algorithm.content) {
    refuse("inner and outer signature algorithm identifiers don't match");
  }
  checkAlgorithm(algorithm);
  checkName(expect(next(), DER_TAGS.sequence, 'malformed issuer'));
  const [notBeforeMs, notAfterMs] = validityOf(expect(next(), DER_TAGS.sequence, 'malformed validity'));
  checkName(expect(next(), DER_TAGS.sequence, 'malformed issuer'));
  const info = expect(next(), DER_TAGS.sequence, 'malformed spki');
  const [keyAlgorithm, key] = contentOf(info, DER_TAGS.sequence, 'malformed spki');
  checkAlgorithm(expect(keyAlgorithm, DER_TAGS.sequence, 'malformed public key algorithm identifier'));
  expect(key, DER_TAGS.bitString, 'malformed subjectPublicKey');
  if (version > 1) for (const tag of [ISSUER_ID, SUBJECT_ID]) optional(tag);
  const extensions = version === LAST_VERSION ? optional(EXTENSIONS) : undefined;
  if (extensions !== undefined) checkExtensions(extensions);
  return { key: derText(info), notBeforeMs, notAfterMs };
}

function versionOf(element: DerElement | undefined): number {
  if (element === undefined) return 1;
  const [number] = contentOf(element, VERSION, 'malformed version');
  const { content } = expect(number, DER_TAGS.integer, 'malformed version');
  if (!isMinimal(content) || content.charCodeAt(0) >= 0x80) refuse('malformed version');
  const version = content.length > 1 ? LAST_VERSION + 1 : content.charCodeAt(0) + 1;
  if (version > LAST_VERSION) refuse('invalid version');
  return version;
}

function checkAlgorithm(element: DerElement): void {
  const [identifier] = elementsOf(element.content, 'malformed parameters');
  expect(identifier, DER_TAGS.objectIdentifier, 'malformed OID');
}

function checkName(element: DerElement): void {
  for (const set of contentOf(element, DER_TAGS.sequence, 'invalid RDNSequence')) {
    for (const attribute of contentOf(set, DER_TAGS.set, 'invalid RDNSequence')) {
      const [type, value] = contentOf(attribute, DER_TAGS.sequence, 'invalid RDNSequence: invalid attribute');
      expect(type, DER_TAGS.objectIdentifier, 'invalid RDNSequence: invalid attribute type');
      if (value === undefined) refuse('invalid RDNSequence: invalid attribute value');
    }
  }
}

function validityOf(element: DerElement): [begin: number, end: number] {
  const [begin, end] = contentOf(element, DER_TAGS.sequence, 'malformed validity');
  return [timeOf(begin), timeOf(end)];
}

function timeOf({ tag, content }: DerElement = { tag: 0, content: '' }): number {
  if (tag === UTC_TIME) {
    const found = /^(\d\d)(\d{8})(\d\d)?(Z|[+-]\d{4})$/.exec(content) ?? refuse('malformed UTCTime');
    const [, year = '', rest, seconds = '00', zone] = found;
    return millisecondsOf(`${Number(year) < 50 ? '20' : '19'}${year}${rest}${seconds}${zone}`);
  }
  if (tag !== GENERALIZED_TIME) return refuse('unsupported time format');
  return /^\d{14}(Z|[+-]\d{4})$/.test(content) ? millisecondsOf(content) : refuse('malformed GeneralizedTime');
}

/** Of a time with all its digits: `20240101000000Z`. */
function millisecondsOf(text: string): number {
  return Date.parse(
    text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6').replace(/(\d\d)$/, ':$1'),
  );
}

function checkExtensions(element: DerElement): void {
  const [list] = contentOf(element, EXTENSIONS, 'malformed extensions');
  const seen = new Set<string>();
  for (const extension of elementsOf(
    expect(list, DER_TAGS.sequence, 'malformed extensions').content,
    'malformed extension',
  )) {
    const [identifier, ...rest] = contentOf(extension, DER_TAGS.sequence, 'malformed extension');
    const { content } = expect(identifier, DER_TAGS.objectIdentifier, 'malformed extension OID field');
    const value = rest[0]?.tag === BOOLEAN ? rest[1] : rest[0];
    expect(value, OCTET_STRING, 'malformed extension value field');
    if (seen.has(content)) refuse(`certificate contains duplicate extension with OID "${dotted(content)}"`);
    seen.add(content);
  }
}

/** An object identifier in dotted form: `2.5.29.19`. */
function dotted(content: string): string {
  const numbers: number[] = [];
  let value = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content.charCodeAt(at);
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  const [first = 0, ...others] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...others].join('.');
}

function isMinimal(content: string): boolean {
  if (content.length < 2) return content.length === 1;
  const [first, second] = [content.charCodeAt(0), content.charCodeAt(1)];
  return !(first === 0 && second < 0x80) && !(first === 0xff && second >= 0x80);
}

/** Returns the elements inside one with this tag. @param what the error if there is another element, or none */
function contentOf(element: DerElement | undefined, tag: number, what: string): DerElement[] {
  return elementsOf(expect(element, tag, what).content, what);
}

function elementsOf(bytes: string, what: string): DerElement[] {
  try {
    return derElements(bytes);
  } catch (error) {
    if (error instanceof DerError) return refuse(what);
    throw error;
  }
}

function expect(element: DerElement | undefined, tag: number, what: string): DerElement {
  return element?.tag === tag ? element : refuse(what);
}

function refuse(what: string): never {
  throw new CertificateError(what);
}
