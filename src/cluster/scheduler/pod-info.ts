// A pod as the scheduler sees it: what it requests and with which other pods it wants to share a place, computed once
// for each of its versions.

import { type LabelSelector, type Labels, labelSelectorOf, NO_LABELS } from '../../api/label-selector.ts';
import type { JsonObject } from '../../api/object.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { PodAffinityTerm, WeightedPodAffinityTerm } from '../../resources/builtin/core/pod/scheduling-objects.ts';
import type { Amounts } from './amounts.ts';
import { type HostPort, hostPorts } from './host-ports.ts';
import { assumedRequests, podRequests } from './pod-requests.ts';

/** A term of an affinity or anti-affinity between pods: which pods it is about, and what counts as one place. */
export interface AffinityTerm {
  readonly selector: LabelSelector;
  /** Pods of these namespaces, and of those that the selector matches. */
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector;
  /** Nodes with the same value of this label are one place. */
  readonly topologyKey: string;
  /** Of preferred terms; 0 of required ones. */
  readonly weight: number;
}

interface AffinityTerms {
  readonly required: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
}

export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly priority: number;
  readonly requests: Amounts;
  /** Requests of CPU and memory for comparing nodes: those that are missing are assumed. */
  readonly assumed: Amounts;
  readonly ports: readonly HostPort[];
  readonly affinity: AffinityTerms;
  readonly antiAffinity: AffinityTerms;
  /** The names of its persistent volume claims. */
  readonly claims: readonly string[];
}

export function podInfo(pod: Pod): PodInfo {
  const { metadata, spec = {} } = pod;
  const { uid = '', namespace = '', name = '', labels } = metadata;
  const requests = podRequests(pod);
  return {
    ...{ pod, uid, namespace, name, labels, requests },
    priority: spec.priority ?? 0,
    assumed: assumedRequests(pod, requests),
    ports: hostPorts(pod),
    affinity: termsOf(spec.affinity?.podAffinity, namespace),
    antiAffinity: termsOf(spec.affinity?.podAntiAffinity, namespace),
    claims: (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  };
}

/** Whether a pod says anything about other pods. */
export function hasAffinity({ affinity, antiAffinity }: PodInfo): boolean {
  const counts = [affinity.required, affinity.preferred, antiAffinity.required, antiAffinity.preferred];
  return counts.some(({ length }) => length > 0);
}

const NO_TERMS: AffinityTerms = Object.freeze({ required: Object.freeze([]), preferred: Object.freeze([]) });

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

function termsOf(affinity: PodAffinity | undefined, namespace: string): AffinityTerms {
  if (affinity === undefined) return NO_TERMS;
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    required: required.map((term) => termOf(term, namespace, 0)),
    preferred: preferred.map(({ podAffinityTerm = {}, weight = 0 }) => termOf(podAffinityTerm, namespace, weight)),
  };
}

function termOf(term: PodAffinityTerm, namespace: string, weight: number): AffinityTerm {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    selector: labelSelectorOf(labelSelector as JsonObject | undefined),
    namespaces: new Set(isOwn ? [namespace] : namespaces),
    namespaceSelector:
      namespaceSelector === undefined ? NO_LABELS : labelSelectorOf(namespaceSelector as unknown as JsonObject),
    ...{ topologyKey, weight },
  };
}

/** The part of a pod that terms are about. */
export type TermSubject = Pick<PodInfo, 'namespace' | 'labels'>;

/** Whether a term is about a pod. @param namespaceLabels the labels of the pod's namespace */
export function termMatches(
  { namespaces, namespaceSelector, selector }: AffinityTerm,
  { namespace, labels }: TermSubject,
  namespaceLabels: Labels,
): boolean {
  if (!namespaces.has(namespace) && !namespaceSelector.matches(namespaceLabels)) return false;
  return selector.matches(labels);
}
