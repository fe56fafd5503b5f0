// The builder in which built-in types are declared: a type a few lines, a field one line.
//
//   export const Container = struct('core/v1.Container', () => ({
//     name: string(1).required(),
//     ports: list(6, ContainerPort).keyed('containerPort', 'protocol').mergedBy('containerPort'),
//     resources: embedded(8, ResourceRequirements),
//     securityContext: pointer(15, SecurityContext),
//   }));
//
// Facts that differ between releases of Kubernetes stand with the field: `.since(36)`, `.until(35)`, and
// `.from(36, string(1))` for what it is instead from that release on. A type is that of the release served by default;
// `typeInRelease` gives it in another one.
//
// The first argument of a field is its protobuf number (0: none). Fields are left out of JSON when empty unless
// `always()` or `required()` say otherwise. The fields of a struct are a function, so that a type costs nothing before
// it is used and types may refer to each other in any order. Defaults that follow from the type are not declared.

import { declaredStruct, granularVariant, type StructFacts, zeroDefault } from './declared-struct.ts';
import type { Field, ListNode, MapNode, Node, OpaqueNode, ScalarKind, StructNode } from './node.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A field under construction; each method sets one property and returns the field. */
export class FieldBuilder {
  readonly field: Mutable<Field>;
  #since = 0;
  #until = Number.POSITIVE_INFINITY;
  #others: Other[] | undefined;

  constructor(number: number, node: Node) {
    this.field = {
      name: '',
      node,
      number,
      pointer: false,
      omitEmpty: true,
      omitZero: false,
      inline: false,
      required: false,
      default: undefined,
      enum: undefined,
      format: undefined,
      listType: undefined,
      patchStrategy: undefined,
      patchMergeKey: undefined,
      gate: undefined,
      showsUseOf: undefined,
      declarative: undefined,
      unionDiscriminator: false,
    };
  }

  /** The first minor release of Kubernetes that has the field. */
  since(minor: number): this {
    this.#since = minor;
    return this;
  }
  /** The last minor release of Kubernetes that has the field. */
  until(minor: number): this {
    this.#until = minor;
    return this;
  }
  /** What the field is instead from a minor release on. */
  from(minor: number, other: FieldBuilder): this {
    this.#others = [...(this.#others ?? []), { since: minor, until: Number.POSITIVE_INFINITY, field: other.field }];
    return this;
  }
  /** What the field is instead up to a minor release. */
  upTo(minor: number, other: FieldBuilder): this {
    this.#others = [{ since: 0, until: minor, field: other.field }, ...(this.#others ?? [])];
    return this;
  }
  /** The field in a minor release; undefined if it has none. */
  inRelease(minor: number): Field | undefined {
    if (minor < this.#since || minor > this.#until) return undefined;
    // Of several that hold up to a release the earliest, of those that hold from one on the latest.
    const early = this.#others?.find(({ since, until }) => since === 0 && minor <= until);
    return (early ?? this.#others?.findLast(({ since }) => since > 0 && minor >= since))?.field ?? this.field;
  }

  /** Written even when empty. */
  always(): this {
    this.field.omitEmpty = false;
    return this;
  }
  /** Absent and zero are different. */
  pointer(): this {
    this.field.pointer = true;
    return this;
  }
  /** Required by the schema, and so written even when empty. */
  required(): this {
    this.field.required = true;
    this.field.omitEmpty = false;
    return this;
  }
  /** Omitted from JSON when empty, although it is required. */
  omitEmpty(): this {
    this.field.omitEmpty = true;
    return this;
  }
  /** A time or struct by value that is omitted from JSON when zero. */
  omitZero(): this {
    this.field.omitZero = true;
    return this;
  }
  /** The default in OpenAPI, if it is not the zero value. */
  default(value: unknown): this {
    this.field.default = value;
    return this;
  }
  oneOf(...values: string[]): this {
    this.field.enum = values;
    return this;
  }
  /** A list that strategic merge merges by this field of its items. */
  mergedBy(key: string, strategy = 'merge'): this {
    this.field.patchMergeKey = key;
    this.field.patchStrategy = strategy;
    return this;
  }
  patchStrategy(strategy: string): this {
    this.field.patchStrategy = strategy;
    return this;
  }
  /** An object with this field keeps those behind a disabled gate. */
  showsUseOf(gate: string): this {
    this.field.showsUseOf = gate;
    return this;
  }
  /** Dropped on write while this feature gate is disabled, unless the existing object has it. */
  behind(gate: string): this {
    this.field.gate = gate;
    return this;
  }
  declarative(...tags: string[]): this {
    this.field.declarative = tags;
    return this;
  }
  discriminator(): this {
    this.field.unionDiscriminator = true;
    return this;
  }
  /** A reference to another type that Kubernetes does not describe. */
  bare(): this {
    this.field.bare = true;
    return this;
  }
  /**
   * An atomic list or map for server-side apply; for other types it is only published.
   *
   * @param since the minor release from which on Kubernetes says so
   */
  atomic(since?: number): this {
    const { node } = this.field;
    if (since !== undefined) {
      const before = new FieldBuilder(this.field.number, node);
      Object.assign(before.field, this.field);
      this.upTo(since - 1, before);
    }
    if (node.kind === 'list') this.field.node = { ...node, listType: 'atomic' };
    else if (node.kind === 'map') this.field.node = { ...node, mapType: 'atomic' };
    else this.field.listType = 'atomic';
    return this;
  }
  /** A list that is a set of scalars. */
  set(): this {
    return this.#list({ listType: 'set' });
  }
  /** A list with these keys. */
  keyed(...keys: string[]): this {
    return this.#list({ listType: 'map', keys });
  }
  /** A named list type, which is a message in protobuf. */
  named(): this {
    return this.#list({ named: true });
  }
  /** The allowed items of a list. */
  itemsOneOf(...values: string[]): this {
    return this.#list({ itemsEnum: values });
  }
  /** The allowed values of a map. */
  valuesOneOf(...values: string[]): this {
    const { node } = this.field;
    if (node.kind === 'map') this.field.node = { ...node, valuesEnum: values };
    return this;
  }
  /** A granular map; also a struct that is atomic elsewhere. */
  granular(): this {
    const { node } = this.field;
    if (node.kind === 'map') this.field.node = { ...node, mapType: 'granular' };
    else if (node.kind === 'struct') this.field.node = granularVariant(node);
    else throw new Error(`a ${node.kind} can't be granular`);
    return this;
  }

  #list(facts: Partial<ListNode>): this {
    if (this.field.node.kind !== 'list') throw new Error(`a ${this.field.node.kind} has no items`);
    this.field.node = { ...this.field.node, ...facts };
    return this;
  }
}

/** A field as it is in some releases. */
interface Other {
  readonly since: number;
  readonly until: number;
  readonly field: Field;
}

type UnstructuredKind = ScalarKind | OpaqueNode['kind'];

const UNSTRUCTURED: { readonly [K in UnstructuredKind]: Node } = Object.freeze({
  string: Object.freeze({ kind: 'string' }),
  bool: Object.freeze({ kind: 'bool' }),
  int32: Object.freeze({ kind: 'int32' }),
  int64: Object.freeze({ kind: 'int64' }),
  float64: Object.freeze({ kind: 'float64' }),
  bytes: Object.freeze({ kind: 'bytes' }),
  quantity: Object.freeze({ kind: 'quantity' }),
  intOrString: Object.freeze({ kind: 'intOrString' }),
  time: Object.freeze({ kind: 'time' }),
  microTime: Object.freeze({ kind: 'microTime' }),
  duration: Object.freeze({ kind: 'duration' }),
  raw: Object.freeze({ kind: 'raw' }),
  fields: Object.freeze({ kind: 'fields' }),
  json: Object.freeze({ kind: 'json' }),
});

/** The shared node of a scalar or opaque kind. */
export function scalar(kind: UnstructuredKind): Node {
  return UNSTRUCTURED[kind];
}

/** A type in a field's second argument: a struct, another node, or the name of a scalar. */
type TypeArgument = Node | UnstructuredKind;

function nodeOf(type: TypeArgument): Node {
  return typeof type === 'string' ? scalar(type) : type;
}

const field = (kind: UnstructuredKind) => (number: number) => new FieldBuilder(number, scalar(kind));

export const string = field('string');
export const bool = field('bool');
export const int32 = field('int32');
export const int64 = field('int64');
export const float64 = field('float64');
export const bytes = field('bytes');
export const quantity = field('quantity');
export const intOrString = field('intOrString');
export const time = field('time');
export const microTime = field('microTime');
/** @internal */
export const duration = field('duration');
export const raw = field('raw');
export const fields = field('fields');
export const json = field('json');

/** A list of another node, for nested lists and maps. */
export function listOf(items: TypeArgument): ListNode {
  const node = nodeOf(items);
  return {
    kind: 'list',
    items: node,
    listType: undefined,
    keys: [],
    itemsEnum: undefined,
    itemsDefault: zeroDefault(node),
  };
}

/** A map from strings to another node. @internal */
export function mapOf(values: TypeArgument): MapNode {
  const node = nodeOf(values);
  return { kind: 'map', values: node, mapType: undefined, valuesDefault: zeroDefault(node) };
}

export function list(number: number, items: TypeArgument): FieldBuilder {
  return new FieldBuilder(number, listOf(items));
}

export function map(number: number, values: TypeArgument): FieldBuilder {
  return new FieldBuilder(number, mapOf(values));
}

/** A struct by value: always written in JSON, `{}` when empty. */
export function embedded(number: number, type: Node): FieldBuilder {
  return new FieldBuilder(number, type);
}

/** A struct by pointer: left out when absent. */
export function pointer(number: number, type: Node): FieldBuilder {
  return new FieldBuilder(number, type).pointer();
}

/** A struct whose fields are inlined into the enclosing object; a separate message in protobuf if it has a number. */
export function inline(number: number, type: StructNode): FieldBuilder {
  const builder = new FieldBuilder(number, type);
  builder.field.inline = true;
  return builder;
}

/** Declares a struct. `declare` runs once, on first use. */
export function struct(name: string, declare: () => Record<string, FieldBuilder>, facts: StructFacts = {}): StructNode {
  return declaredStruct(name, declare, facts);
}
