// Keelson flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const keelsonFlags: readonly Flag[] = [
  {
    name: 'cluster-cidr',
    type: 'string',
    option: 'clusterCidr',
    help: 'Range of the addresses of pods on simulated nodes, from which each node gets a /24.',
  },
  {
    name: 'console',
    type: 'bool',
    option: 'console',
    help: 'Print a link to the console.',
  },
  { name: 'data-dir', type: 'string', option: 'dataDir', help: 'Folder for objects, keys and the kubeconfig.' },
  {
    name: 'node-delays',
    type: 'string',
    option: 'nodeDelays',
    help: 'Whether simulated nodes take the time of real ones to pull images and start containers: realistic, or none.',
  },
  {
    name: 'nodes',
    type: 'int',
    option: 'nodes',
    help: 'Number of simulated nodes. They come with a scheduler and the controllers of kube-controller-manager.',
  },
  {
    name: 'store',
    type: 'string',
    option: 'store',
    help: 'The store: embedded, or memory.',
  },
];
