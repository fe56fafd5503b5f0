// A value that kube-apiserver 1.34.4 has stored by way of a KMS plugin, and what may not be one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../../test/kms-plugin.ts';
import { TransformError } from '../value-transformer.ts';
import { decodeEncryptedObject, encodeEncryptedObject, encodeSource, type SealedSource } from './encrypted-object.ts';
import { EnvelopeTransformer } from './envelope.ts';
import { ExtendedNonceTransformer } from './extended-nonce.ts';

const STORED = Buffer.from(
  'azhzOmVuYzprbXM6djI6bWluZToKhQLnEunFNyE43+v8jXj/c3jFn7SlqTTtTRg2TVyKIZFUIosvrnVWx+xOfYlGMEUhb5Ahlill' +
    '77cReoSzJNO5iJfKHhveVAWuGYvDpluiou8pXSkNiBrymbA1s9F0M20tJ92RZ2tzvcioZYEGX8pfYOh87d/y0mvKu4GvR2xfVEak' +
    'H6IRCfOKjqOxIyCVfORFEC3ZU78aCQzZO7h/617kYWFr3GH1AWRBCyqWOMUBEhJNXHvCffts0sFtz4vSj8Zg16pa5jzxRa8yuGp0' +
    'y8Wpa8SdZF9LjQjlN18fH2H5Xcb6xIxlxKyxKYTOx0bwO86MDYZevEEiopNRORboD2Ffxl7X2iKmrs8SBWtleS0xGjy4L//eO6jx' +
    'hwA0kpSO82kE1Mq0GM5Y/i8D401yoxtoN9htN5yXGhiY54D3G8xcn71rFkPKJycJ4DE7lQkiGAoTdmVyc2lvbi5leGFtcGxlLmNv' +
    'bRIBMSgB',
  'base64',
);
const PREFIX = 'k8s:enc:kms:v2:mine:';
const context = { key: '/registry/secrets/default/vec' };

function transformer(current: SealedSource): EnvelopeTransformer {
  const cipherOf = ({ keyId, sealed }: SealedSource) => new ExtendedNonceTransformer(open(keyId, Buffer.from(sealed)));
  return new EnvelopeTransformer({
    current: () => current,
    forWriting: () => ({ source: current, encoded: encodeSource(current), cipher: cipherOf(current) }),
    open: cipherOf,
    used: () => {},
  });
}

test('KMS v2 decryption reads what kube-apiserver stored, and encryption writes the same layout', async () => {
  assert.equal(STORED.toString('latin1', 0, PREFIX.length), PREFIX);
  const value = STORED.subarray(PREFIX.length);
  const { data, source } = decodeEncryptedObject(value);
  assert.deepEqual(encodeEncryptedObject(data, encodeSource(source)), Buffer.from(value));
  const both = transformer(source);
  const { plain, stale } = await both.transformFromStorage(value, context);
  assert.match(Buffer.from(plain).toString('latin1'), /^k8s\0.*Secret.*vec/s);
  assert.equal(stale, false);
  const again = await both.transformToStorage(plain, context);
  assert.equal(again.length, value.length);
  assert.deepEqual((await both.transformFromStorage(again, context)).plain, plain);
  const turned = transformer({ ...source, keyId: 'key-2' });
  assert.equal((await turned.transformFromStorage(value, context)).stale, true);
});

test('KMS v2 encryption binds a value to its key', () => {
  const value = STORED.subarray(PREFIX.length);
  const { source } = decodeEncryptedObject(value);
  assert.throws(
    () => transformer(source).transformFromStorage(value, { key: '/registry/secrets/default/other' }),
    new TransformError('cipher: message authentication failed'),
  );
});

const sound: SealedSource = { sealed: Buffer.from('s'), keyId: 'k', annotations: new Map(), type: 1 };
const unsound: [what: string, source: SealedSource, problem: string][] = [
  [
    'an empty encrypted seed',
    { ...sound, sealed: Buffer.alloc(0) },
    'failed to validate encrypted DEK source: encrypted DEK source is empty',
  ],
  [
    'an encrypted seed that is too long',
    { ...sound, sealed: Buffer.alloc(1025) },
    'failed to validate encrypted DEK source: encrypted DEK source is 1025 bytes, exceeds max size of 1024',
  ],
  ['an empty key ID', { ...sound, keyId: '' }, 'failed to validate key id: keyID is empty'],
  ['an unknown type of seed', { ...sound, type: 2 as 1 }, 'unknown encryptedDEKSourceType: 2'],
  [
    'an annotation that is not a domain',
    { ...sound, annotations: new Map([['plain', Buffer.from('v')]]) },
    'failed to validate annotations: annotations: Invalid value: "plain": should be a domain with at least two segments separated by dots',
  ],
  [
    'annotations beyond their limit',
    { ...sound, annotations: new Map([['a.example', Buffer.alloc(32 * 1024)]]) },
    'failed to validate annotations: total size of annotations is 32777, exceeds max size of 32768',
  ],
];
for (const [what, source, problem] of unsound) {
  test(`KMS v2 decryption rejects ${what}`, () => {
    const value = encodeEncryptedObject(Buffer.from('data'), encodeSource(source));
    assert.throws(() => decodeEncryptedObject(value), new TransformError(problem));
  });
}

test('KMS v2 decryption rejects bytes that are no such message, and a message without data', () => {
  assert.throws(() => decodeEncryptedObject(Buffer.from('\x0a\xff', 'latin1')), TransformError);
  const empty = encodeEncryptedObject(new Uint8Array(0), encodeSource(sound));
  assert.throws(() => decodeEncryptedObject(empty), new TransformError('encrypted data is empty'));
});
