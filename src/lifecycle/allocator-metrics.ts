// Metrics of the allocators of cluster IPs and node ports, with kube-apiserver's names.

import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

/** Whether a service requested a specific value. */
export type AllocationScope = 'static' | 'dynamic';

interface AddressUse {
  /** The range as a CIDR. */
  readonly cidr: string;
  readonly allocated: number;
  readonly available: number;
}

/** Current allocations, read at scrape time. */
export interface AllocatorUse {
  addresses(): Iterable<AddressUse>;
  ports(): { readonly allocated: number; readonly available: number };
}

export type AllocatorMetrics = ReturnType<typeof declareAllocatorMetrics>;

export function declareAllocatorMetrics(registry: MetricRegistry) {
  const addresses = declareAddresses(registry);
  const ports = declarePorts(registry);
  return {
    /** Sets the source of current allocations. */
    follow(use: AllocatorUse): void {
      addresses.use.source = () => use.addresses();
      ports.use.source = () => [use.ports()];
    },
    gaveAddress(cidr: string, scope: AllocationScope, seconds: number): void {
      addresses.total.with({ cidr, scope }).add();
      addresses.seconds.with({ cidr }).observe(seconds);
    },
    refusedAddress(cidr: string, scope: AllocationScope): void {
      addresses.errors.with({ cidr, scope }).add();
    },
    gavePort(scope: AllocationScope): void {
      ports.total.with({ scope }).add();
    },
    refusedPort(scope: AllocationScope): void {
      ports.errors.with({ scope }).add();
    },
  };
}

const SHARED = { stability: 'ALPHA', sharedByThreads: true } as const;

function declareAddresses(registry: MetricRegistry) {
  const prefix = 'kube_apiserver_clusterip_allocator_';
  const use: { source: () => Iterable<AddressUse> } = { source: () => [] };
  const gauge = (name: string, help: string, read: (use: AddressUse) => number) =>
    registry.collected({ name: `${prefix}${name}`, help, ...SHARED, labels: ['cidr'] }, 'gauge', () =>
      Iterator.from(use.source()).map((each) => ({ labels: { cidr: each.cidr }, value: read(each) })),
    );
  gauge('allocated_ips', 'Allocated addresses of a range.', ({ allocated }) => allocated);
  gauge('available_ips', 'Free addresses of a range.', ({ available }) => available);
  const counter = (name: string, help: string) =>
    registry.counter({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels: ['cidr', 'scope'] });
  return {
    use,
    total: counter('allocation_total', 'Allocated addresses, by whether they were requested.'),
    errors: counter('allocation_errors_total', 'Failed allocations of addresses.'),
    seconds: registry.histogram(
      {
        name: `${prefix}allocation_duration_seconds`,
        help: 'Latency of address allocation in seconds.',
        stability: 'ALPHA',
        labels: ['cidr'],
      },
      usualSeconds,
    ),
  };
}

function declarePorts(registry: MetricRegistry) {
  type PortUse = ReturnType<AllocatorUse['ports']>;
  const prefix = 'kube_apiserver_nodeport_allocator_';
  const use: { source: () => Iterable<PortUse> } = { source: () => [] };
  const gauge = (name: string, help: string, read: (use: PortUse) => number) =>
    registry.collected({ name: `${prefix}${name}`, help, ...SHARED }, 'gauge', () =>
      Iterator.from(use.source()).map((each) => ({ labels: {}, value: read(each) })),
    );
  gauge('allocated_ports', 'Allocated node ports.', ({ allocated }) => allocated);
  gauge('available_ports', 'Free node ports.', ({ available }) => available);
  const counter = (name: string, help: string) =>
    registry.counter({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels: ['scope'] });
  return {
    use,
    total: counter('allocation_total', 'Allocated node ports, by whether they were requested.'),
    errors: counter('allocation_errors_total', 'Failed allocations of node ports.'),
  };
}
