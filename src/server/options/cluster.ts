// Options of a cluster that lives: simulated nodes, and the controllers and the scheduler that work for them.

import { isIPv4 } from 'node:net';
import { limits } from '../../base/limits.ts';

export interface ClusterOptions {
  /** The number of simulated nodes; 0 for none, and then there are neither workload controllers nor a scheduler. */
  readonly nodes: number;
  /** Whether simulated nodes take the time that real ones take to start containers: `realistic`, or `none`. */
  readonly nodeDelays: string;
  /** The range of the pods' addresses, from which each node gets a /24. */
  readonly clusterCidr: string;
  /** The authority that signs what CertificateSigningRequests ask for; the server's own if undefined. */
  readonly clusterSigningCertFile: string | undefined;
  readonly clusterSigningKeyFile: string | undefined;
  /** Stages of KWOK that simulated nodes follow: objects, or paths of files and folders with them. */
  readonly stages: readonly (string | object)[];
}

export const defaultClusterOptions: ClusterOptions = {
  nodes: 0,
  nodeDelays: 'realistic',
  clusterCidr: '10.200.0.0/13',
  clusterSigningCertFile: undefined,
  clusterSigningKeyFile: undefined,
  stages: [],
};

/** The length of the prefix of a node's range, as in kube-controller-manager. */
const NODE_PREFIX = 24;

export function clusterProblems(options: ClusterOptions): string[] {
  const { nodes, nodeDelays, clusterCidr, clusterSigningCertFile, clusterSigningKeyFile, stages } = options;
  const problems: string[] = [];
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > limits.simulatedNodes) {
    problems.push(`--nodes ${nodes} must be between 0 and ${limits.simulatedNodes}, inclusive`);
  }
  if (nodeDelays !== 'realistic' && nodeDelays !== 'none') {
    problems.push(`--node-delays ${nodeDelays} must be realistic or none`);
  }
  if (stages.length > 0 && nodes === 0) problems.push('--stages needs simulated nodes: --nodes=1');
  const prefix = prefixOf(clusterCidr);
  if (prefix === undefined) problems.push(`--cluster-cidr ${clusterCidr} is not an IPv4 range such as 10.200.0.0/13`);
  else if (2 ** (NODE_PREFIX - prefix) < nodes) {
    problems.push(
      `--cluster-cidr ${clusterCidr} is too small for ${nodes} nodes, each of which gets a /${NODE_PREFIX}`,
    );
  }
  if ((clusterSigningCertFile === undefined) !== (clusterSigningKeyFile === undefined)) {
    problems.push('--cluster-signing-cert-file and --cluster-signing-key-file must be specified together');
  }
  return problems;
}

/** The length of the prefix of a range that has room for a node's; undefined for anything else. */
function prefixOf(cidr: string): number | undefined {
  const [address = '', length = ''] = cidr.split('/');
  const prefix = Number(length);
  return isIPv4(address) && /^\d+$/.test(length) && prefix <= NODE_PREFIX ? prefix : undefined;
}
