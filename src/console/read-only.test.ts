import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesNothing } from './read-only.ts';

test('reads, reviews and dry runs are allowed in a read-only console', () => {
  assert.ok(changesNothing('GET', '/api/v1/pods?watch=1'));
  assert.ok(changesNothing('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'));
  assert.ok(changesNothing('POST', '/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews?pretty=1'));
  assert.ok(changesNothing('PATCH', '/api/v1/namespaces/a/pods/b?dryRun=All'));
});

test('writes, and connections that may change something, are refused in a read-only console', () => {
  assert.ok(!changesNothing('POST', '/api/v1/namespaces'));
  assert.ok(!changesNothing('DELETE', '/api/v1/namespaces/a?dryRun=None'));
  assert.ok(!changesNothing('PUT', '/api/v1/namespaces/a?dryRun=All&dryRun=None'));
  assert.ok(!changesNothing('GET', '/api/v1/namespaces/a/pods/b/exec?command=rm'));
  assert.ok(!changesNothing('POST', '/api/v1/nodes/a/proxy/run?dryRun=All'));
  assert.ok(!changesNothing('POST', '/apis/example.com/v1/widgets/selfsubjectaccessreviews'));
});

test('a path in a read-only console is interpreted as by the API server', () => {
  assert.ok(changesNothing('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aadmin'));
  assert.ok(!changesNothing('GET', '/api/v1/namespaces/a/pods/b/%70roxy/reset'));
  assert.ok(!changesNothing('GET', '/api/v1/namespaces/a/pods/b%2Fproxy/reset'));
  assert.ok(!changesNothing('GET', '/api/v1/namespaces/a/pods/b/proxy/%2e%2e'));
  assert.ok(!changesNothing('GET', '/api/v1/namespaces/a/pods/b/%ff/../proxy'));
  assert.ok(
    !changesNothing('POST', '/api/v1/namespaces/../../../apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
  );
});

test('a deletion in a read-only console may not revoke its dry run in the body', () => {
  assert.ok(!changesNothing('DELETE', '/api/v1/namespaces/a?dryRun=All'));
});
