// The ranges of service addresses: those of ready ServiceCIDR objects, whose readiness controllers determine. Without such
// objects, in releases that have none, the server's own.

import type { Condition } from '../../resources/builtin/meta/v1-objects.ts';
import type { ServiceCIDR } from '../../resources/builtin/networking/v1-objects.ts';
import { type IpFamily, parseCidr } from '../../resources/validation/ip-addresses.ts';
import type { CachedObject, WatchCache } from '../../watchcache/types.ts';
import { decodeStored } from '../stored-form.ts';
import { AddressRange } from './address-range.ts';

export class ServiceRanges {
  /** The server's own, that of the default family first. */
  readonly own: readonly AddressRange[];
  /** Of ready objects, by name. */
  readonly #ready = new Map<string, readonly AddressRange[]>();
  #follows = false;

  /** @param own CIDR blocks; invalid ones are ignored */
  constructor(own: readonly string[]) {
    this.own = rangesOf(own);
  }

  /** Follows the ServiceCIDR objects of `cache`: from now on only their ranges count. */
  follow(cache: WatchCache): void {
    this.#follows = true;
    cache.watch({
      selection: { namespace: undefined, name: undefined, matches: undefined },
      from: 'state',
      sink: {
        initial: (object) => this.#learn(object),
        initialEnd: () => true,
        event: (_type, _object, { current, previous }) => {
          if (current !== undefined) return this.#learn(current);
          if (previous !== undefined) this.#ready.delete(previous.name);
          return true;
        },
        end: () => {},
      },
    });
  }

  /** All ranges without duplicates. */
  all(): readonly AddressRange[] {
    const all = this.#follows ? [...this.#ready.values()].flat() : this.own;
    return [...new Map(all.map((range) => [String(range), range])).values()];
  }

  /** Those of one family, in the order in which they are tried. */
  of(family: IpFamily): readonly AddressRange[] {
    return this.all().filter((range) => range.family === family);
  }

  #learn(stored: CachedObject): boolean {
    const { metadata, spec, status } = decodeStored(stored) as ServiceCIDR;
    const { name = '', deletionTimestamp } = metadata;
    const ready = deletionTimestamp === undefined && (status?.conditions ?? []).some(isReady);
    if (ready) this.#ready.set(name, rangesOf(spec?.cidrs ?? []));
    else this.#ready.delete(name);
    return true;
  }
}

function isReady({ type, status }: Condition): boolean {
  return type === 'Ready' && status === 'True';
}

function rangesOf(texts: readonly string[]): AddressRange[] {
  return texts.flatMap((text) => {
    const block = parseCidr(text.trim());
    return block === undefined ? [] : [new AddressRange(block)];
  });
}
