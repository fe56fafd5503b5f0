// Options of Services: validation of the ranges of their addresses and ports.

import { isIP } from 'node:net';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';

interface ServiceOptions {
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: PortRange;
  readonly kubernetesServiceNodePort: number;
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

interface AddressRange {
  readonly family: 4 | 6;
  /** The bits that differ between its addresses. */
  readonly hostBits: number;
}

interface GateOptions extends ReleaseOptions {
  readonly featureGates: Readonly<Record<string, boolean>>;
}

const LONGEST_HOST_BITS = 20;
/** A range needs at least eight addresses. */
const SHORTEST_HOST_BITS = 3;
/** kube-apiserver counts the addresses of such ranges as none. */
const UNCOUNTED_HOST_BITS = { 4: 31, 6: 127 };

/** The first error that prevents parsing the ranges; the second one is not tried if the first is invalid. */
export function serviceRangeProblem({ serviceClusterIpRange }: ServiceOptions): string | undefined {
  const [primary, secondary] = serviceClusterIpRange.split(',').map(parseRange);
  if (primary === undefined) return 'service-cluster-ip-range[0] is not a valid cidr';
  if (primary.hostBits < SHORTEST_HOST_BITS || primary.hostBits >= UNCOUNTED_HOST_BITS[primary.family]) {
    const fault = `the service cluster IP range must be at least ${2 ** SHORTEST_HOST_BITS} IP addresses`;
    return `error determining service IP ranges for primary service cidr: ${fault}`;
  }
  const isMissing = secondary === undefined && serviceClusterIpRange.includes(',');
  return isMissing ? 'service-cluster-ip-range[1] is not an ip net' : undefined;
}

/**
 * Errors in ranges that serviceRangeProblem accepts. Before ServiceCIDRs, ranges were kept as bitmaps, which bounded them.
 */
export function clusterIpProblems(options: ServiceOptions & GateOptions): string[] {
  const { serviceClusterIpRange, featureGates } = options;
  const gates = new FeatureGates(featureGates, requestedRelease(options));
  const isBounded = !gates.enabled('MultiCIDRServiceAllocator') || !gates.enabled('DisableAllocatorDualWrite');
  const sizeProblem = (range: AddressRange, flag: string) => (isBounded ? sizeFault(range, flag) : []);
  const texts = serviceClusterIpRange.split(',');
  const [primary, secondary] = texts.map(parseRange);
  const problems: string[] = [];
  if (texts.length > 2) problems.push('--service-cluster-ip-range must not contain more than two entries');
  if (primary !== undefined) problems.push(...sizeProblem(primary, '--service-cluster-ip-range'));
  if (secondary === undefined) return problems;
  if (primary?.family === secondary.family) {
    problems.push('--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family');
  }
  return [...problems, ...sizeProblem(secondary, '--service-cluster-ip-range[1]')];
}

function sizeFault({ family, hostBits }: AddressRange, flag: string): string[] {
  if (hostBits <= LONGEST_HOST_BITS) return [];
  const bits = family === 4 ? 32 : 128;
  return [`specified ${flag} is too large; for ${bits}-bit addresses, the mask must be >= ${bits - LONGEST_HOST_BITS}`];
}

/** Undefined for an invalid text. Leading zeros in an IPv4 address are ignored. */
function parseRange(text: string): AddressRange | undefined {
  const [, address = '', mask = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const plain = address.includes(':') ? address : address.split('.').map(withoutZeros).join('.');
  const family = isIP(plain);
  const bits = family === 6 ? 128 : 32;
  if (family === 0 || mask === '' || Number(mask) > bits) return undefined;
  return { family: family as 4 | 6, hostBits: bits - Number(mask) };
}

/** `010` is `10`. */
function withoutZeros(digits: string): string {
  return /^\d+$/.test(digits) ? String(Number(digits)) : digits;
}

/** Errors in the node port of the `kubernetes` service. */
export function ownPortProblems({ kubernetesServiceNodePort: port, serviceNodePortRange }: ServiceOptions): string[] {
  const { first, last } = serviceNodePortRange;
  const problems: string[] = [];
  if (!isPort(first) || !isPort(last) || last < first) {
    problems.push(`--service-node-port-range ${first}-${last} is not a range of ports`);
  }
  if (!isPort(port)) {
    problems.push(
      `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. ` +
        'If 0, the Kubernetes master service will be of type ClusterIP',
    );
  }
  if (port > 0 && (port < first || port > last)) {
    problems.push(`kubernetes service node port range ${first}-${last} doesn't contain ${port}`);
  }
  return problems;
}

/** Whether a number may be that of a port; 0 for any. */
export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}
