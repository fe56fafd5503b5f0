// Leases and LeaseCandidates.

import { leaseCandidateV1alpha1 } from '../../conversion/lease-candidates.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group } from '../../resource.ts';
import { leaseCandidateTable, leaseTable } from './tables.ts';
import type { Lease } from './v1-objects.ts';
import type { LeaseCandidate } from './v1beta1-objects.ts';
import { leaseCandidateRules, leaseRules } from './validation.ts';

const coordination = group('coordination.k8s.io', 'v1');

export const coordinationResources: readonly ResourceDefinition[] = [
  coordination<Lease>({
    resource: 'leases',
    kind: 'Lease',
    strategy: { ...leaseRules, createOnUpdate: true, unconditionalUpdate: false },
    table: leaseTable,
  }),
  coordination<LeaseCandidate>({
    resource: 'leasecandidates',
    kind: 'LeaseCandidate',
    versions: ['v1beta1', 'v1alpha2', 'v1alpha1'],
    hashedVersion: { 0: 'v1alpha1', 32: 'v1alpha2', 33: 'v1beta1' },
    storage: 'v1beta1',
    conversions: { v1alpha1: leaseCandidateV1alpha1 },
    strategy: { ...leaseCandidateRules, createOnUpdate: true, unconditionalUpdate: false },
    table: leaseCandidateTable,
  }),
];
