// What workloads that keep pods running are when they do not say: how many pods, replaced in which way, and how many
// old revisions stay to go back to.

import type { JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../fill-in.ts';
import { podTemplateDefaults } from '../core/pod/defaults.ts';
import { claimDefaults } from '../core/volume/defaults.ts';

const REVISIONS_KEPT = 10;

export function deploymentDefaults(deployment: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(deployment, 'spec');
  fillIn(spec, { replicas: 1, revisionHistoryLimit: REVISIONS_KEPT, progressDeadlineSeconds: 600 });
  rollingUpdate(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' });
  podTemplateDefaults(objectAt(spec, 'template'), context);
}

export function daemonSetDefaults(set: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(set, 'spec');
  fillIn(spec, { revisionHistoryLimit: REVISIONS_KEPT });
  rollingUpdate(spec, 'updateStrategy', { maxUnavailable: 1, maxSurge: 0 });
  podTemplateDefaults(objectAt(spec, 'template'), context);
}

export function statefulSetDefaults(set: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(set, 'spec');
  fillIn(spec, { replicas: 1, podManagementPolicy: 'OrderedReady', revisionHistoryLimit: REVISIONS_KEPT });
  const unavailable = context.gateEnabled('MaxUnavailableStatefulSet') ? { maxUnavailable: 1 } : {};
  rollingUpdate(spec, 'updateStrategy', { partition: 0, ...unavailable });
  fillIn(objectIn(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  podTemplateDefaults(objectAt(spec, 'template'), context);
  for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
    // Whatever a client calls it.
    Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
    claimDefaults(claim);
  }
}

export function replicaSetDefaults(set: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(set, 'spec');
  fillIn(spec, { replicas: 1 });
  podTemplateDefaults(objectAt(spec, 'template'), context);
}

/** Pods are replaced a few at a time unless the strategy is another. */
function rollingUpdate(spec: JsonObject, member: string, pace: JsonObject): void {
  const strategy = fillIn(objectIn(spec, member), { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') fillIn(objectIn(strategy, 'rollingUpdate'), pace);
}
