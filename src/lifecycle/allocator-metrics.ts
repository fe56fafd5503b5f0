// Metrics of the allocators of cluster addresses and node ports, under kube-apiserver's names.

import { usualSeconds } from './metric-bounds.ts';
import type { MetricRegistry } from './metrics.ts';

/** Whether a service named what it wanted, or took what came. */
export type AllocationScope = 'static' | 'dynamic';

interface AddressUse {
  /** The range, as a CIDR block. */
  readonly cidr: string;
  readonly allocated: number;
  readonly available: number;
}

/** What is taken at this moment, read when somebody scrapes. */
export interface AllocatorUse {
  addresses(): Iterable<AddressUse>;
  ports(): { readonly allocated: number; readonly available: number };
}

export type AllocatorMetrics = ReturnType<typeof declareAllocatorMetrics>;

export function declareAllocatorMetrics(registry: MetricRegistry) {
  const addresses = declareAddresses(registry);
  const ports = declarePorts(registry);
  return {
    /** Tells where what is taken can be read. */
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

function declareAddresses(registry: MetricRegistry) {
  const prefix = 'kube_apiserver_clusterip_allocator_';
  const use: { source: () => Iterable<AddressUse> } = { source: () => [] };
  const gauge = (name: string, help: string, read: (use: AddressUse) => number) =>
    registry.collected({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels: ['cidr'] }, 'gauge', () =>
      Iterator.from(use.source()).map((each) => ({ labels: { cidr: each.cidr }, value: read(each) })),
    );
  gauge('allocated_ips', 'Addresses of a range that services have.', ({ allocated }) => allocated);
  gauge('available_ips', 'Addresses of a range that no service has.', ({ available }) => available);
  const counter = (name: string, help: string) =>
    registry.counter({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels: ['cidr', 'scope'] });
  return {
    use,
    total: counter('allocation_total', 'Addresses given to services, by whether they asked for this one.'),
    errors: counter('allocation_errors_total', 'Services that could not be given an address of a range.'),
    seconds: registry.histogram(
      {
        name: `${prefix}allocation_duration_seconds`,
        help: 'Seconds that giving an address of a range took.',
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
    registry.collected({ name: `${prefix}${name}`, help, stability: 'ALPHA' }, 'gauge', () =>
      Iterator.from(use.source()).map((each) => ({ labels: {}, value: read(each) })),
    );
  gauge('allocated_ports', 'Node ports that services have.', ({ allocated }) => allocated);
  gauge('available_ports', 'Node ports that no service has.', ({ available }) => available);
  const counter = (name: string, help: string) =>
    registry.counter({ name: `${prefix}${name}`, help, stability: 'ALPHA', labels: ['scope'] });
  return {
    use,
    total: counter('allocation_total', 'Node ports given to services, by whether they asked for this one.'),
    errors: counter('allocation_errors_total', 'Services that could not be given a node port.'),
  };
}
