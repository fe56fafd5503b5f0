// Correlation of values with their old ones, for transition rules and ratcheting: what nobody touched may go on
// breaking a rule.

import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { sameItem } from '../schema/structural/list-types.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';

/** A value, what it was, and the nearest place above it that can be told so. */
export class Correlation {
  readonly #pair: Pair | undefined;
  readonly #nearest: Pair | undefined;
  readonly #isRoot: boolean;

  private constructor(pair: Pair | undefined, nearest: Pair | undefined, isRoot: boolean) {
    this.#pair = pair;
    this.#nearest = nearest;
    this.#isRoot = isRoot;
  }

  /** Undefined at creation, which has no past. */
  static ofRoot(value: Json, previous: Json | undefined, part: SchemaPart): Correlation | undefined {
    if (previous === undefined) return undefined;
    return new Correlation(new Pair(value, previous, part), undefined, true);
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

class Pair {
  readonly #value: Json;
  readonly #previous: Json;
  readonly #part: SchemaPart;
  #isEqual: boolean | undefined;

  constructor(value: Json, previous: Json, part: SchemaPart) {
    this.#value = value;
    this.#previous = previous;
    this.#part = part;
  }

  /** Keyed lists are compared by their keys; what no schema describes counts as changed. */
  get isEqual(): boolean {
    this.#isEqual ??= this.#compare();
    return this.#isEqual;
  }

  member(name: string): Pair | undefined {
    const part = this.#part.member(name);
    if (part === undefined || !isObject(this.#value) || !isObject(this.#previous)) return undefined;
    const [value, previous] = [this.#value[name], this.#previous[name]];
    return value === undefined || previous === undefined ? undefined : new Pair(value, previous, part);
  }

  item(index: number): Pair | undefined {
    const { items, listType } = this.#part;
    if (items === undefined || listType !== 'map') return undefined;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#previous)) return undefined;
    const value = this.#value[index] as Json;
    const previous = sameItem(this.#previous, value, this.#part);
    return previous === undefined ? undefined : new Pair(value, previous, items);
  }

  #compare(): boolean {
    const [value, previous] = [this.#value, this.#previous];
    if (Array.isArray(value) && Array.isArray(previous)) {
      if (value.length !== previous.length) return false;
      if (this.#part.listType !== 'map') return equalJson(value, previous);
      return value.every((_, index) => this.item(index)?.isEqual === true);
    }
    if (isObject(value) && isObject(previous)) {
      const names = Object.keys(value);
      if (names.length !== Object.keys(previous).length) return false;
      return names.every((name) => this.member(name)?.isEqual === true);
    }
    return equalJson(value, previous);
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
