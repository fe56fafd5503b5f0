// Warnings for conflicting container ports. Ports are looked up by what they can conflict with, instead of comparing
// all pairs.

import type { ContainerPort } from './container-objects.ts';
import { ShownWarnings } from './shown-warnings.ts';
import type { PlacedContainer } from './validation-platform.ts';

interface PlacedPort {
  readonly port: ContainerPort;
  readonly field: string;
  /** Its index among all ports. */
  readonly order: number;
}

/** Ports by key, in order. */
class PortIndex {
  readonly #ports = new Map<string, PlacedPort[]>();

  of(key: string): readonly PlacedPort[] {
    return this.#ports.get(key) ?? [];
  }

  add(key: string, port: PlacedPort): void {
    const ports = this.#ports.get(key);
    if (ports === undefined) this.#ports.set(key, [port]);
    else ports.push(port);
  }
}

export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const found = new ShownWarnings();
  const before = new PortIndex();
  let order = 0;
  for (const { container, field: here } of containers) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      if (found.isFull) return found.texts;
      const placed = { port, field: `${here}.ports[${index}]`, order: order++ };
      addressWithoutPort(placed, found);
      for (const other of clashing(port, before)) {
        found.add(`${placed.field}: ${portClash(port, other.port)} port definition with ${other.field}`);
        if (found.isFull) break;
      }
      for (const key of keysOf(port)) before.add(key, placed);
    }
  }
  return found.texts;
}

/** The keys under which others find a port that may conflict. */
function keysOf(port: ContainerPort): string[] {
  const { hostPort = 0, hostIP = '' } = port;
  const number = numberOf(port);
  const onHost = `${number} ${hostPort}`;
  return [number, onHost, `${onHost} ${hostIP}`];
}

function numberOf({ containerPort, protocol }: ContainerPort): string {
  return `${containerPort}/${protocol}`;
}

/** Earlier conflicting ports, in order. */
function clashing(port: ContainerPort, before: PortIndex): readonly PlacedPort[] {
  const { hostPort = 0, hostIP = '' } = port;
  const number = numberOf(port);
  if (hostPort === 0) return before.of(number);
  const anywhere = before.of(`${number} 0`);
  const onHost = `${number} ${hostPort}`;
  const lists = hostIP === '' ? [before.of(onHost)] : [before.of(`${onHost} ${hostIP}`), before.of(`${onHost} `)];
  const others = [anywhere, ...lists].filter((list) => list.length > 0);
  return others.length < 2 ? (others[0] ?? []) : others.flat().sort((one, other) => one.order - other.order);
}

function portClash(one: ContainerPort, other: ContainerPort): string {
  const [ip = '', otherIp = ''] = [one.hostIP, other.hostIP];
  const [port = 0, otherPort = 0] = [one.hostPort, other.hostPort];
  if (ip === otherIp && port === otherPort) return 'duplicate';
  return port === 0 || otherPort === 0 ? 'overlapping' : 'dangerously ambiguous';
}

/** A host IP without a host port has no effect. Kubernetes' message shows the port as formatted by Go. */
function addressWithoutPort({ port, field }: PlacedPort, found: ShownWarnings): void {
  const { name = '', containerPort = 0, protocol = '', hostIP = '' } = port;
  if (hostIP === '' || (port.hostPort ?? 0) !== 0) return;
  const told = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  found.add(`${field}: hostIP set without hostPort: ${told}`);
}
