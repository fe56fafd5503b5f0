// Which pods of a node are evicted when it is drained, which stay, and which somebody has to decide about first: the rules
// of kubectl drain.

import { isMirrorPod } from '../../api/mirror-pods.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { at, listAt, textAt } from '../relations/members.ts';

export interface DrainOptions {
  /** Evict pods with an emptyDir, whose data is lost. */
  readonly losesLocalData: boolean;
  /** Evict pods that no controller replaces. */
  readonly force: boolean;
}

/** A pod that is not evicted. */
interface Spared {
  readonly pod: WholeObject;
  readonly why: string;
}

interface DrainPlan {
  readonly evicted: readonly WholeObject[];
  /** Pods that stay whatever the options are. */
  readonly kept: readonly Spared[];
  /** Pods for which an option is missing; nothing is evicted while there are any. */
  readonly undecided: readonly Spared[];
}

/** Returns what is done with the pods of a node. */
export function drainPlan(pods: readonly WholeObject[], options: DrainOptions): DrainPlan {
  const evicted: WholeObject[] = [];
  const kept: Spared[] = [];
  const undecided: Spared[] = [];
  for (const pod of pods) {
    const stays = reasonToStay(pod);
    const doubt = stays === undefined ? doubtAbout(pod, options) : undefined;
    if (stays !== undefined) kept.push({ pod, why: stays });
    else if (doubt !== undefined) undecided.push({ pod, why: doubt });
    else evicted.push(pod);
  }
  return { evicted, kept, undecided };
}

function reasonToStay(pod: WholeObject): string | undefined {
  if (isMirrorPod(pod as Parameters<typeof isMirrorPod>[0])) return 'the kubelet runs it from a file';
  const isOfDaemonSet = controllerOf(pod)?.kind === 'DaemonSet' && !isFinished(pod);
  return isOfDaemonSet ? 'its DaemonSet would bring it back at once' : undefined;
}

function doubtAbout(pod: WholeObject, { losesLocalData, force }: DrainOptions): string | undefined {
  if (isFinished(pod)) return undefined;
  const hasLocalData = listAt(pod, 'spec', 'volumes').some((volume) => at(volume, 'emptyDir') !== undefined);
  if (hasLocalData && !losesLocalData) return 'the data of its emptyDir volumes would be lost';
  if (controllerOf(pod) === undefined && !force) return 'no controller would replace it';
  return undefined;
}

function isFinished(pod: WholeObject): boolean {
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));
}

function controllerOf({ metadata: { ownerReferences = [] } }: WholeObject) {
  return ownerReferences.find(({ controller }) => controller === true);
}
