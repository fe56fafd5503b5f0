import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationAttributes } from './authorizer.ts';
import { refusal } from './refusal.ts';

const LIST_SECRETS: AuthorizationAttributes = {
  user: { name: 'alice', uid: '', groups: [], extra: {} },
  verb: 'list',
  isResourceRequest: true,
  path: '/api/v1/namespaces/x/secrets',
  group: '',
  version: 'v1',
  resource: 'secrets',
  subresource: '',
  namespace: 'x',
  name: '',
};

function refused(change: Partial<AuthorizationAttributes>, reason = '') {
  const { status } = refusal({ ...LIST_SECRETS, ...change }, reason);
  assert.equal(status.code, 403);
  assert.equal(status.reason, 'Forbidden');
  return status;
}

test('a forbidden error contains verb, resource, group and namespace', () => {
  const { message, details } = refused({});
  assert.equal(
    message,
    'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "x"',
  );
  assert.deepEqual(details, { kind: 'secrets' });
});

test('a forbidden error names the object and its group, and the cluster scope', () => {
  const { message, details } = refused({
    verb: 'get',
    group: 'apps',
    resource: 'deployments',
    namespace: '',
    name: 'web',
  });
  assert.equal(
    message,
    'deployments.apps "web" is forbidden: User "alice" cannot get resource "deployments" in API group "apps" at the cluster scope',
  );
  assert.deepEqual(details, { group: 'apps', kind: 'deployments', name: 'web' });
});

test('a forbidden error names the subresource in its message and not in its details', () => {
  const { message, details } = refused({ verb: 'update', resource: 'namespaces', subresource: 'finalize', name: 'x' });
  assert.equal(
    message,
    'namespaces "x" is forbidden: User "alice" cannot update resource "namespaces/finalize" in API group "" in the namespace "x"',
  );
  assert.deepEqual(details, { kind: 'namespaces', name: 'x' });
});

test('a forbidden error ends with the reason of the authorizer', () => {
  const { message } = refused({}, 'RBAC: role.rbac.authorization.k8s.io "absent" not found');
  assert.match(message!, /in the namespace "x": RBAC: role\.rbac\.authorization\.k8s\.io "absent" not found$/);
});

test('a forbidden error of a non-resource URL names its path', () => {
  const { message, details } = refused({ verb: 'get', isResourceRequest: false, path: '/metrics' });
  assert.equal(message, 'forbidden: User "alice" cannot get path "/metrics"');
  assert.deepEqual(details, {});
});

test('a forbidden error escapes HTML that a client wrote', () => {
  const { message } = refused({ verb: 'get', isResourceRequest: false, path: '/<b>&' });
  assert.equal(message, 'forbidden: User "alice" cannot get path "/&lt;b&gt;&amp;"');
});
