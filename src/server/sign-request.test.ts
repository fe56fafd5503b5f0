import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { commonNameOf, der, pemOf, signedRequestOf } from '../../test/signing-request.ts';
import {
  BOOLEAN_TRUE,
  bitString,
  element,
  explicit,
  integer,
  octetString,
  oid,
  pem,
  sequence,
  time,
} from './der-writer.ts';
import { signRequest } from './sign-request.ts';
import { extension, type Issuer } from './x509.ts';

const [begin, end] = [new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')];
const UTF8 = 0x0c;

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** Of signatures. */
  readonly algorithm: Buffer;
  readonly digest: string | undefined;
}

const kinds: Readonly<Record<string, () => Keys>> = {
  'an RSA key': () => ({
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ...{ digest: 'sha256', algorithm: sequence(oid('1.2.840.113549.1.1.11'), element(0x05, Buffer.alloc(0))) },
  }),
  'a key of the curve P-384': () => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ...{ digest: 'sha384', algorithm: sequence(oid('1.2.840.10045.4.3.3')) },
  }),
  'an Ed25519 key': () => ({
    ...generateKeyPairSync('ed25519'),
    ...{ digest: undefined, algorithm: sequence(oid('1.3.101.112')) },
  }),
};

/** An authority as another program may have made it: with a country, a unit and an identifier of its key of its own. */
function authority({ publicKey, privateKey, algorithm, digest }: Keys, identifier?: Buffer): Issuer {
  const part = (type: string, value: string) => element(0x31, sequence(oid(type), element(UTF8, Buffer.from(value))));
  const name = sequence(part('2.5.4.6', 'DE'), part('2.5.4.11', 'Platform'), part('2.5.4.3', 'corp CA'));
  const extensions = [
    extension('2.5.29.19', sequence(BOOLEAN_TRUE), 'critical'),
    ...(identifier === undefined ? [] : [extension('2.5.29.14', octetString(identifier))]),
  ];
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(Buffer.of(7)),
    algorithm,
    name,
    sequence(time(begin), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  const signature = bitString(0, sign(digest, toBeSigned, privateKey));
  return {
    certPem: pem('CERTIFICATE', sequence(toBeSigned, algorithm, signature)),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function request(): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = signedRequestOf([commonNameOf('ann')], {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'),
    algorithm: der(0x30, der(0x06, '\x2a\x86\x48\xce\x3d\x04\x03\x02')),
    sign: (bytes) => sign('sha256', Buffer.from(bytes, 'latin1'), privateKey).toString('latin1'),
  });
  return pemOf(text);
}

function signed(issuer: Issuer): X509Certificate {
  const asked = { requestPem: request(), usages: ['client auth'], notBefore: begin, notAfter: end };
  return new X509Certificate(signRequest({ ...asked, issuer }));
}

for (const [kind, make] of Object.entries(kinds)) {
  test(`a certificate request is signed by a foreign CA with ${kind}`, () => {
    const issuer = authority(make(), Buffer.from('key of corp'));
    const [own, issued] = [new X509Certificate(issuer.certPem), signed(issuer)];
    assert.ok(issued.verify(own.publicKey));
    assert.ok(issued.checkIssued(own));
    assert.equal(issued.issuer, 'C=DE\nOU=Platform\nCN=corp CA');
    assert.equal(issued.subject, 'CN=ann');
  });
}

test('a certificate has no authority key identifier if its CA has no subject key identifier', () => {
  const issuer = authority(kinds['an Ed25519 key']!());
  assert.ok(signed(issuer).checkIssued(new X509Certificate(issuer.certPem)));
});

test('a certificate is not signed with a key other than that of the CA', () => {
  const [one, other] = [authority(kinds['an Ed25519 key']!()), authority(kinds['an Ed25519 key']!())];
  assert.throws(() => signed({ certPem: one.certPem, keyPem: other.keyPem }), /private key does not match public key/);
});
