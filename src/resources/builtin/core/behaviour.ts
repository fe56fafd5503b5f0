// What core kinds do on the common path that others do not: what is set when they are created, and what a client may
// leave out.

import type { ApiObject, Json, JsonObject } from '../../../api/object.ts';
import type { Behaviour, BehaviourContext } from '../../definition.ts';
import { keepStatus } from '../../resource.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../value.ts';
import { validateFinalize } from './namespace/validation.ts';
import { settleDataSource, settleNewDataSource } from './persistent-volume-claim/data-source.ts';
import { appArmorWarnings, copyAppArmorProfiles } from './pod/app-armor.ts';
import { mergeLabelKeys } from './pod/label-keys.ts';
import { qosClass } from './pod/quality-of-service.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** A pod starts out pending; its class follows from its resources and never changes. */
export const podBehaviour: Partial<Behaviour> = {
  prepareForCreate: (pod, context) => {
    pod['status'] = { phase: 'Pending', qosClass: qosClass(pod) };
    if (listAt(pod, 'spec', 'schedulingGates').length > 0) pod['status']['conditions'] = [schedulingGated(pod)];
    mergeLabelKeys(pod, context);
    copyAppArmorProfiles(pod);
  },
  creationWarnings: appArmorWarnings,
  prepareForStatusUpdate: keepPodStatus,
  returnsDeleted: true,
  gracePeriod: podGracePeriod,
};

/** The class of service stays, and so do the generations that were observed, unless the writer says others. */
function keepPodStatus(next: ApiObject, previous: ApiObject): void {
  const status = objectAt(next, 'status');
  const old = objectAt(previous, 'status');
  if (textAt(status, 'qosClass') === '' && old['qosClass'] !== undefined) status['qosClass'] = old['qosClass'];
  if (numberAt(status, 'observedGeneration') === 0) keep(status, old);
  // There may be several conditions of one type: the first takes from the first.
  const unclaimed = [...(listAt(old, 'conditions') as JsonObject[])];
  for (const condition of listAt(status, 'conditions') as JsonObject[]) {
    const index = unclaimed.findIndex(({ type }) => type === condition['type']);
    const [before] = index < 0 ? [] : unclaimed.splice(index, 1);
    if (before !== undefined && numberAt(condition, 'observedGeneration') === 0) keep(condition, before);
  }
}

function keep(target: JsonObject, { observedGeneration }: JsonObject): void {
  if (observedGeneration !== undefined) target['observedGeneration'] = observedGeneration;
}

/** A pod on a node gets time to end, as much as is asked for or its spec says; any other goes at once. */
function podGracePeriod(pod: ApiObject, requested: number | undefined): number {
  const ended = ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));
  if (ended || textAt(pod, 'spec', 'nodeName') === '') return 0;
  const seconds = requested ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds');
  return seconds < 0 ? 1 : seconds;
}

/** What a pod says that nobody may schedule yet, as of its creation. */
function schedulingGated({ metadata }: ApiObject): JsonObject {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadata.creationTimestamp ?? null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

/** A node's status may be set when it is created: the kubelet registers its node with what it knows. */
export const nodeBehaviour: Partial<Behaviour> = {
  prepareForCreate: dropConfigSource,
  prepareForUpdate: (next, previous) => {
    keepStatus(next, previous);
    dropConfigSource(next);
  },
};

/** Kubelets were configured through their nodes once; what says so is dropped, although its writer owns it. */
function dropConfigSource({ spec }: ApiObject): void {
  if (isObject(spec)) delete spec['configSource'];
}

export const namespaceBehaviour: Partial<Behaviour> = {
  defaults: (namespace) => {
    labelWithName(namespace);
    objectAt(namespace, 'status')['phase'] ??= 'Active';
  },
  prepareForCreate: (namespace) => {
    // Again: a generated name is known only now.
    labelWithName(namespace);
    const spec = objectAt(namespace, 'spec');
    const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
    namespace['status'] = { phase: 'Active' };
  },
  prepareForUpdate: (next, previous) => {
    // Finalizers change through /finalize alone.
    const finalizers = at(previous, 'spec', 'finalizers');
    const spec = objectAt(next, 'spec');
    if (finalizers === undefined) delete spec['finalizers'];
    else spec['finalizers'] = finalizers;
    next['status'] = previous['status'];
  },
  resetFields: { finalize: ['status'] },
  subresourceRules: {
    finalize: {
      prepareForUpdate: (next, previous) => {
        next['status'] = previous['status'];
      },
      validateUpdate: validateFinalize,
    },
  },
  returnsDeleted: true,
  deletedTwice: true,
  shortPreconditions: true,
  heldBySpec: (namespace) => listAt(namespace, 'spec', 'finalizers').length > 0,
  prepareForDelete: (namespace) => {
    namespace['status'] = { ...objectAt(namespace, 'status'), phase: 'Terminating' };
  },
};

function labelWithName(namespace: JsonObject): void {
  const name = textAt(namespace, 'metadata', 'name');
  if (name !== '') objectAt(objectAt(namespace, 'metadata'), 'labels')[NAME_LABEL] = name;
}

/** `stringData` is a way to write: it ends up in `data` and wins there. */
export const secretBehaviour: Partial<Behaviour> = {
  defaults: (secret) => {
    if (textAt(secret, 'type') === '') secret['type'] = 'Opaque';
    const text = secret['stringData'];
    delete secret['stringData'];
    if (!isObject(text) || Object.keys(text).length === 0) return;
    const added = Object.entries(text).map(([key, value]): [string, Json] => [key, base64(String(value ?? ''))]);
    const data = isObject(secret['data']) ? secret['data'] : {};
    secret['data'] = { ...data, ...Object.fromEntries(added) };
  },
};

/** A limit range without a name is called by its uid, which is as good a name as any. */
export const limitRangeBehaviour: Partial<Behaviour> = {
  prepareForCreate: ({ metadata }, { newUid }) => {
    metadata.name ||= newUid?.() ?? metadata.uid;
  },
};

export const persistentVolumeBehaviour: Partial<Behaviour> = {
  returnsDeleted: true,
  prepareForCreate: (volume) => {
    const now = volume.metadata.creationTimestamp;
    volume['status'] = now === undefined ? { phase: 'Pending' } : { phase: 'Pending', lastPhaseTransitionTime: now };
  },
  prepareForStatusUpdate: notePhase,
};

/** When the phase of a volume changed last: now, unless the writer says another time. */
function notePhase(next: ApiObject, previous: ApiObject, { nowMs }: BehaviourContext): void {
  const status = objectAt(next, 'status');
  const { phase, lastPhaseTransitionTime: before } = objectAt(previous, 'status');
  const given = status['lastPhaseTransitionTime'];
  if (status['phase'] === phase) {
    if (given === undefined && before !== undefined) status['lastPhaseTransitionTime'] = before;
  } else if (given === undefined || given === before) {
    status['lastPhaseTransitionTime'] = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  }
}

export const persistentVolumeClaimBehaviour: Partial<Behaviour> = {
  returnsDeleted: true,
  prepareForCreate: (claim, context) => {
    claim['status'] = { phase: 'Pending' };
    settleNewDataSource(claim, context);
  },
  prepareForUpdate: settleDataSource,
};

/** The object in a member, made when it isn't there. */
function objectAt(parent: JsonObject, name: string): JsonObject {
  const found = parent[name];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  parent[name] = made;
  return made;
}

const encoder = new TextEncoder();

function base64(text: string): string {
  let binary = '';
  for (const byte of encoder.encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
