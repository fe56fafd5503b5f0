// Strategies of core kinds where they differ from the default: values set at creation, and values that clients may
// omit.

import { copyJson } from '../../../api/json-writer.ts';
import { labelValueFaults } from '../../../api/names.ts';
import type { Draft, JsonObject } from '../../../api/object.ts';
import { ownMember } from '../../../api/own-member.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import type { Secret } from './config/objects.ts';
import type { Namespace } from './namespace/objects.ts';
import { validateFinalize } from './namespace/validation.ts';
import type { Node } from './node/objects.ts';
import type { PersistentVolume } from './persistent-volume/objects.ts';
import { completeDataSources, settleDataSource, settleNewDataSource } from './persistent-volume-claim/data-source.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim/objects.ts';
import { appArmorWarnings, copyAppArmorProfiles } from './pod/app-armor.ts';
import { dropGatedStatus } from './pod/earlier-status.ts';
import { mergeLabelKeys } from './pod/label-keys.ts';
import type { Pod, PodCondition } from './pod/objects.ts';
import { computedQosClass, qosClass } from './pod/quality-of-service.ts';
import { completePodResources, keepPodResources } from './pod/resources-defaults.ts';
import { KEEPS_CLASS } from './pod/validation-status.ts';
import type { LimitRange } from './quota/objects.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** The first minor release of Kubernetes 1 in which AppArmor profiles are fields. */
const APP_ARMOR_FIELDS = 30;

/** A pod starts as Pending; its QoS class follows from its resources and never changes. */
export const podStrategy: KindRules<Pod> = {
  prepareForCreate: (pod, context) => {
    if (isSince(context, APP_ARMOR_FIELDS)) for (const warning of appArmorWarnings(pod)) context.warn?.(warning);
    // The class that a client sets counts before 1.37.
    const classOf = isSince(context, 37) ? computedQosClass : qosClass;
    if (pod.spec !== undefined) completePodResources(pod.spec, context);
    pod.status = { phase: 'Pending', qosClass: classOf(pod, context) };
    if ((pod.spec?.schedulingGates ?? []).length > 0) pod.status.conditions = [schedulingGated(pod, context)];
    mergeLabelKeys(pod, context);
    if (isSince(context, APP_ARMOR_FIELDS)) copyAppArmorProfiles(pod, !isSince(context, 34));
  },
  prepareForUpdate: (next, previous, context) => {
    keepPodResources(next, previous, context);
    dropGatedStatus(next, previous, context);
  },
  subresources: { status: { prepareForUpdate: keepPodStatus } },
  deletion: { returnsObject: true, gracePeriod: podGracePeriod },
};

/** The QoS class and observed generations are kept, unless the writer sets others. */
function keepPodStatus(next: Draft<Pod>, previous: Pod, context: StrategyContext): void {
  const status = (next.status ??= {});
  const { status: old = {} } = previous;
  // Clients that do not know these would drop them.
  for (const member of isSince(context, 37) ? OF_DEVICES : []) {
    const before = ownMember(old as JsonObject, member);
    const kept = status as JsonObject;
    const isGiven = ownMember(kept, member) !== undefined || context.givesEmpty?.(member) === true;
    if (!isGiven && before !== undefined) kept[member] = copyJson(before);
  }
  const keepsClass = isSince(context, KEEPS_CLASS) && old.qosClass !== undefined;
  if (keepsClass && (status.qosClass ?? '') === '') status.qosClass = old.qosClass;
  keepObserved(status, old);
  // If there are several conditions of one type, the first is compared with the first.
  const unclaimed = Map.groupBy([...(old.conditions ?? [])].reverse(), ({ type }) => type);
  for (const condition of status.conditions ?? []) {
    const before = unclaimed.get(condition.type)?.pop();
    if (before !== undefined) keepObserved(condition, before);
  }
}

/** The members of the status of a pod that are about devices. */
const OF_DEVICES = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

interface Observed {
  observedGeneration?: number | bigint;
}

function keepObserved(target: Observed, { observedGeneration }: Readonly<Observed>): void {
  if (target.observedGeneration || observedGeneration === undefined) return;
  target.observedGeneration = observedGeneration;
}

/** A pod on a node gets a grace period, as requested or from its spec; any other is deleted immediately. */
function podGracePeriod(pod: Pod, requested: number | undefined): number {
  const ended = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
  if (ended || (pod.spec?.nodeName ?? '') === '') return 0;
  const seconds = requested ?? Number(pod.spec?.terminationGracePeriodSeconds ?? 0);
  return seconds < 0 ? 1 : seconds;
}

/** The status of a gated pod at creation. */
function schedulingGated({ metadata }: Draft<Pod>, context: StrategyContext): Draft<PodCondition> {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    // Not told before 1.31.
    lastTransitionTime: isSince(context, 31) ? (metadata.creationTimestamp ?? null) : null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

/** A node's status may be set at creation: the kubelet registers its node with it. */
export const nodeStrategy: KindRules<Node> = {
  // Empty allocatable resources are stored as none.
  defaultsOnRead: allocatableFromCapacity,
  prepareForCreate: (node, context) => {
    dropConfig(node);
    dropGated(node, context);
  },
  prepareForUpdate: dropConfig,
  subresources: { status: { prepareForUpdate: dropConfig } },
};

/** Status fields of disabled features in a new node; its kubelet may report them later. */
function dropGated({ status }: Draft<Node>, { gateEnabled }: StrategyContext): void {
  const hasHandlers = gateEnabled('RecursiveReadOnlyMounts') || gateEnabled('UserNamespacesSupport');
  if (status?.runtimeHandlers !== undefined && !hasHandlers) delete status.runtimeHandlers;
  if (status?.features !== undefined && !gateEnabled('SupplementalGroupsPolicy')) delete status.features;
}

/** Everything is allocatable unless the node says otherwise. */
function allocatableFromCapacity({ status }: Draft<Node>): boolean {
  if (status?.capacity === undefined || status.allocatable !== undefined) return false;
  status.allocatable = { ...status.capacity };
  return true;
}

/** Dynamic kubelet configuration has been removed; its fields are dropped, although their writer owns them. */
function dropConfig({ spec, status }: Draft<Node>): void {
  delete spec?.configSource;
  delete status?.config;
}

export const namespaceStrategy: KindRules<Namespace> = {
  defaults: (namespace) => {
    labelWithName(namespace);
    (namespace.status ??= {}).phase ??= 'Active';
  },
  prepareForCreate: (namespace) => {
    // Generated names are only known now; one that is not a label is rejected as a name.
    if (labelValueFaults(namespace.metadata.name ?? '').length === 0) labelWithName(namespace);
    const spec = (namespace.spec ??= {});
    const finalizers = spec.finalizers ?? [];
    if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes'];
    namespace.status = { phase: 'Active' };
  },
  prepareForUpdate: (next, previous) => {
    // Finalizers change only through /finalize.
    const finalizers = previous.spec?.finalizers;
    const spec = (next.spec ??= {});
    if (finalizers === undefined) delete spec.finalizers;
    else spec.finalizers = finalizers;
  },
  subresources: {
    finalize: {
      resets: ['status'],
      prepareForUpdate: (next, previous) => {
        next.status = previous.status;
      },
      validateUpdate: validateFinalize,
    },
  },
  deletion: {
    returnsObject: 'unpublished',
    marking: {
      mark: (namespace) => {
        namespace.status = { ...namespace.status, phase: 'Terminating' };
      },
      heedsPolicy: true,
      isHeld: (namespace) => (namespace.spec?.finalizers ?? []).length > 0,
    },
  },
};

function labelWithName(namespace: Draft<Namespace>): void {
  const { metadata } = namespace;
  if (metadata.name) (metadata.labels ??= {})[NAME_LABEL] = metadata.name;
}

/** `stringData` is write-only: it is merged into `data` and takes precedence. */
export const secretStrategy: KindRules<Secret> = {
  defaults: (secret) => {
    if ((secret.type ?? '') === '') secret.type = 'Opaque';
    const text = secret.stringData;
    delete secret.stringData;
    if (text === undefined || Object.keys(text).length === 0) return;
    const added = Object.entries(text).map(([key, value]) => [key, base64(value)]);
    secret.data = { ...secret.data, ...Object.fromEntries(added) };
  },
};

/** A limit range without a name is named after its UID. */
export const limitRangeStrategy: KindRules<LimitRange> = {
  prepareForCreate: ({ metadata }, { newUid }) => {
    metadata.name ||= newUid?.() ?? metadata.uid;
  },
};

export const persistentVolumeStrategy: KindRules<PersistentVolume> = {
  deletion: { returnsObject: true },
  prepareForCreate: (volume) => {
    const now = volume.metadata.creationTimestamp;
    volume.status = now === undefined ? { phase: 'Pending' } : { phase: 'Pending', lastPhaseTransitionTime: now };
  },
  subresources: { status: { prepareForUpdate: notePhase } },
};

/** The time of the last phase change: now, unless the writer sets another. */
function notePhase(next: Draft<PersistentVolume>, previous: Draft<PersistentVolume>, { nowMs }: StrategyContext): void {
  const status = (next.status ??= {});
  const { phase, lastPhaseTransitionTime: before } = previous.status ?? {};
  const given = status.lastPhaseTransitionTime;
  if (status.phase === phase) {
    if (given === undefined && before !== undefined) status.lastPhaseTransitionTime = before;
  } else if (given === undefined || given === before) {
    status.lastPhaseTransitionTime = timestamp(nowMs);
  }
}

export const persistentVolumeClaimStrategy: KindRules<PersistentVolumeClaim> = {
  deletion: { returnsObject: true },
  defaultsOnRead: (claim, context) => {
    const isCompleted = completeDataSources(claim, context);
    const status = (claim.status ??= {});
    if (status.phase !== undefined) return isCompleted;
    status.phase = 'Pending';
    return true;
  },
  prepareForCreate: (claim, context) => {
    claim.status = {};
    settleNewDataSource(claim, context);
  },
  prepareForUpdate: settleDataSource,
};

const encoder = new TextEncoder();

function base64(text: string): string {
  let binary = '';
  for (const byte of encoder.encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
