// Issuers of tokens over TLS: what a server that is told to believe one makes of its tokens.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../src/api/object.ts';
import { type Clock, ManualClock } from '../../src/base/clock.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts';
import { startIssuer, type TestIssuer } from '../token-issuer.ts';
import { until } from '../until.ts';

/** The user that the server sees behind a token; undefined where it refuses the token. */
async function userOf(server: TestServer, token: string): Promise<JsonObject | undefined> {
  const response = await server.fetch(
    new Request('https://localhost/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    }),
  );
  if (response.status === 401) return undefined;
  const { status } = (await response.json()) as { status: { userInfo: JsonObject } };
  return status.userInfo;
}

/** Why the server refuses a token, as who may review tokens is told. */
async function faultOf(server: TestServer, token: string): Promise<string> {
  const { body } = await server.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  });
  return String((body as { status: JsonObject }).status['error'] ?? '');
}

interface Configured extends AsyncDisposable {
  readonly server: TestServer;
  readonly path: string;
}

/** A server with an AuthenticationConfiguration, ready once the issuer is known. */
async function configured(
  issuer: TestIssuer,
  text: string,
  options: TestServerOptions = {},
  clock?: Clock,
): Promise<Configured> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-jwt-'));
  const path = join(folder, 'authentication.yaml');
  writeFileSync(path, text);
  const server = await startTestServer({ ...options, authenticationConfig: path }, clock && { clock });
  await until('the issuer is asked', () => issuer.seen.includes('/.well-known/openid-configuration'));
  return {
    ...{ server, path },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(issuer: TestIssuer, members: JsonObject = {}, more: JsonObject = {}): string {
  const { claimMappings = { username: { claim: 'sub', prefix: 'oidc:' } }, ...rest } = members;
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer: { url: issuer.url, audiences: ['us'], certificateAuthority: issuer.ca }, claimMappings, ...rest }],
    ...more,
  });
}

test('a token of a JWT issuer authenticates its user, and invalid ones are rejected with a reason', async () => {
  await using issuer = await startIssuer();
  await using at = await configured(issuer, configuration(issuer));
  const { server } = at;
  await until('the token is trusted', async () => (await userOf(server, issuer.token())) !== undefined);
  const now = Math.floor(Date.now() / 1000);
  assert.deepEqual(await userOf(server, issuer.token({ jti: 'j1', aud: ['them', 'us'] })), {
    username: 'oidc:alice',
    groups: ['system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j1'] },
  });
  assert.ok(await userOf(server, issuer.token({ nbf: now + 50 })), 'a minute of grace');
  const faults: [token: string, fault: RegExp][] = [
    [issuer.token({ aud: 'them' }), /oidc: verify token: oidc: expected audience "us" got \["them"\]/],
    [issuer.token({ exp: now - 1 }), /oidc: verify token: oidc: token is expired \(Token Expiry: /],
    [issuer.token({ exp: null }), /failed to unmarshal claims: strconv\.ParseFloat: parsing "": invalid syntax/],
    [issuer.token({ exp: undefined }), /oidc: token is expired \(Token Expiry: 0001-01-01 00:00:00 \+0000 UTC\)/],
    [
      issuer.token({ exp: 'x' }),
      /failed to unmarshal claims: json: invalid number literal, trying to unmarshal "\\"x\\"" into/,
    ],
    [issuer.token({ nbf: now + 90 }), /before the nbf \(not before\) time/],
    [issuer.token({}, 'a stranger'), /failed to verify signature: failed to verify id token signature/],
    [
      issuer.token({ sub: 7 }),
      /verify token: oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.sub of type string/,
    ],
  ];
  for (const [token, fault] of faults) {
    assert.equal(await userOf(server, token), undefined);
    assert.match(await faultOf(server, token), fault);
  }
  assert.equal(await faultOf(server, issuer.token({ iss: 'https://other.example' })), 'invalid bearer token');
});

test('a new key of a JWT issuer is fetched, with any signature algorithm', async () => {
  await using issuer = await startIssuer();
  await using at = await configured(issuer, configuration(issuer));
  await until('the token is trusted', async () => (await userOf(at.server, issuer.token())) !== undefined);
  for (const algorithm of ['ES256', 'PS384', 'RS256'] as const) {
    const before = issuer.token({ jti: 'before' });
    issuer.rotate(algorithm);
    assert.ok(await userOf(at.server, issuer.token()), algorithm);
    assert.equal(await userOf(at.server, before), undefined, 'the fresh set takes the place of the old');
  }
});

test('CEL expressions map and validate the claims of a JWT', async () => {
  await using issuer = await startIssuer();
  const text = configuration(issuer, {
    claimMappings: {
      username: { expression: "claims.name + '@' + claims.site" },
      groups: {
        expression: "claims.?roles.orValue([]).map(r, 'role:' + r)".replace(
          'claims.?roles.orValue([])',
          'dyn(claims.roles)',
        ),
      },
      uid: { claim: 'uid' },
      extra: [
        { key: 'example.org/site', valueExpression: 'claims.site' },
        { key: 'example.org/none', valueExpression: "''" },
      ],
    },
    claimValidationRules: [
      { claim: 'site', requiredValue: 'hq' },
      { expression: 'claims.level > 2', message: 'level too low' },
    ],
    userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'reserved' }],
  });
  await using at = await configured(issuer, text);
  const claims = { name: 'bob', site: 'hq', roles: ['a', 'b'], uid: 'u1', level: 3 };
  await until('the token is trusted', async () => (await userOf(at.server, issuer.token(claims))) !== undefined);
  assert.deepEqual(await userOf(at.server, issuer.token(claims)), {
    username: 'bob@hq',
    uid: 'u1',
    groups: ['role:a', 'role:b', 'system:authenticated'],
    extra: { 'example.org/site': ['hq'] },
  });
  const faults: [changed: JsonObject, fault: RegExp][] = [
    [{ level: 1 }, /validation expression 'claims.level > 2' failed: level too low/],
    [{ site: 'lab' }, /oidc: required claim site value does not match. Got = lab, want = hq/],
    [{ name: 'system:x' }, /error evaluating user info validation rule: validation expression .* failed: reserved/],
    [{ roles: [1] }, /error evaluating group claim expression/],
    [{ uid: undefined as unknown as null }, /oidc: parse uid claim "uid": claim not present/],
  ];
  for (const [changed, fault] of faults) {
    assert.match(await faultOf(at.server, issuer.token({ ...claims, ...changed })), fault);
  }
});

test('the --oidc flags configure one JWT issuer, whose URL is the prefix of user names', async () => {
  await using issuer = await startIssuer();
  const folder = mkdtempSync(join(tmpdir(), 'keelson-oidc-'));
  const oidcCaFile = join(folder, 'ca.crt');
  writeFileSync(oidcCaFile, issuer.ca);
  await using server = await startTestServer({
    ...{ oidcIssuerUrl: issuer.url, oidcClientId: 'us', oidcCaFile, oidcGroupsClaim: 'groups', oidcGroupsPrefix: 'g:' },
    oidcRequiredClaim: { hd: 'example.org' },
  });
  const token = issuer.token({ groups: 'dev', hd: 'example.org' });
  await until('the token is trusted', async () => (await userOf(server, token)) !== undefined);
  const { username, groups } = (await userOf(server, token)) ?? {};
  assert.deepEqual([username, groups], [`${issuer.url}#alice`, ['g:dev', 'system:authenticated']]);
  assert.match(await faultOf(server, issuer.token()), /oidc: required claim hd not present in ID token/);
  issuer.rotate('ES256');
  assert.match(
    await faultOf(server, issuer.token({ hd: 'example.org' })),
    /id token signed with unsupported algorithm, expected \["RS256"\] got "ES256"/,
  );
  rmSync(folder, { recursive: true });
});

test('distributed claims of groups are fetched', async () => {
  await using issuer = await startIssuer();
  const text = configuration(issuer, {
    claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: '' } },
  });
  await using at = await configured(issuer, text);
  issuer.documents.set('/groups', issuer.token({ groups: ['far'] }));
  const names = { _claim_names: { groups: 'src' } };
  const token = issuer.token({ ...names, _claim_sources: { src: { endpoint: `${issuer.url}/groups` } } });
  await until('the token is trusted', async () => (await userOf(at.server, token)) !== undefined);
  assert.deepEqual((await userOf(at.server, token))?.['groups'], ['far', 'system:authenticated']);
  const lost = issuer.token({ ...names, _claim_sources: { src: { endpoint: `${issuer.url}/nowhere` } } });
  assert.match(
    await faultOf(at.server, lost),
    /could not expand distributed claims: while getting distributed claim "groups"/,
  );
});

test('anonymous requests are limited to the paths of the AuthenticationConfiguration', async () => {
  await using issuer = await startIssuer();
  const anonymous = { enabled: true, conditions: [{ path: '/livez' }] };
  await using at = await configured(issuer, configuration(issuer, {}, { anonymous }));
  const status = async (path: string) => (await at.server.fetch(new Request(`https://localhost${path}`))).status;
  assert.deepEqual([await status('/livez'), await status('/readyz'), await status('/livez/ping')], [200, 401, 401]);
});

test('a changed AuthenticationConfiguration is reloaded, and an invalid one is counted and ignored', async () => {
  await using issuer = await startIssuer();
  await using at = await configured(issuer, configuration(issuer));
  const { server, path } = at;
  await until('the token is trusted', async () => (await userOf(server, issuer.token())) !== undefined);
  const counted = async (line: RegExp) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await server.fetch(new Request('https://localhost/metrics', { headers }));
    return line.test(await response.text());
  };
  writeFileSync(path, configuration(issuer, { claimMappings: { username: { claim: 'sub' } } }));
  await until('the failure is counted', () =>
    counted(/^apiserver_authentication_config_controller_automatic_reloads_total\{.*status="failure".*\} 1$/m),
  );
  assert.equal((await userOf(server, issuer.token({ jti: 'a' })))?.['username'], 'oidc:alice');
  writeFileSync(path, configuration(issuer, { claimMappings: { username: { claim: 'sub', prefix: 'new:' } } }));
  await until(
    'the token is trusted',
    async () => (await userOf(server, issuer.token({ jti: crypto.randomUUID() })))?.['username'] === 'new:alice',
  );
  assert.ok(await counted(/^apiserver_authentication_config_controller_last_config_info\{.*hash="sha256:.*\} 1$/m));
  const info = /^apiserver_authentication_config_controller_last_config_info\{[^\n]*\n[^#]/m;
  assert.ok(!(await counted(info)), 'the former file is told of no more');
});

test('an invalid AuthenticationConfiguration ends the start in the words of kube-apiserver', async () => {
  await using issuer = await startIssuer();
  const valid = JSON.parse(configuration(issuer)) as JsonObject;
  const withIssuer = (members: JsonObject) => JSON.parse(configuration(issuer, members)) as JsonObject;
  const cases: [text: string, error: RegExp][] = [
    ['', /^failed to load authentication configuration from file ".*": empty config data$/],
    [JSON.stringify({ ...valid, x: 1 }), /strict decoding error: unknown field "x"$/],
    [
      JSON.stringify(withIssuer({ issuer: { url: 'http://x', audiences: ['a'] } })),
      /^invalid authentication configuration: jwt\[0\]\.issuer\.url: Invalid value: "http:\/\/x": URL scheme must be https$/,
    ],
    [
      JSON.stringify(withIssuer({ claimMappings: { username: { claim: 'sub' } } })),
      /jwt\[0\]\.claimMappings\.username\.prefix: Required value: prefix is required when claim is set/,
    ],
    [
      JSON.stringify(withIssuer({ claimValidationRules: [{ expression: 'claims.a ==' }] })),
      /jwt\[0\]\.claimValidationRules\[0\]\.expression: Invalid value: "claims\.a ==": compilation failed: ERROR/,
    ],
    [
      JSON.stringify(withIssuer({ claimMappings: { username: { expression: 'claims.email' } } })),
      /jwt\[0\]\.claimMappings\.username\.expression: .*: claims\.email_verified must be used in/,
    ],
    [
      JSON.stringify({ ...valid, anonymous: { enabled: false, conditions: [{ path: '/x' }] } }),
      /anonymous\.conditions: Invalid value: .*: enabled should be set to true when conditions are defined/,
    ],
  ];
  for (const [text, error] of cases) {
    await assert.rejects(
      () => configured(issuer, text),
      (thrown: Error) => {
        assert.match(thrown.message, error);
        return true;
      },
    );
  }
});

/** The series about the keys of JWT issuers that a server shows, with times left out. */
async function keySeries(server: TestServer): Promise<string[]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const page = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  return page
    .split('\n')
    .filter((line) => line.startsWith('apiserver_authentication_jwt_authenticator_jwks_'))
    .map((line) => line.replace(/(timestamp_seconds\{.*\}) .*/, '$1').replace(/apiserver_id_hash="[^"]*",/, ''));
}

test('metrics tell of the keys of each JWT issuer, from 1.35 on and as long as it is one', async () => {
  await using issuer = await startIssuer();
  const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const series = (kind: string, labels: string) =>
    `apiserver_authentication_jwt_authenticator_jwks_fetch_${kind}{${labels}}`;
  const of = `jwt_issuer_hash="${hashOf(issuer.url)}"`;
  for (const [kubernetesVersion, isMeasured] of [
    ['1.34', false],
    ['1.35', true],
  ] as const) {
    const clock = new ManualClock(Date.now());
    await using at = await configured(issuer, configuration(issuer), { kubernetesVersion, controllers: '' }, clock);
    await until('the token is trusted', async () => (await userOf(at.server, issuer.token())) !== undefined);
    const expected = [
      `${series('last_key_set_info', `hash="${hashOf(issuer.keys())}",${of}`)} 1`,
      series('last_timestamp_seconds', `${of},result="success"`),
    ];
    assert.deepEqual((await keySeries(at.server)).toSorted(), isMeasured ? expected : []);
    writeFileSync(at.path, JSON.stringify({ ...JSON.parse(configuration(issuer)), jwt: [] }));
    await until('the issuer is forgotten', async () => {
      clock.advance(1_000);
      return (await userOf(at.server, issuer.token({ jti: crypto.randomUUID() }))) === undefined;
    });
    assert.deepEqual(await keySeries(at.server), []);
  }
});
