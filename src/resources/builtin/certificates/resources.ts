// CertificateSigningRequests and ClusterTrustBundles.

import { isSince } from '../../../lifecycle/version.ts';
import { combined } from '../../combined-rules.ts';
import { RESET_METADATA, type ResourceDefinition, STATUS_APART } from '../../definition.ts';
import { group, own, ownWithoutTables } from '../../resource.ts';
import { podCertificateRequestDefaults } from './defaults.ts';
import { signingRequestStrategy } from './strategy.ts';
import { podCertificateRequestTable, signingRequestTable, trustBundleTable } from './tables.ts';
import type { CertificateSigningRequest } from './v1-objects.ts';
import type { PodCertificateRequest } from './v1alpha1-objects.ts';
import type { ClusterTrustBundle } from './v1beta1-objects.ts';
import { signingRequestRules, trustBundleRules } from './validation.ts';
import { podCertificateRequestRules } from './validation-pod-request.ts';

const certificates = group('certificates.k8s.io');

export const certificatesResources: readonly ResourceDefinition[] = [
  certificates<CertificateSigningRequest>({
    resource: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    cluster: true,
    shortNames: ['csr'],
    versions: ['v1'],
    subresources: { approval: ownWithoutTables, status: own },
    strategy: combined(signingRequestRules, signingRequestStrategy, {
      // It has no rule for names of its own.
      nameRule: { faults: () => [] },
      selection: {
        names: ['spec.signerName'],
        values: (request) => ({ 'spec.signerName': request.spec?.signerName ?? '' }),
        refusal: 'notSupported',
      },
    }),
    table: signingRequestTable,
  }),
  certificates<ClusterTrustBundle>({
    resource: 'clustertrustbundles',
    kind: 'ClusterTrustBundle',
    cluster: true,
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    storage: { 0: 'v1alpha1', 33: 'v1beta1' },
    strategy: {
      ...trustBundleRules,
      unconditionalUpdate: false,
      selection: {
        names: ['spec.signerName'],
        values: (bundle) => ({ 'spec.signerName': bundle.spec?.signerName ?? '' }),
        refusal: 'notSupported',
      },
    },
    table: trustBundleTable,
  }),
  certificates<PodCertificateRequest>({
    resource: 'podcertificaterequests',
    kind: 'PodCertificateRequest',
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    storage: { 0: 'v1alpha1', 35: 'v1beta1' },
    subresources: { status: own },
    strategy: (minor) =>
      combined(podCertificateRequestRules, {
        defaults: podCertificateRequestDefaults,
        unconditionalUpdate: false,
        // Before 1.37, a manager that sets the status of the object owns it, although it is not stored.
        ...(isSince({ minor }, 37)
          ? STATUS_APART
          : { resets: [], subresources: { status: { keeps: RESET_METADATA } } }),
        selection: {
          names: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
          values: (request) => ({
            'spec.podName': request.spec?.podName ?? '',
            'spec.signerName': request.spec?.signerName ?? '',
            'spec.nodeName': request.spec?.nodeName ?? '',
          }),
          refusal: 'notSupported',
        },
      }),
    table: podCertificateRequestTable,
  }),
];
