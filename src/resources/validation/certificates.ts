// Structure of PEM texts, as far as validation needs it: which blocks there are, and whether each contains the declared
// kind of structure. Signatures and keys are not checked, because that needs cryptography, which pure code does not
// have.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { byteLength } from '../../base/byte-length.ts';
import { goQuote } from '../../base/go-quote.ts';
import { type PemBlock, pemBlocks } from '../../base/pem.ts';
import { certificatesFault, readLeaf } from './certificate.ts';
import { CertificateRequestError, certificateRequestSubject } from './certificate-request.ts';
import { signatureFault, type VerifySignature } from './certificate-signature.ts';

/**
 * A certificate request, PKCS #10 in PEM, signed by its own key.
 * @param value quoted in messages: the bytes as base64, null for none
 * @param verify undefined if signatures cannot be verified
 */
export function validateCertificateRequest(
  text: string,
  { value, field, verify }: { value: string | null; field: string; verify: VerifySignature | undefined },
): FieldError[] {
  try {
    certificateRequestSubject(text);
    const fault = verify && signatureFault(text, verify);
    return fault === undefined ? [] : [fieldError.invalid(field, value, fault)];
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error;
    return [fieldError.invalid(field, value, error.message)];
  }
}

/** One or more PEM certificates and nothing else; messages do not quote them. */
export function validateCertificateChain(text: string, field: string): FieldError[] {
  const refuse = (why: string) => [fieldError.invalid(field, '<certificate data>', why)];
  const blocks = pemBlocks(text);
  for (const block of blocks) {
    if (block.type !== 'CERTIFICATE') {
      return refuse(`only CERTIFICATE PEM blocks are allowed, found ${goQuote(block.type)}`);
    }
    if (block.hasHeaders) return refuse('no PEM block headers are permitted');
    if (block.bytes === '') return refuse('found CERTIFICATE PEM block containing 0 certificates');
    const fault = certificatesFault(block.bytes);
    if (fault !== undefined) return refuse(fault);
  }
  return blocks.length === 0 ? refuse('must contain at least one CERTIFICATE PEM block') : [];
}

const BUNDLE_BYTES = 1024 * 1024;
/** The basic constraints of a certificate (2.5.29.19), and whether they are those of a CA. */
const CONSTRAINTS = /\x06\x03\x55\x1d\x13(?:\x01\x01\xff)?\x04[\s\S]\x30[\s\S](\x01\x01\xff)?/;

/** PEM certificates of CAs, without duplicates, with any text around them; messages do not quote them. */
export function validateTrustAnchors(text: string, field: string): FieldError[] {
  if (byteLength(text) > BUNDLE_BYTES) return [fieldError.tooLong(field, BUNDLE_BYTES)];
  const refuse = (why: string) => fieldError.invalid(field, '<value omitted>', why);
  const places = new Map<string, number[]>();
  const found: FieldError[] = [];
  for (const [index, block] of pemBlocks(text).entries()) {
    const fault = anchorFault(block);
    if (fault !== undefined) found.push(refuse(`entry ${index} ${fault}`));
    else places.set(block.bytes, [...(places.get(block.bytes) ?? []), index]);
  }
  if (found.length > 0) return found;
  if (places.size === 0) return [refuse('at least one trust anchor must be provided')];
  const repeated = [...places.values()].filter(({ length }) => length > 1);
  return repeated.map((indices) => refuse(`duplicate trust anchor (indices [${indices.join(' ')}])`));
}

function anchorFault({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  if (readLeaf(bytes) === undefined) return 'does not parse as X.509';
  return CONSTRAINTS.exec(bytes)?.[1] === undefined ? 'does not have the CA bit set' : undefined;
}

/** Why a PEM text contains no CA certificates, in Go's words; undefined if it does. */
export function authoritiesFault(text: string): string | undefined {
  const blocks = pemBlocks(text);
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (certificates.some(({ bytes }) => isDerSequence(bytes))) return undefined;
  if (certificates.length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block';
  return 'unable to load root certificates: failed to parse certificate: x509: malformed certificate';
}

/** Whether bytes are exactly one ASN.1 sequence in DER. */
function isDerSequence(bytes: string): boolean {
  if (bytes.length < 2 || bytes.charCodeAt(0) !== 0x30) return false;
  const first = bytes.charCodeAt(1);
  if (first < 0x80) return bytes.length === 2 + first;
  const count = first & 0x7f;
  let length = 0;
  for (let index = 0; index < count; index++) length = length * 256 + bytes.charCodeAt(2 + index);
  return count > 0 && bytes.length === 2 + count + length;
}

/** Warnings for a certificate and its key. */
export function keyPairWarnings(certificate: string, key: string): string[] {
  const certificates = pemBlocks(certificate);
  if (!certificates.some(({ type }) => type === 'CERTIFICATE')) return [`tls: ${missingCertificate(certificates)}`];
  const keys = pemBlocks(key);
  if (!keys.some(({ type }) => type.endsWith('PRIVATE KEY'))) return [`tls: ${missingKey(keys)}`];
  return [];
}

function missingCertificate(blocks: readonly PemBlock[]): string {
  const [only, second] = blocks;
  if (only === undefined) return 'failed to find any PEM data in certificate input';
  if (second === undefined && only.type.endsWith('PRIVATE KEY')) {
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${listed(blocks)}`;
}

function missingKey(blocks: readonly PemBlock[]): string {
  const [only, second] = blocks;
  if (only === undefined) return 'failed to find any PEM data in key input';
  if (second === undefined && only.type === 'CERTIFICATE') {
    return 'found a certificate rather than a key in the PEM for the private key';
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${listed(blocks)}`;
}

function listed(blocks: readonly PemBlock[]): string {
  return `[${blocks.map(({ type }) => type).join(' ')}]`;
}
