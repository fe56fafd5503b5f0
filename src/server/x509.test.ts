import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type CertificateUse, type Issuer, issueCertificate } from './x509.ts';

const DAY_MS = 86_400_000;
const notBefore = new Date(Date.UTC(2026, 0, 1));

function issue(use: CertificateUse, issuer?: Issuer, notAfter = new Date(notBefore.getTime() + DAY_MS)) {
  const subject = { commonName: 'näme', organizations: ['one', 'two, or three'] };
  const pair = issueCertificate({ subject, use, notBefore, notAfter, issuer });
  return { pair, certificate: new X509Certificate(pair.certPem) };
}

test('a CA certificate is self-signed and may sign others', () => {
  const { pair, certificate } = issue({ kind: 'authority' });
  assert.equal(certificate.ca, true);
  assert.ok(certificate.verify(certificate.publicKey));
  assert.ok(certificate.checkIssued(certificate));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(pair.keyPem)));
  // Clients in Java read no other form.
  assert.match(pair.keyPem, /^-----BEGIN EC PRIVATE KEY-----\n/);
  assert.deepEqual({ ...certificate.toLegacyObject().subject }, { O: ['one', 'two, or three'], CN: 'näme' });
});

test('a certificate is issued by its CA, for its hosts and its usage', () => {
  const authority = issue({ kind: 'authority' });
  const hosts = [
    'localhost',
    'kubernetes.default.svc',
    '10.0.0.1',
    '::1',
    'fe80::1:2',
    '::ffff:10.1.2.3',
    '2001:db8:1:2:3:4:5:6',
  ];
  const { certificate } = issue({ kind: 'server', hosts }, authority.pair);
  assert.ok(certificate.checkIssued(authority.certificate));
  assert.ok(certificate.verify(authority.certificate.publicKey));
  assert.equal(certificate.ca, false);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  for (const host of ['localhost', 'kubernetes.default.svc']) assert.ok(certificate.checkHost(host), host);
  for (const address of hosts.slice(2)) assert.ok(certificate.checkIP(address), address);
  assert.equal(certificate.checkIP('::2'), undefined);
  assert.deepEqual(issue({ kind: 'client' }, authority.pair).certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
});

test('certificate times are encoded before and after 2050, and serial numbers are positive and different', () => {
  const late = new Date(Date.UTC(2051, 1, 3, 4, 5, 6));
  const { certificate } = issue({ kind: 'client' }, undefined, late);
  assert.equal(Date.parse(certificate.validFrom), notBefore.getTime());
  assert.equal(Date.parse(certificate.validTo), late.getTime());
  assert.match(certificate.serialNumber, /^[4-7][0-9A-F]{31}$/);
  assert.notEqual(issue({ kind: 'client' }).certificate.serialNumber, certificate.serialNumber);
});

test('a long certificate is well formed', () => {
  const hosts = Array.from({ length: 400 }, (_, at) => `host-${at}.example.com`);
  assert.ok(issue({ kind: 'server', hosts }).certificate.checkHost('host-399.example.com'));
});

test('a host name that no certificate can contain is rejected', () => {
  assert.throws(() => issue({ kind: 'server', hosts: ['a b'] }), /cannot name the host "a b"/);
});

test('a key that does not belong to the CA is rejected', () => {
  const one = issue({ kind: 'authority' }).pair;
  const other = issue({ kind: 'authority' }).pair;
  assert.throws(() => issue({ kind: 'client' }, { certPem: one.certPem, keyPem: other.keyPem }), /cannot issue/);
});
