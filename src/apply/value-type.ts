// Types as seen by server-side apply: scalar, list or map, atomic or granular, and list keys. Derived from schema
// nodes, once per node.

import type { Json } from '../api/object.ts';
import type { Field, ListNode, MapNode, Node, StructNode } from '../schema/node.ts';
import { fieldElement, type PathElement } from './path-element.ts';

export type ScalarType = 'string' | 'numeric' | 'boolean' | 'any';

/** A type; if a schema does not determine it, a value may have several forms. */
export interface ValueType {
  readonly scalar: ScalarType | undefined;
  readonly list: ListValueType | undefined;
  readonly map: MapValueType | undefined;
}

export interface ListValueType {
  /** Atomic. */
  readonly atomic: boolean;
  /** The keys of items; empty for a set, whose items are their own keys. */
  readonly keys: readonly string[];
  /** Whether an item must have all keys; otherwise one is enough. */
  readonly needsAllKeys: boolean;
  /** The keys sorted by name, with the text that precedes each value in an element. */
  readonly labels: readonly (readonly [key: string, label: string])[];
  readonly items: ValueType;
}

export interface MapValueType {
  readonly atomic: boolean;
  /** A declared field; undefined for others. */
  declared(name: string): Member | undefined;
  /** The type of undeclared fields; undefined if there are none. */
  readonly others: ValueType | undefined;
}

export interface Member {
  readonly element: PathElement;
  /** Its index among the declared fields, in the order of their elements. */
  readonly place: number;
  readonly type: ValueType;
  readonly default: Json | undefined;
}

/** A value of any form: maps are merged by entry, lists are atomic. */
export const UNTYPED: ValueType = {
  scalar: 'any',
  list: {
    atomic: true,
    keys: [],
    needsAllKeys: false,
    labels: [],
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
  },
};

const FREE_MAP: ValueType = { scalar: undefined, list: undefined, map: UNTYPED.map };
/** A value of any kind within an object is atomic, although it must be an object. */
const WHOLE: ValueType = {
  scalar: UNTYPED.scalar,
  list: UNTYPED.list,
  map: { atomic: true, declared: () => undefined, others: UNTYPED },
};
const STRING = scalarType('string');
const NUMERIC = scalarType('numeric');
const BOOLEAN = scalarType('boolean');
const ANY_SCALAR = scalarType('any');

function scalarType(scalar: ScalarType): ValueType {
  return Object.freeze({ scalar, list: undefined, map: undefined });
}

/** Derived types by node: only a cache. */
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
      return WHOLE;
    case 'fields':
      return FREE_MAP;
    case 'json':
    // Its published schema has no type, but alternatives.
    case 'intOrString':
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
  const keys = node.listType === 'map' ? node.keys : [];
  return {
    atomic: node.listType !== 'map' && node.listType !== 'set',
    keys,
    needsAllKeys: node.needsAllKeys === true,
    labels: [...keys].sort().map((key) => [key, `${JSON.stringify(key)}:`]),
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
  };
}

class StructValueType implements MapValueType {
  readonly atomic: boolean;
  readonly #node: StructNode;
  #members: ReadonlyMap<string, Member> | undefined;

  constructor(node: StructNode) {
    this.#node = node;
    this.atomic = node.mapType === 'atomic';
  }

  declared(name: string): Member | undefined {
    this.#members ??= membersOf(this.#node);
    return this.#members.get(name);
  }

  get others(): ValueType | undefined {
    const { unknown, jsonFields } = this.#node;
    // A type without declared fields is published as an object with any fields.
    if (unknown === 'drop') return jsonFields.size === 0 ? UNTYPED : undefined;
    return unknown === 'keep' ? UNTYPED : valueTypeOf(unknown);
  }
}

function membersOf({ jsonFields }: StructNode): ReadonlyMap<string, Member> {
  const fields = [...jsonFields.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return new Map(fields.map((field, place) => [field.name, new StructMember(field, place)]));
}

class StructMember implements Member {
  readonly element: PathElement;
  readonly place: number;
  readonly default: Json | undefined;
  readonly #node: Node;
  #type: ValueType | undefined;

  constructor(field: Field, place: number) {
    this.element = fieldElement(field.name);
    this.place = place;
    this.default = field.default as Json | undefined;
    this.#node = field.node.kind === 'list' ? mergedList(field.node, field) : field.node;
  }

  get type(): ValueType {
    this.#type ??= valueTypeOf(this.#node);
    return this.#type;
  }
}

/**
 * A list that does not say what it is, as lists did before 1.30: it is what strategic merge makes of it, a set or a list
 * with a key.
 */
function mergedList(node: ListNode, { patchStrategy, patchMergeKey }: Field): ListNode {
  if (node.listType !== undefined || !MERGES.has(patchStrategy ?? '')) return node;
  return patchMergeKey === undefined
    ? { ...node, listType: 'set' }
    : { ...node, listType: 'map', keys: [patchMergeKey] };
}

/** Strategies of strategic merge that merge the items of lists. */
const MERGES: ReadonlySet<string> = new Set(['merge', 'merge,retainKeys']);

type Form = 'scalar' | 'list' | 'map';

/** The form of a value: its own if the type allows it; null takes any form of the type. */
export function formOf(type: ValueType, value: Json): Form {
  if (typeof value !== 'object') {
    if (type.scalar !== undefined) return 'scalar';
  } else if (Array.isArray(value)) {
    if (type.list !== undefined) return 'list';
  }
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? 'scalar' : 'list';
}

/** The type of a field, declared or not; undefined if the type has no such field. */
export function memberType(map: MapValueType, name: string): ValueType | undefined {
  return map.declared(name)?.type ?? map.others;
}
