// A value paired with its previous one, by the schema that determines which fields and items correspond. Unchanged
// values may violate the schema and its rules.

import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Json } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { itemsByKey } from './list-types.ts';
import type { SchemaPart } from './schema-part.ts';

export class CorrelatedPair {
  readonly #value: Json;
  readonly #previous: Json;
  readonly #part: SchemaPart;
  #isEqual: boolean | undefined;
  #previousItem: ((item: Json) => Json | undefined) | undefined;

  constructor(value: Json, previous: Json, part: SchemaPart) {
    this.#value = value;
    this.#previous = previous;
    this.#part = part;
  }

  /** Keyed lists are compared by key; values without a schema count as changed. */
  get isEqual(): boolean {
    this.#isEqual ??= this.#compare();
    return this.#isEqual;
  }

  member(name: string): CorrelatedPair | undefined {
    const part = this.#part.member(name);
    if (part === undefined || !isObject(this.#value) || !isObject(this.#previous)) return undefined;
    const [value, previous] = [ownMember(this.#value, name), ownMember(this.#previous, name)];
    return value === undefined || previous === undefined ? undefined : new CorrelatedPair(value, previous, part);
  }

  item(index: number): CorrelatedPair | undefined {
    const { items, listType } = this.#part;
    if (items === undefined || listType !== 'map') return undefined;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#previous)) return undefined;
    const value = this.#value[index] as Json;
    this.#previousItem ??= itemsByKey(this.#previous, this.#part);
    const previous = this.#previousItem(value);
    return previous === undefined ? undefined : new CorrelatedPair(value, previous, items);
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
