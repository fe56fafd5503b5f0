// Enumerations in schemas of custom resources, prepared for comparison with many values.

import { fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Json } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';
import { identityText } from './value-identity.ts';

/** Enumerations by schema place: only a cache. */
const enumerations = new WeakMap<SchemaPart, Enumeration>();

/** The values of an `enum`: of thousands of items, each may be compared with thousands of values. */
class Enumeration {
  /** Texts, booleans and numbers. */
  readonly #scalars: ReadonlySet<Json>;
  /** Objects and lists, by their texts. */
  readonly #structures: ReadonlyMap<string, readonly Json[]>;
  /** The detail of an error. */
  readonly supported: string;

  constructor(values: readonly Json[]) {
    this.#scalars = new Set(values.filter((each) => typeof each !== 'object'));
    this.#structures = Map.groupBy(
      values.filter((each) => typeof each === 'object' && each !== null),
      identityText,
    );
    const texts = values.map((each) => (typeof each === 'string' ? each : stringifyJson(each)));
    this.supported = fieldError.notSupported('', '', texts).detail;
  }

  has(value: Json): boolean {
    if (typeof value === 'object') {
      if (this.#structures.size === 0) return false;
      return this.#structures.get(identityText(value))?.some((each) => equalJson(each, value)) === true;
    }
    if (this.#scalars.has(value)) return true;
    // A number is compared in the type of the listed one: as an integer it loses its fraction.
    return typeof value === 'number' && this.#scalars.has(Math.trunc(value));
  }
}

/** The enumeration of a schema place that has one. */
export function enumerationOf(part: SchemaPart): Enumeration {
  let enumeration = enumerations.get(part);
  if (enumeration === undefined) enumerations.set(part, (enumeration = new Enumeration(part.limits.enum)));
  return enumeration;
}
