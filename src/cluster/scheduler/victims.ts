// Victims of a preemption: the pods of a node that have to go so that a more important one can come. As few as possible
// go, the least important ones, and rather those whose disruption budgets allow it.

import { labelSelectorOf } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { PodDisruptionBudget } from '../../resources/builtin/policy/v1-objects.ts';
import { copied, type Filter, forGood, type Rejection } from './filter.ts';
import type { NodeInfo } from './node-info.ts';
import { rejectionOn } from './placing.ts';
import type { PodInfo } from './pod-info.ts';

/** A node on which a pod would fit if some others were gone. */
export interface Candidate {
  readonly node: NodeInfo;
  /** The most important one first. */
  readonly victims: readonly PodInfo[];
  /** The number of victims whose disruption budgets do not allow it. */
  readonly violations: number;
}

interface Attempt {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  readonly filters: readonly Filter[];
  /** Pods for which the node is kept. */
  readonly kept: readonly PodInfo[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly nowMs: number;
}

/** Who has to go on a node, or why that does not help. */
export function chooseVictims(attempt: Attempt): Candidate | Rejection {
  const { pod, node, budgets, nowMs } = attempt;
  const trial = new Trial(attempt);
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  if (lesser.length === 0) return forGood('NodeResourcesFit', 'No preemption victims found for incoming pod');
  for (const each of lesser) trial.move(each, -1);
  const rejection = trial.rejection();
  if (rejection !== undefined) return rejection;
  const ordered = lesser.toSorted((one, other) => byImportance(one, other, nowMs));
  const [violating, allowed] = byBudgets(ordered, budgets);
  const goes = (each: PodInfo): boolean => {
    trial.move(each, 1);
    if (trial.rejection() === undefined) return false;
    trial.move(each, -1);
    return true;
  };
  const violated = violating.filter(goes);
  const victims = [...violated, ...allowed.filter(goes)].toSorted((one, other) => byImportance(one, other, nowMs));
  return { node, victims, violations: violated.length };
}

/** A copy of a node on which pods come and go. */
class Trial {
  readonly #node: NodeInfo;
  readonly #filters: readonly Filter[];
  readonly #kept: readonly PodInfo[];

  constructor({ node, filters, kept }: Attempt) {
    this.#node = node.copy();
    this.#filters = copied(filters);
    this.#kept = kept;
  }

  move(pod: PodInfo, by: 1 | -1): void {
    if (by === 1) this.#node.add(pod);
    else this.#node.remove(pod.uid);
    for (const filter of this.#filters) filter.moved?.(pod, this.#node, by);
  }

  rejection(): Rejection | undefined {
    return rejectionOn(this.#filters, this.#node, this.#kept);
  }
}

/** Orders pods, the most important first: by priority, then those that run longer. */
function byImportance(one: PodInfo, other: PodInfo, nowMs: number): number {
  return other.priority - one.priority || startMs(one, nowMs) - startMs(other, nowMs);
}

/** When a pod has started; one that has not counts as started now. */
export function startMs({ pod }: PodInfo, nowMs: number): number {
  const { startTime } = pod.status ?? {};
  return startTime === undefined ? nowMs : Date.parse(startTime);
}

/** Splits pods by whether the disruption budgets allow all of them to go that come before, and them. */
function byBudgets(pods: readonly PodInfo[], budgets: readonly PodDisruptionBudget[]): [PodInfo[], PodInfo[]] {
  const rules = budgets.map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selector: labelSelectorOf(spec?.selector as JsonObject | undefined),
    disrupted: status?.disruptedPods,
    allowed: status?.disruptionsAllowed ?? 0,
  }));
  const [violating, allowed]: [PodInfo[], PodInfo[]] = [[], []];
  for (const pod of pods) {
    let isViolated = false;
    for (const rule of Object.keys(pod.labels ?? {}).length === 0 ? [] : rules) {
      const isAbout = rule.namespace === pod.namespace && !rule.selector.empty && rule.selector.matches(pod.labels);
      if (!isAbout || ownMember(rule.disrupted, pod.name) !== undefined) continue;
      if (--rule.allowed < 0) isViolated = true;
    }
    (isViolated ? violating : allowed).push(pod);
  }
  return [violating, allowed];
}
