import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { verifySignature } from '../../server/verify-signature.ts';
import { proofFault } from './proof-of-possession.ts';

const keyOf = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'der' }).toString('latin1');

describe('proof of possession of a PodCertificateRequest', () => {
  const ed = generateKeyPairSync('ed25519');
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proof = (key: KeyObject, hash: string | null) => sign(hash, Buffer.from('uid'), key).toString('latin1');

  it('proof of possession of a PodCertificateRequest is a signature of the pod UID by the key', () => {
    const one = { key: keyOf(ed), signature: proof(ed.privateKey, null), text: 'uid' };
    assert.equal(proofFault(one, verifySignature), undefined);
    const other = { key: keyOf(elliptic), signature: proof(elliptic.privateKey, 'sha256'), text: 'uid' };
    assert.equal(proofFault(other, verifySignature), undefined);
  });

  it('proof of possession of a PodCertificateRequest is not a signature of another text or by another key', () => {
    const fault = { of: 'proof', why: 'could not verify proof-of-possession signature' };
    const signature = proof(ed.privateKey, null);
    assert.deepEqual(proofFault({ key: keyOf(ed), signature, text: 'other' }, verifySignature), fault);
    assert.deepEqual(proofFault({ key: keyOf(elliptic), signature, text: 'uid' }, verifySignature), fault);
  });

  it('proof of possession of a PodCertificateRequest accepts certain types and sizes of keys only', () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const curve = generateKeyPairSync('ec', { namedCurve: 'secp224r1' });
    const agreeing = generateKeyPairSync('x25519');
    const faults = [small, curve, agreeing].map((pair) =>
      proofFault({ key: keyOf(pair), signature: '', text: '' }, verifySignature),
    );
    assert.deepEqual(faults, [
      { of: 'key', why: 'RSA keys must have modulus size 3072 or 4096', value: '1024-bit modulus' },
      { of: 'key', why: 'elliptic public keys must use curve P256 or P384', value: 'curve P-224' },
      { of: 'key', why: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' },
    ]);
    assert.deepEqual(proofFault({ key: 'x', signature: '', text: '' }, verifySignature), {
      of: 'key',
      why: 'must be a valid PKIX-serialized public key',
    });
  });
});
