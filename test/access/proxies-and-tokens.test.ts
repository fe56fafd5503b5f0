// Front proxies over TLS, tokens that a webhook vouches for, bootstrap tokens, and what service account tokens are
// checked by.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { TokenKey } from '../../src/auth/authn/token-key.ts';
import { type CertificateSubject, type CertificateUse, type Issuer, issueCertificate } from '../../src/server/x509.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts';
import { startWebhook, type WebhookServer } from '../webhook-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-authn-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(folder, `${crypto.randomUUID()}-${name}`);
  writeFileSync(path, content);
  return path;
}

const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const SELF_BODY = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

/** The user behind a bearer token; undefined where it is refused. */
async function userOf(server: TestServer, token: string): Promise<JsonObject | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await server.fetch(
    new Request(`https://localhost${SELF}`, { method: 'POST', headers, body: SELF_BODY }),
  );
  if (response.status === 401) return undefined;
  return ((await response.json()) as { status: { userInfo: JsonObject } }).status.userInfo;
}

function certificate(subject: CertificateSubject, use: CertificateUse, issuer?: Issuer): Issuer {
  const [notBefore, notAfter] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  return issueCertificate({ ...{ subject, use, notBefore, notAfter }, ...(issuer === undefined ? {} : { issuer }) });
}

const proxyCa = certificate({ commonName: 'front-proxy-ca' }, { kind: 'authority' });
const proxy = certificate({ commonName: 'proxy' }, { kind: 'client' }, proxyCa);
const otherProxy = certificate({ commonName: 'other' }, { kind: 'client' }, proxyCa);
const clientCa = certificate({ commonName: 'client-ca' }, { kind: 'authority' });
const client = certificate({ commonName: 'carol', organizations: ['ops'] }, { kind: 'client' }, clientCa);

interface Answer {
  readonly status: number;
  readonly user: JsonObject | undefined;
}

function askOverTls(
  server: TestServer,
  { certPem, keyPem }: Issuer,
  headers: Readonly<Record<string, string | string[]>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${SELF}`, {
      ...{ method: 'POST', cert: certPem, key: keyPem, rejectUnauthorized: false, agent: false },
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      const body = (await json(response)) as { status?: { userInfo?: JsonObject } };
      resolve({ status: response.statusCode ?? 0, user: body.status?.userInfo });
    });
    // As bytes: a text would make Node encode the headers like it.
    outgoing.end(Buffer.from(SELF_BODY));
  });
}

test('a front proxy authenticates users by request headers, and other clients cannot', async () => {
  await using server = await startTestServer({
    listen: true,
    requestheaderClientCaFile: file('front.crt', proxyCa.certPem),
    clientCaFile: file('client.crt', clientCa.certPem),
    requestheaderAllowedNames: ['proxy'],
    requestheaderUsernameHeaders: ['X-Remote-User', 'X-Old-User'],
    requestheaderUidHeaders: ['X-Remote-Uid'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  });
  const headers = {
    ...{ 'x-remote-user': 'dave', 'x-remote-uid': 'u7', 'x-remote-group': ['a', 'b,c'] },
    'x-remote-extra-example.org%2fsite': 'hq',
  };
  assert.deepEqual(await askOverTls(server, proxy, headers), {
    status: 201,
    user: {
      ...{ username: 'dave', uid: 'u7', groups: ['a', 'b,c', 'system:authenticated'] },
      extra: { 'example.org/site': ['hq'] },
    },
  });
  const inUtf8 = Buffer.from('Érin').toString('latin1');
  assert.equal((await askOverTls(server, proxy, { 'x-old-user': inUtf8 })).user?.['username'], 'Érin');
  // Its certificate is not one of a client, and other names may not speak for anybody.
  assert.equal((await askOverTls(server, proxy, {})).status, 401);
  assert.equal((await askOverTls(server, otherProxy, headers)).status, 401);
  const token = { ...headers, authorization: `Bearer ${server.token}` };
  assert.equal((await askOverTls(server, otherProxy, token)).user?.['username'], 'admin');
  // A client's own certificate names the client, whatever the headers say.
  assert.equal((await askOverTls(server, client, headers)).user?.['username'], 'carol');
});

function kubeconfig({ url, caBundle }: WebhookServer): string {
  const cluster = { server: `${url}/token`, 'certificate-authority-data': caBundle };
  const text = {
    ...{ clusters: [{ name: 'hook', cluster }], contexts: [{ name: 'hook', context: { cluster: 'hook' } }] },
    'current-context': 'hook',
  };
  return file('kubeconfig', JSON.stringify(text));
}

test('a token webhook authenticates tokens, and its responses are cached', async () => {
  await using hook = await startWebhook(({ review }) => {
    const { token } = review['spec'] as JsonObject;
    if (token === 'broken') return { status: 403, text: 'no' };
    const user = { username: 'frank', uid: 'u9', groups: ['g'], extra: { k: ['v'] } };
    const audiences = token === 'elsewhere' ? { audiences: ['them'] } : {};
    const error = token === 'noted' ? { error: 'but' } : {};
    const status =
      token === 'unknown' ? { authenticated: false } : { authenticated: true, user, ...audiences, ...error };
    return { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', status };
  });
  await using server = await startTestServer({
    authenticationTokenWebhookConfigFile: kubeconfig(hook),
    authenticationTokenWebhookVersion: 'v1',
    apiAudiences: ['api'],
  });
  const expected = { username: 'frank', uid: 'u9', groups: ['g', 'system:authenticated'], extra: { k: ['v'] } };
  for (let times = 0; times < 2; times++) assert.deepEqual(await userOf(server, 'good'), expected);
  for (let times = 0; times < 2; times++) assert.equal(await userOf(server, 'unknown'), undefined);
  assert.deepEqual(
    hook.seen.map(({ review }) => review['spec']),
    ['good', 'unknown'].map((token) => ({ token, audiences: ['api'] })),
  );
  assert.equal(await userOf(server, 'elsewhere'), undefined);
  for (let times = 0; times < 2; times++) assert.equal(await userOf(server, 'broken'), undefined);
  assert.equal(hook.seen.length, 5, 'failures are not remembered');
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'noted' } };
  for (let times = 0; times < 2; times++) {
    const { body } = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
    assert.equal(((body as JsonObject)['status'] as JsonObject)['authenticated'], true);
  }
  assert.equal(hook.seen.length, 6, 'an error beside a user is not a failure');
});

async function withBootstrapToken(
  options: TestServerOptions,
  data: Record<string, string>,
): Promise<JsonObject | undefined> {
  await using server = await startTestServer(options);
  const stringData = {
    ...{ 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' },
    ...data,
  };
  const { status } = await server.request('POST', '/api/v1/namespaces/kube-system/secrets', {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bootstrap-token-abcdef' } },
    ...{ type: 'bootstrap.kubernetes.io/token', stringData },
  });
  assert.equal(status, 201);
  return await userOf(server, 'abcdef.0123456789abcdef');
}

test('bootstrap tokens are accepted if they are enabled, until they expire', async () => {
  const on = { enableBootstrapTokenAuth: true };
  const extra = 'system:bootstrappers:workers';
  assert.deepEqual(await withBootstrapToken(on, { 'auth-extra-groups': extra, expiration: '2999-01-01T00:00:00Z' }), {
    username: 'system:bootstrap:abcdef',
    groups: ['system:bootstrappers', extra, 'system:authenticated'],
  });
  assert.equal(await withBootstrapToken({}, {}), undefined);
  const bad: Record<string, string>[] = [
    { expiration: '2001-01-01T00:00:00Z' },
    { expiration: 'tomorrow' },
    { 'auth-extra-groups': 'system:masters' },
    { 'usage-bootstrap-authentication': 'false' },
    { 'token-secret': 'fedcba9876543210' },
  ];
  for (const data of bad) assert.equal(await withBootstrapToken(on, data), undefined, JSON.stringify(data));
});

test('service account tokens of all issuers and keys are accepted, and the first issues within the maximum', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  await using server = await startTestServer({
    serviceAccountIssuer: ['https://new.example', 'https://old.example'],
    serviceAccountKeyFile: [file('old.pub', publicPem)],
    serviceAccountMaxTokenExpirationMs: 3_600_000,
    serviceAccountJwksUri: 'https://keys.example/jwks',
  });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  const made = await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', account);
  const { uid } = (made.body as { metadata: { uid: string } }).metadata;
  const now = Math.floor(Date.now() / 1000);
  const old = new TokenKey(privateKey).sign({
    ...{ iss: 'https://old.example', aud: ['https://old.example'], sub: 'system:serviceaccount:default:robot' },
    ...{ exp: now + 600, nbf: now, iat: now, jti: 'j' },
    'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid } },
  });
  assert.equal((await userOf(server, old))?.['username'], 'system:serviceaccount:default:robot');
  const response = await server.fetch(
    new Request('https://localhost/api/v1/namespaces/default/serviceaccounts/robot/token', {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } },
      }),
    }),
  );
  assert.match(response.headers.get('warning') ?? '', /requested expiration of 7200 seconds shortened to 3600 seconds/);
  const { status } = (await response.json()) as { status: { token: string } };
  const claims = JSON.parse(Buffer.from(status.token.split('.')[1]!, 'base64url').toString()) as JsonObject;
  assert.deepEqual([claims['iss'], Number(claims['exp']) - Number(claims['iat'])], ['https://new.example', 3600]);
  const discovery = (await server.request('GET', '/.well-known/openid-configuration')).body as JsonObject;
  assert.deepEqual(
    [discovery['jwks_uri'], discovery['id_token_signing_alg_values_supported']],
    ['https://keys.example/jwks', ['ES256', 'RS256']],
  );
});
