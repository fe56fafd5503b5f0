// Filter NodeResourcesFit: whether a node has room for what a pod requests, and for one more pod.

import type { Filter, Rejection } from '../filter.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

export function nodeResourcesFit(pod: PodInfo): Filter {
  const requests = [...pod.requests].filter(([, amount]) => amount > 0);
  return { name: 'NodeResourcesFit', check: (node) => shortage(node, requests) };
}

function shortage(node: NodeInfo, requests: readonly (readonly [string, number])[]): Rejection | undefined {
  let reasons: string[] | undefined;
  let isResolvable = true;
  if (node.pods.size + 1 > (node.allocatable.get('pods') ?? 0)) reasons = ['Too many pods'];
  for (const [name, amount] of requests) {
    const offered = node.allocatable.get(name) ?? 0;
    if (amount <= offered - (node.requested.get(name) ?? 0)) continue;
    reasons = [...(reasons ?? []), `Insufficient ${name}`];
    if (amount > offered) isResolvable = false;
  }
  return reasons === undefined ? undefined : { by: 'NodeResourcesFit', reasons, isResolvable };
}
