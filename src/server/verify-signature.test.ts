import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { signatureFault } from '../resources/validation/certificate-signature.ts';
import { verifySignature } from './verify-signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-csr-'));
after(() => rmSync(folder, { recursive: true }));

/** A request made by OpenSSL, with a key of its own. */
function request(key: readonly string[], ...more: readonly string[]): string {
  const file = join(folder, 'key.pem');
  return execFileSync(
    'openssl',
    ['req', '-new', '-nodes', '-subj', '/O=team/CN=ann', '-newkey', ...key, '-keyout', file, ...more],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

/** The text with one bit of its last byte, which belongs to the signature, turned. */
function damaged(text: string): string {
  const bytes = Buffer.from(text.replace(/-----.*-----/g, ''), 'base64');
  bytes[bytes.length - 1]! ^= 1;
  return `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

function hasOpenSsl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const EC = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

describe('signatures of certificate requests', { skip: !hasOpenSsl() && 'openssl is not installed' }, () => {
  const kinds: readonly (readonly [title: string, text: () => string, fault: string])[] = [
    ['RSA', () => request(['rsa:2048']), 'crypto/rsa: verification error'],
    ['RSA with PSS', () => request(['rsa:2048'], '-sigopt', 'rsa_padding_mode:pss'), 'crypto/rsa: verification error'],
    ['RSA with SHA-1', () => request(['rsa:2048'], '-sha1'), 'crypto/rsa: verification error'],
    ['ECDSA', () => request(EC), 'x509: ECDSA verification failure'],
    ['Ed25519', () => request(['ed25519']), 'x509: Ed25519 verification failure'],
  ];
  for (const [title, make, fault] of kinds) {
    test(`signatures of certificate requests of ${title} are accepted from the key, and others are reported in the words of Go`, () => {
      const text = make();
      assert.equal(signatureFault(text, verifySignature), undefined);
      assert.equal(signatureFault(damaged(text), verifySignature), fault);
    });
  }

  test('signatures of certificate requests with insecure algorithms are rejected', () => {
    const md5 = request(['rsa:2048'], '-md5');
    assert.equal(signatureFault(md5, verifySignature), 'x509: cannot verify signature: insecure algorithm MD5-RSA');
  });
});
