// Certificates for others: signs a certificate request with an authority. Subject, key and alternative names are the
// request's; usages and lifetime are decided by the caller.

import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { DER_TAGS, derContent, derElements, derText } from '../base/der.ts';
import { signedRequest } from '../resources/validation/certificate-request.ts';
import { alternativeNames } from '../resources/validation/requested-names.ts';
import { bitString, explicit, implicit, integer, octetString, oid, pem, sequence, time } from './der-writer.ts';
import { signingAuthority } from './signing-authority.ts';
import { assertIssued, extension, type Issuer, serialNumber } from './x509.ts';

interface SignedFor {
  /** PEM, validated. */
  readonly requestPem: string;
  /** By Kubernetes' names: `digital signature`, `client auth`. */
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly issuer: Issuer;
}

/** Bits of the key usage extension, the first one being the most significant. */
const KEY_USAGES: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The certificate, PEM. It ends with the authority at the latest. @throws Error for an authority that has expired */
export function signRequest({ requestPem, usages, notBefore, notAfter, issuer }: SignedFor): string {
  const { certificate: own, subject: issuerName, keyIdentifier, algorithm, sign } = signingAuthority(issuer);
  const end = new Date(Math.min(notAfter.getTime(), own.validToDate.getTime()));
  if (notBefore >= end) throw new Error(`the signer has expired: NotAfter=${own.validTo}`);
  const { info, key } = signedRequest(requestPem);
  const [, subject] = derContent(derElements(info)[0], DER_TAGS.sequence);
  const names = alternativeNames(requestPem);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    algorithm,
    issuerName,
    sequence(time(notBefore), time(end)),
    Buffer.from(derText(subject!), 'latin1'),
    Buffer.from(key, 'latin1'),
    explicit(
      3,
      sequence(
        ...usageExtensions(usages),
        extension('2.5.29.19', sequence(), 'critical'),
        ...(keyIdentifier === undefined ? [] : [extension('2.5.29.35', sequence(implicit(0, keyIdentifier)))]),
        ...(names === undefined ? [] : [sequence(oid('2.5.29.17'), octetString(Buffer.from(names, 'latin1')))]),
      ),
    ),
  );
  const certificate = sequence(toBeSigned, algorithm, bitString(0, sign(toBeSigned)));
  assertIssued(new X509Certificate(certificate), own);
  return pem('CERTIFICATE', certificate);
}

function usageExtensions(usages: readonly string[]): Buffer[] {
  const bits = usages.flatMap((usage) => KEY_USAGES.get(usage) ?? []);
  const purposes = new Set(usages.flatMap((usage) => PURPOSES.get(usage) ?? []));
  const sorted = [...purposes].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return [
    ...(bits.length === 0 ? [] : [extension('2.5.29.15', usageBits(bits), 'critical')]),
    ...(sorted.length === 0 ? [] : [extension('2.5.29.37', sequence(...sorted.map(oid)))]),
  ];
}

/** A bit string without trailing zeros. */
function usageBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) {
    const at = Math.floor(bit / 8);
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (bit % 8));
  }
  return bitString(7 - (last % 8), bytes);
}
