// Eviction of pods from a simulated node that is short of something: one pod at a time, those first that have asked for
// nothing and that matter least.

import { compareText } from '../../base/compare-text.ts';
import { lookup } from '../../base/lookup.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { computedQosClass } from '../../resources/builtin/core/pod/quality-of-service.ts';
import type { Pressure } from './node-script.ts';
import { isCritical } from './pod-admission.ts';
import type { PodRun } from './pod-run.ts';

/** What the kubelet calls what it tries to get back. */
export const STARVED: Readonly<Record<Pressure, string>> = { memory: 'memory', disk: 'ephemeral-storage', pid: 'pids' };
const RANKS = lookup<number>({ BestEffort: 0, Burstable: 1, Guaranteed: 2 });
/** The time that a pod has to end. */
const GRACE_MS = 1000;

/** The pod that is evicted next; undefined if there is none. Pods that keep to what they have asked for stay. */
export function nextToEvict(pods: readonly Pod[], pressure: Pressure): Pod | undefined {
  const candidates = pods.filter((pod) => !isCritical(pod) && (pressure === 'pid' || rankOf(pod) === 0));
  return candidates.reduce<Pod | undefined>((first, each) => {
    if (first === undefined) return each;
    return compare(each, first) < 0 ? each : first;
  }, undefined);
}

/** Begins the eviction of a pod. @returns the message of its event */
export function evict(run: PodRun, message: string, nowMs: number): void {
  run.override = { reason: 'Evicted', message };
  run.disruption = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message };
  run.stopping = { sinceMs: nowMs, graceMs: GRACE_MS };
}

function compare(one: Pod, other: Pod): number {
  const byClass = rankOf(one) - rankOf(other);
  if (byClass !== 0) return byClass;
  const byPriority = (one.spec?.priority ?? 0) - (other.spec?.priority ?? 0);
  if (byPriority !== 0) return byPriority;
  return compareText(nameOf(one), nameOf(other));
}

function rankOf(pod: Pod): number {
  return RANKS[computedQosClass(pod)] ?? 0;
}

function nameOf({ metadata }: Pod): string {
  return `${metadata.namespace}/${metadata.name}`;
}
