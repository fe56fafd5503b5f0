// The writes of the binder: volumes and claims that refer to each other, and the phases of both. Each looks again at what
// it changes, because the scheduler and users write the same objects.

import { equalJson } from '../../api/json-equal.ts';
import type { Draft } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { Informer } from '../informer.ts';
import { amountOf } from '../scheduler/amounts.ts';
import { bindTo } from '../scheduler/volumes/volume-choice.ts';
import { isFor } from '../scheduler/volumes/volume-matching.ts';
import { annotateMigration } from './storage-plugins.ts';
import {
  BETA_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  PROVISIONED_BY,
  PROVISIONER,
  SIZE_BEFORE,
} from './volume-names.ts';

type ClaimPhase = 'Pending' | 'Bound' | 'Lost';
type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';

/** Protects volumes of kube-controller-manager's own provisioners. */
const OWN_FINALIZER = 'kubernetes.io/pv-controller';

export class BindingWrites {
  readonly #objects: ClusterObjects;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(parts: {
    readonly objects: ClusterObjects;
    readonly claims: Informer<PersistentVolumeClaim>;
    readonly volumes: Informer<PersistentVolume>;
  }) {
    this.#objects = parts.objects;
    this.#claims = parts.claims;
    this.#volumes = parts.volumes;
  }

  /** Binds a volume and a claim to each other. @returns whether both are still there and free for it */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<boolean> {
    const { name } = volume.metadata;
    const reserved = await this.#objects.update(this.#volumes, volume, (draft) => {
      const isFree = draft.spec?.claimRef === undefined || isFor(draft as PersistentVolume, claim);
      return isFree && bindTo(draft, claim);
    });
    if (reserved?.spec?.claimRef?.uid !== claim.metadata.uid) return false;
    const bound = await this.setVolumePhase(reserved as PersistentVolume, 'Bound');
    const before = claim.spec?.volumeName ?? '';
    const pointing = await this.#objects.update(this.#claims, claim, (draft) => {
      if ((draft.spec?.volumeName ?? '') !== before) return false;
      return pointTo(draft, name ?? '');
    });
    if (bound === undefined || pointing === undefined || pointing.spec?.volumeName !== name) return false;
    await this.setClaimPhase(pointing, 'Bound', bound);
    return true;
  }

  /** Frees a volume of a claim that uses another one; one that a user reserved stays reserved for the claim's name. */
  async unbind(volume: PersistentVolume): Promise<void> {
    const uid = volume.spec?.claimRef?.uid;
    const free = await this.#objects.update(this.#volumes, volume, (draft) => {
      const { spec, metadata } = draft;
      if (spec?.claimRef === undefined || spec.claimRef.uid !== uid) return false;
      if (ownMember(metadata.annotations, BOUND_BY_CONTROLLER) === undefined) {
        const { uid: _uid, ...claimRef } = spec.claimRef;
        draft.spec = { ...spec, claimRef } as typeof spec;
      } else {
        const { claimRef: _claimRef, ...rest } = spec;
        draft.spec = rest as typeof spec;
        delete metadata.annotations?.[BOUND_BY_CONTROLLER];
      }
      return true;
    });
    if (free !== undefined) await this.setVolumePhase(free, 'Available');
  }

  /** @returns the latest state; undefined if the volume is gone */
  setVolumePhase(
    volume: PersistentVolume,
    phase: VolumePhase,
    message?: string,
  ): Promise<PersistentVolume | undefined> {
    return this.#objects.updateStatus<PersistentVolume>(this.#volumes, volume, (draft) => {
      if (draft.status?.phase === phase) return false;
      const { message: _before, ...status } = draft.status ?? {};
      draft.status = { ...status, phase, ...(message === undefined ? {} : { message }) };
      return true;
    });
  }

  /** @param volume the one that a bound claim has */
  async setClaimPhase(claim: PersistentVolumeClaim, phase: ClaimPhase, volume?: PersistentVolume): Promise<void> {
    await this.#objects.updateStatus<PersistentVolumeClaim>(this.#claims, claim, (draft) => {
      const status = volume === undefined ? unboundStatus(draft, phase) : boundStatus(draft, phase, volume);
      if (equalJson(status, draft.status ?? {})) return false;
      draft.status = status;
      return true;
    });
  }

  /** Tells provisioners that they are asked for a volume. */
  async setProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<void> {
    await this.#objects.update(this.#claims, claim, ({ metadata }) => {
      if (ownMember(metadata.annotations, PROVISIONER) === provisioner) return false;
      const annotations = { ...metadata.annotations, [BETA_PROVISIONER]: provisioner, [PROVISIONER]: provisioner };
      annotateMigration(annotations, provisioner);
      metadata.annotations = annotations;
      return true;
    });
  }

  /** Gives a claim that names no class the default one. */
  async setClass(claim: PersistentVolumeClaim, storageClassName: string): Promise<void> {
    await this.#objects.update(this.#claims, claim, (draft) => {
      if (draft.spec?.storageClassName !== undefined) return false;
      draft.spec = { ...draft.spec, storageClassName };
      return true;
    });
  }

  /** Names the driver to which the provisioner of a claim has moved. @returns the latest state */
  async migrateClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim | undefined> {
    const migrate = ({ metadata }: Draft<PersistentVolumeClaim>): boolean => {
      const annotations = { ...metadata.annotations };
      const provisioner = ownMember(annotations, PROVISIONER) ?? ownMember(annotations, BETA_PROVISIONER);
      if (!annotateMigration(annotations, provisioner)) return false;
      metadata.annotations = annotations;
      return true;
    };
    if (!migrate({ metadata: { ...claim.metadata } })) return claim;
    return await this.#objects.update(this.#claims, claim, migrate);
  }

  /** Like `migrateClaim`; who protects the volume changes as well. */
  async migrateVolume(volume: PersistentVolume): Promise<PersistentVolume | undefined> {
    const migrate = ({ metadata, spec }: Draft<PersistentVolume>): boolean => {
      const annotations = { ...metadata.annotations };
      const provisioner = ownMember(annotations, PROVISIONED_BY);
      const isAnnotated = annotateMigration(annotations, provisioner);
      const isProtected = metadata.finalizers?.includes(OWN_FINALIZER) === true;
      const isOwn = provisioner === 'kubernetes.io/host-path' || provisioner === 'kubernetes.io/nfs';
      const wanted = isOwn && spec?.persistentVolumeReclaimPolicy === 'Delete';
      const isRelevant = provisioner?.startsWith('kubernetes.io/') === true;
      if (!isAnnotated && (!isRelevant || isProtected === wanted)) return false;
      metadata.annotations = annotations;
      if (!isRelevant || isProtected === wanted) return true;
      const others = (metadata.finalizers ?? []).filter((each) => each !== OWN_FINALIZER);
      metadata.finalizers = wanted ? [...others, OWN_FINALIZER] : others;
      return true;
    };
    if (!migrate({ ...volume, metadata: { ...volume.metadata } } as Draft<PersistentVolume>)) return volume;
    return await this.#objects.update(this.#volumes, volume, migrate);
  }
}

function pointTo({ metadata, spec }: Draft<PersistentVolumeClaim>, volumeName: string): boolean {
  const annotations = { ...metadata.annotations };
  const isNew = spec?.volumeName !== volumeName;
  if (isNew) annotations[BOUND_BY_CONTROLLER] ??= 'yes';
  const wasComplete = ownMember(annotations, BIND_COMPLETED) !== undefined;
  annotations[BIND_COMPLETED] ??= 'yes';
  metadata.annotations = annotations;
  if (spec !== undefined) spec.volumeName = volumeName;
  return isNew || !wasComplete;
}

type ClaimStatus = NonNullable<Draft<PersistentVolumeClaim>['status']>;

function unboundStatus({ status }: Draft<PersistentVolumeClaim>, phase: ClaimPhase): ClaimStatus {
  const { accessModes: _modes, capacity: _capacity, currentVolumeAttributesClassName: _class, ...rest } = status ?? {};
  return { ...rest, phase };
}

function boundStatus(
  { status = {} }: Draft<PersistentVolumeClaim>,
  phase: ClaimPhase,
  { metadata, spec = {} }: PersistentVolume,
): ClaimStatus {
  const next: ClaimStatus = { ...status, phase };
  if (spec.accessModes !== undefined) next.accessModes = [...spec.accessModes];
  if (status.phase === phase) return next;
  const size = ownMember(spec.capacity, 'storage');
  const before = ownMember(metadata.annotations, SIZE_BEFORE);
  const known = ownMember(status.capacity, 'storage');
  if (before !== undefined) next.capacity = { ...status.capacity, storage: before };
  else if (size !== undefined && (known === undefined || bytesOf(known) !== bytesOf(size))) {
    next.capacity = { ...spec.capacity };
  }
  const attributes = spec.volumeAttributesClassName;
  if (status.phase === 'Pending' && attributes !== undefined) next.currentVolumeAttributesClassName = attributes;
  return next;
}

function bytesOf(quantity: string): number {
  return amountOf('storage', quantity);
}
