import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuerOf, readIdToken } from './id-token.ts';

test('the claims of an ID token are read in any case, and its times also from strings', () => {
  const claims = { ISS: 'https://a', aud: 'k', exp: '1700000000', EXP: 1_800_000_000.9, nbf: '1e3', iat: 1 };
  assert.deepEqual(readIdToken(claims), {
    issuer: 'https://a',
    audiences: ['k'],
    expiresMs: 1_800_000_000_000,
    notBeforeMs: 1_000_000,
  });
  assert.equal(issuerOf({ Iss: 'https://b' }), 'https://b');
  assert.equal(issuerOf({ iss: 5 }), '');
  assert.deepEqual(readIdToken({ aud: null, nbf: null }).audiences, ['']);
  assert.ok(readIdToken({ exp: 1e30 }).expiresMs < 0, 'too large for 64 bits');
});

test('a claim of the wrong type in an ID token is rejected with the message of go-oidc', () => {
  const into = 'into Go struct field idToken';
  const cases: [claims: Record<string, never> | object, fault: string][] = [
    [{ exp: 'zz' }, String.raw`json: invalid number literal, trying to unmarshal "\"zz\"" into Number`],
    [{ iat: '01' }, String.raw`json: invalid number literal, trying to unmarshal "\"01\"" into Number`],
    [{ exp: true }, `json: cannot unmarshal bool ${into}.exp of type json.Number`],
    [{ exp: null }, 'strconv.ParseFloat: parsing "": invalid syntax'],
    [{ iat: [1] }, `json: cannot unmarshal array ${into}.iat of type json.Number`],
    [{ aud: ['k', 5] }, `json: cannot unmarshal number ${into}.aud of type string`],
    [{ aud: 5 }, `json: cannot unmarshal number ${into}.aud of type []string`],
    [{ nonce: 4, at_hash: 4 }, `json: cannot unmarshal number ${into}.nonce of type string`],
  ];
  for (const [claims, fault] of cases) {
    assert.throws(() => readIdToken(claims as never), { message: `oidc: failed to unmarshal claims: ${fault}` });
  }
});
