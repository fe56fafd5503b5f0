import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymousUser, type User } from '../user.ts';
import type { AuthorizationAttributes, Decision } from './authorizer.ts';
import { bootstrapAuthorizer } from './bootstrap-authorizer.ts';

const alice: User = { name: 'alice', uid: '', groups: ['dev', 'system:authenticated'], extra: {} };
const admin: User = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

const NOTHING = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

function mayDo(user: User, verb: string, path: string, isResourceRequest = false): boolean {
  const attributes: AuthorizationAttributes = { ...NOTHING, user, verb, path, isResourceRequest };
  return (bootstrapAuthorizer.authorize(attributes) as Decision).allowed;
}

test('the anonymous may read health and version, and nothing else', () => {
  for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/']) {
    assert.equal(mayDo(anonymousUser, 'get', path), true, path);
  }
  for (const path of ['/', '/api', '/apis', '/openapi/v3', '/healthz/etcd', '/livez/ping', '/metrics', '/nothing']) {
    assert.equal(mayDo(anonymousUser, 'get', path), false, path);
  }
});

test('who is known may discover the API too', () => {
  const open = [
    '/healthz',
    '/version',
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps/v1',
    '/openapi/v2',
    '/openapi/v3/api/v1',
  ];
  for (const path of open) assert.equal(mayDo(alice, 'get', path), true, path);
  for (const path of ['/', '/apix', '/metrics', '/logs', '/openid/v1/jwks', '/healthz/ping']) {
    assert.equal(mayDo(alice, 'get', path), false, path);
  }
});

test('open paths are open to get alone, and not as resources', () => {
  assert.equal(mayDo(alice, 'post', '/api'), false);
  assert.equal(mayDo(alice, 'head', '/version'), false);
  assert.equal(mayDo(alice, 'get', '/api/v1/namespaces/x', true), false);
});

test('system:masters may do everything', () => {
  assert.equal(mayDo(admin, 'deletecollection', '/api/v1/pods', true), true);
  assert.equal(mayDo(admin, 'post', '/anything'), true);
});
