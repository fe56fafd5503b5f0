// Addresses of the pods of a node: from the range of the node, each one used again only after all others, as the
// `host-local` plugin of CNI assigns them.

/** The network, the gateway and the broadcast address are never assigned. */
const FIRST = 2;
const LAST = 254;

export class PodAddresses {
  /** The first three numbers: `10.200.3`. */
  readonly #prefix: string;
  readonly #used = new Set<number>();
  #last = FIRST - 1;

  /** @param cidr a /24: `10.200.3.0/24` */
  constructor(cidr: string) {
    this.#prefix = cidr.slice(0, cidr.lastIndexOf('.'));
  }

  /** A free address; undefined if there is none. */
  assign(): string | undefined {
    for (let tried = FIRST; tried <= LAST; tried++) {
      this.#last = this.#last >= LAST ? FIRST : this.#last + 1;
      if (this.#used.has(this.#last)) continue;
      this.#used.add(this.#last);
      return `${this.#prefix}.${this.#last}`;
    }
    return undefined;
  }

  /** Takes an address that a pod has already; one of another range is ignored. */
  take(address: string): void {
    const number = this.#numberOf(address);
    if (number !== undefined) this.#used.add(number);
  }

  release(address: string): void {
    const number = this.#numberOf(address);
    if (number !== undefined) this.#used.delete(number);
  }

  #numberOf(address: string): number | undefined {
    const dot = address.lastIndexOf('.');
    return address.slice(0, dot) === this.#prefix ? Number(address.slice(dot + 1)) : undefined;
  }
}

/** The /24 with this number in a range of IPv4 addresses: number 3 of 10.200.0.0/16 is 10.200.3.0/24. */
export function nodeRange(cidr: string, number: number): string {
  const [first = 0, second = 0, third = 0] = (cidr.split('/')[0] ?? '').split('.').map(Number);
  const network = ((first << 16) | (second << 8) | third) + number;
  return `${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}.0/24`;
}
