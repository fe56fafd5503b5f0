// Nodes and pods for tests of the scheduler: little of them matters, and the rest is left out.

import type { NodeInfo } from '../src/cluster/scheduler/node-info.ts';
import { type PodInfo, podInfo } from '../src/cluster/scheduler/pod-info.ts';
import { Snapshot } from '../src/cluster/scheduler/snapshot.ts';
import type { Lister, Sources } from '../src/cluster/scheduler/sources.ts';
import type { Node, NodeSpec } from '../src/resources/builtin/core/node/objects.ts';
import type { Pod, PodSpec, PodStatus } from '../src/resources/builtin/core/pod/objects.ts';

type Texts = Readonly<Record<string, string>>;

interface NodeOptions {
  readonly labels?: Texts;
  readonly spec?: NodeSpec;
  /** 4 CPUs, 8 GiB of memory and 110 pods by default. */
  readonly allocatable?: Texts;
}

/** A node, with its name as a label. */
export function makeNode(name: string, { labels, spec = {}, allocatable }: NodeOptions = {}): Node {
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } },
  };
}

interface PodOptions {
  readonly namespace?: string;
  readonly labels?: Texts;
  readonly requests?: Texts;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

/** A pod of one container that requests nothing by default; its UID is its name. */
export function makePod(name: string, options: PodOptions = {}): Pod {
  const { namespace = 'default', labels, requests, spec, status } = options;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { namespace, name, uid: name, ...(labels === undefined ? {} : { labels }) },
    spec: { containers: [{ name: 'main', ...(requests === undefined ? {} : { resources: { requests } }) }], ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

export function makeInfo(name: string, options: PodOptions = {}): PodInfo {
  return podInfo(makePod(name, options));
}

/** A snapshot of nodes with pods by the names of their nodes. */
export function makeSnapshot(
  nodes: readonly Node[],
  pods: Readonly<Record<string, readonly PodInfo[]>> = {},
): Snapshot {
  const snapshot = new Snapshot();
  for (const node of nodes) snapshot.setNode(node);
  for (const [name, infos] of Object.entries(pods)) for (const each of infos) snapshot.place(each, name);
  return snapshot;
}

/** A node of a snapshot. */
export function nodeOf(snapshot: Snapshot, name: string): NodeInfo {
  const node = snapshot.get(name);
  if (node === undefined) throw new Error(`there is no node ${name}`);
  return node;
}

/** A lister of given objects. */
export function listerOf<T extends { readonly metadata: Node['metadata'] }>(objects: readonly T[]) {
  const isIn = ({ metadata }: T, namespace: string) => (metadata.namespace ?? '') === namespace;
  return {
    get: (namespace: string, name: string) =>
      objects.find((each) => isIn(each, namespace) && each.metadata.name === name),
    list: (namespace?: string) => objects.filter((each) => namespace === undefined || isIn(each, namespace)),
  };
}

const NOTHING: Lister<never> = { get: () => undefined, list: () => [] };

/** Sources without objects, except those given. */
export function sourcesWith(given: Partial<Sources>): Sources {
  return {
    namespaces: NOTHING,
    services: NOTHING,
    replicationControllers: NOTHING,
    replicaSets: NOTHING,
    statefulSets: NOTHING,
    claims: NOTHING,
    volumes: NOTHING,
    storageClasses: NOTHING,
    csiNodes: NOTHING,
    csiDrivers: NOTHING,
    capacities: NOTHING,
    attachments: NOTHING,
    budgets: NOTHING,
    ...given,
  };
}

/** What decisions are based on: a snapshot, and sources with these objects. */
export function makeWorld(snapshot: Snapshot, sources: Partial<Sources> = {}) {
  const reserveVolumes = () =>
    ({ by: 'VolumeBinding', take: () => {}, giveBack: () => {}, write: async () => {} }) as const;
  return { snapshot, sources: sourcesWith(sources), reserveVolumes, devices: undefined };
}
