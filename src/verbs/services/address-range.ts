// A range of service addresses: which may be allocated, and which is tried next.

import type { Random } from '../../base/random.ts';
import {
  type Cidr,
  cidrContains,
  formatCidr,
  formatIp,
  type IpAddress,
} from '../../resources/validation/ip-addresses.ts';

/** Maximum size of the lower part of a range, which is preferred for static allocation. */
const MAX_STATIC = 256;
const MIN_STATIC = 16;
/** Only this many addresses of a larger range are allocated: numbers and random numbers stay exact. */
const MAX_SIZE = 2 ** 47;

export class AddressRange {
  readonly block: Cidr;
  readonly #first: bigint;
  readonly #count: number;

  constructor(block: Cidr) {
    this.block = block;
    const bits = (block.family === 'IPv4' ? 32 : 128) - block.prefixBits;
    const size = Math.min(2 ** bits, MAX_SIZE);
    // Excludes the network address and, for IPv4, the broadcast address.
    const edges = size <= 2 ? 0 : block.family === 'IPv4' ? 2 : 1;
    this.#first = block.base + (edges > 0 ? 1n : 0n);
    this.#count = size - edges;
  }

  get family() {
    return this.block.family;
  }

  /** The result of dry runs. */
  get base(): string {
    return formatIp({ family: this.family, value: this.block.base });
  }

  toString(): string {
    return formatCidr(this.block);
  }

  /** The number of addresses that can be allocated. */
  get size(): number {
    return this.#count;
  }

  /** Whether an address can be allocated. */
  holds(address: IpAddress): boolean {
    const bits = BigInt((this.family === 'IPv4' ? 32 : 128) - this.block.prefixBits);
    const last = this.block.base + (1n << bits) - (this.family === 'IPv4' && bits > 1n ? 2n : 1n);
    return cidrContains(this.block, address) && address.value >= this.#first && address.value <= last;
  }

  /** A free address: from a random offset in the upper part, and from the lower part only when that is full. */
  next(random: Random, isFree: (address: string) => boolean): string | undefined {
    const size = this.#count + 2;
    const wanted = Math.min(Math.max(MIN_STATIC, Math.floor(size / 16)), MAX_STATIC);
    const lower = size <= MIN_STATIC ? 0 : Math.min(wanted, this.#count - 1);
    const upper = this.#count - lower;
    const inUpper = { from: lower, count: upper, start: random.below(upper) };
    return this.#scan(inUpper, isFree) ?? this.#scan({ from: 0, count: lower, start: 0 }, isFree);
  }

  #scan(
    part: { from: number; count: number; start: number },
    isFree: (address: string) => boolean,
  ): string | undefined {
    const { from, count, start } = part;
    for (let step = 0; step < count; step++) {
      const offset = from + ((start + step) % count);
      const address = formatIp({ family: this.family, value: this.#first + BigInt(offset) });
      if (isFree(address)) return address;
    }
    return undefined;
  }
}
