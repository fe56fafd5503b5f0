// Conditions of nodes with the reasons and messages of the kubelet, and the events about their changes.

import { timestamp } from '../../api/timestamp.ts';
import type { NodeCondition } from '../../resources/builtin/core/node/objects.ts';
import { findCondition } from '../conditions.ts';

interface Wording {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The reason of the event. */
  readonly event: string;
}

/** What the kubelet says when a condition holds, and when not, in the order in which it reports them. */
const WORDINGS: readonly (readonly [type: string, True: Wording, False: Wording])[] = [
  [
    'MemoryPressure',
    wording('True', 'KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'),
    wording('False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
  ],
  [
    'DiskPressure',
    wording('True', 'KubeletHasDiskPressure', 'kubelet has disk pressure'),
    wording('False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
  ],
  [
    'PIDPressure',
    wording('True', 'KubeletHasInsufficientPID', 'kubelet has insufficient PID available'),
    wording('False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
  ],
  [
    'Ready',
    { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status', event: 'NodeReady' },
    { status: 'False', reason: 'KubeletNotReady', message: 'container runtime is down', event: 'NodeNotReady' },
  ],
];

/** Conditions that hold; all others of the kubelet's do not. `Unknown` is possible for those that a test sets. */
export type WantedConditions = ReadonlyMap<string, string>;

/**
 * The conditions that a kubelet reports next.
 *
 * @param before what the node's status has; conditions of others stay
 * @param wanted the status of each condition; `False` for those that are missing, except Ready
 */
export function nodeConditions(
  before: readonly NodeCondition[],
  wanted: WantedConditions,
  nowMs: number,
): NodeCondition[] {
  const time = timestamp(nowMs);
  const own = new Map(
    WORDINGS.map(([type, holds, fails]) => {
      const status = wanted.get(type) ?? (type === 'Ready' ? 'True' : 'False');
      return [type, conditionOf(type, status === 'True' ? holds : { ...fails, status })];
    }),
  );
  for (const [type, status] of wanted)
    if (!own.has(type)) own.set(type, { type, status, reason: `Simulated${type}`, message: '' });
  const next = before.map((each) => {
    const mine = own.get(each.type ?? '');
    if (mine === undefined) return each;
    own.delete(each.type ?? '');
    const isSame = each.status === mine.status;
    const lastTransitionTime = isSame ? (each.lastTransitionTime ?? time) : time;
    return { ...mine, lastHeartbeatTime: time, lastTransitionTime };
  });
  for (const each of own.values()) next.push({ ...each, lastHeartbeatTime: time, lastTransitionTime: time });
  return next;
}

/** The events for conditions whose status has changed. */
export function conditionEvents(
  before: readonly NodeCondition[],
  after: readonly NodeCondition[],
): { readonly reason: string }[] {
  return WORDINGS.flatMap(([type, holds, fails]) => {
    const [earlier, now] = [findCondition(before, type)?.status, findCondition(after, type)?.status];
    if (now === earlier || now === undefined) return [];
    return [{ reason: now === 'True' ? holds.event : fails.event }];
  });
}

/** Whether anything but the times of heartbeats differs. */
export function haveChanged(before: readonly NodeCondition[], after: readonly NodeCondition[]): boolean {
  if (before.length !== after.length) return true;
  return after.some(({ type, status, reason, message }, index) => {
    const one = before[index];
    return one?.type !== type || one?.status !== status || one?.reason !== reason || one?.message !== message;
  });
}

function wording(status: string, reason: string, message: string): Wording {
  return { status, reason, message, event: reason.replace('Kubelet', 'Node') };
}

function conditionOf(type: string, { status, reason, message }: Wording): NodeCondition {
  return { type, status, reason, message };
}
