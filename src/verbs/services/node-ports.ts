// Allocator of node ports of Services. A number is allocated for all protocols at once, but a service may use it for
// its ports of the same number with several protocols.

import { errors, type FieldError, fieldError } from '../../api/errors.ts';
import type { ApiObject, Draft } from '../../api/object.ts';
import type { Random } from '../../base/random.ts';
import type { AllocationScope, AllocatorMetrics } from '../../lifecycle/allocator-metrics.ts';
import type { ServicePort, ServiceSpec } from '../../resources/builtin/core/service/objects.ts';
import {
  givesNodePorts,
  needsHealthCheckPort,
  needsNodePorts,
  serviceSpec,
} from '../../resources/builtin/core/service/service-type.ts';
import { nodePortsOf } from './service-claims.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The placeholder in dry runs of a service that requests no port. */
const DRY_RUN_PORT = 32_769;

/** Tracks and allocates free ports. */
export interface PortClaims {
  isFree(port: number): boolean;
  /** False if it is not free. */
  take(port: number): boolean;
}

/** The ports that one write allocates. */
export class PortTaking {
  readonly taken = new Set<number>();
  #highest = 0;
  readonly #claims: PortClaims;
  readonly #range: PortRange;
  readonly #random: Random;
  readonly #dryRun: boolean;
  readonly #metrics: AllocatorMetrics;
  readonly #given: AllocationScope[] = [];

  constructor(
    claims: PortClaims,
    range: PortRange,
    from: { random: Random; dryRun: boolean; metrics: AllocatorMetrics },
  ) {
    this.#claims = claims;
    this.#range = range;
    this.#random = from.random;
    this.#dryRun = from.dryRun;
    this.#metrics = from.metrics;
  }

  /** Allocates a requested port; returns the error if it is unavailable. Dry runs do not check the range. */
  take(port: number): string | undefined {
    const fault = this.#taking(port);
    if (!this.#dryRun) {
      if (fault === undefined) this.#given.push('static');
      else this.#metrics.refusedPort('static');
    }
    return fault;
  }

  /** Counts the allocations in the metrics, once they hold for other servers, too. */
  count(): void {
    for (const scope of this.#given) this.#metrics.gavePort(scope);
  }

  #taking(port: number): string | undefined {
    const { first, last } = this.#range;
    if (!this.#dryRun && (port < first || port > last)) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    const free = this.#dryRun ? this.#claims.isFree(port) && !this.taken.has(port) : this.#claims.take(port);
    if (!free) return 'provided port is already allocated';
    this.#take(port);
    return undefined;
  }

  #take(port: number): void {
    this.taken.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  /** Allocates any port. @throws ApiError 500 if all are allocated */
  takeAny(): number {
    if (this.#dryRun) {
      const port = this.taken.size === 0 ? DRY_RUN_PORT : this.#highest + 1;
      this.#take(port);
      return port;
    }
    const { first, last } = this.#range;
    const count = last - first + 1;
    const start = this.#random.below(count);
    for (let step = 0; step < count; step++) {
      const port = first + ((start + step) % count);
      if (!this.#claims.take(port)) continue;
      this.#take(port);
      this.#given.push('dynamic');
      return port;
    }
    this.#metrics.refusedPort('dynamic');
    throw errors.internal('failed to allocate a nodePort: range is full');
  }
}

/** Allocates the node ports of a service. Modifies `next`. */
export function allocateNodePorts(next: ApiObject, previous: ApiObject | undefined, taking: PortTaking): FieldError[] {
  const spec = serviceSpec(next);
  if (needsNodePorts(spec)) {
    const found = previous === undefined ? giveFirst(next, taking) : giveChanged(next, previous, taking);
    if (found.length > 0) return found;
  }
  if (spec !== undefined && needsHealthCheckPort(spec) && !needsHealthCheckPort(serviceSpec(previous))) {
    giveHealthCheck(spec, taking);
  }
  return [];
}

function refused(index: number, port: number, why: string): FieldError[] {
  return [fieldError.invalid(`spec.ports[${index}].nodePort`, port, why)];
}

/** A new service: ports with the same number share a node port unless they request their own. */
function giveFirst(next: ApiObject, taking: PortTaking): FieldError[] {
  const spec = serviceSpec(next);
  const ports = spec?.ports ?? [];
  const asking = requestedByNumber(ports);
  const byNumber = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    const own = port.nodePort ?? 0;
    if (own === 0 && !givesNodePorts(spec)) continue;
    const number = port.port ?? 0;
    const shared = byNumber.get(number);
    if (shared !== undefined && (own === 0 || own === shared)) {
      port.nodePort = shared;
      continue;
    }
    const asked = shared === undefined ? (asking.get(number) ?? 0) : own;
    if (asked === 0) port.nodePort = taking.takeAny();
    else {
      const fault = taking.take(asked);
      if (fault !== undefined) return refused(index, asked, fault);
      port.nodePort = asked;
    }
    if (shared === undefined) byNumber.set(number, port.nodePort);
  }
  return [];
}

/** The node port that the first of the ports with each number requests, if any of them does. */
function requestedByNumber(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const asked = new Map<number, number>();
  for (const { port = 0, nodePort = 0 } of ports) if (nodePort !== 0 && !asked.has(port)) asked.set(port, nodePort);
  return asked;
}

/** @throws ApiError 500 without a reason for a port that two ports with one protocol request */
function giveChanged(next: ApiObject, previous: ApiObject, taking: PortTaking): FieldError[] {
  const spec = serviceSpec(next);
  const own = new Set(nodePortsOf(previous));
  const given = new Set<string>();
  for (const [index, port] of (spec?.ports ?? []).entries()) {
    const asked = port.nodePort ?? 0;
    if (asked === 0) {
      if (givesNodePorts(spec)) port.nodePort = taking.takeAny();
    } else if (!own.has(asked) && !taking.taken.has(asked)) {
      const fault = taking.take(asked);
      if (fault !== undefined) return refused(index, asked, fault);
    }
    const number = port.nodePort ?? 0;
    const named = `{${port.protocol ?? ''} ${number}}`;
    if (number !== 0 && given.has(named)) throw errors.unexplained(`duplicate nodePort: ${named}`);
    given.add(named);
  }
  return [];
}

/** @throws ApiError 500 if the requested port is unavailable, as in Kubernetes */
function giveHealthCheck(spec: Draft<ServiceSpec>, taking: PortTaking): void {
  const asked = spec.healthCheckNodePort ?? 0;
  if (asked === 0) {
    spec.healthCheckNodePort = taking.takeAny();
    return;
  }
  const fault = taking.take(asked);
  if (fault === undefined) return;
  throw errors.internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${fault}`);
}
