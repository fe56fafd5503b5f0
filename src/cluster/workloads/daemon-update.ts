// Steps of the rolling update of a DaemonSet: which old pods may go, and which nodes may get a new pod beside the old
// one. The rules are Kubernetes'.

import type { DaemonSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { isAvailable } from '../pod-facts.ts';
import { isUpdated, maxSurge, maxUnavailable, type Placement } from './daemon-pods.ts';

/** What is to be done. */
export interface DaemonSteps {
  /** Nodes that need a pod. */
  readonly nodes: string[];
  readonly pods: Pod[];
}

interface DaemonView {
  readonly set: DaemonSet;
  readonly hash: string;
  readonly nowMs: number;
  /** The pods of the set by node. */
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>;
  /** The nodes that there are. */
  readonly placements: ReadonlyMap<string, Placement>;
}

/** The pods of a node by their template. */
interface OnNode {
  readonly node: string;
  readonly next: Pod | undefined;
  readonly old: Pod | undefined;
  /** Whether there is more than one of a kind, which is put right first. */
  readonly isOdd: boolean;
}

export function updateSteps(view: DaemonView): DaemonSteps {
  const wanted = view.placements
    .values()
    .filter(({ starts }) => starts)
    .toArray().length;
  const all = Array.from(view.podsOn, ([node, pods]) => onNode(view, node, pods));
  const surge = maxSurge(view.set, wanted);
  return surge === 0 ? replaceInPlace(view, all, wanted) : replaceBeside(view, all, { wanted, surge });
}

function onNode({ set, hash }: DaemonView, node: string, pods: readonly Pod[]): OnNode {
  const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [next, ...moreNext] = present.filter((pod) => isUpdated(set, pod, hash));
  const [old, ...moreOld] = present.filter((pod) => !isUpdated(set, pod, hash));
  return { node, next, old, isOdd: moreNext.length + moreOld.length > 0 };
}

function isUp({ set, nowMs }: DaemonView, pod: Pod): boolean {
  return isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
}

function replaceInPlace(view: DaemonView, all: readonly OnNode[], wanted: number): DaemonSteps {
  const most = maxUnavailable(view.set, wanted);
  let unavailable = 0;
  const broken: Pod[] = [];
  const candidates: Pod[] = [];
  for (const { next, old, isOdd } of all) {
    if (isOdd || (next === undefined) === (old === undefined)) unavailable++;
    else if (next !== undefined) unavailable += isUp(view, next) ? 0 : 1;
    else if (old !== undefined && !isUp(view, old)) {
      broken.push(old);
      unavailable++;
    } else if (old !== undefined && unavailable < most) candidates.push(old);
  }
  return { nodes: [], pods: [...broken, ...candidates.slice(0, Math.max(0, most - unavailable))] };
}

function replaceBeside(
  view: DaemonView,
  all: readonly OnNode[],
  { wanted, surge }: { readonly wanted: number; readonly surge: number },
): DaemonSteps {
  const [pods, leaving]: [Pod[], Pod[]] = [[], []];
  const [allowed, candidates]: [string[], string[]] = [[], []];
  let [surging, available] = [0, 0];
  for (const { node, next, old, isOdd } of all) {
    if (isOdd) {
      surging++;
      continue;
    }
    const serving = old ?? next;
    if (serving !== undefined && isUp(view, serving)) available++;
    if (old === undefined) continue;
    if (next !== undefined) {
      if (isUp(view, next)) pods.push(old);
      else surging++;
    } else if (view.placements.get(node)?.starts !== true) (isUp(view, old) ? leaving : pods).push(old);
    else if (!isUp(view, old)) allowed.push(node);
    else if (surging < surge) candidates.push(node);
  }
  const spare = Math.max(0, available - wanted);
  return {
    nodes: [...allowed, ...candidates.slice(0, Math.max(0, surge - surging))],
    pods: [...pods, ...leaving.slice(0, spare)],
  };
}
