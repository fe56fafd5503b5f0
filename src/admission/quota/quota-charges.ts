// Charging quotas: the writes of a namespace are counted one after the other, those that came while a quota was being
// written together, so that many at once neither exceed a quota nor keep each other waiting. What a quota says then is
// also said when others wrote it meanwhile.

import { ApiError } from '../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Soon } from '../../base/soon.ts';
import type { Undo } from '../chain.ts';
import { type Amounts, addAmounts, amountsAt, amountsObject, negated } from './amounts.ts';
import { addedUsage, chargeOf, checkCountable, type Demand, isCounted, usedAfter } from './quota-check.ts';

/** Where quotas are kept. */
export interface QuotaLedger {
  /** The quotas of a namespace by name, as of now; shared, not to be changed. */
  quotas(namespace: string): Soon<readonly ApiObject[]>;
  /**
   * Writes what is used of a quota.
   * @param used computes it from the quota as it is; may be called again when that changed; undefined changes nothing
   * @throws ApiError 404 when the quota is gone, 409 when others keep writing it
   */
  changeUsed(
    place: { namespace: string; name: string },
    used: (quota: ApiObject) => JsonObject | undefined,
  ): Promise<void>;
}

/** One who waits for his turn: to be counted, or (without a demand) to give back. */
interface Turn {
  readonly demand: Demand | undefined;
  /** What goes to which quota. */
  readonly charges: Map<string, Amounts>;
  failure: unknown;
  readonly done: () => void;
}

export class QuotaCharges {
  readonly #ledger: QuotaLedger;
  /** Who waits, by namespace; a namespace is there while somebody is served in it. */
  readonly #waiting = new Map<string, Turn[]>();

  constructor(ledger: QuotaLedger) {
    this.#ledger = ledger;
  }

  /**
   * Counts a write; resolves to what undoes that, undefined when it was nothing.
   * @throws ApiError 403 where a quota has no room
   */
  async charge(namespace: string, demand: Demand): Promise<Undo | undefined> {
    const { charges, failure } = await this.#takeTurn(namespace, new Map(), demand);
    if (failure !== undefined) throw failure;
    if (charges.size === 0) return undefined;
    return () => this.#giveBack(namespace, charges);
  }

  /** Never fails: a quota that can't be written now says too much until somebody counts anew. */
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

  /** Writes what all turns together change of a quota; those that find no room after all fail and get back the rest. */
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
      const isGone = error instanceof ApiError && error.code === 404;
      for (const turn of concerned) {
        if (isGone) turn.charges.delete(name);
        else refused.set(turn, error);
      }
    }
    for (const [turn, failure] of refused) {
      turn.failure = failure;
      const written = new Map([...turn.charges].filter(([other]) => other < name));
      turn.charges.clear();
      // Waits for the turn after this one, so nobody can wait for it here.
      if (turn.demand !== undefined && written.size > 0) void this.#giveBack(namespace, written);
    }
  }
}

/** Settles which quotas each turn charges; refuses those for which there is no room, before anything is written. */
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

/** What a demand charges and what is used then, by quota. @throws ApiError 403 where there is no room */
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

/** What is used of a quota after all turns, and which of them it has no room for. */
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

/** Somebody may have counted anew since the charge: less than nothing is never used, nor what is no longer counted. */
function returned(used: Amounts, charge: Amounts): Amounts {
  const known = new Map([...charge].filter(([name]) => used.has(name)));
  const after = addAmounts(new Map(used), known);
  for (const [name, amount] of after) if (amount.mantissa < 0n) after.set(name, { ...amount, mantissa: 0n });
  return after;
}
