// The single schema form. A node describes the possible values; built-in types are declared with the builder in
// build.ts, and structural schemas of custom resources are compiled to the same nodes. Nodes are data: what is derived
// from them (decoding, merge facts, OpenAPI …) is in separate files and compiled lazily, once per node.

import type { JsonObject } from '../api/object.ts';
import type { Steps } from '../base/steps.ts';

export type Node = ScalarNode | OpaqueNode | ListNode | MapNode | StructNode;

/** Scalars by their Kubernetes names. `quantity`, `time` … are JSON strings with a format; `intOrString` is either. */
export type ScalarKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration';

export interface ScalarNode {
  readonly kind: ScalarKind;
}

/** Opaque values: `raw` (RawExtension: an object), `fields` (FieldsV1), `json` (any JSON value). */
export interface OpaqueNode {
  readonly kind: 'raw' | 'fields' | 'json';
}

/**
 * A struct with a custom JSON form: `raw` any JSON value (its fields only exist in protobuf); `structOrBool`,
 * `structOrList` the struct of its first struct field, or a boolean or list.
 */
export type JsonForm = 'raw' | 'structOrBool' | 'structOrList';

type ListType = 'atomic' | 'set' | 'map';

export interface ListNode {
  readonly kind: 'list';
  readonly items: Node;
  readonly listType: ListType | undefined;
  /** The keys of a `map` list. */
  readonly keys: readonly string[];
  readonly itemsEnum: readonly string[] | undefined;
  readonly itemsDefault: unknown;
  /** Whether each item of a `map` list must have all keys; otherwise one is enough. */
  readonly needsAllKeys?: boolean;
  /** A named list type: a message around the items in protobuf, like nested lists. */
  readonly named?: boolean;
}

export interface MapNode {
  readonly kind: 'map';
  readonly values: Node;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly valuesEnum?: readonly string[];
  readonly valuesDefault?: unknown;
}

export interface StructNode {
  readonly kind: 'struct';
  /** `core/v1.Container`: package and type name of Kubernetes' module. */
  readonly name: string;
  /** Declared fields in order, before embedded structs are flattened. Evaluated on first use. */
  readonly fields: readonly Field[];
  /** Fields as in JSON: with embedded structs flattened. Evaluated on first use. */
  readonly jsonFields: ReadonlyMap<string, Field>;
  readonly mapType: 'atomic' | 'granular' | undefined;
  /** The group/version/kinds of a root type, as in x-kubernetes-group-version-kind. */
  readonly kinds: readonly string[];
  readonly unions: unknown;
  /** Its JSON form, if that is not an object with its fields. */
  readonly form?: JsonForm | undefined;
  /** Whether errors about members of embedded structs name these, as the JSON library of Kubernetes 1.35 does. */
  readonly tellsEmbedded?: boolean | undefined;
  /** The original type, if a field has a different `mapType` for it. */
  readonly variantOf?: StructNode | undefined;
  /** The first minor release of Kubernetes 1 that has this kind; undefined if all known ones do. */
  readonly since?: number | undefined;
  /** The last one. */
  readonly until?: number | undefined;
  /** How a custom resource's schema treats undeclared members; built-in types drop them. */
  readonly unknown: 'drop' | 'keep' | Node;
  /** Custom decoding of documents of this type. */
  readonly decoding?: (document: unknown, options: DocumentOptions) => Steps<DocumentReading>;
}

export interface DocumentOptions {
  /** The document may be modified. */
  readonly owned?: boolean | undefined;
  /** It is the result of an apply: null is an explicit value. */
  readonly restores?: boolean | undefined;
}

/** A decoded document. */
export interface DocumentReading {
  readonly value: JsonObject;
  /** The paths of unknown members. */
  readonly unknown: string[];
  /** The total number of keys in the document. */
  readonly keys: number;
  /** Of duplicate members the last one wins; duplicates are reported before unknown members. */
  readonly duplicatesFirst?: boolean;
}

export interface Field {
  /** The JSON name, or for an embedded struct its Go name. */
  readonly name: string;
  readonly node: Node;
  /** The protobuf field number; 0 for none. */
  readonly number: number;
  /** Absent and zero are different. A struct that is not a pointer is always written. */
  readonly pointer: boolean;
  /** Omitted from JSON when empty; otherwise always written (null for an absent list). */
  readonly omitEmpty: boolean;
  /**
   * A struct or time by value that is omitted from JSON when zero; others are written (`{}`, `null`) even with
   * omitEmpty.
   */
  readonly omitZero?: boolean;
  /** The fields of this struct are inlined into the enclosing object. */
  readonly inline: boolean;
  readonly required: boolean;
  /** As in OpenAPI; for a required value that is not a pointer it is the zero value. */
  readonly default: unknown;
  readonly enum: readonly string[] | undefined;
  /** If it differs from that of the scalar's kind. */
  readonly format: string | undefined;
  /** A list type published for a field that is not a list. */
  readonly listType?: ListType | undefined;
  /** Strategic merge: `merge`, `replace`, `retainKeys`, comma-separated as in Kubernetes. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** While this feature gate is disabled, the field is dropped on write. */
  readonly gate: string | undefined;
  /** A field that is never dropped, but whose presence keeps the fields of this gate. */
  readonly showsUseOf?: string | undefined;
  readonly declarative: readonly string[] | undefined;
  readonly unionDiscriminator: boolean;
  /** A reference to another type without a description or a default: OpenAPI publishes nothing else of it. */
  readonly bare?: boolean;
}
