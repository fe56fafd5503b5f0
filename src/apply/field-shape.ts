// What the fields of a value depend on: which members it has and what tells its items apart, not what it says in them.
// Controllers make objects by the thousand that differ in what they say alone, and their sets of fields are one.

import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { FieldSet } from './field-set.ts';
import {
  formOf,
  isMap,
  type ListValueType,
  type MapValueType,
  memberType,
  UNTYPED,
  type ValueType,
} from './value-type.ts';

/** Sets of fields of the values of one type that were seen last, by their shapes. Never changes what comes out. */
export class FieldMemory {
  readonly before: Json | undefined;
  readonly #type: ValueType;
  /** The one that was needed last comes first. */
  readonly #known: { readonly shape: Shape; readonly fields: FieldSet }[] = [];

  /** @param before what the values are compared with, where their sets hold what they have beyond it */
  constructor(type: ValueType, before?: Json) {
    this.#type = type;
    this.before = before;
  }

  /** The set of a value's fields, made where none of its shape is known. @throws what `make` throws */
  of(value: Json, make: () => FieldSet): FieldSet {
    const known = this.#known;
    for (let at = 0; at < known.length; at++) {
      const each = known[at] as (typeof known)[number];
      if (!fits(each.shape, value)) continue;
      known.copyWithin(1, 0, at);
      known[0] = each;
      return each.fields;
    }
    const fields = make();
    const shape = new ShapeReader().read(this.#type, value, this.before);
    if (shape === undefined) return fields;
    known.unshift({ shape, fields });
    if (known.length > limits.fieldShapes) known.pop();
    return fields;
  }
}

type JsonForm = 'scalar' | 'null' | 'list' | 'map';

/** The form of a value of which no more is looked at, else what is looked at. */
type Shape = JsonForm | MapShape | ListShape | Exact;

function fits(shape: Shape, value: Json): boolean {
  return typeof shape === 'string' ? jsonForm(value) === shape : shape.fits(value);
}

function jsonForm(value: Json): JsonForm {
  if (typeof value !== 'object') return 'scalar';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : 'map';
}

/** A map that is owned member by member. */
class MapShape {
  readonly #names: readonly string[];
  readonly #below: readonly Shape[];

  constructor(names: readonly string[], below: readonly Shape[]) {
    this.#names = names;
    this.#below = below;
  }

  fits(value: Json): boolean {
    if (!isMap(value)) return false;
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

/** A list that is owned item by item. */
class ListShape {
  /** The keys of the items; none in a set, whose items are their own. */
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
    if (!isMap(item)) return false;
    for (let at = 0; at < identity.length; at++) if (item[this.#keys[at] as string] !== identity[at]) return false;
    return true;
  }
}

function identityOf(keys: readonly string[], item: Json): (Json | undefined)[] {
  return keys.length === 0 ? [item] : keys.map((key) => (item as JsonObject)[key]);
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
  #members = 0;

  /** Undefined for a value that is too large to be remembered. */
  read(type: ValueType | undefined, value: Json, before: Json | undefined): Shape | undefined {
    const shape = this.#visit(type, value, before);
    return this.#members > limits.fieldShapeMembers ? undefined : shape;
  }

  #visit(type: ValueType | undefined, value: Json, before: Json | undefined): Shape {
    // What has no type belongs to nobody, unless it is compared.
    if (type === undefined && before === undefined) return jsonForm(value);
    const { map, list } = type ?? UNTYPED;
    if (before !== undefined && before !== null) {
      const isBoth = map?.atomic === false && isMap(before) && isMap(value);
      return isBoth ? this.#map(map, value, before) : new Exact(value);
    }
    const form = formOf(type ?? UNTYPED, value);
    if (form === 'map' && map?.atomic === false && isMap(value)) return this.#map(map, value, undefined);
    if (form === 'list' && list?.atomic === false && Array.isArray(value)) return this.#list(list, value);
    return jsonForm(value);
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
