// A write in progress: accompanies an object from the request to the store. It holds what every step needs to know, and
// what has to be undone if the object is not stored.

import type { Admission, Undo } from '../admission/chain.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { resumed } from '../base/resumed.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { inTurns } from '../base/steps.ts';
import type { StrategyContext } from '../resources/definition.ts';
import type { EmptyMember } from '../schema/decode.ts';
import { gatesInUse } from '../schema/gates-in-use.ts';
import type { Reservation } from './allocation.ts';
import { Leftovers } from './leftovers.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest, StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import type { WriteOptions } from './write-options.ts';

/** Dependencies of writes in addition to those of reads. */
export interface WriteContext {
  readonly registry: Registry;
  readonly admission: Admission;
}

/** For writes that admission does not judge. */
export const ADMITTED: Admission = { admit: () => undefined, admitWhole: async () => {}, validate: () => undefined };

const NO_GATES: ReadonlySet<string> = new Set();

export class Write implements WriteContext {
  readonly registry: Registry;
  readonly admission: Admission;
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  #turn: Turn | undefined;
  /** The lists and maps that are empty in the body; filled by decoding. */
  empties: EmptyMember[] = [];
  /** The kind in the body of a custom resource, if it is another one: refused when the object is validated, or not at all. */
  otherKind: string | undefined;
  /** What Kubernetes stores of the object in addition to its fields; see `Leftovers`. */
  readonly leftovers: Leftovers;
  /**
   * Whether fields behind a feature gate are kept: if it is enabled, or if the object that is changed already has such
   * fields, as in Kubernetes.
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
    this.#turn = options.turn;
    this.leftovers = new Leftovers(request);
  }

  /** Cooperative slices for a write with a long body, or of a long object. */
  get turn(): Turn | undefined {
    return this.#turn;
  }

  /** A short change of a long object is long work, too. */
  slicesFor({ bytes }: StoredObject): void {
    if (bytes.length < limits.wholeJsonCharacters) return;
    this.#turn ??= this.registry.turns.begin({ taskName: 'changing a long object' });
  }

  /** Runs a computation that can be resumed, in slices if it takes long. */
  inSlices<Result>(compute: () => Result): Soon<Result> {
    const steps = resumed(compute, () => this.registry.clock.now());
    const first = steps.next();
    if (first.done) return first.value;
    this.#turn ??= this.registry.turns.begin({ taskName: `validating ${this.request.definition.resource}` });
    return inTurns(steps, this.#turn);
  }

  /** Whether it is a dry run. */
  get dryRun(): boolean {
    return this.options.dryRun;
  }

  #uses(gate: string): boolean {
    const { definition, subresource } = this.request;
    if (ownMember(definition.strategy.subresources, subresource)?.keepsGated === true) return true;
    if (definition.keptGates?.includes(gate) === true) return true;
    this.#gatesInUse ??= this.#readGatesInUse();
    return this.#gatesInUse.has(gate);
  }

  #readGatesInUse(): ReadonlySet<string> {
    const { definition, namespace, name } = this.request;
    const type = definition.codec.typeOf(definition.storage.schema);
    const stored = type === undefined || name === '' ? undefined : this.registry.known(definition, namespace, name);
    if (type === undefined || stored === undefined) return NO_GATES;
    return gatesInUse(type, this.registry.decoded.peek(stored.bytes) ?? decodeStored(stored));
  }

  /** The current context of strategies. */
  strategyContext(): StrategyContext {
    const { request, registry } = this;
    return registry.strategyContext(request.user, (warning) => void request.warnings.push(warning));
  }

  /** Lets other requests run where the write has been long; a short one goes on at once. */
  pause(): Soon<void> {
    return this.#turn?.over();
  }

  /** Called when the object is decoded again: forgets what the last decoding found empty. */
  decodesAnew(): { readonly empties: EmptyMember[]; readonly oddBytes: string[] | undefined } {
    this.empties = [];
    return { empties: this.empties, oddBytes: this.leftovers.decodesAnew() };
  }

  /** Adds a reservation that is kept or undone at the end of the attempt to store the object. */
  reserve(reservation: Reservation): void {
    this.#reservations.push(reservation);
  }

  /** Adds an action that undoes something if the attempt to store the object fails. */
  undoUnlessStored(undo: Undo): void {
    this.reserve({ undo });
  }

  /** Adds an action for when the object has been stored. */
  whenStored(done: () => void): void {
    this.reserve({ keep: async () => done(), undo: async () => {} });
  }

  /**
   * Ends an attempt to store the object: reservations are kept in order, or undone in reverse order. The next attempt
   * starts without any.
   * @throws the first error of a reservation, after all have been processed
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
