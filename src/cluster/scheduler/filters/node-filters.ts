// Filters about the node itself: whether it takes new pods, its taints, its labels and its ports.

import type { NodeSelectorTerm } from '../../../resources/builtin/core/pod/scheduling-objects.ts';
import { matchesRequired } from '../../node-selection.ts';
import { tolerates, untolerated } from '../../taints.ts';
import { type Filter, forGood, forNow, type Rejection } from '../filter.ts';
import type { PodInfo } from '../pod-info.ts';

const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Whether a node takes new pods. */
export function nodeUnschedulable({ pod }: PodInfo): Filter {
  const ignoresIt = tolerates(pod.spec?.tolerations, UNSCHEDULABLE);
  return {
    name: 'NodeUnschedulable',
    check: ({ isUnschedulable }) =>
      !isUnschedulable || ignoresIt ? undefined : forGood('NodeUnschedulable', 'node(s) were unschedulable'),
  };
}

/** Whether the pod tolerates the taints of a node. */
export function taintToleration({ pod }: PodInfo): Filter {
  const tolerations = pod.spec?.tolerations;
  return {
    name: 'TaintToleration',
    check: ({ taints }) =>
      untolerated(taints, tolerations) === undefined
        ? undefined
        : forGood('TaintToleration', 'node(s) had untolerated taint(s)'),
  };
}

/** Whether a node is one that the pod requires, by its labels or its name. */
export function nodeAffinity({ pod }: PodInfo): Filter | Rejection | undefined {
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined && pod.spec?.nodeSelector === undefined) return undefined;
  const nodeNames = requiredNames(required?.nodeSelectorTerms ?? []);
  if (nodeNames?.size === 0) return forGood('NodeAffinity', 'pod affinity terms conflict');
  return {
    ...{ name: 'NodeAffinity', nodeNames },
    check: ({ node }) =>
      node !== undefined && matchesRequired(pod, node)
        ? undefined
        : forGood('NodeAffinity', "node(s) didn't match Pod's node affinity/selector"),
  };
}

/** The names of the only nodes that can match, if every term names some. */
function requiredNames(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    const [first, ...others] = lists.map(({ values = [] }) => values);
    if (first === undefined) return undefined;
    for (const name of first) if (others.every((each) => each.includes(name))) names.add(name);
  }
  return names;
}

/** Whether the host ports of the pod are free. */
export function nodePorts({ ports }: PodInfo): Filter | undefined {
  if (ports.length === 0) return undefined;
  return {
    name: 'NodePorts',
    check: (node) =>
      ports.every((each) => node.ports.admits(each))
        ? undefined
        : forNow('NodePorts', "node(s) didn't have free ports for the requested pod ports"),
  };
}
