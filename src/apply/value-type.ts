// What server-side apply knows of a type: whether a value is a scalar, a list or a map, whether lists and maps are
// owned as wholes, and by what the items of a list are told apart. Derived from schema nodes, once a node.

import type { Json, JsonObject } from '../api/object.ts';
import type { ListNode, MapNode, Node, StructNode } from '../schema/node.ts';

export type ScalarType = 'string' | 'numeric' | 'boolean' | 'any';

/** A type; where a schema leaves it open, a value may take each of the forms. */
export interface ValueType {
  readonly scalar: ScalarType | undefined;
  readonly list: ListValueType | undefined;
  readonly map: MapValueType | undefined;
}

export interface ListValueType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** What tells the items apart; none in a set, whose items are their own keys. */
  readonly keys: readonly string[];
  readonly items: ValueType;
}

export interface MapValueType {
  readonly atomic: boolean;
  /** The type of a declared member; undefined for others. */
  declared(name: string): ValueType | undefined;
  /** The type of members that are not declared; undefined where there are none. */
  readonly others: ValueType | undefined;
  /** The default of a declared member. */
  defaultOf(name: string): Json | undefined;
}

/** A value of any form: maps merge member by member, lists are wholes. */
export const UNTYPED: ValueType = {
  scalar: 'any',
  list: {
    atomic: true,
    keys: [],
    get items() {
      return UNTYPED;
    },
  },
  map: {
    atomic: false,
    declared: () => undefined,
    get others() {
      return UNTYPED;
    },
    defaultOf: () => undefined,
  },
};

const FREE_MAP: ValueType = { scalar: undefined, list: undefined, map: UNTYPED.map };
const STRING = scalarType('string');
const NUMERIC = scalarType('numeric');
const BOOLEAN = scalarType('boolean');
const ANY_SCALAR = scalarType('any');

function scalarType(scalar: ScalarType): ValueType {
  return Object.freeze({ scalar, list: undefined, map: undefined });
}

/** What was derived, by node: a memory only. */
const derived = new WeakMap<Node, ValueType>();

export function valueTypeOf(node: Node): ValueType {
  let type = derived.get(node);
  if (type === undefined) {
    type = derive(node);
    derived.set(node, type);
  }
  return type;
}

function derive(node: Node): ValueType {
  switch (node.kind) {
    case 'list':
      return { scalar: undefined, list: listType(node), map: undefined };
    case 'map':
      return { scalar: undefined, list: undefined, map: mapType(node) };
    case 'struct':
      return node.form === undefined ? { scalar: undefined, list: undefined, map: new StructValueType(node) } : UNTYPED;
    case 'raw':
    case 'fields':
      return FREE_MAP;
    case 'json':
      return UNTYPED;
    case 'bool':
      return BOOLEAN;
    case 'int32':
    case 'int64':
    case 'float64':
      return NUMERIC;
    case 'string':
    case 'bytes':
    case 'duration':
      return STRING;
    default:
      return ANY_SCALAR;
  }
}

function listType(node: ListNode): ListValueType {
  return {
    atomic: node.listType !== 'map' && node.listType !== 'set',
    keys: node.listType === 'map' ? node.keys : [],
    get items() {
      return valueTypeOf(node.items);
    },
  };
}

function mapType(node: MapNode): MapValueType {
  return {
    atomic: node.mapType === 'atomic',
    declared: () => undefined,
    get others() {
      return valueTypeOf(node.values);
    },
    defaultOf: () => undefined,
  };
}

class StructValueType implements MapValueType {
  readonly atomic: boolean;
  readonly #node: StructNode;
  readonly #members = new Map<string, ValueType>();

  constructor(node: StructNode) {
    this.#node = node;
    this.atomic = node.mapType === 'atomic';
  }

  declared(name: string): ValueType | undefined {
    let type = this.#members.get(name);
    if (type === undefined) {
      const field = this.#node.jsonFields.get(name);
      if (field === undefined) return undefined;
      type = valueTypeOf(field.node);
      this.#members.set(name, type);
    }
    return type;
  }

  get others(): ValueType | undefined {
    const { unknown } = this.#node;
    if (unknown === 'drop') return undefined;
    return unknown === 'keep' ? UNTYPED : valueTypeOf(unknown);
  }

  defaultOf(name: string): Json | undefined {
    return this.#node.jsonFields.get(name)?.default as Json | undefined;
  }
}

export type Form = 'scalar' | 'list' | 'map';

/** The form in which a value is looked at: its own where the type has it; null takes whatever form the type has. */
export function formOf(type: ValueType, value: Json): Form {
  if (typeof value !== 'object') {
    if (type.scalar !== undefined) return 'scalar';
  } else if (Array.isArray(value)) {
    if (type.list !== undefined) return 'list';
  }
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? 'scalar' : 'list';
}

export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a member, declared or not; undefined where the type has no such member. */
export function memberType(map: MapValueType, name: string): ValueType | undefined {
  return map.declared(name) ?? map.others;
}
