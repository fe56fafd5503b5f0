// Correlation of values with their old ones, for transition rules and ratcheting: what nobody touched may go on
// breaking a rule.

import type { Json } from '../api/object.ts';
import { CorrelatedPair } from '../schema/structural/correlated-pair.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';

/** A value, what it was, and the nearest place above it that can be told so. */
export class Correlation {
  readonly #pair: CorrelatedPair | undefined;
  readonly #nearest: CorrelatedPair | undefined;
  readonly #isRoot: boolean;

  private constructor(pair: CorrelatedPair | undefined, nearest: CorrelatedPair | undefined, isRoot: boolean) {
    this.#pair = pair;
    this.#nearest = nearest;
    this.#isRoot = isRoot;
  }

  /** Undefined at creation, which has no past. */
  static ofRoot(value: Json, previous: Json | undefined, part: SchemaPart): Correlation | undefined {
    if (previous === undefined) return undefined;
    return new Correlation(new CorrelatedPair(value, previous, part), undefined, true);
  }

  member(name: string): Correlation {
    if (this.#pair === undefined) return this;
    // Both objects are read in one version, so that nothing would be seen of a change of these.
    if (this.#isRoot && (name === 'apiVersion' || name === 'kind')) return new Correlation(undefined, undefined, false);
    return new Correlation(this.#pair.member(name), this.#pair, false);
  }

  item(index: number): Correlation {
    return this.#pair === undefined ? this : new Correlation(this.#pair.item(index), this.#pair, false);
  }

  /** Whether the value is what it was, or what surrounds it. */
  get isUnchanged(): boolean {
    return (this.#pair ?? this.#nearest)?.isEqual === true;
  }
}
