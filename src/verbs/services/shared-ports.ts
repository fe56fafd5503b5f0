// Allocated node ports as Kubernetes' own object, which all servers on one store change by compare-and-swap: a
// RangeAllocation with one bit per port. A server that is alone does not need it.

import { Buffer } from 'node:buffer';
import { errors } from '../../api/errors.ts';
import { parseJson } from '../../api/json-reader.ts';
import { limits } from '../../base/limits.ts';
import type { Store } from '../../store/store.ts';
import { encodeObject } from '../stored-form.ts';
import type { PortRange } from './node-ports.ts';

const KEY = '/registry/ranges/servicenodeports';
/** In how many rounds of repair a port without a service is found before it is freed. kube-apiserver's number. */
const LEAK_ROUNDS = 3;
const TYPE = { kind: 'RangeAllocation', apiVersion: 'v1' };

/** A snapshot of the allocations. */
interface TakenPorts {
  /** 0 if it has not been written yet. */
  readonly revision: number;
  readonly bits: bigint;
}

export class SharedPorts {
  readonly #store: Store;
  readonly #range: PortRange;

  constructor(store: Store, range: PortRange) {
    this.#store = store;
    this.#range = range;
  }

  /** @throws ApiError 500 if the object has another range */
  async read(): Promise<TakenPorts> {
    const entry = await this.#store.get(KEY);
    return entry === undefined ? { revision: 0, bits: 0n } : this.#parse(entry.value, entry.revision);
  }

  has({ bits }: TakenPorts, port: number): boolean {
    return ((bits >> this.#bit(port)) & 1n) === 1n;
  }

  /** Allocates free ports; false if the object has changed since it was read. */
  async take(taken: TakenPorts, ports: Iterable<number>): Promise<boolean> {
    let { bits } = taken;
    for (const port of this.#within(ports)) bits |= 1n << this.#bit(port);
    return bits === taken.bits || (await this.#write(taken, bits));
  }

  /** Ensures that ports are allocated, by anyone. */
  async ensure(ports: Iterable<number>): Promise<void> {
    await this.#change((bits) => this.#within(ports).reduce((all, port) => all | (1n << this.#bit(port)), bits));
  }

  async free(ports: Iterable<number>): Promise<void> {
    await this.#change((bits) => this.#within(ports).reduce((all, port) => all & ~(1n << this.#bit(port)), bits));
  }

  /**
   * Writes what services have, and what was taken for a service that is not stored: that goes when it has been so for
   * several rounds, for its server has died in between. A round that another server's write overtakes changes nothing.
   *
   * @param stored the ports of all services, at least as new as the call
   * @param leaks how many rounds ports without a service still stay, by port; changed
   */
  async repair(stored: () => Promise<Iterable<number>>, leaks: Map<number, number>): Promise<void> {
    const taken = await this.read();
    let bits = 0n;
    for (const port of this.#within(await stored())) bits |= 1n << this.#bit(port);
    const { first, last } = this.#range;
    for (let port = first; port <= last; port++) {
      const isLeak = this.has(taken, port) && !this.has({ ...taken, bits }, port);
      const rounds = isLeak ? (leaks.get(port) ?? LEAK_ROUNDS) - 1 : 0;
      if (rounds <= 0) leaks.delete(port);
      else {
        leaks.set(port, rounds);
        bits |= 1n << this.#bit(port);
      }
    }
    if (bits !== taken.bits || taken.revision === 0) await this.#write(taken, bits);
  }

  async #change(next: (bits: bigint) => bigint): Promise<void> {
    for (let attempt = 0; attempt <= limits.sharedPortAttempts; attempt++) {
      const taken = await this.read();
      const bits = next(taken.bits);
      if (bits === taken.bits || (await this.#write(taken, bits))) return;
    }
    throw errors.internal('the allocation of node ports is changed all the time');
  }

  async #write({ revision }: TakenPorts, bits: bigint): Promise<boolean> {
    const { first, last } = this.#range;
    const object = { metadata: {}, range: `${first}-${last}`, data: base64Of(bits) };
    const value = encodeObject(TYPE, object as Parameters<typeof encodeObject>[1]);
    return (await this.#store.put(KEY, value, revision === 0 ? 'absent' : revision)).written;
  }

  #parse(value: Buffer, revision: number): TakenPorts {
    const { range = '', data = '' } = parseJson(value) as { range?: string; data?: string };
    const { first, last } = this.#range;
    if (range !== '' && range !== `${first}-${last}`) {
      throw errors.internal(`the node ports ${first}-${last} do not match the range ${range} that is stored`);
    }
    const hex = Buffer.from(data, 'base64').toString('hex');
    return { revision, bits: hex === '' ? 0n : BigInt(`0x${hex}`) };
  }

  #within(ports: Iterable<number>): number[] {
    return [...ports].filter((port) => port >= this.#range.first && port <= this.#range.last);
  }

  #bit(port: number): bigint {
    return BigInt(port - this.#range.first);
  }
}

/** The bytes of a bigint, big-endian, without leading zeros. */
function base64Of(bits: bigint): string {
  if (bits === 0n) return '';
  const hex = bits.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64');
}
