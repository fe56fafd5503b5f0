// The builder in which built-in types are declared: a type a few lines, a field one line.
//
//   export const Container = struct('core/v1.Container', () => ({
//     name: string(1).required(),
//     ports: list(6, ContainerPort).keyed('containerPort', 'protocol').mergedBy('containerPort'),
//     resources: embedded(8, ResourceRequirements),
//     securityContext: pointer(15, SecurityContext),
//   }));
//
// The first argument of a field is its protobuf number (0: none). Fields are left out of JSON when empty unless
// `always()` or `required()` say otherwise. The fields of a struct are a function, so that a type costs nothing before
// it is used and types may refer to each other in any order. Defaults that follow from the type are not declared.

import type { Field, JsonForm, ListNode, MapNode, Node, OpaqueNode, ScalarKind, StructNode } from './node.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A field under construction; each method sets one property and returns the field. */
export class FieldBuilder {
  readonly field: Mutable<Field>;

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
  /** An atomic list or map for server-side apply; for other types it is only published. */
  atomic(): this {
    const { node } = this.field;
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

/** A map from strings to another node. */
export function mapOf(values: TypeArgument): MapNode {
  return { kind: 'map', values: nodeOf(values), mapType: undefined };
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

const EMPTY: unknown = Object.freeze({});

/** The zero value that OpenAPI publishes as the default of a type; undefined for types without one. */
export function zeroDefault(node: Node): unknown {
  if (node.kind === 'string') return '';
  if (node.kind === 'bool') return false;
  if (node.kind === 'int32' || node.kind === 'int64' || node.kind === 'float64') return 0;
  // Types with several forms have no zero value to publish.
  return node.kind === 'struct' && node.form === undefined ? EMPTY : undefined;
}

function publishedDefault(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  if (field.pointer || field.inline) return undefined;
  return field.omitEmpty && field.node.kind !== 'struct' ? undefined : zeroDefault(field.node);
}

interface StructFacts {
  /** Group/version/kinds of a root type: `apps/v1/Deployment`. */
  readonly kinds?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly unions?: unknown;
  readonly form?: JsonForm;
}

/** Declares a struct. `declare` runs once, on first use. */
export function struct(name: string, declare: () => Record<string, FieldBuilder>, facts: StructFacts = {}): StructNode {
  return new DeclaredStruct(name, declare, facts);
}

function granularVariant(type: StructNode): StructNode {
  return {
    kind: 'struct',
    name: type.name,
    get fields() {
      return type.fields;
    },
    get jsonFields() {
      return type.jsonFields;
    },
    mapType: 'granular',
    kinds: type.kinds,
    unions: type.unions,
    unknown: type.unknown,
    form: type.form,
    variantOf: type,
  };
}

class DeclaredStruct implements StructNode {
  readonly kind = 'struct';
  readonly name: string;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly kinds: readonly string[];
  readonly unions: unknown;
  readonly form: JsonForm | undefined;
  readonly unknown = 'drop';
  #declare: (() => Record<string, FieldBuilder>) | undefined;
  #fields: Field[] = [];
  #jsonFields: Map<string, Field> | undefined;

  constructor(name: string, declare: () => Record<string, FieldBuilder>, facts: StructFacts) {
    this.name = name;
    this.#declare = declare;
    this.mapType = facts.mapType;
    this.kinds = facts.kinds ?? [];
    this.unions = facts.unions;
    this.form = facts.form;
  }

  get fields(): readonly Field[] {
    if (this.#declare !== undefined) {
      for (const [name, { field }] of Object.entries(this.#declare())) {
        this.#fields.push({ ...field, name, default: publishedDefault(field) });
      }
      this.#declare = undefined;
    }
    return this.#fields;
  }

  get jsonFields(): ReadonlyMap<string, Field> {
    if (this.#jsonFields === undefined) {
      this.#jsonFields = new Map();
      for (const each of this.fields) {
        if (!each.inline) this.#jsonFields.set(each.name, each);
        else if (each.node.kind === 'struct') {
          for (const [name, inner] of each.node.jsonFields) this.#jsonFields.set(name, inner);
        }
      }
    }
    return this.#jsonFields;
  }
}
