// Feature gates of fields that only claims and volumes drop: claim templates, in pods and StatefulSets, keep them whatever
// is enabled.

import { lookup } from '../../../../base/lookup.ts';

const DROPPED_BY: Readonly<Record<string, readonly string[]>> = lookup({
  AnyVolumeDataSource: ['PersistentVolumeClaim'],
  RecoverVolumeExpansionFailure: ['PersistentVolumeClaim'],
  VolumeAttributesClass: ['PersistentVolume', 'PersistentVolumeClaim'],
});

/** Whether objects of a kind keep the fields behind a gate, because only other kinds drop them. */
export function isOfOtherKinds(gate: string, kind: string): boolean {
  return DROPPED_BY[gate]?.includes(kind) === false;
}
