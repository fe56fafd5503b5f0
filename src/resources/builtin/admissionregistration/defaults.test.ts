import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../api/object.ts';
import { startTestServer } from '../../../testing.ts';

test('parameterNotFoundAction of an admission policy binding has a default in v1alpha1 only', async () => {
  await using server = await startTestServer({
    controllers: '',
    featureGates: { MutatingAdmissionPolicy: true },
    runtimeConfig: { 'api/all': 'true' },
  });
  const create = async (version: string, paramRef: object) => {
    const apiVersion = `admissionregistration.k8s.io/${version}`;
    const path = `/apis/${apiVersion}/mutatingadmissionpolicybindings?dryRun=All`;
    const spec = { policyName: 'p', paramRef };
    const body = { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata: { name: 'b' }, spec };
    const answer = await server.request('POST', path, body);
    return [answer.status, ((answer.body as ApiObject)['spec'] as { paramRef?: object } | undefined)?.paramRef];
  };
  assert.deepEqual(await create('v1alpha1', { name: 'x' }), [201, { name: 'x', parameterNotFoundAction: 'Deny' }]);
  const allowing = { name: 'x', parameterNotFoundAction: 'Allow' };
  assert.deepEqual(await create('v1alpha1', allowing), [201, allowing]);
  assert.equal((await create('v1beta1', { name: 'x' }))[0], 422);
});
