// Nodes as kubelets register them, with the leases that they renew.

import { Buffer } from 'node:buffer';

export const NODES = '/api/v1/nodes';
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** How many images a kubelet reports on a node that has run for a while, at most. */
const IMAGES = 50;

/** The JSON of a node of some 11 KB, most of it images. */
export function nodeText(name: string): Buffer {
  const at = '2026-01-01T00:00:00Z';
  const amounts = { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  const condition = (type: string, status: string, reason: string) => {
    return { type, status, reason, message: `kubelet has ${reason}`, lastHeartbeatTime: at, lastTransitionTime: at };
  };
  return json({
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': 'a' },
    },
    spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'], providerID: `example://${name}` },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
        condition('Ready', 'True', 'KubeletReady'),
      ],
      addresses: [
        { type: 'InternalIP', address: '192.0.2.1' },
        { type: 'Hostname', address: name },
      ],
      images: Array.from({ length: IMAGES }, (_, image) => ({
        names: [
          `registry.example.com/team/image-${image}@sha256:${'0123456789abcdef'.repeat(4)}`,
          `image-${image}:1.2.3`,
        ],
        sizeBytes: 12_345_678 + image,
      })),
    },
  });
}

/** The JSON of a node's lease, for the renewal of that number if there is a version to be replaced. */
export function leaseText(name: string, renewal = 0, resourceVersion?: string): Buffer {
  const renewTime = new Date(Date.UTC(2026, 0, 1) + renewal).toISOString().replace('Z', '000Z');
  return json({
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { name, namespace: 'kube-node-lease', resourceVersion },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  });
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
