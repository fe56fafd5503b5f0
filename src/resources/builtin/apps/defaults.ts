// Defaults of Deployment, DaemonSet, StatefulSet and ReplicaSet: replicas, update strategy and revision history limit.

import type { Draft } from '../../../api/object.ts';
import { int64Fault } from '../../../base/go-integer.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import { podTemplateDefaults } from '../core/pod/defaults.ts';
import { claimDefaults } from '../core/volume/defaults.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from './v1-objects.ts';

const REVISIONS_KEPT = 10;

/** The revision that a Deployment is to go back to: a number in Kubernetes, which writes it in its own form. */
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

export function deploymentDefaults(deployment: Draft<Deployment>, context: StrategyContext): void {
  settleRollback(deployment.metadata);
  const spec = (deployment.spec ??= {});
  fillIn(spec, { replicas: 1, revisionHistoryLimit: REVISIONS_KEPT, progressDeadlineSeconds: 600 });
  rollingUpdate((spec.strategy ??= {}), { maxUnavailable: '25%', maxSurge: '25%' });
  podTemplateDefaults(spec.template, context);
}

export function daemonSetDefaults(set: Draft<DaemonSet>, context: StrategyContext): void {
  const spec = (set.spec ??= {});
  fillIn(spec, { revisionHistoryLimit: REVISIONS_KEPT });
  const strategy = (spec.updateStrategy ??= {});
  rollingUpdate(strategy, { maxUnavailable: 1, maxSurge: 0 });
  // A pace that is not kept to still says both of its numbers.
  if (strategy.rollingUpdate !== undefined) fillIn(strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 0 });
  podTemplateDefaults(spec.template, context);
}

export function statefulSetDefaults(set: Draft<StatefulSet>, context: StrategyContext): void {
  const spec = (set.spec ??= {});
  fillIn(spec, { replicas: 1, podManagementPolicy: 'OrderedReady', revisionHistoryLimit: REVISIONS_KEPT });
  const unavailable = context.gateEnabled('MaxUnavailableStatefulSet') ? { maxUnavailable: 1 } : {};
  const strategy = (spec.updateStrategy ??= {});
  // A set with an explicit strategy type does not get the default parameters.
  if (strategy.type === undefined || strategy.rollingUpdate !== undefined) {
    rollingUpdate(strategy, { partition: 0, ...unavailable });
  }
  fillIn((spec.persistentVolumeClaimRetentionPolicy ??= {}), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  podTemplateDefaults(spec.template, context);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // Whatever its kind is called by clients.
    Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
    claimDefaults(claim);
  }
}

export function replicaSetDefaults(set: Draft<ReplicaSet>, context: StrategyContext): void {
  const spec = (set.spec ??= {});
  fillIn(spec, { replicas: 1 });
  podTemplateDefaults(spec.template, context);
}

function settleRollback({ annotations }: Draft<Deployment>['metadata']): void {
  const text = annotations?.[ROLLBACK_TO];
  if (annotations === undefined || text === undefined) return;
  if (text === '') delete annotations[ROLLBACK_TO];
  else if (int64Fault(text) === undefined) annotations[ROLLBACK_TO] = String(BigInt(text.replace('+', '')));
}

/** Rolling update parameters, for that strategy only. */
function rollingUpdate<P extends object>(strategy: { type?: string; rollingUpdate?: P }, pace: NoInfer<P>): void {
  strategy.type ??= 'RollingUpdate';
  if (strategy.type !== 'RollingUpdate') return;
  if (strategy.rollingUpdate === undefined) strategy.rollingUpdate = pace;
  else fillIn(strategy.rollingUpdate, pace);
}
