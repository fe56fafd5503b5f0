// What becomes of the unbound claims of a pod on the node that was chosen for it: volumes that are bound to them, and
// volumes that are to be made. It is assumed at once and written before the pod is bound.

import { copyJson } from '../../../api/json-writer.ts';
import type { ApiObject, Draft } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import type { PersistentVolume } from '../../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { BOUND_BY_CONTROLLER, SELECTED_NODE } from '../../volumes/volume-names.ts';
import type { AssumedObjects } from './assumed-objects.ts';
import { isFor } from './volume-matching.ts';

export interface VolumeChoice {
  readonly bindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  /** Claims for which a volume is to be made. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** Claims and volumes with what is assumed of them. */
export interface AssumedVolumes {
  readonly claims: AssumedObjects<PersistentVolumeClaim>;
  readonly volumes: AssumedObjects<PersistentVolume>;
}

/** Reserves what was chosen on a node. */
export function takeChoice({ bindings, provisions }: VolumeChoice, node: string, assumed: AssumedVolumes): void {
  for (const { claim, volume } of bindings) {
    const next = copyJson(volume as unknown as ApiObject) as unknown as Draft<PersistentVolume>;
    bindTo(next, claim);
    assumed.volumes.assume(next as PersistentVolume, volume);
  }
  for (const claim of provisions) {
    const next = copyJson(claim as unknown as ApiObject) as unknown as Draft<PersistentVolumeClaim>;
    selectNode(next, node);
    assumed.claims.assume(next as PersistentVolumeClaim, claim);
  }
}

export function giveBackChoice({ bindings, provisions }: VolumeChoice, assumed: AssumedVolumes): void {
  for (const { volume } of bindings) assumed.volumes.forget(volume);
  for (const claim of provisions) assumed.claims.forget(claim);
}

/** Reserves a volume for a claim. @returns whether that changes anything */
export function bindTo(volume: Draft<PersistentVolume>, claim: PersistentVolumeClaim): boolean {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const wasFor = isFor(volume as PersistentVolume, claim);
  const isSame = wasFor && volume.spec?.claimRef?.uid === uid;
  if (!isSame) {
    const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    volume.spec = { ...volume.spec, claimRef } as NonNullable<Draft<PersistentVolume>['spec']>;
  }
  const isMarked = wasFor || ownMember(volume.metadata.annotations, BOUND_BY_CONTROLLER) !== undefined;
  if (!isMarked) volume.metadata.annotations = { ...volume.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' };
  return !isSame || !isMarked;
}

/** Has a volume made for a claim on a node. @returns whether that changes anything */
export function selectNode({ metadata }: Draft<PersistentVolumeClaim>, node: string): boolean {
  if (ownMember(metadata.annotations, SELECTED_NODE) === node) return false;
  metadata.annotations = { ...metadata.annotations, [SELECTED_NODE]: node };
  return true;
}
