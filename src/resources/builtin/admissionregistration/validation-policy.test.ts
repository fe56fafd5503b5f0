// Expressions of policies, and what a controller may write into the status of a ValidatingAdmissionPolicy.

import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestServer } from '../../../testing.ts';
import { validatingPolicyRules } from './validation-policy.ts';

test('an expression warning needs a fieldRef and a warning, and is validated before conditions', () => {
  const policy = {
    metadata: { name: 'p' },
    status: {
      typeChecking: {
        expressionWarnings: [
          { fieldRef: 'spec.validations[0].expression', warning: 'w' },
          {},
          { fieldRef: ' ', warning: 'w' },
        ],
      },
      conditions: [{ type: 'T', status: 'x' }],
    },
  } as never;
  const found =
    validatingPolicyRules.subresources?.['status']?.validateUpdate?.(policy, policy, undefined as never) ?? [];
  assert.deepEqual(
    found.map(({ field }) => field),
    [
      'status.typeChecking.expressionWarnings[1].warning',
      'status.typeChecking.expressionWarnings[1].fieldRef',
      'status.typeChecking.expressionWarnings[2].fieldRef',
      'status.conditions[0].status',
      'status.conditions[0].lastTransitionTime',
      'status.conditions[0].reason',
    ],
  );
});

test('the expressions of a mutating admission policy may name `variables` even if it declares none', async () => {
  await using server = await startTestServer({
    controllers: '',
    featureGates: { MutatingAdmissionPolicy: true },
    runtimeConfig: { 'api/all': 'true' },
  });
  const apiVersion = 'admissionregistration.k8s.io/v1beta1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const mutation = {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{data: {"a": variables.b}}' },
  };
  const { status, body } = await server.request('POST', `/apis/${apiVersion}/mutatingadmissionpolicies`, {
    ...{ apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name: 'p' } },
    spec: { reinvocationPolicy: 'Never', matchConstraints: { resourceRules: [rule] }, mutations: [mutation] },
  });
  assert.equal(status, 422);
  assert.match((body as { message: string }).message, /<input>:1:29: undefined field 'b'/);
});
