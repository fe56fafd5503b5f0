// Values that kube-apiserver 1.34.4 has stored in etcd, and what its ciphers refuse.

import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { it } from 'node:test';
import { TransformError, type ValueTransformer } from '../value-transformer.ts';
import { AesCbcTransformer, AesGcmTransformer } from './aes.ts';
import { identityTransformer, PrefixTransformers } from './prefix-transformers.ts';
import { SecretboxTransformer } from './secretbox.ts';

const KEY = Buffer.from('keelson-test-key-of-32-bytes-000');
const SHORT_KEY = Buffer.from('keelson-16-bytes');

const observer = { now: () => 0, record: () => {} };

function provider(name: string, key: string, transformer: ValueTransformer): ValueTransformer {
  const keys = new PrefixTransformers([{ prefix: `${key}:`, transformer }], 'no matching key was found', observer);
  return new PrefixTransformers(
    [{ prefix: `k8s:enc:${name}:v1:`, transformer: keys }],
    'no matching prefix found',
    observer,
  );
}

const recorded = [
  {
    provider: provider('aesgcm', 'one', new AesGcmTransformer(createSecretKey(KEY))),
    key: '/registry/configmaps/default/vec',
    kind: 'ConfigMap',
    uid: '873987d4-2eb1-4219-b341-dd8be35fd508',
    stored:
      'azhzOmVuYzphZXNnY206djE6b25lOok+FeNxfitpuGzlez83XXkcWw8ueys+zIrg27Y/RqDYTqt0M79Q8EFgqHcrSDjKrM4k/++F' +
      'qywYOAhvH6UkFhp2Mf2F91RSRMdtXYPLfyX+D0wJEm6VWhKwCFi1BYDrxZ7sgNLrtXXn3u2f3+KaC/tB6INzl/2Q06QPAVjltQeW' +
      'bGYrCE6z2LEctpS/Fba8XbOB/rLBzwReet4yZEELVjKyZz8MSlgFmA94yuE9KodWCYF70dMfNFQv+XthmxQRfJN9/BYjsI4/2f99' +
      'U1Mp3/r3nn0U95wQ8Lz4yvzsMlyX6mA0E0IQbax2gv2EL/wwviybktI/0RBQd8EyY5z4edyJwxTCkEJ5yTCauLMJN/k1qUGSfx/r' +
      'ScJVrRVPhFOYypeBbhZoOtWjyx/+v0etwHBzMoPVMOKNv8sYUOuo4qJQRHXGHGp/cxr+lLL593Nsye6jfE/tW448zhpu6FvTn0ud' +
      'i/ibAC59Nl0w6AcXgoFQEx4mEGg2FJgfuF6oEyEzFNduM4IKcECOfGboK7/9m6A=',
  },
  {
    provider: provider('secretbox', 'two', new SecretboxTransformer(KEY)),
    key: '/registry/secrets/default/vec',
    kind: 'Secret',
    uid: '08a08fc7-11a3-4a31-8386-538919610de5',
    stored:
      'azhzOmVuYzpzZWNyZXRib3g6djE6dHdvOi7a8wMnFwIgOXHgv+vyGpQWOwy2eZp1ALnNRokknDzkzxvnVwXv6d51T02H+shT/1ji' +
      'sAmuK2riPYltonWfpCInP7aKFrNQXHSlAnW+0rrChb+sOq3q7tV/SSnOqcd0aPPAD1KvnOREte/KLM95PSWEE46aKW+gsFaxiIZX' +
      'Ni/2niJdeQmyfwMejwcnCwrT62asuEtH0+OPR9eTsug6g8xMbLmu7s3r6GS5yjJ+oDJPKZd4bzqT/4oCqFzQE/KJa07VE2e+V2rL' +
      'fZ2XMQgW3C4aw+SjUfrzXwDZ/P+K4QaNsshMuJeFFhuk56cZLZ0vM36Ge3YH33zsKW4eD7TkPOz1YcFbhmHm8SKUnT8nYCsIWdDH' +
      '8fqHNq7phEhmU0dcHpUAuxr2um5F6aEfQJldBNgdWF/C5K23i90hioLFec1U8AWaaABgAUxCtSTFi3/K9IMEOqtqhGu50MO/ouDT' +
      'EYbyqM5H4of1mXTe/lZepFOE2dttyE3w55cswA7MZ2MU/i8hldUoQ6fEGHWCaXML1LMjp7rO8jFAO300VliSnnOoqQuI1mByGTO0' +
      '7qSBpWLl+CCp7tRzrhmf',
  },
  {
    provider: provider('aescbc', 'three', new AesCbcTransformer(createSecretKey(SHORT_KEY))),
    key: '/registry/serviceaccounts/default/vec',
    kind: 'ServiceAccount',
    uid: '13844897-8a77-4c0e-afbc-5d3ee8505277',
    stored:
      'azhzOmVuYzphZXNjYmM6djE6dGhyZWU6rCU9WgFi0XWzL1BAMxPPwyzoGQPuZt22hsMRs4K7te12jdcKs758H+GK0ZZRyVTe3w3r' +
      'byAKsclOPs1ThPAcz9lgP6+ADYt3UgnJAMuoFNQ6jQmUp3SnCnoNIx+aIKUiAInCAwQg4veW7MiRDREsL8Gx8JYNzXK4Vuvwn28d' +
      'S8wg08EDR0MbJe7ZkkqlWzedrqZ0QToDqcNGEDloatY33JF+fhLDz/JpAWR+maThqMCCfe+22uW2oBc0xfQQk5P74AwHxePc4Ct9' +
      'etEIg++RAQ==',
  },
];

for (const { provider, key, kind, uid, stored } of recorded) {
  it(`encryption at rest with ${kind} reads what kube-apiserver stored, and what it wrote itself`, async () => {
    const { plain, stale } = await provider.transformFromStorage(Buffer.from(stored, 'base64'), { key });
    const object = JSON.parse(Buffer.from(plain).toString());
    assert.deepEqual([object.kind, object.metadata.uid, stale], [kind, uid, false]);
    const again = await provider.transformToStorage(plain, { key });
    assert.equal(again.length, Buffer.from(stored, 'base64').length);
    assert.notDeepEqual(Buffer.from(again), Buffer.from(stored, 'base64'));
    assert.deepEqual((await provider.transformFromStorage(again, { key })).plain, plain);
  });
}

const message = (text: string) => (error: unknown) => error instanceof TransformError && error.message === text;

it('encryption at rest with aesgcm binds a value to its key and detects every change', async () => {
  const gcm = new AesGcmTransformer(createSecretKey(KEY));
  const stored = gcm.transformToStorage(Buffer.from('plain'), { key: '/registry/secrets/a/b' });
  const refused = message('cipher: message authentication failed');
  assert.throws(() => gcm.transformFromStorage(stored, { key: '/registry/secrets/a/c' }), refused);
  for (let at = 0; at < stored.length; at++) {
    const damaged = Buffer.from(stored);
    damaged[at]! ^= 1;
    assert.throws(() => gcm.transformFromStorage(damaged, { key: '/registry/secrets/a/b' }), refused);
  }
  const short = stored.subarray(0, 11);
  assert.throws(
    () => gcm.transformFromStorage(short, { key: '' }),
    message('the stored data was shorter than the required size'),
  );
});

it('encryption at rest rejects values without padding, and secretbox values that do not open', () => {
  const cbc = new AesCbcTransformer(createSecretKey(KEY));
  const whole = cbc.transformToStorage(Buffer.from('plain'));
  assert.throws(
    () => cbc.transformFromStorage(whole.subarray(0, 20)),
    message('the stored data is not a multiple of the block size'),
  );
  const box = new SecretboxTransformer(KEY);
  const stored = box.transformToStorage(Buffer.from('plain'));
  stored[30]! ^= 1;
  assert.throws(() => box.transformFromStorage(stored), message('output array was not large enough for encryption'));
});

it('encryption at rest reads with any key, and reports values of other keys than the first as stale', async () => {
  const [old, fresh] = [new AesGcmTransformer(createSecretKey(KEY)), new AesGcmTransformer(createSecretKey(SHORT_KEY))];
  const context = { key: '/k' };
  const before = new PrefixTransformers([{ prefix: 'a:', transformer: old }], 'none', observer);
  const after = new PrefixTransformers(
    [
      { prefix: 'b:', transformer: fresh },
      { prefix: 'a:', transformer: old },
      { prefix: '', transformer: identityTransformer },
    ],
    'none',
    observer,
  );
  const stored = await before.transformToStorage(Buffer.from('plain'), context);
  assert.equal((await after.transformFromStorage(stored, context)).stale, true);
  const again = await after.transformToStorage(Buffer.from('plain'), context);
  assert.equal((await after.transformFromStorage(again, context)).stale, false);
  assert.equal((await after.transformFromStorage(Buffer.from('plain'), context)).stale, true);
  assert.throws(() => before.transformFromStorage(again, context), message('none'));
});

it('the identity transformer rejects encrypted values', () => {
  assert.throws(
    () => identityTransformer.transformFromStorage(Buffer.from('k8s:enc:aesgcm:v1:one:x'), { key: '/k' }),
    message('identity transformer tried to read encrypted data'),
  );
});
