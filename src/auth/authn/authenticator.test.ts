import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { MetricRegistry } from '../../lifecycle/metrics.ts';
import { declareAuthMetrics } from '../../lifecycle/server-metrics.ts';
import type { User } from '../user.ts';
import {
  type Authentication,
  type Credentials,
  createAuthenticator,
  type TokenAuthenticator,
  TokenError,
} from './authenticator.ts';
import { StaticTokens } from './token-file.ts';

const alice: User = { name: 'alice', uid: 'uid-a', groups: ['dev'], extra: {} };
const tokens = new StaticTokens([['alice-token', alice]]);
const authenticator = createAuthenticator({ tokens: [tokens], anonymous: true });
const certificate = { commonName: 'kubernetes-admin', organizations: ['system:masters'], fingerprint: 'ab12' };

function authenticate(credentials: Partial<Credentials>, by = authenticator): Authentication {
  const answer = by.authenticate({ authorization: undefined, peerCertificate: undefined, ...credentials });
  assert.ok(!(answer instanceof Promise), 'answered at once');
  return answer;
}

const UNAUTHORIZED = { name: 'ApiError', code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

test('a bearer token authenticates its user, who is in the group system:authenticated', () => {
  for (const authorization of [
    'Bearer alice-token',
    'bearer alice-token',
    'BEARER alice-token',
    ' Bearer alice-token ',
  ]) {
    const { user, warnings } = authenticate({ authorization });
    assert.deepEqual(user, { ...alice, groups: ['dev', 'system:authenticated'] });
    assert.deepEqual(warnings, []);
  }
});

test('text after the bearer token and a space is ignored', () => {
  assert.equal(authenticate({ authorization: 'Bearer alice-token more' }).user.name, 'alice');
});

test('an unknown bearer token is answered with 401', () => {
  for (const authorization of ['Bearer nobody', 'Bearer alice-token,bob-token', 'Bearer a b']) {
    assert.throws(() => authenticate({ authorization }), UNAUTHORIZED);
  }
});

test('an Authorization header without a bearer token leaves the client anonymous', () => {
  const nobody = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} };
  for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token alice-token']) {
    assert.deepEqual(authenticate({ authorization }), { user: nobody, warnings: [] });
  }
});

test('a review of a token that begins with a space is one of a client without credentials', async () => {
  const reviewed = (token: string, anonymous: boolean) =>
    createAuthenticator({ tokens: [tokens], anonymous }).review(token, ['a']);
  for (const token of [' ', ' alice-token']) {
    const { user, audiences } = await reviewed(token, true);
    assert.deepEqual([user.name, audiences], ['system:anonymous', ['a']]);
    await assert.rejects(reviewed(token, false), TokenError);
  }
});

test('two spaces before the bearer token leave the client anonymous, with a warning', () => {
  const { user, warnings } = authenticate({ authorization: 'Bearer  alice-token' });
  assert.equal(user.name, 'system:anonymous');
  assert.deepEqual(warnings, [
    'the provided Authorization header contains extra space before the bearer token, and is ignored',
  ]);
});

test('a request without credentials is answered with 401 if anonymous authentication is off', () => {
  const strict = createAuthenticator({ tokens: [tokens], anonymous: false });
  assert.throws(() => authenticate({}, strict), UNAUTHORIZED);
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  assert.throws(() => authenticate({ authorization: 'Bearer  alice-token', warn }, strict), UNAUTHORIZED);
  assert.match(warnings.join(), /^the provided Authorization header contains extra space/);
  assert.equal(authenticate({ authorization: 'Bearer alice-token' }, strict).user.name, 'alice');
});

test('a client certificate authenticates its common name as the user and its organizations as groups', () => {
  const { user } = authenticate({ peerCertificate: certificate });
  assert.deepEqual(user, {
    name: 'kubernetes-admin',
    uid: '',
    groups: ['system:masters', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab12'] },
  });
});

test('a client certificate takes precedence over a bearer token', () => {
  for (const authorization of ['Bearer alice-token', 'Bearer nobody']) {
    assert.equal(authenticate({ peerCertificate: certificate, authorization }).user.name, 'kubernetes-admin');
  }
});

test('a client certificate without a common name leaves the client anonymous', () => {
  const nameless = { ...certificate, commonName: '' };
  assert.equal(authenticate({ peerCertificate: nameless }).user.name, 'system:anonymous');
});

test('an invalid client certificate is answered with 401 unless the request has a valid bearer token', () => {
  const peerCertificateInvalid = true;
  assert.throws(() => authenticate({ peerCertificateInvalid }), UNAUTHORIZED);
  assert.throws(() => authenticate({ peerCertificateInvalid, authorization: 'Bearer nobody' }), UNAUTHORIZED);
  assert.equal(authenticate({ peerCertificateInvalid, authorization: 'Bearer alice-token' }).user.name, 'alice');
});

test('a certificate for system:anonymous gets no group system:authenticated, and one with that group has it once', () => {
  const anonymousByName = { ...certificate, commonName: 'system:anonymous', organizations: [] };
  assert.deepEqual(authenticate({ peerCertificate: anonymousByName }).user.groups, []);
  const already = { ...certificate, organizations: ['system:authenticated'] };
  assert.deepEqual(authenticate({ peerCertificate: already }).user.groups, ['system:authenticated']);
});

test('token authenticators are asked in order until one knows the token', async () => {
  const bob: User = { name: 'bob', uid: '', groups: [], extra: {} };
  const asked: string[] = [];
  const source = (name: string, answer: User | undefined): TokenAuthenticator => ({
    permanent: false,
    authenticateToken: async () => {
      asked.push(name);
      return answer;
    },
  });
  const chain = createAuthenticator({
    tokens: [source('one', undefined), tokens, source('two', bob)],
    anonymous: true,
  });
  const ask = (authorization: string) => chain.authenticate({ authorization, peerCertificate: undefined });
  assert.equal((await ask('Bearer bob-token')).user.name, 'bob');
  assert.equal((await ask('Bearer alice-token')).user.name, 'alice');
  assert.deepEqual(asked, ['one', 'two', 'one']);
  const strangers = createAuthenticator({ tokens: [source('three', undefined)], anonymous: true });
  await assert.rejects(
    async () => strangers.authenticate({ authorization: 'Bearer x', peerCertificate: undefined }),
    UNAUTHORIZED,
  );
});

test('the users of permanent tokens are cached up to a limit, and those of other tokens are not', () => {
  for (const permanent of [true, false]) {
    let asked = 0;
    const counting: TokenAuthenticator = {
      permanent,
      authenticateToken: () => {
        asked++;
        return alice;
      },
    };
    const chain = createAuthenticator({ tokens: [counting], anonymous: true });
    authenticate({ authorization: 'Bearer first' }, chain);
    authenticate({ authorization: 'Bearer first' }, chain);
    assert.equal(asked, permanent ? 1 : 2);
    for (let at = 0; at < limits.rememberedCredentials; at++) authenticate({ authorization: `Bearer ${at}` }, chain);
    asked = 0;
    authenticate({ authorization: 'Bearer first' }, chain);
    assert.equal(asked, 1, 'the oldest has been forgotten');
  }
});

test('authentication metrics count tokens by cache hits and certificates by their remaining lifetime', async () => {
  const registry = new MetricRegistry();
  const clock = new ManualClock();
  const strict: TokenAuthenticator = {
    permanent: false,
    authenticateToken: async (token) => {
      if (token === 'stale') throw new TokenError('expired');
      return undefined;
    },
  };
  const metrics = declareAuthMetrics(registry);
  const counting = createAuthenticator({ tokens: [tokens, strict], anonymous: true, clock, metrics });
  authenticate({ authorization: 'Bearer alice-token' }, counting);
  authenticate({ authorization: 'Bearer alice-token' }, counting);
  for (const token of ['stale', 'nobody']) {
    const credentials = { authorization: `Bearer ${token}`, peerCertificate: undefined };
    await assert.rejects(async () => counting.authenticate(credentials), UNAUTHORIZED);
  }
  authenticate({ peerCertificate: { ...certificate, notAfterMs: clock.now() + 3_000_000 } }, counting);
  const lines = registry.text().split('\n');
  for (const line of [
    'authentication_token_cache_request_total{status="hit"} 1',
    'authentication_token_cache_request_total{status="miss"} 3',
    'authentication_token_cache_fetch_total{status="ok"} 2',
    'authentication_token_cache_fetch_total{status="error"} 1',
    'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
    'authentication_token_cache_request_duration_seconds_count{status="miss"} 3',
    'apiserver_client_certificate_expiration_seconds_bucket{le="1800"} 0',
    'apiserver_client_certificate_expiration_seconds_bucket{le="3600"} 1',
  ]) {
    assert.ok(lines.includes(line), line);
  }
});
