// Table columns of CertificateSigningRequest, ClusterTrustBundle and PodCertificateRequest.

import { isSince } from '../../../lifecycle/version.ts';
import { condition } from '../../conditions.ts';
import type { Cell, TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, labels, NONE, table } from '../../table.ts';
import type { CertificateSigningRequest } from './v1-objects.ts';
import type { ClusterTrustBundle, PodCertificateRequest } from './v1beta1-objects.ts';

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

const REQUEST_COLUMNS = ['PodName', 'ServiceAccountName', 'NodeName', 'SignerName', 'State'];

/** From 1.35 on with the annotations that whoever made the request has asked for. */
export function podCertificateRequestTable(minor: number): TableColumns<PodCertificateRequest> {
  if (!isSince({ minor }, 35)) return table(REQUEST_COLUMNS, requestCells);
  return table([...REQUEST_COLUMNS, 'UnverifiedUserAnnotations'], (request) => [
    ...requestCells(request),
    labels(request.spec?.unverifiedUserAnnotations),
  ]);
}

function requestCells({ spec, status }: PodCertificateRequest): Cell[] {
  return [
    spec?.podName ?? '',
    spec?.serviceAccountName ?? '',
    spec?.nodeName ?? '',
    spec?.signerName ?? '',
    status?.conditions?.findLast(({ type = '' }) => STATES.includes(type))?.type ?? 'Pending',
  ];
}
