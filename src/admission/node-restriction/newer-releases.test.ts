// NodeRestriction in releases after the one that is served by default.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import type { AdmissionRequest, Operation } from '../chain.ts';
import { nodeRestriction } from './node-restriction.ts';

const SIGNED = { podCertificate: { signerName: 'example.com/mounted' } };

const STORED: Readonly<Record<string, JsonObject>> = {
  'nodes//n1': { metadata: { name: 'n1', uid: 'u1' } },
  'pods/shop/own': {
    metadata: { name: 'own', namespace: 'shop', uid: 'p1' },
    spec: { nodeName: 'n1', serviceAccountName: 'worker', volumes: [{ name: 'v', projected: { sources: [SIGNED] } }] },
  },
  'serviceaccounts/shop/worker': { metadata: { name: 'worker', uid: 'a1' } },
};

interface Write {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly operation?: Operation;
  readonly object: JsonObject;
  readonly previous?: JsonObject;
  readonly minor?: number;
}

/** What the plugin says to a write of node n1: `yes` or the message behind the object's name. */
async function answer(write: Write, gates: Readonly<Record<string, boolean>> = {}): Promise<string> {
  const plugin = nodeRestriction({
    objects: {
      find: async ({ resource }, namespace, name) => STORED[`${resource}/${namespace}/${name}`] as never,
      all: async () => [],
    },
    authorizer: {
      authorize: async ({ resource, verb, name }) => ({
        allowed: `${verb} ${resource} ${name}` === 'request-serviceaccounts-podcertificate-signer a.b:granted worker',
        reason: '',
      }),
    },
    gateEnabled: (gate) => gates[gate] ?? true,
  });
  const { group = '', resource, subresource = '', operation = 'update', minor = 37, object, previous } = write;
  const user = { name: 'system:node:n1', groups: ['system:nodes'] };
  const name = resource === 'csinodes' ? 'n1' : resource === 'serviceaccounts' ? 'worker' : 'own';
  const definition = { group, resource, minor };
  const request = { definition, version: { version: 'v1' }, namespace: 'shop', name, subresource, user };
  try {
    await plugin.admit({ request, operation, object, previous } as unknown as AdmissionRequest);
    return 'yes';
  } catch (error) {
    return (error as Error).message.replace(/^.*? is forbidden: /, '');
  }
}

describe('NodeRestriction from 1.37 on', () => {
  it('lets a node request certificates of signers that the pod mounts, or that the node was granted', async () => {
    const truth = { nodeName: 'n1', nodeUID: 'u1', podName: 'own', podUID: 'p1', serviceAccountName: 'worker' };
    const request = (signerName: string, minor = 37): Write => ({
      ...{ group: 'certificates.k8s.io', resource: 'podcertificaterequests', operation: 'create', minor },
      object: { spec: { ...truth, serviceAccountUID: 'a1', signerName } },
    });
    assert.equal(await answer(request('example.com/mounted')), 'yes');
    assert.equal(await answer(request('a.b/granted')), 'yes');
    const why = 'pod "shop/own" does not mount a podCertificate projected volume for signer "a.b/other"';
    assert.equal(await answer(request('a.b/other')), why);
    assert.equal(await answer(request('a.b/other', 36)), 'yes');
  });

  it('says which audience a node may not request tokens for', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'p1' };
    const token = (minor: number): Write => ({
      ...{ resource: 'serviceaccounts', subresource: 'token', operation: 'create', minor },
      object: { spec: { audiences: ['other'], boundObjectRef } },
    });
    assert.equal(await answer(token(37)), 'system:node:n1 is not authorized to request tokens for audience "other"');
    assert.match(await answer(token(36)), /^audience "other" not found in pod spec volume, .* for this audience$/);
  });

  it('keeps nodes from changing which resources of a pod come from claims', async () => {
    const pod = (status: JsonObject) => ({ metadata: { name: 'own' }, spec: { nodeName: 'n1' }, status });
    const update = (minor: number): Write => ({
      ...{ resource: 'pods', subresource: 'status', previous: pod({}), minor },
      object: pod({ nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'c' }] }),
    });
    assert.equal(await answer(update(37)), 'node "n1" cannot update node allocatable resource claim statuses');
    assert.equal(await answer(update(36)), 'yes');
  });

  it('lets a node report the health of its storage, and nothing else', async () => {
    const update = (spec: JsonObject): Write => ({
      ...{ group: 'storage.k8s.io', resource: 'csinodes', subresource: 'status' },
      previous: { spec: { drivers: [] } },
      object: { spec },
    });
    assert.equal(await answer(update({ drivers: [] })), 'yes');
    const why = 'node "n1" is not allowed to modify CSINode spec via status';
    assert.equal(await answer(update({ drivers: [{ name: 'd' }] })), why);
    const off = { CSIVolumeHealth: false };
    assert.equal(await answer(update({ drivers: [] }), off), 'CSIVolumeHealth feature gate is disabled');
  });
});
