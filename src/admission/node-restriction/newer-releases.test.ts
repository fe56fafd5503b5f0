// NodeRestriction in releases after the one that is served by default.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerToNode, type NodeWrite as Write } from '../../../test/node-write.ts';
import type { JsonObject } from '../../api/object.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';

const SIGNED = { podCertificate: { signerName: 'example.com/mounted' } };

const STORED: Readonly<Record<string, JsonObject>> = {
  'nodes//n1': { metadata: { name: 'n1', uid: 'u1' } },
  'pods/shop/own': {
    metadata: { name: 'own', namespace: 'shop', uid: 'p1' },
    spec: { nodeName: 'n1', serviceAccountName: 'worker', volumes: [{ name: 'v', projected: { sources: [SIGNED] } }] },
  },
  'serviceaccounts/shop/worker': { metadata: { name: 'worker', uid: 'a1' } },
};

const AUTHORIZER: Authorizer = {
  authorize: async ({ resource, verb, name }) => ({
    allowed: `${verb} ${resource} ${name}` === 'request-serviceaccounts-podcertificate-signer a.b:granted worker',
    reason: '',
  }),
};

function answer(write: Write, gates: Readonly<Record<string, boolean>> = {}): Promise<string> {
  const name = write.resource === 'csinodes' ? 'n1' : write.resource === 'serviceaccounts' ? 'worker' : 'own';
  const asked: Write = { operation: 'update', minor: 37, name, ...write };
  return answerToNode(asked, { stored: STORED, authorizer: AUTHORIZER, gates });
}

describe('NodeRestriction from 1.37 on', () => {
  it('NodeRestriction from 1.37 on lets a node request certificates of signers that its pods mount or that it was granted', async () => {
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

  it('NodeRestriction from 1.37 on names the audience for which a node may not request tokens', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'p1' };
    const token = (minor: number): Write => ({
      ...{ resource: 'serviceaccounts', subresource: 'token', operation: 'create', minor },
      object: { spec: { audiences: ['other'], boundObjectRef } },
    });
    assert.equal(await answer(token(37)), 'system:node:n1 is not authorized to request tokens for audience "other"');
    assert.match(await answer(token(36)), /^audience "other" not found in pod spec volume, .* for this audience$/);
  });

  it('NodeRestriction from 1.37 on keeps nodes from changing resourceClaimStatuses of a pod', async () => {
    const pod = (status: JsonObject) => ({ metadata: { name: 'own' }, spec: { nodeName: 'n1' }, status });
    const update = (minor: number): Write => ({
      ...{ resource: 'pods', subresource: 'status', previous: pod({}), minor },
      object: pod({ nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'c' }] }),
    });
    assert.equal(await answer(update(37)), 'node "n1" cannot update node allocatable resource claim statuses');
    assert.equal(await answer(update(36)), 'yes');
  });

  it('NodeRestriction from 1.37 on lets a node report the health of its storage only', async () => {
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
