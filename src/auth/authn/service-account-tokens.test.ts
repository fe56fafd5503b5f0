import assert from 'node:assert/strict';
import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { SeededRandom } from '../../base/seeded-random.ts';
import { TokenError, type TokenRemarks } from './authenticator.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { type BoundTokenRequest, secretTokenClaims, TokenIssuer } from './token-issuer.ts';
import { readToken, TokenKey } from './token-key.ts';
import { fixedKeys } from './token-keys.ts';

const AUDIENCE = 'https://server';
const clock = new ManualClock();
const stored = new Map<string, ApiObject>();
const objects = {
  find: async ({ resource }: { resource: string }, namespace: string, name: string) =>
    stored.get(`${resource}/${namespace}/${name}`),
};

function issuerWith(signer: TokenKey): TokenIssuer {
  return new TokenIssuer({ url: AUDIENCE, signer, clock, random: new SeededRandom(1) });
}

function sourceOf(...keys: readonly TokenKey[]): ServiceAccountTokens {
  return new ServiceAccountTokens({
    issuers: [AUDIENCE],
    keys: fixedKeys(keys),
    audiences: [AUDIENCE],
    objects,
    clock,
  });
}

function request(change: Partial<BoundTokenRequest> = {}): BoundTokenRequest {
  const account = { name: 'robot', uid: 'u1' };
  return { namespace: 'ns', account, audiences: [AUDIENCE], expirationSeconds: 600, bound: {}, ...change };
}

function put(resource: string, namespace: string, name: string, uid: string, more: Partial<ApiObject> = {}): void {
  const object: ApiObject = { metadata: { name, uid, ...more.metadata } };
  stored.set(`${resource}/${namespace}/${name}`, { ...more, metadata: object.metadata });
}

const key = TokenKey.generate();
const issuer = issuerWith(key);
const source = sourceOf(key);

function refused(token: string, text: RegExp) {
  return assert.rejects(source.reviewToken(token, [AUDIENCE]), (error) => {
    assert.ok(error instanceof TokenError);
    assert.match(error.message, text);
    return true;
  });
}

describe('tokens of service accounts', () => {
  beforeEach(() => {
    stored.clear();
    put('serviceaccounts', 'ns', 'robot', 'u1');
    put('pods', 'ns', 'web', 'p1');
    put('nodes', '', 'n', 'n1');
  });

  it('a service account token authenticates the account with its groups, and as extra the pod and node that it is bound to', async () => {
    const bound = { pod: { name: 'web', uid: 'p1' }, node: { name: 'n', uid: 'n1' } };
    const user = await source.authenticateToken(await issuer.issue(request({ bound })));
    assert.equal(user?.name, 'system:serviceaccount:ns:robot');
    assert.equal(user?.uid, 'u1');
    assert.deepEqual(user?.groups, ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated']);
    const { 'authentication.kubernetes.io/credential-id': id, ...extra } = user?.extra ?? {};
    assert.match(id?.[0] ?? '', /^JTI=[0-9a-f-]{36}$/);
    assert.deepEqual(extra, {
      'authentication.kubernetes.io/pod-name': ['web'],
      'authentication.kubernetes.io/pod-uid': ['p1'],
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['n1'],
    });
  });

  it('a token that is longer than any that the server signs is not parsed', async () => {
    const token = key.sign({ iss: AUDIENCE, text: 'x'.repeat(limits.signedTokenCharacters) });
    assert.equal(readToken(token), undefined);
    assert.equal(await source.authenticateToken(token), undefined);
  });

  it('a service account token returns the same user object each time', async () => {
    const token = await issuer.issue(request());
    assert.equal(await source.authenticateToken(token), await source.authenticateToken(token));
  });

  it('a token of another issuer or form is left to other authenticators', async () => {
    for (const token of ['', 'a', 'a.b', 'a.b.c', `${'x'.repeat(20)}.e30.e30`]) {
      assert.equal(await source.reviewToken(token, [AUDIENCE]), undefined);
    }
  });

  it('a service account token that is not signed by the key is rejected, whatever algorithm it names', async () => {
    await refused(await issuerWith(TokenKey.generate()).issue(request()), /signature/);
    const rsa = new TokenKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    await refused(await issuerWith(rsa).issue(request()), /signature/);
    const [, claims] = (await issuer.issue(request())).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    await refused(`${header}.${claims}.`, /signature/);
  });

  it('a service account token may be signed by an RSA key', async () => {
    const rsaKey = new TokenKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    const rsa = issuerWith(rsaKey);
    assert.equal(readToken(await rsa.issue(request()))?.algorithm, 'RS256');
    assert.ok(await sourceOf(rsaKey).authenticateToken(await rsa.issue(request())));
  });

  it('a service account token may be signed by RSA with PSS', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsaKey = new TokenKey(privateKey);
    const [, claims] = (await issuerWith(rsaKey).issue(request())).split('.');
    const head = Buffer.from(JSON.stringify({ alg: 'PS384', kid: rsaKey.id })).toString('base64url');
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    const signature = sign('sha384', Buffer.from(`${head}.${claims}`), { key: privateKey, ...padding });
    assert.ok(await sourceOf(rsaKey).authenticateToken(`${head}.${claims}.${signature.toString('base64url')}`));
  });

  it('a service account token with padding or with critical headers is rejected', async () => {
    const token = await issuer.issue(request());
    assert.equal(await source.authenticateToken(`${token}==`), undefined);
    const [, claims = ''] = token.split('.');
    const head = { alg: key.algorithm, kid: key.id, crit: ['b64'], b64: true };
    const text = `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${claims}`;
    const signing = { key: createPrivateKey(key.pem), dsaEncoding: 'ieee-p1363' } as const;
    await refused(`${text}.${sign('sha256', Buffer.from(text), signing).toString('base64url')}`, /^the signature /);
  });

  it('a service account token is valid only for its audiences', async () => {
    const token = await issuer.issue(request({ audiences: ['a', 'b'] }));
    await assert.rejects(source.authenticateToken(token), TokenError);
    await refused(token, /^token audiences \["a" "b"\] is invalid for the target audiences \["https:\/\/server"\]$/);
    assert.deepEqual((await source.reviewToken(token, ['b', 'c']))?.audiences, ['b']);
  });

  it('a service account token expires, with a leeway of a minute', async () => {
    const token = await issuer.issue(request());
    clock.advance(660_000);
    assert.ok(await source.authenticateToken(token));
    clock.advance(1_000);
    await refused(token, /^service account token has expired$/);
    await assert.rejects(source.authenticateToken(token), TokenError);
  });

  it('a service account token of the future is not valid yet, with a leeway of a minute', async () => {
    const seconds = clock.now() / 1000;
    const claims = (more: JsonObject) => ({ ...readToken(token)!.claims, ...more });
    const token = await issuer.issue(request());
    assert.ok(await source.authenticateToken(key.sign(claims({ nbf: seconds + 60, iat: seconds + 60 }))));
    await refused(key.sign(claims({ nbf: seconds + 61 })), /^service account token is not valid yet$/);
    await refused(key.sign(claims({ iat: seconds + 61 })), /^service account token is issued in the future$/);
  });

  it('a legacy token without an audience is valid for the API server, and is recorded in the audit annotations', async () => {
    const { aud, jti, ...claims } = readToken(await issuer.issue(request()))!.claims;
    const told: TokenRemarks = { warnings: [], annotations: [] };
    const token = key.sign(claims);
    assert.deepEqual((await source.authenticateToken(token, told))?.extra, {});
    assert.deepEqual(told.annotations, [['authentication.k8s.io/legacy-token', 'system:serviceaccount:ns:robot']]);
    await assert.rejects(
      source.reviewToken(token, ['b']),
      /^TokenError: token audiences \["https:\/\/server"\] is invalid/,
    );
  });

  it('a service account token is invalid once its account is deleted or recreated', async () => {
    const token = await issuer.issue(request());
    put('serviceaccounts', 'ns', 'robot', 'u2');
    await refused(token, /UID \(u2\) does not match claim \(u1\)/);
    stored.clear();
    await refused(token, /^serviceaccounts "robot" not found$/);
  });

  it('a service account token is valid for a minute after its account is marked for deletion', async () => {
    const token = await issuer.issue(request());
    const deletionTimestamp = new Date(clock.now()).toISOString();
    put('serviceaccounts', 'ns', 'robot', 'u1', { metadata: { deletionTimestamp } });
    clock.advance(60_000);
    assert.ok(await source.authenticateToken(token));
    clock.advance(1_000);
    await refused(token, /^service account ns\/robot has been deleted$/);
  });

  it('a service account token is invalid once the pod that it is bound to is deleted or recreated', async () => {
    const token = await issuer.issue(request({ bound: { pod: { name: 'web', uid: 'p1' } } }));
    assert.ok(await source.authenticateToken(token));
    put('pods', 'ns', 'web', 'p2');
    await refused(token, /^pod UID \(p2\) does not match service account pod ref claim \(p1\)$/);
    stored.delete('pods/ns/web');
    await refused(token, /invalidated/);
  });

  it('a legacy token is valid while its Secret contains it', async () => {
    const token = key.sign(secretTokenClaims('ns', 's', { name: 'robot', uid: 'u1' }));
    await refused(token, /^Token has been invalidated$/);
    put('secrets', 'ns', 's', 's1', { data: { token: Buffer.from(token).toString('base64') } } as Partial<ApiObject>);
    assert.deepEqual((await source.authenticateToken(token))?.extra, {});
    put('secrets', 'ns', 's', 's1', { data: { token: 'YQ==' } } as Partial<ApiObject>);
    await refused(token, /server's copy/);
  });

  it('a legacy token is invalid as soon as its account or its Secret is marked for deletion', async () => {
    const token = key.sign(secretTokenClaims('ns', 's', { name: 'robot', uid: 'u1' }));
    const data = { token: Buffer.from(token).toString('base64') };
    const deleted = { metadata: { deletionTimestamp: new Date(clock.now()).toISOString() } };
    put('secrets', 'ns', 's', 's1', { data } as Partial<ApiObject>);
    put('serviceaccounts', 'ns', 'robot', 'u1', deleted);
    await refused(token, /^ServiceAccount ns\/robot has been deleted$/);
    put('serviceaccounts', 'ns', 'robot', 'u2');
    await refused(token, /^ServiceAccount UID \(u2\) does not match claim \(u1\)$/);
    put('secrets', 'ns', 's', 's1', { data, ...deleted } as Partial<ApiObject>);
    await refused(token, /^Token has been invalidated$/);
  });

  it('a legacy token without the claims sub and service-account.uid is rejected', async () => {
    const { sub = '', ...claims } = secretTokenClaims('ns', 's', { name: 'robot', uid: 'u1' });
    await refused(key.sign(claims), /^sub claim is missing$/);
    await refused(key.sign({ ...claims, sub: 'system:serviceaccount:ns:other' }), /^sub claim is invalid$/);
    const uid = 'kubernetes.io/serviceaccount/service-account.uid';
    await refused(key.sign({ ...claims, sub, [uid]: '' }), /^serviceAccountUID claim is missing$/);
  });

  it('a legacy token is recorded in audit annotations with its origin, and rejected once its Secret is labelled invalid', async () => {
    const uses: string[] = [];
    const used: string[] = [];
    const watched = new ServiceAccountTokens({
      ...{ issuers: [AUDIENCE], keys: fixedKeys([key]), audiences: [AUDIENCE], objects, clock },
      onUse: (use) => void uses.push(use),
      onSecretUse: ({ namespace, name, uid }) => void used.push(`${namespace}/${name}/${uid}`),
    });
    const token = key.sign(secretTokenClaims('ns', 'kept', { name: 'robot', uid: 'u1' }));
    const data = { token: Buffer.from(token).toString('base64') };
    stored.set('secrets/ns/kept', { metadata: { name: 'kept', namespace: 'ns', uid: 's1' }, data });
    const remarks = (): TokenRemarks => ({ warnings: [], annotations: [] });
    const byHand = remarks();
    const legacy = ['authentication.k8s.io/legacy-token', 'system:serviceaccount:ns:robot'];
    await watched.authenticateToken(token, byHand);
    assert.deepEqual(byHand.annotations, [legacy, ['authentication.k8s.io/legacy-token-manual-secret', 'kept']]);
    put('serviceaccounts', 'ns', 'robot', 'u1', { secrets: [{ name: 'kept' }] } as Partial<ApiObject>);
    const made = remarks();
    await watched.authenticateToken(token, made);
    assert.deepEqual(made.annotations, [legacy, ['authentication.k8s.io/legacy-token-autogenerated-secret', 'kept']]);
    assert.match(made.warnings[0] ?? '', /^Use tokens from the TokenRequest API /);
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' };
    stored.set('secrets/ns/kept', { metadata: { name: 'kept', namespace: 'ns', uid: 's1', labels }, data });
    await refused(token, /^the token in secret ns\/kept for service account ns\/robot has been marked invalid\. /);
    const marked = remarks();
    await assert.rejects(watched.authenticateToken(token, marked), TokenError);
    assert.deepEqual(marked.annotations, [legacy, ['authentication.k8s.io/legacy-token-invalidated', 'kept/ns']]);
    assert.deepEqual(uses, ['legacy', 'legacyManual', 'legacy', 'legacyAuto', 'legacy', 'legacyInvalid']);
    assert.deepEqual(used, ['ns/kept/s1', 'ns/kept/s1', 'ns/kept/s1']);
  });

  it('a token with an extended lifetime is recorded as stale when it is used after its warning time', async () => {
    const uses: string[] = [];
    const onUse = (use: string) => void uses.push(use);
    const watched = new ServiceAccountTokens({
      issuers: [AUDIENCE],
      keys: fixedKeys([key]),
      audiences: [AUDIENCE],
      objects,
      clock,
      onUse,
    });
    const token = await issuer.issue(request({ expirationSeconds: 31_536_000, warnAfterSeconds: 3607 }));
    const early: TokenRemarks = { warnings: [], annotations: [] };
    await watched.authenticateToken(token, early);
    assert.deepEqual(early.annotations, []);
    clock.advance(3_617_000);
    const late: TokenRemarks = { warnings: [], annotations: [] };
    await watched.authenticateToken(token, late);
    assert.deepEqual(late.annotations, [
      [
        'authentication.k8s.io/stale-token',
        'subject: system:serviceaccount:ns:robot, seconds after warning threshold: 10',
      ],
    ]);
    assert.deepEqual(uses, ['valid', 'stale']);
  });
});
