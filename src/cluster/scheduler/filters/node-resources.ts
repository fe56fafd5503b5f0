// Filter NodeResourcesFit: whether a node has room for what a pod requests, and for one more pod.

import { lookup } from '../../../base/lookup.ts';
import type { Filter, Rejection } from '../filter.ts';
import { FIGURES, MOST_PODS, OFFERED, PODS, REQUESTED } from '../node-figures.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** What a pod asks of a resource, and where a node has its figures, if it has any. */
interface Request {
  readonly name: string;
  readonly amount: number;
  readonly at: number | undefined;
}

const PLACES = lookup<number>({ cpu: FIGURES.cpu, memory: FIGURES.memory });

export function nodeResourcesFit(pod: PodInfo): Filter {
  const requests = [...pod.requests]
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => ({ name, amount, at: PLACES[name] }));
  return { name: 'NodeResourcesFit', check: (node) => shortage(node, requests) };
}

function shortage(node: NodeInfo, requests: readonly Request[]): Rejection | undefined {
  let reasons: string[] | undefined;
  let isResolvable = true;
  const { figures, row } = node;
  const { data } = figures;
  if (data[row + PODS]! + 1 > data[row + MOST_PODS]!) reasons = ['Too many pods'];
  for (const { name, amount, at } of requests) {
    const offered = at === undefined ? (node.allocatable.get(name) ?? 0) : data[row + at + OFFERED]!;
    const requested = at === undefined ? (node.requested.get(name) ?? 0) : data[row + at + REQUESTED]!;
    if (amount <= offered - requested) continue;
    reasons = [...(reasons ?? []), `Insufficient ${name}`];
    if (amount > offered) isResolvable = false;
  }
  return reasons === undefined ? undefined : { by: 'NodeResourcesFit', reasons, isResolvable };
}
