// Counts of matching pods by node, which spreading asks for at every pod that it places: kept for the latest selectors
// and brought up to date pod by pod, since pods of one set come one after another.

import type { LabelSelector } from '../../api/label-selector.ts';
import { limits } from '../../base/limits.ts';
import { Latest } from './latest.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** Which pods are counted. */
interface Question {
  readonly namespace: string;
  readonly selector: LabelSelector;
}

interface Answer extends Question {
  readonly counts: Map<string, number>;
}

export class MatchCounts {
  readonly #answers = new Latest<Answer>(limits.spreadSelectors);

  /** The number of matching pods by node; nodes without any are missing. */
  matching(question: Question, nodes: Iterable<NodeInfo>): ReadonlyMap<string, number> {
    const key = `${question.namespace}/${question.selector.toString()}`;
    const answer = this.#answers.get(key) ?? counted(question, nodes);
    this.#answers.set(key, answer);
    return answer.counts;
  }

  /** A pod has come to a node or left it. */
  changed(pod: PodInfo, node: string, by: 1 | -1): void {
    for (const answer of this.#answers.values()) if (matches(answer, pod)) count(answer.counts, node, by);
  }
}

function counted(question: Question, nodes: Iterable<NodeInfo>): Answer {
  const answer = { ...question, counts: new Map<string, number>() };
  for (const { name, pods } of nodes)
    for (const pod of pods.values()) if (matches(answer, pod)) count(answer.counts, name, 1);
  return answer;
}

function matches({ namespace, selector }: Question, info: PodInfo): boolean {
  if (info.namespace !== namespace || info.pod.metadata.deletionTimestamp !== undefined) return false;
  return !selector.empty && selector.matches(info.labels);
}

/** Counts one more or less; what has come to none is forgotten. */
export function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
