// Ports of a node that pods occupy: those that containers and sidecars ask for as host ports. A port of all addresses is
// in conflict with the same one of any address.

import type { Container } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';

export interface HostPort {
  /** `TCP/80`. */
  readonly port: string;
  readonly address: string;
}

const EVERY_ADDRESS = '0.0.0.0';

/** The host ports of a pod, while it runs. */
export function hostPorts({ spec }: Pod): readonly HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...(spec?.containers ?? [])].flatMap(portsOf);
}

function portsOf({ ports = [] }: Container): HostPort[] {
  return ports
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(({ hostPort, protocol = 'TCP', hostIP = '' }) => ({
      port: `${protocol}/${hostPort}`,
      address: hostIP === '' ? EVERY_ADDRESS : hostIP,
    }));
}

/** The ports in use on a node. */
export class UsedPorts {
  /** Addresses by port, one for each use. */
  readonly #addresses: Map<string, readonly string[]>;

  constructor(other?: UsedPorts) {
    this.#addresses = new Map(other === undefined ? [] : other.#addresses);
  }

  add({ port, address }: HostPort): void {
    this.#addresses.set(port, [...(this.#addresses.get(port) ?? []), address]);
  }

  remove({ port, address }: HostPort): void {
    const addresses = this.#addresses.get(port) ?? [];
    const at = addresses.indexOf(address);
    if (at < 0) return;
    if (addresses.length === 1) this.#addresses.delete(port);
    else this.#addresses.set(port, addresses.toSpliced(at, 1));
  }

  /** Whether a port is free. */
  admits({ port, address }: HostPort): boolean {
    const addresses = this.#addresses.get(port);
    if (addresses === undefined) return true;
    return address !== EVERY_ADDRESS && !addresses.includes(EVERY_ADDRESS) && !addresses.includes(address);
  }
}
