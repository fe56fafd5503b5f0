import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificates, strangers } from '../../../test/listening.ts';
import { withIssuer } from './named-certificates.ts';

test('a certificate is presented with its issuer if that is among the authorities, so that no handshake has to find it', () => {
  const { servingCertPem: cert, caCertPem: ca } = certificates;
  const other = strangers([]).caCertPem;
  const chain = withIssuer(cert, `${other}\n${ca}`);
  assert.deepEqual(chain.trim().split(/\n(?=-----BEGIN)/), [cert.trim(), ca.trim()]);
  assert.equal(withIssuer(cert, other), cert);
  assert.equal(withIssuer(chain, ca), chain);
  assert.equal(withIssuer(ca, ca), ca);
});
