// Enumerations in schemas of custom resources, prepared for comparison with many values.

import { fieldError } from '../../api/errors.ts';
import { equalJson } from '../../api/json-equal.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Json } from '../../api/object.ts';
import type { SchemaPart } from './schema-part.ts';

/** Enumerations by schema place: only a cache. */
const enumerations = new WeakMap<SchemaPart, Enumeration>();

/** The values of an `enum`: of thousands of items, each may be compared with thousands of values. */
class Enumeration {
  readonly #texts: ReadonlySet<Json>;
  readonly #others: readonly Json[];
  /** The detail of an error. */
  readonly supported: string;

  constructor(values: readonly Json[]) {
    this.#texts = new Set(values.filter((each) => typeof each === 'string'));
    this.#others = values.filter((each) => typeof each !== 'string' && each !== null);
    const texts = values.map((each) => (typeof each === 'string' ? each : stringifyJson(each)));
    this.supported = fieldError.notSupported('', '', texts).detail;
  }

  has(value: Json): boolean {
    return this.#texts.has(value) || this.#others.some((each) => isListed(each, value));
  }
}

/** The enumeration of a schema place that has one. */
export function enumerationOf(part: SchemaPart): Enumeration {
  let enumeration = enumerations.get(part);
  if (enumeration === undefined) enumerations.set(part, (enumeration = new Enumeration(part.limits.enum)));
  return enumeration;
}

/**
 * Whether a value equals one of an enumeration. A number is compared in the type of the other: as an integer it loses
 * its fraction.
 */
function isListed(each: Json, value: Json): boolean {
  if (typeof each === 'number' && typeof value === 'number' && Number.isInteger(each))
    return Math.trunc(value) === each;
  return equalJson(each, value);
}
