// Score InterPodAffinity: the more pods are near that a pod prefers or that prefer it, the better; the more that avoid each
// other, the worse.

import type { Labels } from '../../../api/label-selector.ts';
import { ownMember } from '../../../api/own-member.ts';
import type { Steps } from '../../../base/steps.ts';
import type { NodeInfo } from '../node-info.ts';
import { type AffinityTerm, type PodInfo, type TermSubject, termMatches } from '../pod-info.ts';
import type { Snapshot } from '../snapshot.ts';
import { type NamespaceLabels, withNamespaces } from '../term-namespaces.ts';
import { overRange } from './normalized.ts';

/** What a required term of a pod that is there counts, which has no weight. kube-scheduler's hardPodAffinityWeight. */
const REQUIRED_WEIGHT = 1;
const PODS_IN_STEP = 500;

/** Undefined if no pod says anything about another. */
export function* podAffinityScores(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { snapshot, namespaces }: { readonly snapshot: Snapshot; readonly namespaces: NamespaceLabels },
): Steps<number[] | undefined> {
  const near = pod.affinity.preferred.map((term) => withNamespaces(term, namespaces));
  const far = pod.antiAffinity.preferred.map((term) => withNamespaces(term, namespaces));
  const prefers = near.length + far.length > 0;
  const namespaceLabels = namespaces.get(pod.namespace);
  const places = new Places();
  let looked = 0;
  for (const node of prefers ? snapshot.nodes : snapshot.withAffinity) {
    for (const other of prefers ? node.pods.values() : node.withAffinity) {
      if (prefers) {
        const incoming = { node, subject: other, namespaceLabels: undefined };
        places.count(near, incoming, 1);
        places.count(far, incoming, -1);
      }
      if (node.withAffinity.has(other)) {
        const existing = { node, subject: pod, namespaceLabels };
        places.count(other.affinity.required, existing, 1);
        places.count(other.affinity.preferred, existing, 1);
        places.count(other.antiAffinity.preferred, existing, -1);
      }
      if (++looked % PODS_IN_STEP === 0) yield;
    }
  }
  return places.isEmpty ? undefined : overRange(nodes.map((node) => places.score(node)));
}

/** A pod that terms may be about, and the node of one of the two. */
interface About {
  readonly node: NodeInfo;
  readonly subject: TermSubject;
  readonly namespaceLabels: Labels;
}

/** Sums of weights by place: a label of nodes and its value. */
class Places {
  readonly #sums = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  /** Counts terms for (1) or against (-1) the place of a node, if they match. */
  count(terms: readonly AffinityTerm[], { node, subject, namespaceLabels }: About, sign: 1 | -1): void {
    for (const term of terms) {
      if (!termMatches(term, subject, namespaceLabels)) continue;
      const value = ownMember(node.labels, term.topologyKey);
      if (value === undefined) continue;
      let values = this.#sums.get(term.topologyKey);
      if (values === undefined) this.#sums.set(term.topologyKey, (values = new Map()));
      values.set(value, (values.get(value) ?? 0) + sign * (term.weight || REQUIRED_WEIGHT));
    }
  }

  score({ labels }: NodeInfo): number {
    let sum = 0;
    for (const [key, values] of this.#sums) {
      const value = ownMember(labels, key);
      if (value !== undefined) sum += values.get(value) ?? 0;
    }
    return sum;
  }
}
