// Filters: what has to hold for a pod to run on a node. A filter is prepared once for a pod and then asked about nodes.

import { messageOf } from '../../base/error-message.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** As named by kube-scheduler. */
export type FilterName =
  | 'NodeUnschedulable'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'DynamicResources';

/** Why a pod cannot run on a node, or on any. */
export interface Rejection {
  readonly by: FilterName;
  readonly reasons: readonly string[];
  /** Whether the pod might fit if other pods were gone. */
  readonly isResolvable: boolean;
}

/** What a placement takes besides room on the node: volumes, devices. */
export interface Reservation {
  /** What takes it. */
  readonly by: FilterName;
  /** From now on no other pod gets it. */
  take(): void;
  giveBack(): void;
  /** Writes it down, before the pod is bound. */
  write(): Promise<void>;
  /** Resolves once others have done their part, which may take long. */
  ready?(): Promise<void>;
}

/** A filter that is prepared for a pod. */
export interface Filter {
  readonly name: FilterName;
  /** The only nodes that are considered; undefined for all. */
  readonly nodeNames?: ReadonlySet<string> | undefined;
  /** Undefined if the pod can run on the node. */
  check(node: NodeInfo): Rejection | undefined;
  /** What the pod takes if it comes to a node that was checked; undefined for nothing. */
  reservation?(node: string): Reservation | undefined;
  /** Frees what keeps the pod from nodes though nobody uses it. @returns what has come of it, for the pod's condition */
  release?(): Promise<string>;
  /** Takes into account that a pod is on a node (1) or not (-1), contrary to when the filter was prepared. */
  moved?(pod: PodInfo, node: NodeInfo, by: 1 | -1): void;
  /** A copy with a state of its own, for filters that have `moved`. */
  copy?(): Filter;
}

export function isRejection(prepared: Filter | Rejection): prepared is Rejection {
  return 'reasons' in prepared;
}

/** A rejection that does not depend on other pods. */
export function forGood(by: FilterName, ...reasons: string[]): Rejection {
  return { by, reasons, isResolvable: false };
}

/** A rejection that other pods have caused. */
export function forNow(by: FilterName, ...reasons: string[]): Rejection {
  return { by, reasons, isResolvable: true };
}

/** Copies of the filters, whose state may be changed to try out moved pods. */
export function copied(filters: readonly Filter[]): Filter[] {
  return filters.map((filter) => filter.copy?.() ?? filter);
}

/** The first reason why the pod cannot run on a node. @throws Error if a filter cannot decide */
export function firstRejection(filters: readonly Filter[], node: NodeInfo): Rejection | undefined {
  for (const filter of filters) {
    const rejection = checked(filter, node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

function checked(filter: Filter, node: NodeInfo): Rejection | undefined {
  try {
    return filter.check(node);
  } catch (error) {
    const message = messageOf(error);
    throw new Error(`running ${JSON.stringify(filter.name)} filter plugin: ${message}`, { cause: error });
  }
}
