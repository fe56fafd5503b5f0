// Charging of quotas: writes of a namespace are counted one after another, and those that arrive while a quota is being
// written are batched, so that many concurrent writes neither exceed a quota nor wait for each other. Concurrent
// writers of a quota are respected.

import { isMissing } from '../../api/error-reasons.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Soon } from '../../base/soon.ts';
import type { Undo } from '../chain.ts';
import { type Amounts, addAmounts, amountsAt, amountsObject, negated } from './amounts.ts';
import { addedUsage, chargeOf, checkCountable, type Demand, isCounted, usedAfter } from './quota-check.ts';

/** Storage of quotas. */
export interface QuotaLedger {
  /** The current quotas of a namespace, sorted by name; shared, must not be modified. */
  quotas(namespace: string): Soon<readonly ApiObject[]>;
  /**
   * Updates the usage of a quota.
   * @param used computes it from the current quota; called again if that changed; undefined for no change
   * @throws ApiError 404 if the quota was deleted, 409 if it keeps changing
   */
  changeUsed(
    place: { namespace: string; name: string },
    used: (quota: ApiObject) => JsonObject | undefined,
  ): Promise<void>;
}

/** A waiting charge, or (without a demand) a waiting release. */
interface Turn {
  readonly demand: Demand | undefined;
  /** Charges by quota. */
  readonly charges: Map<string, Amounts>;
  failure: unknown;
  readonly done: () => void;
}

export class QuotaCharges {
  readonly #ledger: QuotaLedger;
  /** Waiting turns by namespace; a namespace is present while one of its turns is being processed. */
  readonly #waiting = new Map<string, Turn[]>();

  constructor(ledger: QuotaLedger) {
    this.#ledger = ledger;
  }

  /**
   * Charges a write; resolves to its undo function, undefined if nothing was charged.
   * @throws ApiError 403 if a quota is exceeded
   */
  async charge(namespace: string, demand: Demand): Promise<Undo | undefined> {
    const { charges, failure } = await this.#takeTurn(namespace, new Map(), demand);
    if (failure !== undefined) throw failure;
    if (charges.size === 0) return undefined;
    return () => this.#giveBack(namespace, charges);
  }

  /** Never fails: if a quota cannot be written, its usage is too high until it is recounted. */
  async #giveBack(namespace: string, charges: Map<string, Amounts>): Promise<void> {
    const returned = new Map([...charges].map(([name, amounts]) => [name, negated(amounts)]));
    await this.#takeTurn(namespace, returned);
  }

  #takeTurn(namespace: string, charges: Map<string, Amounts>, demand?: Demand): Promise<Turn> {
    return new Promise((resolve) => {
      const turn: Turn = { demand, charges, failure: undefined, done: () => resolve(turn) };
      const waiting = this.#waiting.get(namespace);
      if (waiting !== undefined) {
        waiting.push(turn);
        return;
      }
      this.#waiting.set(namespace, [turn]);
      void this.#serve(namespace);
    });
  }

  async #serve(namespace: string): Promise<void> {
    for (;;) {
      const turns = this.#waiting.get(namespace) ?? [];
      if (turns.length === 0) break;
      this.#waiting.set(namespace, []);
      try {
        await this.#settle(namespace, turns);
      } catch (error) {
        for (const turn of turns) turn.failure ??= error;
      }
      for (const turn of turns) turn.done();
    }
    this.#waiting.delete(namespace);
  }

  async #settle(namespace: string, turns: readonly Turn[]): Promise<void> {
    assess(await this.#ledger.quotas(namespace), turns);
    const names = new Set(turns.flatMap(({ charges }) => [...charges.keys()]));
    for (const name of [...names].sort()) await this.#write({ namespace, name }, turns);
  }

  /** Writes the combined change of all turns to a quota; those that do not fit fail and are refunded for the rest. */
  async #write(place: { namespace: string; name: string }, turns: readonly Turn[]): Promise<void> {
    const { namespace, name } = place;
    let refused = new Map<Turn, unknown>();
    const concerned = turns.filter(({ charges, failure }) => failure === undefined && charges.has(name));
    try {
      await this.#ledger.changeUsed(place, (quota) => {
        const tally = tallied(quota, concerned);
        refused = tally.refused;
        return refused.size === concerned.length ? undefined : amountsObject(tally.used);
      });
    } catch (error) {
      const isGone = isMissing(error);
      for (const turn of concerned) {
        if (isGone) turn.charges.delete(name);
        else refused.set(turn, error);
      }
    }
    for (const [turn, failure] of refused) {
      turn.failure = failure;
      const written = new Map([...turn.charges].filter(([other]) => other < name));
      turn.charges.clear();
      // Waits for the following turn, so it cannot be awaited here.
      if (turn.demand !== undefined && written.size > 0) void this.#giveBack(namespace, written);
    }
  }
}

/** Determines which quotas each turn charges; rejects those that do not fit, before anything is written. */
function assess(quotas: readonly ApiObject[], turns: readonly Turn[]): void {
  const used = new Map(quotas.map((quota) => [quota, amountsAt(quota, 'status', 'used')]));
  for (const turn of turns) {
    const { demand } = turn;
    if (demand === undefined) continue;
    try {
      const after = room(demand, used);
      if (demand.admission.dryRun) continue;
      for (const [quota, { charge, total }] of after) {
        used.set(quota, total);
        turn.charges.set(quota.metadata.name ?? '', charge);
      }
    } catch (error) {
      turn.failure = error;
    }
  }
}

/** What a demand charges, and the resulting usage, by quota. @throws ApiError 403 if it does not fit */
function room(demand: Demand, used: ReadonlyMap<ApiObject, Amounts>) {
  const counting = [...used].filter(([quota]) => isCounted(quota, demand));
  for (const [quota] of counting) checkCountable(quota, demand);
  const after = new Map<ApiObject, { charge: Amounts; total: Amounts }>();
  for (const [quota, before] of counting) {
    const charge = chargeOf(quota, addedUsage(demand, quota));
    if (charge.size > 0) after.set(quota, { charge, total: usedAfter(quota, before, { charge, demand }) });
  }
  return after;
}

/** The usage of a quota after all turns, and the turns that do not fit. */
function tallied(quota: ApiObject, turns: readonly Turn[]): { used: Amounts; refused: Map<Turn, unknown> } {
  const refused = new Map<Turn, unknown>();
  let used = amountsAt(quota, 'status', 'used');
  for (const turn of turns) {
    const charge = turn.charges.get(quota.metadata.name ?? '') ?? new Map();
    if (turn.demand === undefined) {
      used = returned(used, charge);
      continue;
    }
    try {
      used = usedAfter(quota, used, { charge, demand: turn.demand });
    } catch (error) {
      refused.set(turn, error);
    }
  }
  return { used, refused };
}

/**
 * The quota may have been recounted since the charge: usage is never negative, and names that are no longer counted are
 * ignored.
 */
function returned(used: Amounts, charge: Amounts): Amounts {
  const known = new Map([...charge].filter(([name]) => used.has(name)));
  const after = addAmounts(new Map(used), known);
  for (const [name, amount] of after) if (amount.mantissa < 0n) after.set(name, { ...amount, mantissa: 0n });
  return after;
}
