// What the binder does for a claim: it finds the volume, has one made, or says why the claim waits; and it tells a claim
// that has lost its volume.

import { ownMember } from '../../api/own-member.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import { hasEnded } from '../pod-facts.ts';
import { keyOf } from '../reconciler.ts';
import { classOf } from '../scheduler/volumes/pod-claims.ts';
import { isFor } from '../scheduler/volumes/volume-matching.ts';
import { AGAIN_MS, type BinderParts } from './binder-parts.ts';
import { defaultClass } from './default-class.ts';
import { driverOf, provisioningFault, switchedOffFault } from './storage-plugins.ts';
import { BETA_CLASS, BIND_COMPLETED, SELECTED_NODE } from './volume-names.ts';
import { mismatch } from './volume-search.ts';

/** @returns after how many milliseconds to look again, if at all */
export async function bindClaim(parts: BinderParts, known: PersistentVolumeClaim): Promise<number | undefined> {
  const claim = await parts.writes.migrateClaim(known);
  if (claim === undefined) return undefined;
  if (ownMember(claim.metadata.annotations, BIND_COMPLETED) !== undefined) return await keepBound(parts, claim);
  return (claim.spec?.volumeName ?? '') === '' ? await findVolume(parts, claim) : await bindNamed(parts, claim);
}

async function findVolume(parts: BinderParts, claim: PersistentVolumeClaim): Promise<number | undefined> {
  const { search, classes, writes, events } = parts;
  const name = classOf(claim);
  const isDelayed = name !== '' && classes.get('', name)?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = search.find(claim, isDelayed);
  if (volume !== undefined) return await bind(parts, claim, volume.metadata.name ?? '');
  const assigned = hasClass(claim) ? undefined : defaultClass(classes.list());
  if (assigned !== undefined) {
    await writes.setClass(claim, assigned);
    return undefined;
  }
  if (isDelayed && ownMember(claim.metadata.annotations, SELECTED_NODE) === undefined) {
    const [reason, message] = delay(parts, claim);
    events.record(claim, reason, message);
  } else if (name !== '') {
    await provision(parts, claim, name);
    return AGAIN_MS;
  } else {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    events.record(claim, 'FailedBinding', message);
  }
  await writes.setClaimPhase(claim, 'Pending');
  return AGAIN_MS;
}

function hasClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  return ownMember(metadata.annotations, BETA_CLASS) !== undefined || spec?.storageClassName !== undefined;
}

/** What a claim waits for that is bound when a pod needs it. */
function delay({ podsOf }: BinderParts, claim: PersistentVolumeClaim): readonly [reason: string, message: string] {
  const names = podsOf
    .get(keyOf(claim))
    .filter((pod) => !hasEnded(pod) && (pod.spec?.nodeName ?? '') === '')
    .map(({ metadata }) => metadata.name);
  if (names.length === 0) return ['WaitForFirstConsumer', 'waiting for first consumer to be created before binding'];
  return ['WaitForPodScheduled', `waiting for pod${names.length > 1 ? 's' : ''} ${names.join()} to be scheduled`];
}

/** Asks for a volume. */
async function provision(parts: BinderParts, claim: PersistentVolumeClaim, name: string): Promise<void> {
  const { classes, events, writes } = parts;
  const provisioner = classes.get('', name)?.provisioner;
  const fault =
    provisioner === undefined ? `storageclass.storage.k8s.io "${name}" not found` : provisioningFault(provisioner);
  if (provisioner === undefined || fault !== undefined) {
    events.warn(claim, 'ProvisioningFailed', fault ?? '');
    return;
  }
  const asked = driverOf(provisioner) ?? provisioner;
  await writes.setProvisioner(claim, asked);
  const switchedOff = switchedOffFault(provisioner);
  if (switchedOff !== undefined) {
    events.warn(claim, 'ProvisioningFailed', switchedOff);
    return;
  }
  const message =
    `Waiting for a volume to be created either by the external provisioner '${asked}' or manually by the system ` +
    'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  events.record(claim, 'ExternalProvisioning', message);
}

/** A claim that names its volume. */
async function bindNamed(parts: BinderParts, claim: PersistentVolumeClaim): Promise<number | undefined> {
  const { volumes, writes, events } = parts;
  const name = claim.spec?.volumeName ?? '';
  const volume = volumes.get('', name);
  if (volume !== undefined) {
    const fault = volume.spec?.claimRef === undefined ? mismatch(volume, claim) : undefined;
    const isOthers = volume.spec?.claimRef !== undefined && !isFor(volume, claim);
    if (fault === undefined && !isOthers) return await bind(parts, claim, name);
    if (isOthers) events.warn(claim, 'FailedBinding', `volume "${name}" already bound to a different claim.`);
    else events.warn(claim, 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${fault}`);
  }
  await writes.setClaimPhase(claim, 'Pending');
  return AGAIN_MS;
}

async function keepBound(parts: BinderParts, claim: PersistentVolumeClaim): Promise<number | undefined> {
  const name = claim.spec?.volumeName ?? '';
  if (name === '') {
    return lose(parts, claim, 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  }
  const volume = parts.volumes.get('', name);
  if (volume === undefined) {
    return lose(parts, claim, 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  }
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return await bind(parts, claim, name);
  const message = 'Two claims are bound to the same volume, this one is bound incorrectly';
  return lose(parts, claim, message, 'ClaimMisbound');
}

async function lose(
  { writes, events }: BinderParts,
  claim: PersistentVolumeClaim,
  ...[message, reason = 'ClaimLost']: readonly [message: string, reason?: string]
): Promise<undefined> {
  if (claim.status?.phase === 'Lost') return;
  await writes.setClaimPhase(claim, 'Lost');
  events.warn(claim, reason, message);
}

/** Binds a claim to a volume that was just found; another look follows if somebody else was faster. */
async function bind(parts: BinderParts, claim: PersistentVolumeClaim, name: string): Promise<undefined> {
  const { volumes, claims, writes, keys } = parts;
  const volume = volumes.get('', name);
  if (volume !== undefined && (await writes.bind(volume, claim))) return;
  const { namespace = '', name: claimName = '', uid } = claim.metadata;
  if (claims.get(namespace, claimName)?.metadata.uid === uid) keys.add(keyOf(claim));
}
