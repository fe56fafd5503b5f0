// Keelson flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const keelsonFlags: readonly Flag[] = [
  {
    name: 'cluster-cidr',
    type: 'string',
    option: 'clusterCidr',
    help: 'Addresses of pods on simulated nodes; each node gets a /24.',
  },
  {
    name: 'cluster-signing-cert-file',
    type: 'file',
    option: 'clusterSigningCertFile',
    help: 'Authority that signs requested certificates, PEM.',
  },
  {
    name: 'cluster-signing-key-file',
    type: 'file',
    option: 'clusterSigningKeyFile',
    help: 'The key of that authority, PEM.',
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
    help: 'Delays of simulated nodes: realistic, or none.',
  },
  {
    name: 'nodes',
    type: 'int',
    option: 'nodes',
    help: 'Simulated nodes, with a scheduler and the controllers of a cluster.',
  },
  {
    name: 'stages',
    type: 'stringArray',
    option: 'stages',
    help: 'File or folder with Stages of KWOK that simulated nodes follow.',
  },
  {
    name: 'store',
    type: 'string',
    option: 'store',
    help: 'The store: embedded, or memory.',
  },
  {
    name: 'tls-san',
    type: 'strings',
    option: 'tlsSan',
    help: "Further names and addresses in the server's own certificate.",
  },
];
