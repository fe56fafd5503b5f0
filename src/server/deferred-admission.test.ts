import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

test('the first write to a server passes the admission plugins', async () => {
  await using server = await startTestServer();
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } };
  const { status, body } = await server.request('POST', '/api/v1/namespaces/nowhere/serviceaccounts', account);
  assert.equal(status, 404, JSON.stringify(body));
});

test('the first write to a server is validated, also by rules that are loaded late', async () => {
  await using server = await startTestServer();
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'a' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: [{ expression: 'no expression(' }],
    },
  };
  const { status, body } = await server.request('POST', policies, policy);
  assert.equal(status, 422, JSON.stringify(body));
});
