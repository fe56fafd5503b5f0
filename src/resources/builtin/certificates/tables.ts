// Table columns of CertificateSigningRequest, ClusterTrustBundle and PodCertificateRequest.

import { condition } from '../../conditions.ts';
import type { TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, NONE, table } from '../../table.ts';
import type { CertificateSigningRequest } from './v1-objects.ts';
import type { PodCertificateRequest } from './v1alpha1-objects.ts';
import type { ClusterTrustBundle } from './v1beta1-objects.ts';

export const signingRequestTable: TableColumns<CertificateSigningRequest> = table(
  ['Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'],
  (request) => [
    age(request),
    (request.spec?.signerName ?? '') || NONE,
    request.spec?.username ?? '',
    request.spec?.expirationSeconds === undefined ? NONE : humanDuration((request.spec?.expirationSeconds ?? 0) * 1000),
    state(request),
  ],
);

function state(request: CertificateSigningRequest): string {
  const decision = ['Denied', 'Approved'].find((type) => condition(request, type) !== undefined) ?? 'Pending';
  const failed = condition(request, 'Failed') === undefined ? '' : ',Failed';
  return `${decision}${failed}${(request.status?.certificate ?? '') === '' ? '' : ',Issued'}`;
}

export const trustBundleTable: TableColumns<ClusterTrustBundle> = table(['SignerName'], (bundle) => [
  (bundle.spec?.signerName ?? '') || NONE,
]);

const STATES = ['Issued', 'Denied', 'Failed'];

export const podCertificateRequestTable: TableColumns<PodCertificateRequest> = table(
  ['PodName', 'ServiceAccountName', 'NodeName', 'SignerName', 'State'],
  ({ spec, status }) => [
    spec?.podName ?? '',
    spec?.serviceAccountName ?? '',
    spec?.nodeName ?? '',
    spec?.signerName ?? '',
    status?.conditions?.findLast(({ type = '' }) => STATES.includes(type))?.type ?? 'Pending',
  ],
);
