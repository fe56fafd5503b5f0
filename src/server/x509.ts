// Writer of X.509 certificates (RFC 5280) with ECDSA P-256 keys: only the fields that our own certificate authority
// needs, in DER and signed by node:crypto. It parses nothing: node:crypto's X509Certificate does.

import { Buffer } from 'node:buffer';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  BOOLEAN_TRUE,
  bitString,
  element,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  pem,
  sequence,
  time,
} from './der-writer.ts';

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export type CertificateUse =
  | { readonly kind: 'authority' }
  | { readonly kind: 'server'; readonly hosts: readonly string[] }
  | { readonly kind: 'client' };

export interface Issuer {
  readonly certPem: string;
  readonly keyPem: string;
}

interface CertificateRequest {
  readonly subject: CertificateSubject;
  readonly use: CertificateUse;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The issuer; if absent, the certificate is self-signed. */
  readonly issuer?: Issuer;
}

/**
 * Creates a key and a certificate for it. Throws if a host is neither an ASCII DNS name nor an IP address, and for
 * issuers that were not created here.
 */
export function issueCertificate(request: CertificateRequest): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerCertificate = request.issuer && new X509Certificate(request.issuer.certPem);
  const signingKey = request.issuer ? createPrivateKey(request.issuer.keyPem) : privateKey;
  const subject = nameOf(request.subject);
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const issuerKeyInfo = createPublicKey(signingKey).export({ type: 'spki', format: 'der' });
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    issuerCertificate ? subjectOf(issuerCertificate) : subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    keyInfo,
    explicit(3, sequence(...extensionsOf(request.use, keyIdentifier(keyInfo), keyIdentifier(issuerKeyInfo)))),
  );
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(0, sign('sha256', toBeSigned, signingKey)));
  if (issuerCertificate !== undefined) assertIssued(new X509Certificate(certificate), issuerCertificate);
  return {
    certPem: pem('CERTIFICATE', certificate),
    // In a format that Java clients can read too.
    keyPem: privateKey.export({ type: 'sec1', format: 'pem' }) as string,
  };
}

/** A CA created by another program may not match; an error is better than a certificate that nobody trusts. */
export function assertIssued(certificate: X509Certificate, issuer: X509Certificate): void {
  if (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)) return;
  throw new Error(
    `the CA ${JSON.stringify(issuer.subject)} cannot issue certificates here: it must have been made here`,
  );
}

/** 127 random bits: positive, unpredictable and within the 20 bytes of RFC 5280, 4.1.2.2. */
export function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return serial;
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Bits of the key usage extension, counted from the most significant one. */
const DIGITAL_SIGNATURE = 0x80;
const SIGN_CERTIFICATES = 0x04;
const SIGN_REVOCATIONS = 0x02;

function extensionsOf(use: CertificateUse, key: Buffer, issuerKey: Buffer): Buffer[] {
  const isAuthority = use.kind === 'authority';
  const extensions = [
    extension('2.5.29.19', isAuthority ? sequence(BOOLEAN_TRUE) : sequence(), 'critical'),
    extension('2.5.29.15', isAuthority ? AUTHORITY_KEY_USAGE : END_KEY_USAGE, 'critical'),
    extension('2.5.29.14', octetString(key)),
    extension('2.5.29.35', sequence(implicit(0, issuerKey))),
  ];
  if (!isAuthority) {
    extensions.push(extension('2.5.29.37', sequence(oid(use.kind === 'server' ? SERVER_AUTH : CLIENT_AUTH))));
  }
  if (use.kind === 'server') extensions.push(extension('2.5.29.17', sequence(...use.hosts.map(alternativeName))));
  return extensions;
}

const AUTHORITY_KEY_USAGE = bitString(1, Buffer.of(DIGITAL_SIGNATURE | SIGN_CERTIFICATES | SIGN_REVOCATIONS));
const END_KEY_USAGE = bitString(7, Buffer.of(DIGITAL_SIGNATURE));

export function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return critical ? sequence(oid(id), BOOLEAN_TRUE, octetString(value)) : sequence(oid(id), octetString(value));
}

/** Whether a host is an IP address: no name contains a colon. Asking Node about IPv6 costs 8 ms the first time. */
export function isAddress(host: string): boolean {
  return host.includes(':') || isIPv4(host);
}

function alternativeName(host: string): Buffer {
  if (isAddress(host)) return implicit(7, addressBytes(host));
  if (!/^[\x21-\x7e]+$/.test(host)) throw new Error(`a certificate cannot name the host ${JSON.stringify(host)}`);
  return implicit(2, Buffer.from(host, 'latin1'));
}

/** 4 or 16 bytes, in network order. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser has a single form for IPv6, with an embedded IPv4 address in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail ?? '');
  const bytes = Buffer.alloc(16);
  for (const [at, group] of before.entries()) bytes.writeUInt16BE(group, 2 * at);
  for (const [at, group] of after.entries()) bytes.writeUInt16BE(group, 16 - 2 * (after.length - at));
  return bytes;
}

function nameOf({ commonName, organizations = [] }: CertificateSubject): Buffer {
  const part = (type: string, value: string) => element(0x31, sequence(oid(type), element(0x0c, Buffer.from(value))));
  return sequence(...organizations.map((each) => part(ORGANIZATION, each)), part(COMMON_NAME, commonName));
}

/** Correct for names written by `nameOf`; the name of a foreign CA may have another form. */
function subjectOf(certificate: X509Certificate): Buffer {
  const { CN, O } = certificate.toLegacyObject().subject as { CN?: string; O?: string | string[] };
  return nameOf({ commonName: CN ?? '', organizations: [O ?? []].flat() });
}

/** RFC 5280, 4.2.1.2, method 1: SHA-1 of the public key's bits. An identifier, not a protection. */
function keyIdentifier(subjectPublicKeyInfo: Buffer): Buffer {
  const uncompressedPoint = subjectPublicKeyInfo.subarray(-65);
  return createHash('sha1').update(uncompressedPoint).digest();
}
