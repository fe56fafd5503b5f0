// Signing requests and trust bundles.

import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { textAt } from '../../value.ts';
import { signingRequestBehaviour } from './behaviour.ts';
import { podCertificateRequestDefaults } from './defaults.ts';
import { signingRequestTable, trustBundleTable } from './tables.ts';
import { signingRequestRules, trustBundleRules } from './validation.ts';

const certificates = group('certificates.k8s.io', 'v1alpha1');

export const certificatesResources: readonly ResourceDefinition[] = [
  certificates({
    resource: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    hash: '95fRKMXA+00=',
    cluster: true,
    shortNames: ['csr'],
    versions: ['v1'],
    subresources: { approval: own, status: own },
    behaviour: {
      ...signingRequestRules,
      declaredRulesFor: ['', 'approval', 'status'],
      ...signingRequestBehaviour,
      nameRule: 'pathSegment',
      selectableFieldNames: ['spec.signerName'],
      selectableFields: (request) => ({ 'spec.signerName': textAt(request, 'spec', 'signerName') }),
      unknownField: 'notSupported',
    },
    table: signingRequestTable,
  }),
  certificates({
    resource: 'clustertrustbundles',
    kind: 'ClusterTrustBundle',
    hash: 'v5yhuVertL4=',
    cluster: true,
    versions: ['v1beta1', 'v1alpha1'],
    behaviour: {
      ...trustBundleRules,
      nameRule: 'pathSegment',
      unconditionalUpdate: false,
      selectableFieldNames: ['spec.signerName'],
      selectableFields: (bundle) => ({ 'spec.signerName': textAt(bundle, 'spec', 'signerName') }),
      unknownField: 'notSupported',
    },
    table: trustBundleTable,
  }),
  certificates({
    resource: 'podcertificaterequests',
    kind: 'PodCertificateRequest',
    hash: '3F2mRg06NdI=',
    subresources: { status: own },
    behaviour: {
      defaults: podCertificateRequestDefaults,
      unconditionalUpdate: false,
      statusKeeps: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
      selectableFieldNames: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
      selectableFields: (request) => ({
        'spec.podName': textAt(request, 'spec', 'podName'),
        'spec.signerName': textAt(request, 'spec', 'signerName'),
        'spec.nodeName': textAt(request, 'spec', 'nodeName'),
      }),
      unknownField: 'notSupported',
    },
  }),
];
