// Shapes of values, which determine their field sets: fields, types and list keys, without scalars. Controllers create
// objects by the thousand that only differ in scalars and therefore have equal field sets.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { formOf, type ListValueType, type MapValueType, memberType, UNTYPED, type ValueType } from './value-type.ts';

interface ShapeOptions {
  /** The values for comparison, if it matters what is added to them. */
  readonly before?: Json;
  /** Whether the content of atomic lists and maps matters. */
  readonly insideWholes?: boolean;
}

/** Cache of results for recently seen values of one type, by their shapes. Never changes results. */
export class ShapeMemory<Result> {
  readonly before: Json | undefined;
  readonly #type: ValueType;
  readonly #insideWholes: boolean;
  /** The most recently used first. */
  readonly #known: { readonly shape: Shape; readonly result: Result }[] = [];

  constructor(type: ValueType, { before, insideWholes = false }: ShapeOptions = {}) {
    this.#type = type;
    this.before = before;
    this.#insideWholes = insideWholes;
  }

  /** The result for a value's shape, computed if not cached. @throws errors of `make` */
  of(value: Json, make: () => Result): Result {
    const known = this.find(value);
    if (known !== undefined) return known;
    const result = make();
    this.keep(value, result);
    return result;
  }

  /** The cached result for a value's shape. */
  find(value: Json): Result | undefined {
    const known = this.#known;
    for (let at = 0; at < known.length; at++) {
      const each = known[at] as (typeof known)[number];
      if (!fits(each.shape, value)) continue;
      known.copyWithin(1, 0, at);
      known[0] = each;
      return each.result;
    }
    return undefined;
  }

  keep(value: Json, result: Result): void {
    const shape = new ShapeReader(this.#insideWholes).read(this.#type, value, this.before);
    if (shape === undefined) return;
    this.#known.unshift({ shape, result });
    if (this.#known.length > limits.fieldShapes) this.#known.pop();
  }
}

type JsonForm = 'string' | 'number' | 'bigint' | 'boolean' | 'null' | 'list' | 'map';

/** The form of a value that is not examined further, or what is examined. */
type Shape = JsonForm | MapShape | ListShape | Exact;

function fits(shape: Shape, value: Json): boolean {
  return typeof shape === 'string' ? jsonForm(value) === shape : shape.fits(value);
}

function jsonForm(value: Json): JsonForm {
  if (typeof value !== 'object') return typeof value as JsonForm;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : 'map';
}

/** A granular map. */
class MapShape {
  readonly #names: readonly string[];
  readonly #below: readonly Shape[];

  constructor(names: readonly string[], below: readonly Shape[]) {
    this.#names = names;
    this.#below = below;
  }

  fits(value: Json): boolean {
    if (!isObject(value)) return false;
    let at = 0;
    for (const name in value) {
      const given = value[name];
      if (given === undefined) continue;
      if (this.#names[at] !== name || !fits(this.#below[at] as Shape, given)) return false;
      at++;
    }
    return at === this.#names.length;
  }
}

/** A granular list. */
class ListShape {
  /** The keys of the items; empty for a set, whose items are their own keys. */
  readonly #keys: readonly string[];
  readonly #identities: readonly (Json | undefined)[][];
  readonly #below: readonly Shape[];

  constructor(keys: readonly string[], items: readonly Json[], below: readonly Shape[]) {
    this.#keys = keys;
    this.#identities = items.map((item) => identityOf(keys, item));
    this.#below = below;
  }

  fits(value: Json): boolean {
    if (!Array.isArray(value) || value.length !== this.#below.length) return false;
    for (let at = 0; at < value.length; at++) {
      const item = value[at] as Json;
      const identity = this.#identities[at] as (Json | undefined)[];
      if (this.#keys.length === 0 ? item !== identity[0] : !this.#isSameItem(item, identity)) return false;
      if (!fits(this.#below[at] as Shape, item)) return false;
    }
    return true;
  }

  #isSameItem(item: Json, identity: readonly (Json | undefined)[]): boolean {
    if (!isObject(item)) return false;
    for (let at = 0; at < identity.length; at++)
      if (ownMember(item, this.#keys[at] as string) !== identity[at]) return false;
    return true;
  }
}

function identityOf(keys: readonly string[], item: Json): (Json | undefined)[] {
  return keys.length === 0 ? [item] : keys.map((key) => ownMember(item as JsonObject, key));
}

/** A value that is compared as a whole. */
class Exact {
  readonly #value: Json;

  constructor(value: Json) {
    this.#value = copyJson(value);
  }

  fits(value: Json): boolean {
    return equalJson(value, this.#value);
  }
}

class ShapeReader {
  readonly #insideWholes: boolean;
  #members = 0;

  constructor(insideWholes: boolean) {
    this.#insideWholes = insideWholes;
  }

  /** Undefined for a value that is too large for the cache. */
  read(type: ValueType | undefined, value: Json, before: Json | undefined): Shape | undefined {
    const shape = this.#visit(type, value, before);
    return this.#members > limits.fieldShapeMembers ? undefined : shape;
  }

  #visit(type: ValueType | undefined, value: Json, before: Json | undefined): Shape {
    // Values without a type have no owner, unless they are compared.
    if (type === undefined && before === undefined) return jsonForm(value);
    const { map, list } = type ?? UNTYPED;
    if (before !== undefined && before !== null) {
      const isBoth = map?.atomic === false && isObject(before) && isObject(value);
      return isBoth ? this.#map(map, value, before) : new Exact(value);
    }
    const form = formOf(type ?? UNTYPED, value);
    if (form === 'map' && map?.atomic === false && isObject(value)) return this.#map(map, value, undefined);
    if (form === 'list' && list?.atomic === false && Array.isArray(value)) return this.#list(list, value);
    return this.#insideWholes && typeof value === 'object' ? new Exact(value) : jsonForm(value);
  }

  #map(map: MapValueType, value: JsonObject, before: JsonObject | undefined): Shape {
    const names: string[] = [];
    const below: Shape[] = [];
    for (const name in value) {
      const given = value[name];
      if (given === undefined) continue;
      if (++this.#members > limits.fieldShapeMembers) break;
      names.push(name);
      const own = before !== undefined && Object.hasOwn(before, name) ? before[name] : undefined;
      below.push(this.#visit(memberType(map, name), given, own));
    }
    return new MapShape(names, below);
  }

  #list(list: ListValueType, value: readonly Json[]): Shape {
    this.#members += value.length;
    const below = value.map((item) => this.#visit(list.items, item, undefined));
    return new ListShape(list.keys, value, below);
  }
}
