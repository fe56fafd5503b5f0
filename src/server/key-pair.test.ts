import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { keyPairFault } from './key-pair.ts';
import { makeCertificates } from './pki.ts';
import { systemClock } from './system-clock.ts';

const pem = (type: string) => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;

test('a certificate and key that do not match are reported in the words of Go', () => {
  const { servingCertPem: cert, servingKeyPem: key } = makeCertificates({ clock: systemClock, hosts: ['a.example'] });
  const other = makeCertificates({ clock: systemClock, hosts: ['a.example'] }).servingKeyPem;
  const format = { type: 'pkcs8', format: 'pem' } as const;
  const edwards = String(generateKeyPairSync('ed25519').privateKey.export(format));
  const cases: [cert: string, key: string, fault: string | undefined][] = [
    [cert, key, undefined],
    ['x', key, 'tls: failed to find any PEM data in certificate input'],
    [
      key,
      key,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [cert, cert, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [pem('CERTIFICATE'), key, 'x509: malformed certificate'],
    [cert, pem('PRIVATE KEY'), 'tls: failed to parse private key'],
    [cert, edwards, 'tls: private key type does not match public key type'],
    [cert, other, 'tls: private key does not match public key'],
  ];
  for (const [index, [one, two, fault]] of cases.entries()) {
    assert.equal(keyPairFault({ cert: one, key: two }), fault, String(index));
  }
});
