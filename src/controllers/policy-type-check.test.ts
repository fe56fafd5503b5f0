// Type checking of a validating policy's expressions, as its status has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer } from '../testing.ts';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

test('expressions of an admission policy are type-checked against the kinds of its rules', async () => {
  await using server = await startTestServer({ controllers: 'validatingadmissionpolicy-status-controller' });
  const resourceRules = [
    {
      apiGroups: ['apps'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['deployments', 'deployments/scale'],
    },
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  const spec = {
    matchConstraints: { resourceRules },
    variables: [{ name: 'v', expression: 'object.spec.nope' }],
    validations: [
      { expression: "object.spec.replicas > '1'" },
      { expression: 'variables.v == 1' },
      {
        expression:
          "object.metadata.name == 'a' && object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
      },
    ],
  };
  const created = await server.request('POST', POLICIES, { metadata: { name: 'p' }, spec });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  let status: JsonObject | undefined;
  await until('the status', async () => {
    const { body } = await server.request('GET', `${POLICIES}/p`);
    status = (body as JsonObject)['status'] as JsonObject | undefined;
    return status?.['observedGeneration'] === 1;
  });
  const warning = [
    "/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'spec'\n | object.spec.replicas > '1'\n | ......^\n",
    "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'" +
      "\n | object.spec.replicas > '1'\n | .....................^\n",
  ].join('\n');
  assert.deepEqual(status, {
    observedGeneration: 1,
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning }] },
  });
});

test('type checking of an admission policy finds core kinds for any group, and checks ten kinds at most', async () => {
  await using server = await startTestServer({ controllers: 'validatingadmissionpolicy-status-controller' });
  const resources = ['configmaps', 'endpoints', 'events', 'limitranges', 'namespaces', 'nodes', 'pods', 'secrets'];
  resources.push('persistentvolumes', 'persistentvolumeclaims', 'services');
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'object.nope == 1' }],
  };
  await server.request('POST', POLICIES, { metadata: { name: 'p' }, spec });
  let kinds: string[] = [];
  await until('the status', async () => {
    const { body } = await server.request('GET', `${POLICIES}/p`);
    kinds = [
      ...JSON.stringify(body)
        .replaceAll('\\n', ' ')
        .matchAll(/([a-z0-9.]*)\/v1, Kind=(\w+)/g),
    ].map(([, group, kind]) => `${group} ${kind}`);
    return kinds.length > 0;
  });
  assert.deepEqual(kinds, [
    ...[' ConfigMap', ' Endpoints', ' Event', ' LimitRange', ' Namespace', ' Node', ' PersistentVolume'],
    ...[' PersistentVolumeClaim', ' Pod', 'events.k8s.io Event'],
  ]);
});
