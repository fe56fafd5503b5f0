// Where a claim's first content comes from is said in two members: `dataSource`, the older one, which knows claims and
// snapshots alone, and `dataSourceRef`, which takes objects of any kind. Each is filled in from the other.

import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import type { BehaviourContext } from '../../../definition.ts';
import { objectAt } from '../../../fill-in.ts';
import { textAt } from '../../../value.ts';

/** Brings the two in line in a new claim. */
export function settleNewDataSource(claim: ApiObject, context: BehaviourContext): void {
  settle(claim, undefined, context);
}

/** The same where a claim is changed. */
export function settleDataSource(claim: ApiObject, previous: ApiObject, context: BehaviourContext): void {
  settle(claim, previous, context);
}

function settle(claim: ApiObject, previous: ApiObject | undefined, { gateEnabled }: BehaviourContext): void {
  const spec = objectAt(claim, 'spec');
  if (spec === undefined) return;
  const old = objectAt(previous, 'spec');
  const hadReference = old !== undefined && isNamed(old['dataSourceRef']);
  if (!hadReference && !gateEnabled('CrossNamespaceVolumeDataSource') && isElsewhere(spec['dataSourceRef'])) {
    delete spec['dataSourceRef'];
  }
  const hadOne = old !== undefined && (isNamed(old['dataSource']) || isNamed(old['dataSourceRef']));
  const source = objectAt(spec, 'dataSource');
  if (!hadOne && !isNamed(spec['dataSourceRef']) && source !== undefined && !isClaimOrSnapshot(source))
    delete spec['dataSource'];
  const older = objectAt(spec, 'dataSource');
  const newer = objectAt(spec, 'dataSourceRef');
  if (older !== undefined && newer === undefined) spec['dataSourceRef'] = { ...older };
  // An object of another namespace cannot be said in the older form.
  if (older === undefined && newer !== undefined && textAt(newer, 'namespace') === '') {
    const { apiGroup = null, kind, name } = newer;
    spec['dataSource'] = { apiGroup, kind, name };
  }
}

function isElsewhere(reference: JsonObject[string]): boolean {
  return textAt(reference, 'namespace') !== '';
}

function isNamed(source: JsonObject[string]): boolean {
  return source !== undefined && source !== null;
}

function isClaimOrSnapshot(source: JsonObject): boolean {
  const kind = textAt(source, 'kind');
  const group = textAt(source, 'apiGroup');
  return (
    (kind === 'PersistentVolumeClaim' && group === '') ||
    (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
