import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { AuthorizationAttributes, Authorizer } from '../auth/authz/authorizer.ts';
import type { AdmissionRequest } from './chain.ts';
import { claimStatusRights } from './claim-status-rights.ts';

const GROUP = 'resource.k8s.io';

/** Allows what is listed: `patch binding`, `arbitrary-node:patch driver a.b`. */
function allowing(...rights: string[]): Authorizer {
  const textOf = ({ verb, subresource, name }: AuthorizationAttributes) => `${verb} ${subresource} ${name}`.trim();
  return { authorize: (attributes) => ({ allowed: rights.includes(textOf(attributes)), reason: '' }) };
}

interface Change {
  readonly previous?: JsonObject;
  readonly next: JsonObject;
  /** The user; a service account may be bound to a node. */
  readonly user?: string;
  readonly node?: string;
  readonly off?: boolean;
}

/** The errors of a patch of a claim's status. */
async function errorsOf(authorizer: Authorizer, change: Change): Promise<string[]> {
  const { previous = {}, next, user = 'u', node, off = false } = change;
  const claim = (status: JsonObject) => ({ metadata: { name: 'c', namespace: 'n' }, status });
  const extra = node === undefined ? {} : { 'authentication.kubernetes.io/node-name': [node] };
  const request = {
    ...{ definition: { group: GROUP, resource: 'resourceclaims', kind: 'ResourceClaim' }, version: { version: 'v1' } },
    ...{ namespace: 'n', name: 'c', subresource: 'status', verb: 'patch', user: { name: user, extra } },
  };
  const rights = claimStatusRights(authorizer, { enabled: () => !off });
  const asked = { request, operation: 'update', object: claim(next), previous: claim(previous) };
  const found = await rights(asked as unknown as AdmissionRequest);
  return found.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

const onNode = (name: string): JsonObject => ({
  nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] },
});
const device = (driver: string, data?: Json): JsonObject => ({
  driver,
  pool: 'p',
  device: 'd',
  ...(data === undefined ? {} : { data }),
});

describe('the status of a ResourceClaim', () => {
  const allocation = onNode('n1');

  it('an allocation of a ResourceClaim requires permission for resourceclaims/binding', async () => {
    const what = 'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding"';
    const why =
      'resourceclaims.resource.k8s.io is forbidden: User "u" cannot patch resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope';
    assert.deepEqual(await errorsOf(allowing(), { next: { allocation } }), [
      `status.allocation: Forbidden: ${what}, verb="patch" permission: ${why}`,
    ]);
    assert.deepEqual(await errorsOf(allowing('patch binding'), { next: { allocation } }), []);
    assert.deepEqual(await errorsOf(allowing(), { previous: { allocation }, next: { allocation } }), []);
    assert.equal((await errorsOf(allowing(), { next: { reservedFor: [{ name: 'p' }] } })).length, 1);
  });

  it('a change of the devices in the status of a ResourceClaim requires permission for their driver', async () => {
    const change = {
      previous: { allocation, devices: [device('a.b'), device('c.d')] },
      next: { allocation, devices: [device('a.b', { x: 1 })] },
    };
    const what = 'changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]"';
    const why = (driver: string) =>
      `resourceclaims.resource.k8s.io "${driver}" is forbidden: User "u" cannot arbitrary-node:patch resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "n"`;
    const refused = (driver: string) => `status.devices: Forbidden: ${what} permission: ${why(driver)}`;
    assert.deepEqual(await errorsOf(allowing(), change), [refused('a.b'), refused('c.d')]);
    assert.deepEqual(await errorsOf(allowing('arbitrary-node:patch driver a.b'), change), [refused('c.d')]);
    assert.deepEqual(await errorsOf(allowing(), { ...change, next: change.previous }), []);
    assert.deepEqual(await errorsOf(allowing(), { ...change, off: true }), []);
  });

  it('a service account on the node of the allocation may change devices with the permission associated-node', async () => {
    const near = allowing('associated-node:patch driver a.b');
    const change = { previous: { allocation }, next: { allocation, devices: [device('a.b')] } };
    const user = 'system:serviceaccount:n:driver';
    assert.deepEqual(await errorsOf(near, { ...change, user, node: 'n1' }), []);
    assert.equal((await errorsOf(near, { ...change, user, node: 'n2' })).length, 1);
    assert.equal((await errorsOf(near, { ...change, user })).length, 1);
    assert.equal((await errorsOf(near, { ...change, node: 'n1' })).length, 1, 'not a service account');
  });
});
