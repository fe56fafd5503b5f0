import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { organizationOf, pemOf, requestOf } from '../../test/signing-request.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { AuthorizationAttributes, Authorizer } from '../auth/authz/authorizer.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  podCertificateSigning,
} from './certificate-signers.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';

/** A signing request for this organization, as the API carries it. */
function requestBy(organization: string): string {
  return btoa(pemOf(requestOf(organizationOf(0x0c, organization))));
}

/** Allows what `name` and verb are granted, and keeps what was asked. */
function authorizerOf(...granted: string[]): Authorizer & { asked: string[] } {
  const asked: string[] = [];
  const authorize = ({ verb, resource, name }: AuthorizationAttributes) => {
    asked.push(`${verb} ${resource} ${name}`);
    return { allowed: granted.includes(`${verb} ${name}`), reason: '' };
  };
  return { asked, authorize };
}

interface Asked {
  readonly operation: 'create' | 'update';
  readonly subresource?: string;
  readonly resource?: string;
  readonly object: JsonObject;
  readonly previous?: JsonObject;
}

async function admit(plugin: AdmissionPlugin, asked: Asked): Promise<void> {
  const { operation, subresource = '', resource = 'certificatesigningrequests', object, previous } = asked;
  const definition = { group: 'certificates.k8s.io', resource, kind: 'PodCertificateRequest' };
  const named = (given: JsonObject | undefined) =>
    given === undefined ? undefined : ({ metadata: { name: 'csr' }, ...given } as ApiObject);
  const user = { name: 'uma', uid: '', groups: [], extra: {} };
  const request = { definition, namespace: '', name: 'csr', subresource, user, warnings: [], empties: [] };
  // The plugins ask the definition for its name alone.
  const admission = { request, operation, object: named(object), previous: named(previous), dryRun: false };
  await plugin.admit(admission as unknown as AdmissionRequest);
}

const signed = { spec: { signerName: 'example.com/one' } };

describe('CertificateApproval', () => {
  const update: Asked = { operation: 'update', subresource: 'approval', object: signed, previous: signed };

  it('an approval of a CertificateSigningRequest requires the permission to approve for its signer', async () => {
    await admit(certificateApproval(authorizerOf('approve example.com/one')), update);
    await assert.rejects(admit(certificateApproval(authorizerOf('sign example.com/one')), update), {
      message:
        'certificatesigningrequests.certificates.k8s.io "csr" is forbidden: ' +
        'user not permitted to approve requests with signerName "example.com/one"',
    });
  });

  it('an approval of a CertificateSigningRequest is allowed by a permission for all signers of the domain', async () => {
    const authorizer = authorizerOf('approve example.com/*');
    await admit(certificateApproval(authorizer), update);
    assert.deepEqual(authorizer.asked, ['approve signers example.com/one', 'approve signers example.com/*']);
  });

  it('CertificateApproval requires no permission for other subresources', async () => {
    const authorizer = authorizerOf();
    await admit(certificateApproval(authorizer), { ...update, subresource: 'status' });
    assert.deepEqual(authorizer.asked, []);
  });
});

describe('CertificateSigning', () => {
  const update = (status: JsonObject): Asked => ({
    operation: 'update',
    subresource: 'status',
    object: { ...signed, status },
    previous: signed,
  });

  it('a certificate or a condition in the status of a CertificateSigningRequest requires the permission to sign', async () => {
    const plugin = certificateSigning(authorizerOf());
    await assert.rejects(admit(plugin, update({ certificate: 'YQ==' })), /not permitted to sign requests/);
    await assert.rejects(admit(plugin, update({ conditions: [{ type: 'Failed' }] })), /not permitted to sign requests/);
    await admit(plugin, update({}));
  });
});

describe('CertificateSubjectRestriction', () => {
  const create = (signerName: string, group: string): Asked => ({
    operation: 'create',
    object: { spec: { signerName, request: requestBy(group) } },
  });
  const client = 'kubernetes.io/kube-apiserver-client';

  it('a CertificateSigningRequest whose request cannot be parsed is forbidden', async () => {
    const unreadable = btoa('-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n');
    const object = { spec: { signerName: client, request: unreadable } };
    await assert.rejects(admit(certificateSubjectRestriction, { operation: 'create', object }), {
      code: 403,
      message: /is forbidden: failed to parse CSR: asn1: syntax error: truncated tag or length$/,
    });
  });

  it('a request for a client certificate in the group system:masters is forbidden', async () => {
    await assert.rejects(admit(certificateSubjectRestriction, create(client, 'system:masters')), /is not allowed$/);
    await admit(certificateSubjectRestriction, create(client, 'dev'));
    await admit(certificateSubjectRestriction, create('example.com/one', 'system:masters'));
  });
});

describe('the status of a PodCertificateRequest', () => {
  const issued = { ...signed, status: { certificateChain: 'x' } };
  const update: Asked = {
    operation: 'update',
    resource: 'podcertificaterequests',
    subresource: 'status',
    object: issued,
    previous: signed,
  };

  it('a certificate in the status of a PodCertificateRequest requires the permission to sign', async () => {
    await admit(podCertificateSigning(authorizerOf('sign example.com/one')), update);
    await admit(podCertificateSigning(authorizerOf('sign example.com/*')), update);
    await assert.rejects(admit(podCertificateSigning(authorizerOf('approve example.com/one')), update), {
      code: 422,
      message:
        'PodCertificateRequest.certificates.k8s.io "csr" is invalid: spec.signerName: Forbidden: ' +
        'User "uma" is not permitted to "sign" for signer "example.com/one"',
    });
  });

  it('an unchanged status of a PodCertificateRequest, and any other write, requires no permission', async () => {
    const authorizer = authorizerOf();
    await admit(podCertificateSigning(authorizer), { ...update, object: signed });
    await admit(podCertificateSigning(authorizer), { ...update, object: { ...signed, status: {} } });
    await admit(podCertificateSigning(authorizer), { ...update, subresource: '' });
    await admit(podCertificateSigning(authorizer), { ...update, resource: 'certificatesigningrequests' });
    assert.deepEqual(authorizer.asked, []);
  });
});
