// Data sources of a PersistentVolumeClaim: `dataSource`, the older field, which only supports claims and snapshots, and
// `dataSourceRef`, which supports any kind. Each is defaulted from the other.

import type { Draft } from '../../../../api/object.ts';
import type { StrategyContext } from '../../../definition.ts';
import type { TypedLocalObjectReference, TypedObjectReference } from '../reference-objects.ts';
import type { PersistentVolumeClaim } from './objects.ts';

/** Synchronizes the two in a new claim. */
export function settleNewDataSource(claim: Draft<PersistentVolumeClaim>, context: StrategyContext): void {
  settle(claim, undefined, context);
}

/** The same for an update. */
export function settleDataSource(
  claim: Draft<PersistentVolumeClaim>,
  previous: Draft<PersistentVolumeClaim>,
  context: StrategyContext,
): void {
  settle(claim, previous, context);
}

function settle(
  claim: Draft<PersistentVolumeClaim>,
  previous: Draft<PersistentVolumeClaim> | undefined,
  { gateEnabled }: StrategyContext,
): void {
  const spec = claim.spec;
  if (spec === undefined) return;
  const old = previous?.spec;
  const hadReference = old !== undefined && isNamed(old.dataSourceRef);
  if (!hadReference && !gateEnabled('CrossNamespaceVolumeDataSource') && isElsewhere(spec.dataSourceRef)) {
    delete spec.dataSourceRef;
  }
  const hadOne = old !== undefined && (isNamed(old.dataSource) || isNamed(old.dataSourceRef));
  const source = spec.dataSource;
  if (!hadOne && !isNamed(spec.dataSourceRef) && source !== undefined && !isClaimOrSnapshot(source))
    delete spec.dataSource;
  completeDataSources(claim, { gateEnabled });
}

/** Completes each from the other, also when a claim is read that was stored without one. @returns whether one was missing */
export function completeDataSources(
  { spec }: Draft<PersistentVolumeClaim>,
  { gateEnabled }: Pick<StrategyContext, 'gateEnabled'>,
): boolean {
  if (spec === undefined || !gateEnabled('AnyVolumeDataSource')) return false;
  const older = spec.dataSource;
  const newer = spec.dataSourceRef;
  if (older !== undefined && newer === undefined) {
    spec.dataSourceRef = { ...older };
    return true;
  }
  // The older field cannot refer to another namespace.
  if (older !== undefined || newer === undefined || (newer.namespace ?? '') !== '') return false;
  const { apiGroup = null, kind, name } = newer;
  spec.dataSource = { apiGroup, kind, name };
  return true;
}

function isElsewhere(reference: TypedObjectReference | undefined): boolean {
  return (reference?.namespace ?? '') !== '';
}

function isNamed(source: TypedLocalObjectReference | undefined): boolean {
  return source !== undefined;
}

function isClaimOrSnapshot(source: TypedLocalObjectReference): boolean {
  const kind = source.kind ?? '';
  const group = source.apiGroup ?? '';
  return (
    (kind === 'PersistentVolumeClaim' && group === '') ||
    (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
