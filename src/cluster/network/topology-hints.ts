// Topology aware hints of services: what is known of zones, which services have hints by them, and the events that say why
// one has none.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { Informer } from '../informer.ts';
import { keyOf } from '../reconciler.ts';
import { isTopologyAware, readyEndpoints, withCloseHints, withoutHints, withSharedHints } from './slice-hints.ts';
import type { SlicePlan } from './slice-plan.ts';
import { isOverloaded, isShareChanged, zoneRatios, zoneShares } from './zone-shares.ts';

/** An event about a service. */
export interface HintNotice {
  readonly isEnabled: boolean;
  readonly message: string;
}

interface HintedPlan {
  readonly plan: SlicePlan;
  readonly notice?: HintNotice | undefined;
}

export class TopologyHints {
  readonly #nodes: Informer<Node>;
  /** Endpoints meant for each zone, by address type, by key of the service. */
  readonly #counts = new Map<string, Map<string, ReadonlyMap<string, number>>>();
  /** Keys of services that were told that they have hints. */
  readonly #told = new Set<string>();
  #ratios: ReadonlyMap<string, number> | undefined;
  #isKnown = false;

  /** @param look called with the key of a service whose hints may not fit the nodes any more */
  constructor(nodes: Informer<Node>, look: (key: string) => void) {
    this.#nodes = nodes;
    const changed = () => {
      this.#isKnown = false;
      for (const key of this.#overloaded()) look(key);
    };
    nodes.follow({
      changed: (node, previous) => {
        if (previous === undefined || isShareChanged(previous, node)) changed();
      },
      removed: changed,
    });
  }

  /** The plan for the slices of an address type with the hints that the service asks for. */
  hinted(service: Service, type: string, plan: SlicePlan): HintedPlan {
    const key = keyOf(service);
    if (isTopologyAware(service)) return this.#shared(key, type, plan);
    const notice = this.#told.has(key) ? disabled('Topology Aware Hints has been disabled', type) : undefined;
    this.forget(key, type);
    return { plan: withCloseHints(plan, service), notice };
  }

  #shared(key: string, type: string, plan: SlicePlan): HintedPlan {
    const isTold = this.#told.has(key);
    const found = this.#sharedHints(plan);
    if (typeof found === 'string') {
      this.forget(key, type);
      return { plan: withoutHints(plan), notice: disabled(found, type) };
    }
    const counts = this.#counts.get(key) ?? new Map();
    this.#counts.set(key, counts.set(type, found.counts));
    this.#told.add(key);
    const notice = { isEnabled: true, message: `Topology Aware Hints has been enabled, addressType: ${type}` };
    return { plan: found.plan, notice: isTold ? undefined : notice };
  }

  /** @returns why there are none, if so */
  #sharedHints(plan: SlicePlan): Exclude<ReturnType<typeof withSharedHints>, undefined> | string {
    const ratios = this.#zoneRatios();
    if (ratios === undefined)
      return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
    const count = readyEndpoints(plan);
    const numbers = `(${count} endpoints, ${ratios.size} zones)`;
    if (ratios.size > count) return `Insufficient number of endpoints ${numbers}`;
    const shares = zoneShares(ratios, count);
    if (shares === undefined)
      return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`;
    return withSharedHints(plan, shares) ?? 'One or more endpoints do not have a zone specified';
  }

  /** Forgets the hints of a service in the slices of an address type, by default of all. */
  forget(key: string, type?: string): void {
    const counts = this.#counts.get(key);
    if (type !== undefined) counts?.delete(type);
    if (type === undefined || counts?.size === 0) this.#counts.delete(key);
    this.#told.delete(key);
  }

  #overloaded(): string[] {
    if (this.#counts.size === 0) return [];
    const ratios = this.#zoneRatios();
    const found = [...this.#counts].filter(([, types]) => {
      return [...types.values()].some((counts) => isOverloaded(counts, ratios));
    });
    return found.map(([key]) => key);
  }

  #zoneRatios(): ReadonlyMap<string, number> | undefined {
    if (!this.#isKnown) this.#ratios = zoneRatios(this.#nodes.list());
    this.#isKnown = true;
    return this.#ratios;
  }
}

function disabled(why: string, type: string): HintNotice {
  return { isEnabled: false, message: `${why}, addressType: ${type}` };
}
