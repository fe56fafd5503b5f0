// Maps that grow entry by entry, as the accumulator of a fold does: each is an immutable value, but they share entries
// while only the latest is extended, so that n entries cost n steps and not n copies.

import { EvaluationError } from './evaluation-error.ts';
import { type KeyForm, keyForm } from './map.ts';
import { formatValue } from './text.ts';
import { MapValue, type Value } from './value.ts';

interface Entries {
  readonly keys: Value[];
  readonly values: Value[];
  /** The position of each key. */
  readonly places: Map<KeyForm, number>;
}

export class GrowingMap extends MapValue {
  readonly size: number;
  /** The entries of this map and possibly of maps derived from it, which come later. */
  readonly #entries: Entries;

  private constructor(entries: Entries, size: number) {
    super();
    this.#entries = entries;
    this.size = size;
  }

  /** A map with the entries of another. */
  static from(map: MapValue): GrowingMap {
    if (map instanceof GrowingMap) {
      return map;
    }
    const keys = [...map.keys()];
    const places = new Map(keys.map((key, place) => [keyForm(key), place]));
    const values = keys.map((key) => map.get(key) as Value);
    return new GrowingMap({ keys, values, places }, keys.length);
  }

  /** This map and one entry more. Throws EvaluationError where the key is there already. */
  with(key: Value, value: Value): GrowingMap {
    if (this.get(key) !== undefined) {
      throw new EvaluationError(`insert failed: key ${formatValue(key)} already exists`);
    }
    const entries = this.#entries.keys.length === this.size ? this.#entries : this.#copy();
    entries.keys.push(key);
    entries.values.push(value);
    entries.places.set(keyForm(key), this.size);
    return new GrowingMap(entries, this.size + 1);
  }

  get(key: Value): Value | undefined {
    const place = this.#entries.places.get(keyForm(key));
    return place !== undefined && place < this.size ? this.#entries.values[place] : undefined;
  }

  keys(): readonly Value[] {
    return this.#entries.keys.slice(0, this.size);
  }

  #copy(): Entries {
    const keys = this.#entries.keys.slice(0, this.size);
    const values = this.#entries.values.slice(0, this.size);
    return { keys, values, places: new Map(keys.map((key, place) => [keyForm(key), place])) };
  }
}
