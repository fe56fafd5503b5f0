// How many replicas a metric asks for: the ratio of what is used to what should be, with caution about pods that are not
// ready or have no metrics. Pure.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { findCondition } from '../conditions.ts';

/** kube-controller-manager's defaults: how long pods may take to start and to become ready at first. */
const STARTS_WITHIN_MS = 300_000;
const FIRST_READY_WITHIN_MS = 30_000;
/** The time over which a metric is taken. */
const WINDOW_MS = 15_000;

/** Relative differences that are ignored. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

interface Measurement {
  readonly pods: readonly Pod[];
  /** What each pod uses, by name. */
  readonly usage: ReadonlyMap<string, number>;
  readonly resource: string;
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  /** The ratio of what these pods use to what they should. */
  readonly ratioOf: (usage: ReadonlyMap<string, number>) => number;
  /** What a pod without metrics is taken to use when others use too little. */
  readonly assumed: (pod: string) => number;
}

interface Proposed {
  readonly replicas: number;
  /** The usage of the pods that count. */
  readonly counted: ReadonlyMap<string, number>;
}

/** @throws Error if no pod has metrics that count */
export function proposeReplicas(measurement: Measurement): Proposed {
  const { pods, usage, current, tolerances, ratioOf, assumed } = measurement;
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const { ready, unready, missing, ignored } = grouped(measurement);
  const counted = new Map([...usage].filter(([name]) => !ignored.has(name) && !unready.has(name)));
  if (counted.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  const ratio = ratioOf(counted);
  const isWithin = (each: number) => 1 - tolerances.down <= each && each <= 1 + tolerances.up;
  const growsWithUnready = unready.size > 0 && ratio > 1;
  if (!growsWithUnready && missing.size === 0) {
    return { replicas: isWithin(ratio) ? current : Math.ceil(ratio * ready), counted };
  }
  const all = new Map(counted);
  if (ratio !== 1) for (const name of missing) all.set(name, ratio < 1 ? assumed(name) : 0);
  if (growsWithUnready) for (const name of unready) all.set(name, 0);
  const cautious = ratioOf(all);
  const turns = (one: number, other: number) => (one < 1 && other > 1) || (one > 1 && other < 1);
  const replicas = Math.ceil(cautious * all.size);
  const overshoots = (cautious < 1 && replicas > current) || (cautious > 1 && replicas < current);
  const stays = isWithin(cautious) || turns(ratio, cautious) || overshoots;
  return { replicas: stays ? current : replicas, counted };
}

function grouped({ pods, usage, resource, nowMs }: Measurement) {
  const groups = { unready: new Set<string>(), missing: new Set<string>(), ignored: new Set<string>() };
  let ready = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const phase = pod.status?.phase ?? '';
    if (deletionTimestamp !== undefined || phase === 'Failed') groups.ignored.add(name);
    else if (phase === 'Pending') groups.unready.add(name);
    else if (!usage.has(name)) groups.missing.add(name);
    else if (resource === 'cpu' && isStarting(pod, nowMs)) groups.unready.add(name);
    else ready++;
  }
  return { ready, ...groups };
}

/** Whether what a pod uses of the CPU says nothing about its load yet. */
function isStarting({ status }: Pod, nowMs: number): boolean {
  const condition = findCondition(status?.conditions, 'Ready');
  const { startTime } = status ?? {};
  if (condition === undefined || startTime === undefined || startTime === null) return true;
  const [startedMs, sinceMs] = [Date.parse(startTime), Date.parse(condition.lastTransitionTime ?? '')];
  const isUnready = condition.status === 'False';
  if (startedMs + STARTS_WITHIN_MS > nowMs) return isUnready || nowMs < sinceMs + WINDOW_MS;
  return isUnready && startedMs + FIRST_READY_WITHIN_MS > sinceMs;
}
