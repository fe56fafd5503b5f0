// JSON lists as CEL values. Sets and keyed lists are equal regardless of order, and concatenation keeps the order of
// existing items.

import type { Json } from '../api/object.ts';
import { ArrayList } from '../cel/value/array-list.ts';
import { equalPart } from '../cel/value/equality.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { Double, ListValue, MapValue, type Value } from '../cel/value/value.ts';

/** A list of an object, or the result of a concatenation. */
abstract class ObjectList extends ListValue {
  override readonly indexedByInt: boolean;
  override readonly comparesOnlyAlike: boolean;

  constructor(comparesOnlyAlike: boolean, indexedByInt = true) {
    super();
    this.comparesOnlyAlike = comparesOnlyAlike;
    this.indexedByInt = indexedByInt;
  }
}

interface JsonListFacts {
  /** Whether it has a schema: then it can only be compared with lists. */
  readonly isTyped: boolean;
  /** Whether a concatenation is a list like those that an expression makes, as from 1.37 on. */
  readonly growsPlain?: boolean;
}

/** A list whose items are converted on access. */
export class JsonList extends ObjectList {
  readonly #items: readonly Json[];
  readonly #read: (json: Json) => Value;
  readonly growsPlain: boolean;

  constructor(items: readonly Json[], read: (json: Json) => Value, { isTyped, growsPlain = false }: JsonListFacts) {
    super(isTyped);
    this.#items = items;
    this.#read = read;
    this.growsPlain = growsPlain;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return this.#read(this.#items[index] as Json);
  }

  override concat(other: ListValue): ListValue {
    const values = [...valuesOf(this), ...valuesOf(other)];
    return this.growsPlain ? new ArrayList(values) : new GrownList(values, this.comparesOnlyAlike);
  }
}

class GrownList extends ObjectList {
  readonly #values: readonly Value[];

  constructor(values: readonly Value[], comparesOnlyAlike: boolean) {
    super(comparesOnlyAlike);
    this.#values = values;
  }

  get size(): number {
    return this.#values.length;
  }

  at(index: number): Value {
    return this.#values[index] as Value;
  }

  override concat(other: ListValue): ListValue {
    return new GrownList([...this.#values, ...valuesOf(other)], this.comparesOnlyAlike);
  }
}

/** `x-kubernetes-list-type: set`: `+` is a union. */
export class SetList extends ObjectList {
  readonly #items: JsonList | ArrayList | GrownList;
  #known: Set<unknown> | undefined;

  constructor(items: JsonList | ArrayList | GrownList) {
    super(true, !(items instanceof ArrayList));
    this.#items = items;
  }

  get size(): number {
    return this.#items.size;
  }

  at(index: number): Value {
    return this.#items.at(index);
  }

  override equals(other: ListValue): boolean {
    return this.size === other.size && valuesOf(other).every((value) => this.#has(value));
  }

  override concat(other: ListValue): ListValue {
    const values = valuesOf(this);
    const known = new Set(this.#keys());
    for (const value of valuesOf(other)) {
      const key = scalarKey(value);
      if (!known.has(key)) values.push(value);
      known.add(key);
    }
    return new SetList(grown(this.#items, values));
  }

  #has(value: Value): boolean {
    return this.#keys().has(scalarKey(value));
  }

  #keys(): Set<unknown> {
    this.#known ??= new Set(valuesOf(this).map(scalarKey));
    return this.#known;
  }
}

/** `x-kubernetes-list-type: map`: `+` replaces items with the same keys by those of the right. */
export class KeyedList extends ObjectList {
  readonly #items: JsonList | ArrayList | GrownList;
  readonly #keys: readonly string[];
  #places: Map<string, number> | undefined;

  /** @param keys the key fields, by their names in expressions */
  constructor(items: JsonList | ArrayList | GrownList, keys: readonly string[]) {
    super(true, !(items instanceof ArrayList));
    this.#items = items;
    this.#keys = keys;
  }

  get size(): number {
    return this.#items.size;
  }

  at(index: number): Value {
    return this.#items.at(index);
  }

  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const places = this.#placesByKey();
    return valuesOf(other).every((value) => {
      const place = places.get(this.#keyOf(value));
      return place !== undefined && equalPart(this.at(place), value);
    });
  }

  override concat(other: ListValue): ListValue {
    const values = valuesOf(this);
    const places = this.#placesByKey();
    for (const value of valuesOf(other)) {
      const place = places.get(this.#keyOf(value));
      if (place === undefined) values.push(value);
      else values[place] = value;
    }
    return new KeyedList(grown(this.#items, values), this.#keys);
  }

  #placesByKey(): ReadonlyMap<string, number> {
    this.#places ??= new Map(valuesOf(this).map((value, index) => [this.#keyOf(value), index]));
    return this.#places;
  }

  #keyOf(value: Value): string {
    if (!(value instanceof MapValue)) throw new EvaluationError('no such overload');
    return JSON.stringify(this.#keys.map((key) => String(scalarKey(value.get(key) ?? null))));
  }
}

/** The items of a set or keyed list after a concatenation. */
function grown(items: JsonList | ArrayList | GrownList, values: readonly Value[]): ArrayList | GrownList {
  const isPlain = items instanceof ArrayList || (items instanceof JsonList && items.growsPlain);
  return isPlain ? new ArrayList(values) : new GrownList(values, true);
}

function valuesOf(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** Scalars as keys of a Set; other values are only equal to themselves. */
function scalarKey(value: Value): unknown {
  if (value instanceof Double) return `double ${value.value}`;
  return typeof value === 'bigint' ? `int ${value}` : value;
}
