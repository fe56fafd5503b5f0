import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { signerKey, startTokenSigner, type TokenSignerProgram } from '../../../test/token-signer.ts';
import { readToken } from '../../auth/authn/token-key.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/test-server.ts';

let folder = '';
let sockets = 0;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-signer-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

async function started(change: (signer: TokenSignerProgram) => void = () => {}, options: TestServerOptions = {}) {
  const socket = join(folder, `${sockets++}.sock`);
  const signer = await startTokenSigner(socket);
  change(signer);
  const stack = new AsyncDisposableStack();
  stack.use(signer);
  try {
    const server = stack.use(await startTestServer({ serviceAccountSigningEndpoint: socket, ...options }));
    await server.request('POST', ACCOUNTS, { metadata: { name: 'robot' } });
    return { signer, server, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

interface TokenAnswer {
  readonly status: { readonly token: string };
  readonly message?: string;
  readonly reason?: string;
}

async function requested(server: TestServer, spec: object = {}): Promise<{ status: number; body: TokenAnswer }> {
  const answer = await server.request('POST', `${ACCOUNTS}/robot/token`, { spec });
  return { status: answer.status, body: answer.body as TokenAnswer };
}

async function whoIs(server: TestServer, token: string) {
  const { body } = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
  return (body as { status: { authenticated?: boolean; user?: { username?: string } } }).status;
}

async function published(server: TestServer) {
  const get = (path: string) => {
    const headers = { authorization: `Bearer ${server.token}`, accept: '*/*' };
    return server.fetch(new Request(`https://localhost${path}`, { headers }));
  };
  const answer = await get('/openid/v1/jwks');
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  const text = await (await get('/metrics')).text();
  return { ids: keys.map(({ kid }) => kid), cache: answer.headers.get('cache-control'), metrics: text };
}

test('service account tokens are signed by the external signer, and verified and published with its keys', async () => {
  await using run = await started((signer) => {
    signer.keys.push({ ...signerKey('old'), isUnpublished: true });
  });
  const { server } = run;
  const { body } = await requested(server);
  const { token } = body.status;
  assert.equal(readToken(token)?.keyId, 'key-1');
  assert.equal((await whoIs(server, token)).user?.username, 'system:serviceaccount:default:robot');
  const { ids, cache, metrics } = await published(server);
  assert.deepEqual(ids, ['key-1']);
  assert.match(cache ?? '', /^public, max-age=(60|5\d)$/);
  assert.match(metrics, /apiserver_externaljwt_sign_request_total\{code="OK"\} 1/);
  assert.match(metrics, /apiserver_externaljwt_fetch_keys_request_total\{code="OK"\} 1/);
  assert.match(metrics, /apiserver_externaljwt_fetch_keys_data_timestamp 1\.7e\+09/);
  assert.match(metrics, /request_duration_seconds_count\{code="OK",method="\/v1.ExternalJWTSigner\/Sign"\} 1/);
});

test('an unknown key of the external signer is fetched, and a removed one verifies no token', async () => {
  await using run = await started();
  const { server, signer } = run;
  const old = (await requested(server)).body.status.token;
  assert.equal((await whoIs(server, old)).authenticated, true);
  signer.keys = [signerKey('key-2')];
  const fresh = (await requested(server)).body.status.token;
  assert.equal(readToken(fresh)?.keyId, 'key-2');
  assert.equal((await whoIs(server, fresh)).authenticated, true);
  server.clock?.advance('11s');
  assert.notEqual((await whoIs(server, old)).authenticated, true);
  assert.deepEqual((await published(server)).ids, ['key-2']);
});

test('the keys of the external signer are fetched again when they are old', async () => {
  await using run = await started();
  const { server, signer } = run;
  signer.keys = [signerKey('key-2')];
  assert.equal(signer.calls['FetchKeys'], 1);
  server.clock?.advance('60s');
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => void published(server).then(({ ids }) => (ids[0] === 'key-2' ? resolve() : setImmediate(look)));
  look();
  await promise;
  assert.equal(signer.calls['FetchKeys'], 2);
});

test('an external signer that fails, or whose signatures are invalid, is reported', async () => {
  await using run = await started();
  const { server, signer } = run;
  const failed = async () => {
    const { status, body } = await requested(server);
    return [status, body.reason, body.message];
  };
  const internal = (why: string) => [500, 'InternalError', `Internal error occurred: failed to generate token: ${why}`];
  signer.header = { extra: 1 };
  assert.deepEqual(
    await failed(),
    internal('while validating header: while parsing header JSON: json: unknown field "extra"'),
  );
  signer.header = { alg: 'none' };
  assert.deepEqual(await failed(), internal('while validating header: bad signing algorithm "none"'));
  signer.header = { kid: '' };
  assert.deepEqual(await failed(), internal('while validating header: key id missing'));
  signer.header = {};
  signer.keys = [{ ...signerKey('hidden'), isUnpublished: true }];
  assert.deepEqual(
    await failed(),
    internal('while validating header: key used for signing JWT (kid: hidden) is excluded from OIDC discovery docs'),
  );
  signer.fault = 'the vault is closed';
  assert.deepEqual(
    await failed(),
    internal('while signing jwt: rpc error: code = Internal desc = the vault is closed'),
  );
  const { metrics } = await published(server);
  assert.match(metrics, /sign_request_total\{code="unknown-non-grpc"\} 4/);
  assert.match(metrics, /sign_request_total\{code="Internal"\} 1/);
});

test('service account tokens expire after the maximum of the external signer', async () => {
  await using run = await started((signer) => {
    signer.maxSeconds = 4000;
  });
  const { body } = await requested(run.server, { expirationSeconds: 9000 });
  const claims = readToken(body.status.token)?.claims ?? {};
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 4000);
});

const REFUSED: readonly [
  what: string,
  text: string,
  change: (signer: TokenSignerProgram) => void,
  TestServerOptions?,
][] = [
  [
    'tokens whose maximum lifetime is too short',
    'max token life supported by external-jwt-signer (599s) is less than acceptable (min 600s)',
    (signer) => {
      signer.maxSeconds = 599;
    },
  ],
  [
    'a lifetime above the maximum of the signer',
    'service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: 48h0m0s > 24h0m0s',
    () => {},
    { serviceAccountMaxTokenExpirationMs: 172_800_000 },
  ],
  [
    'a signer without keys',
    'while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: while fetching token verification keys: found no keys',
    (signer) => {
      signer.keys = [];
    },
  ],
  [
    'keys that expire at once',
    'while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: while fetching token verification keys: found invalid refresh hint (0s)',
    (signer) => {
      signer.refreshSeconds = 0;
    },
  ],
  [
    'a signer that fails',
    'while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: while fetching token verification keys: while getting externally supported jwt signing keys: rpc error: code = Internal desc = closed',
    (signer) => {
      signer.fault = 'closed';
    },
  ],
  [
    'further keys of the server',
    "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    () => {},
    { serviceAccountKeyFile: ['/x'] },
  ],
  [
    'the feature gate off',
    'setting `--service-account-signing-endpoint` requires enabling ExternalServiceAccountTokenSigner feature gate',
    () => {},
    { featureGates: { ExternalServiceAccountTokenSigner: false } },
  ],
];

for (const [what, message, change, options] of REFUSED) {
  test(`the start with an external signer fails for ${what}`, async () => {
    await assert.rejects(started(change, options), (error: Error) => {
      assert.equal(error.message, message);
      return true;
    });
  });
}
