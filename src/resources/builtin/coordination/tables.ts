// Table columns of Lease and LeaseCandidate.

import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import type { Lease } from './v1-objects.ts';
import type { LeaseCandidate } from './v1beta1-objects.ts';

export const leaseTable: TableColumns<Lease> = table(['Holder', 'Age'], (lease) => [
  lease.spec?.holderIdentity ?? '',
  age(lease),
]);

export const leaseCandidateTable: TableColumns<LeaseCandidate> = table(
  ['LeaseName', 'BinaryVersion', 'EmulationVersion', 'Age'],
  (candidate) => [
    candidate.spec?.leaseName ?? '',
    candidate.spec?.binaryVersion ?? '',
    candidate.spec?.emulationVersion ?? '',
    age(candidate),
  ],
);
