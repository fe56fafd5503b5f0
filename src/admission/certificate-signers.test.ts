import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { AuthorizationAttributes, Authorizer } from '../auth/authz/authorizer.ts';
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './certificate-signers.ts';
import { requestedOrganizations } from './certificate-subject.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';

/** An element of DER. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

/** One attribute of a name; `type` is the last number of its object identifier. */
function attribute(type: number, value: string): Buffer {
  return der(0x31, der(0x30, der(0x06, Buffer.from([0x55, 0x04, type])), der(0x0c, Buffer.from(value))));
}

/** A signing request of this subject, as the API carries it. */
function requestOf(...attributes: Buffer[]): string {
  const info = der(0x30, der(0x02, Buffer.from([0])), der(0x30, ...attributes));
  const text = `-----BEGIN CERTIFICATE REQUEST-----\n${der(0x30, info).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  return Buffer.from(text).toString('base64');
}

const ORGANIZATION = 10;
const COMMON_NAME = 3;

describe('the organizations of a signing request', () => {
  it('are all that its subject names', () => {
    const long = 'x'.repeat(200);
    const subject = [attribute(ORGANIZATION, 'a'), attribute(COMMON_NAME, 'me'), attribute(ORGANIZATION, long)];
    assert.deepEqual(requestedOrganizations(requestOf(...subject)), ['a', long]);
  });

  const unreadable = [
    '',
    'bm9uZQ==',
    Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----').toString('base64'),
  ];
  for (const text of unreadable) {
    it(`are none in ${JSON.stringify(text)}`, () => assert.deepEqual(requestedOrganizations(text), []));
  }
});

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
  readonly object: JsonObject;
  readonly previous?: JsonObject;
}

async function admit(plugin: AdmissionPlugin, { operation, subresource = '', object, previous }: Asked): Promise<void> {
  const definition = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
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

  it('takes a right on the signer', async () => {
    await admit(certificateApproval(authorizerOf('approve example.com/one')), update);
    await assert.rejects(admit(certificateApproval(authorizerOf('sign example.com/one')), update), {
      message:
        'certificatesigningrequests.certificates.k8s.io "csr" is forbidden: ' +
        'user not permitted to approve requests with signerName "example.com/one"',
    });
  });

  it('or on all signers of its domain', async () => {
    const authorizer = authorizerOf('approve example.com/*');
    await admit(certificateApproval(authorizer), update);
    assert.deepEqual(authorizer.asked, ['approve signers example.com/one', 'approve signers example.com/*']);
  });

  it('asks nothing of other writes', async () => {
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

  it('takes a right to write the certificate or the conditions', async () => {
    const plugin = certificateSigning(authorizerOf());
    await assert.rejects(admit(plugin, update({ certificate: 'YQ==' })), /not permitted to sign requests/);
    await assert.rejects(admit(plugin, update({ conditions: [{ type: 'Failed' }] })), /not permitted to sign requests/);
    await admit(plugin, update({}));
  });
});

describe('CertificateSubjectRestriction', () => {
  const create = (signerName: string, group: string): Asked => ({
    operation: 'create',
    object: { spec: { signerName, request: requestOf(attribute(ORGANIZATION, group)) } },
  });
  const client = 'kubernetes.io/kube-apiserver-client';

  it('refuses clients in system:masters, and nothing else', async () => {
    await assert.rejects(admit(certificateSubjectRestriction, create(client, 'system:masters')), /is not allowed$/);
    await admit(certificateSubjectRestriction, create(client, 'dev'));
    await admit(certificateSubjectRestriction, create('example.com/one', 'system:masters'));
  });
});
