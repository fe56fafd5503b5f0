// Taints that stand for the conditions of nodes.

import type { Draft } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Taint } from '../../resources/builtin/core/pod/scheduling-objects.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** The taint of a condition with a status. */
const BY_CONDITION: ReadonlyMap<string, string> = new Map([
  ['Ready=False', NOT_READY],
  ['Ready=Unknown', UNREACHABLE],
  ['MemoryPressure=True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure=True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable=True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure=True', 'node.kubernetes.io/pid-pressure'],
]);
const MANAGED = new Set([UNSCHEDULABLE, ...BY_CONDITION.values()]);

/** The taints of a node as its conditions want them; undefined if it has them. @param nowMs when others are added */
export function settledTaints({ spec, status }: Node, nowMs: number): Taint[] | undefined {
  const wanted = new Set<string>();
  for (const { type = '', status: state = '' } of status?.conditions ?? []) {
    const key = BY_CONDITION.get(`${type}=${state}`);
    if (key !== undefined) wanted.add(key);
  }
  if (spec?.unschedulable === true) wanted.add(UNSCHEDULABLE);
  const before = spec?.taints ?? [];
  const isOurs = ({ key = '', effect }: Taint) => effect === 'NoSchedule' && MANAGED.has(key);
  const kept = before.filter((taint) => !isOurs(taint) || wanted.has(taint.key ?? ''));
  const present = new Set(kept.filter(isOurs).map(({ key }) => key));
  const added = [...wanted]
    .filter((key) => !present.has(key))
    .map((key) => ({ key, effect: 'NoSchedule', timeAdded: timestamp(nowMs) }));
  return added.length === 0 && kept.length === before.length ? undefined : [...kept, ...added];
}

/** The taint that drives pods from a node that is not ready; undefined for one that is. */
export function evictingTaint(ready: string | undefined): string | undefined {
  return ready === 'False' ? NOT_READY : ready === 'Unknown' ? UNREACHABLE : undefined;
}

/** Whether a node has a taint with the effect NoExecute that stands for its readiness, other than this one. */
export function hasOtherEvictingTaint({ spec }: Node, wanted: string | undefined): boolean {
  return spec?.taints?.some((taint) => isEvicting(taint) && taint.key !== wanted) === true;
}

export function hasEvictingTaint({ spec }: Node, wanted: string): boolean {
  return spec?.taints?.some((taint) => isEvicting(taint) && taint.key === wanted) === true;
}

function isEvicting({ key, effect }: Taint): boolean {
  return effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
}

/** Gives a node this taint in place of others that stand for its readiness; none if undefined. */
export function setEvictingTaint(node: Draft<Node>, wanted: string | undefined, nowMs: number): void {
  const others = (node.spec?.taints ?? []).filter((taint) => !isEvicting(taint));
  const taint = { key: wanted ?? '', effect: 'NoExecute', timeAdded: timestamp(nowMs) };
  node.spec = { ...node.spec, taints: wanted === undefined ? others : [...others, taint] };
}
