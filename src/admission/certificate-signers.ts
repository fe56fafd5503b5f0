// The admission of certificates: approving or signing a request, or writing a signer's trust bundle, requires
// a permission on the signer, and requests for system:masters are rejected.

import { errors, fieldError } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import { MASTERS, type User } from '../auth/user.ts';
import { goQuote } from '../base/go-quote.ts';
import {
  CertificateRequestError,
  type CertificateRequestSubject,
  certificateRequestSubject,
} from '../resources/validation/certificate-request.ts';
import { at, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { refusal as refused } from './concerns.ts';

const GROUP = 'certificates.k8s.io';
const RESOURCE = 'certificatesigningrequests';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    admit(admission) {
      if (!updates(admission, 'approval')) return undefined;
      return checkSigner(authorizer, admission, 'approve');
    },
  };
}

export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    admit(admission) {
      if (!updates(admission, 'status')) return undefined;
      const { object, previous } = admission;
      const same = (member: string) =>
        equalJson(at(object, 'status', member) ?? null, at(previous, 'status', member) ?? null);
      return same('certificate') && same('conditions') ? undefined : checkSigner(authorizer, admission, 'sign');
    },
  };
}

/**
 * Changing the status of a PodCertificateRequest requires the permission to sign. In Kubernetes this is part of
 * validating the kind rather than a plugin, so it cannot be disabled.
 */
export function podCertificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'PodCertificateSigning',
    admit(admission) {
      const { request, operation, object, previous } = admission;
      const { group, resource, kind } = request.definition;
      if (group !== GROUP || resource !== 'podcertificaterequests' || request.subresource !== 'status')
        return undefined;
      if (operation !== 'update' || equalJson(at(object, 'status') ?? {}, at(previous, 'status') ?? {}))
        return undefined;
      const signer = textAt(previous, 'spec', 'signerName');
      return mayUseSigner(authorizer, request.user, { verb: 'sign', signer }).then((may) => {
        if (may) return;
        const detail = `User ${goQuote(request.user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`;
        throw errors.invalid({ group, kind, name: request.name }, [fieldError.forbidden('spec.signerName', detail)]);
      });
    },
  };
}

/** Writing a trust bundle of a signer vouches for that signer. */
export function clusterTrustBundleAttest(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    admit(admission) {
      const { request, operation, object, previous } = admission;
      const { group, resource } = request.definition;
      if (group !== GROUP || resource !== 'clustertrustbundles' || object === undefined) return undefined;
      const signer = textAt(object, 'spec', 'signerName');
      if (signer === '' || (operation !== 'create' && operation !== 'update')) return undefined;
      // Only fields for the garbage collector changed.
      if (previous !== undefined && equalJson(withoutCollected(object), withoutCollected(previous))) return undefined;
      return mayUseSigner(authorizer, request.user, { verb: 'attest', signer }).then((may) => {
        if (may) return;
        throw refused(admission, `user not permitted to attest for signerName ${JSON.stringify(signer)}`);
      });
    },
  };
}

function withoutCollected(object: ApiObject): JsonObject {
  const { finalizers, ownerReferences, managedFields, ...metadata } = object.metadata;
  return { ...object, metadata } as JsonObject;
}

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  admit({ request, operation, object }) {
    if (operation !== 'create' || !isSigningRequest(request.definition) || request.subresource !== '') return;
    if (textAt(object, 'spec', 'signerName') !== CLIENT_SIGNER) return;
    const { organizations } = subjectOf(object);
    if (!organizations.includes(MASTERS)) return;
    throw refusal(object, `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

/** The subject of a request. @throws ApiError if it cannot be parsed, because its subject is then unknown */
function subjectOf(object: ApiObject | undefined): CertificateRequestSubject {
  try {
    return certificateRequestSubject(atob(textAt(object, 'spec', 'request')));
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error;
    throw refusal(object, `failed to parse CSR: ${error.message}`);
  }
}

function isSigningRequest({ group, resource }: AdmissionRequest['request']['definition']): boolean {
  return group === GROUP && resource === RESOURCE;
}

function updates({ request, operation }: AdmissionRequest, subresource: string): boolean {
  return operation === 'update' && isSigningRequest(request.definition) && request.subresource === subresource;
}

async function checkSigner(
  authorizer: Authorizer,
  { request, previous }: AdmissionRequest,
  verb: 'approve' | 'sign',
): Promise<void> {
  const signer = textAt(previous, 'spec', 'signerName');
  if (await mayUseSigner(authorizer, request.user, { verb, signer })) return;
  throw refusal(previous, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`);
}

/** A permission on `example.com/*` covers all signers of that domain. */
async function mayUseSigner(
  authorizer: Authorizer,
  user: User,
  { verb, signer }: { verb: string; signer: string },
): Promise<boolean> {
  for (const name of [signer, `${signer.split('/', 1)[0]}/*`]) {
    if (await mayUse(authorizer, user, { verb, name })) return true;
  }
  return false;
}

async function mayUse(authorizer: Authorizer, user: User, asked: { verb: string; name: string }): Promise<boolean> {
  const decision = await authorizer.authorize({
    user,
    ...asked,
    isResourceRequest: true,
    path: '',
    group: GROUP,
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
  });
  return decision.allowed;
}

function refusal(object: ApiObject | undefined, why: string) {
  return errors.forbidden({ group: GROUP, resource: RESOURCE, name: object?.metadata.name ?? '' }, why);
}
