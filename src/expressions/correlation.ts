// Correlation of values with previous ones, for transition rules and ratcheting: unchanged values may violate a rule.

import type { Json } from '../api/object.ts';
import { CorrelatedPair } from '../schema/structural/correlated-pair.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';

/** A value, its previous value, and the nearest enclosing place that can be compared. */
export class Correlation {
  readonly #pair: CorrelatedPair | undefined;
  readonly #nearest: CorrelatedPair | undefined;
  readonly #isRoot: boolean;

  private constructor(pair: CorrelatedPair | undefined, nearest: CorrelatedPair | undefined, isRoot: boolean) {
    this.#pair = pair;
    this.#nearest = nearest;
    this.#isRoot = isRoot;
  }

  /** Undefined for a create. */
  static ofRoot(value: Json, previous: Json | undefined, part: SchemaPart): Correlation | undefined {
    if (previous === undefined) return undefined;
    return new Correlation(new CorrelatedPair(value, previous, part), undefined, true);
  }

  member(name: string): Correlation {
    if (this.#pair === undefined) return this;
    // Both objects are decoded in one version, so changes of these would go unnoticed.
    if (this.#isRoot && (name === 'apiVersion' || name === 'kind')) return new Correlation(undefined, undefined, false);
    return new Correlation(this.#pair.member(name), this.#pair, false);
  }

  item(index: number): Correlation {
    return this.#pair === undefined ? this : new Correlation(this.#pair.item(index), this.#pair, false);
  }

  /** Whether the value, or what encloses it, is unchanged. */
  get isUnchanged(): boolean {
    return (this.#pair ?? this.#nearest)?.isEqual === true;
  }
}
