// One write in progress: it accompanies an object from the request to the store. It holds what every step needs to know
// of the write, and what is to be undone should the object not be stored after all.

import type { Admission, Undo } from '../admission/chain.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import type { StrategyContext } from '../resources/definition.ts';
import type { EmptyMember } from '../schema/decode.ts';
import { gatesInUse } from '../schema/gates-in-use.ts';
import type { Reservation } from './allocation.ts';
import { Leftovers } from './leftovers.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import type { WriteOptions } from './write-options.ts';

/** What writes need beyond reads. */
export interface WriteContext {
  readonly registry: Registry;
  readonly admission: Admission;
}

const NO_GATES: ReadonlySet<string> = new Set();

export class Write implements WriteContext {
  readonly registry: Registry;
  readonly admission: Admission;
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  /** The turns in which the write is worked on where its body is long: between two steps others may have theirs. */
  readonly turn: Turn | undefined;
  /** The lists and maps that the object gives as empty; decoding fills it. */
  empties: EmptyMember[] = [];
  /** What Kubernetes stores of the object beside what its members say; see `Leftovers`. */
  readonly leftovers: Leftovers;
  /**
   * Whether fields behind a feature gate are kept: where it is on, and where the object that is changed has such fields
   * already, as in Kubernetes.
   */
  readonly gateEnabled = (gate: string): boolean => this.registry.gateEnabled(gate) || this.#uses(gate);
  #gatesInUse: ReadonlySet<string> | undefined;
  #reservations: Reservation[] = [];

  constructor(
    { registry, admission }: WriteContext,
    request: ResourceRequest,
    options: WriteOptions & { readonly turn?: Turn | undefined },
  ) {
    this.registry = registry;
    this.admission = admission;
    this.request = request;
    this.options = options;
    this.turn = options.turn;
    this.leftovers = new Leftovers(request);
  }

  /** Whether all is done but storing. */
  get dryRun(): boolean {
    return this.options.dryRun;
  }

  #uses(gate: string): boolean {
    this.#gatesInUse ??= this.#readGatesInUse();
    return this.#gatesInUse.has(gate);
  }

  #readGatesInUse(): ReadonlySet<string> {
    const { definition, namespace, name } = this.request;
    const stored = definition.custom || name === '' ? undefined : this.registry.known(definition, namespace, name);
    if (stored === undefined) return NO_GATES;
    return gatesInUse(definition.storage.schema, this.registry.decoded.peek(stored.bytes) ?? decodeStored(stored));
  }

  /** What the kind's rules may look at, as of now. */
  strategyContext(): StrategyContext {
    return this.registry.strategyContext(this.request.user);
  }

  /** The object is decoded anew: what the last decoding found empty is forgotten. */
  decodesAnew(): { readonly empties: EmptyMember[]; readonly oddBytes: string[] | undefined } {
    this.empties = [];
    return { empties: this.empties, oddBytes: this.leftovers.decodesAnew() };
  }

  /** Something was taken for the object, until the attempt to store it ends. */
  reserve(reservation: Reservation): void {
    this.#reservations.push(reservation);
  }

  /** Something has to be undone should the attempt to store the object fail. */
  undoUnlessStored(undo: Undo): void {
    this.reserve({ undo });
  }

  /**
   * An attempt to store the object has ended: what was reserved is kept in the order in which it was taken, or undone
   * in the opposite one. A further attempt begins with nothing.
   * @throws what the first failure of a reservation was, once all have been told
   */
  endAttempt(stored: boolean): Soon<void> {
    const reservations = this.#reservations;
    if (reservations.length === 0) return;
    this.#reservations = [];
    return stored
      ? runAll(reservations.map((each) => () => each.keep?.()))
      : runAll(reservations.reverse().map((each) => () => each.undo()));
  }
}

async function runAll(steps: readonly (() => Soon<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
