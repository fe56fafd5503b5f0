import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const DEVICE = { driver: 'a.b', pool: 'p', device: 'd' };

/** A claim with an allocation, and a user who may update the status of claims but neither bind them nor report devices. */
async function preparedClaim(server: TestServer): Promise<JsonObject> {
  const rules = [{ apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/status'], verbs: ['update'] }];
  await server.request('POST', `${RBAC}/clusterroles`, { metadata: { name: 'status' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'status' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' }];
  await server.request('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'status' }, roleRef, subjects });
  const requests = [{ name: 'r', exactly: { deviceClassName: 'c' } }];
  const { body } = await server.request('POST', CLAIMS, { metadata: { name: 'c' }, spec: { devices: { requests } } });
  const allocation = { devices: { results: [{ request: 'r', ...DEVICE }] } };
  const status = { ...(body as JsonObject), status: { allocation } };
  return (await server.request('PUT', `${CLAIMS}/c/status`, status)).body as JsonObject;
}

/** The fields in the errors of an update of the status by that user. */
async function refusedFields(server: TestServer, claim: JsonObject): Promise<string[]> {
  const headers = {
    authorization: `Bearer ${server.token}`,
    'impersonate-user': 'u',
    'content-type': 'application/json',
  };
  const url = `https://localhost${CLAIMS}/c/status`;
  const answer = await server.fetch(new Request(url, { method: 'PUT', headers, body: JSON.stringify(claim) }));
  assert.equal(answer.status, 422);
  const { details } = (await answer.json()) as { details: { causes: { field: string; reason: string }[] } };
  return details.causes.map(({ field, reason }) => `${field} ${reason}`);
}

test('an update of the status of a ResourceClaim tells what the user may not change before what is invalid', async () => {
  await using server = await startTestServer({ kubernetesVersion: '1.37' });
  const claim = await preparedClaim(server);
  const allocation = { devices: { results: [{ request: 'r', ...DEVICE, device: 'e' }] } };
  const devices = [{ ...DEVICE, device: 'x' }];
  assert.deepEqual(await refusedFields(server, { ...claim, status: { allocation, devices } }), [
    'status.allocation FieldValueForbidden',
    'status.devices FieldValueForbidden',
    'status.devices[0] FieldValueInvalid',
    'status.allocation FieldValueInvalid',
  ]);
});

test('an update of the status of a Pod keeps the claims that it does not tell of, unless its list of them is empty', async () => {
  await using server = await startTestServer({ kubernetesVersion: '1.37' });
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }], resourceClaims: [{ name: 'r', resourceClaimName: 'c' }] };
  await server.request('POST', pods, { metadata: { name: 'p' }, spec });
  const told = [{ name: 'r', resourceClaimName: 'c' }];
  const after = async (resourceClaimStatuses?: JsonObject[] | null) => {
    const { status, ...pod } = (await server.request('GET', `${pods}/p`)).body as { status: JsonObject };
    const next = { ...pod, status: { ...status, resourceClaimStatuses } };
    const { body } = await server.request('PUT', `${pods}/p/status`, next);
    return (body as { status: JsonObject }).status['resourceClaimStatuses'];
  };
  assert.deepEqual(await after(told), told);
  assert.deepEqual(await after(), told);
  assert.deepEqual(await after(null), told);
  assert.equal(await after([]), undefined);
  await after(told);
  const emptied = await server.patch(`${pods}/p/status`, { status: { resourceClaimStatuses: [] } });
  assert.equal((emptied.body as { status: JsonObject }).status['resourceClaimStatuses'], undefined);
});
