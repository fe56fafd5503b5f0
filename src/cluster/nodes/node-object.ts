// The Node object that a simulated kubelet registers, and the status that it reports.

import type { Draft } from '../../api/object.ts';
import { isSince, keelsonVersion, RELEASES, releaseName } from '../../lifecycle/version.ts';
import type { Node, NodeStatus, NodeSystemInfo } from '../../resources/builtin/core/node/objects.ts';
import { nodeConditions, type WantedConditions } from './node-conditions.ts';
import type { NodeImages } from './node-images.ts';

/** What a simulated node has, unless its status already says otherwise. */
const CAPACITY = {
  cpu: '8',
  'ephemeral-storage': '100Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '32Gi',
  pods: '110',
};
const PLATFORM = { os: 'linux', arch: 'amd64' };
const KUBELET_PORT = 10_250;
const RUNTIME_HANDLERS = ['', 'runc'].map((name) => ({
  name,
  features: { recursiveReadOnlyMounts: true, userNamespaces: true },
}));
const ATTACHES_BY_CONTROLLER = 'volumes.kubernetes.io/controller-managed-attach-detach';

export interface NodeFacts {
  readonly name: string;
  /** `10.199.0.1` */
  readonly address: string;
  /** The minor release of Kubernetes. */
  readonly minor: number;
  readonly nowMs: number;
  readonly conditions: WantedConditions;
  readonly images: NodeImages;
  /** New identifiers for a new machine. */
  readonly uuid: () => string;
}

/** A node as a kubelet registers it. */
export function registeredNode(facts: NodeFacts, annotations: Readonly<Record<string, string>>): Draft<Node> {
  const { name } = facts;
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': PLATFORM.arch,
        'beta.kubernetes.io/os': PLATFORM.os,
        'kubernetes.io/arch': PLATFORM.arch,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': PLATFORM.os,
      },
      annotations: { ...annotations, [ATTACHES_BY_CONTROLLER]: 'true' },
    },
    spec: {},
    status: nodeStatus(undefined, facts) as Draft<NodeStatus>,
  };
}

/** The status that a kubelet reports next; what it does not know of stays. */
export function nodeStatus(before: NodeStatus | undefined, facts: NodeFacts): NodeStatus {
  const { name, address, minor, nowMs } = facts;
  const capacity = before?.capacity ?? CAPACITY;
  const images = facts.images.report();
  return {
    ...before,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    capacity,
    allocatable: before?.allocatable ?? capacity,
    daemonEndpoints: { kubeletEndpoint: { Port: KUBELET_PORT } },
    ...(images.length === 0 ? {} : { images }),
    nodeInfo: nodeInfo(before?.nodeInfo, facts),
    ...(isSince({ minor }, 33) ? { features: { supplementalGroupsPolicy: true } } : {}),
    ...(isSince({ minor }, 31) ? { runtimeHandlers: RUNTIME_HANDLERS } : {}),
    conditions: nodeConditions(before?.conditions ?? [], facts.conditions, nowMs),
  };
}

function nodeInfo(before: NodeSystemInfo | undefined, { minor, uuid }: NodeFacts): NodeSystemInfo {
  const version = kubeletVersion(minor);
  const isKnown = before?.machineID !== undefined && before.machineID !== '';
  const { machineID, systemUUID, bootID } = isKnown
    ? before
    : { machineID: uuid().replaceAll('-', ''), systemUUID: uuid(), bootID: uuid() };
  return {
    architecture: PLATFORM.arch,
    ...(bootID === undefined ? {} : { bootID }),
    containerRuntimeVersion: `keelson://${keelsonVersion}`,
    kernelVersion: '6.12.0-simulated',
    kubeProxyVersion: isSince({ minor }, 33) ? '' : version,
    kubeletVersion: version,
    ...(machineID === undefined ? {} : { machineID }),
    operatingSystem: PLATFORM.os,
    osImage: 'Keelson (simulated)',
    ...(systemUUID === undefined ? {} : { systemUUID }),
  };
}

function kubeletVersion(minor: number): string {
  return releaseName(RELEASES.find((release) => release.minor === minor) ?? { minor, patch: 0 });
}

/** The address of the node with this number, from 1. */
export function nodeAddress(number: number): string {
  return `10.199.${(number >> 8) & 255}.${number & 255}`;
}

/** The number of the node with this address; undefined if it is none of ours. */
export function nodeNumber(address: string | undefined): number | undefined {
  const parts = /^10\.199\.(\d+)\.(\d+)$/.exec(address ?? '');
  return parts === null ? undefined : (Number(parts[1]) << 8) | Number(parts[2]);
}
