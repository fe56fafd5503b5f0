// The default profile of kube-scheduler: its filters in their order, and its scores with their weights.

import type { Steps } from '../../base/steps.ts';
import type { DeviceSources } from './devices/device-reservations.ts';
import { type Filter, isRejection, type Rejection } from './filter.ts';
import { dynamicResources } from './filters/dynamic-resources.ts';
import { interPodAffinity } from './filters/inter-pod-affinity.ts';
import { nodeAffinity, nodePorts, nodeUnschedulable, taintToleration } from './filters/node-filters.ts';
import { nodeResourcesFit } from './filters/node-resources.ts';
import { podTopologySpread } from './filters/pod-topology-spread.ts';
import { type ReserveVolumes, volumeBinding } from './filters/volume-binding.ts';
import { nodeVolumeLimits, volumeRestrictions, volumeZone } from './filters/volume-filters.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import { affinityScores, imageScores, taintScores } from './scores/node-scores.ts';
import { podAffinityScores } from './scores/pod-affinity-scores.ts';
import { balanceScores, leastAllocatedScores } from './scores/resource-scores.ts';
import { spreadScores } from './scores/spread-scores.ts';
import { setSelector } from './set-selector.ts';
import type { Snapshot } from './snapshot.ts';
import { namespaceLabels, type Sources } from './sources.ts';

/** What decisions are based on. */
export interface World {
  readonly snapshot: Snapshot;
  readonly sources: Sources;
  readonly reserveVolumes: ReserveVolumes;
  /** Undefined if devices are not served. */
  readonly devices: DeviceSources | undefined;
}

/** Prepares all filters that have something to say about a pod, or rejects it on every node. */
export function* preparing(pod: PodInfo, world: World): Steps<readonly Filter[] | Rejection> {
  const { snapshot, sources, reserveVolumes, devices } = world;
  const namespaces = namespaceLabels(sources);
  const prepared: (Filter | Rejection | undefined)[] = [
    nodeUnschedulable(pod),
    taintToleration(pod),
    nodeAffinity(pod),
    nodePorts(pod),
    nodeResourcesFit(pod),
    volumeRestrictions(pod, sources, snapshot),
    nodeVolumeLimits(pod, sources),
    volumeBinding(pod, sources, reserveVolumes),
    volumeZone(pod, sources),
    yield* podTopologySpread(pod, snapshot),
    yield* interPodAffinity(pod, snapshot, namespaces),
    devices === undefined ? undefined : dynamicResources(pod, devices),
  ];
  const given = prepared.filter((each) => each !== undefined);
  return given.find(isRejection) ?? given.filter((each): each is Filter => !isRejection(each));
}

/** The sum of all weighted scores of each node. */
export function* scoring(pod: PodInfo, nodes: readonly NodeInfo[], { snapshot, sources }: World): Steps<number[]> {
  const namespaces = namespaceLabels(sources);
  const sums = nodes.map(() => 0);
  const add = (scores: readonly number[] | undefined, weight: number) => {
    for (const [index, score] of (scores ?? []).entries()) sums[index] = sums[index]! + score * weight;
  };
  add(taintScores(pod, nodes), 3);
  add(affinityScores(pod, nodes), 2);
  add(leastAllocatedScores(pod, nodes), 1);
  add(balanceScores(pod, nodes), 1);
  add(imageScores(pod, nodes, snapshot), 1);
  yield;
  add(yield* spreadScores(pod, nodes, { snapshot, selector: setSelector(pod, sources) }), 2);
  add(yield* podAffinityScores(pod, nodes, { snapshot, namespaces }), 2);
  return sums;
}
