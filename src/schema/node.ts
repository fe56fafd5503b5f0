// The one schema form. A node says what a value may be; a built-in type is declared with the builder in build.ts, a
// custom resource's structural schema compiles to the same nodes. Nodes are data: what is derived from them (decoding,
// merge facts, OpenAPI …) lives in files of its own and is compiled lazily, once for each node.

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

/**
 * Values without a type of their own: `raw` (RawExtension: an object), `fields` (FieldsV1), `json` (any JSON
 * value).
 */
export interface OpaqueNode {
  readonly kind: 'raw' | 'fields' | 'json';
}

/**
 * A struct that is not written as its members: `raw` any JSON value (its members exist in protobuf alone);
 * `structOrBool`, `structOrList` the struct of its first struct member, or else a boolean or a list.
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
  /** A list type with a name of its own: in protobuf a message around the items, as lists in lists and maps are. */
  readonly named?: boolean;
}

export interface MapNode {
  readonly kind: 'map';
  readonly values: Node;
  readonly mapType: 'atomic' | 'granular' | undefined;
  readonly valuesEnum?: readonly string[];
}

export interface StructNode {
  readonly kind: 'struct';
  /** `core/v1.Container`: the package and type name of Kubernetes' own module. */
  readonly name: string;
  /** Declared fields in declaration order, embedded structs not yet flattened. Evaluated on first use. */
  readonly fields: readonly Field[];
  /** Fields as they stand in JSON: embedded structs flattened. Evaluated on first use. */
  readonly jsonFields: ReadonlyMap<string, Field>;
  readonly mapType: 'atomic' | 'granular' | undefined;
  /** The group/version/kinds of a root type, as in x-kubernetes-group-version-kind. */
  readonly kinds: readonly string[];
  readonly unions: unknown;
  /** How it is written in JSON, where that is not an object with its members. */
  readonly form?: JsonForm | undefined;
  /** The type itself, where one field says another `mapType` for it. */
  readonly variantOf?: StructNode | undefined;
  /** What a custom resource's schema says of members that are not declared; built-in types drop them. */
  readonly unknown: 'drop' | 'keep' | Node;
  /** How a document of this type is read, where its fields do not say it. */
  readonly decoding?: (document: unknown, options: DocumentOptions) => Steps<DocumentReading>;
}

export interface DocumentOptions {
  /** The document may be changed. */
  readonly owned?: boolean | undefined;
  /** It is what an apply made: null in it is a value that somebody gave. */
  readonly restores?: boolean | undefined;
}

/** A document, read. */
export interface DocumentReading {
  readonly value: JsonObject;
  /** The paths of members that the type doesn't have. */
  readonly unknown: string[];
  /** How many keys the document has in all. */
  readonly keys: number;
  /** Of a duplicate member the last one counts, and it is reported before those that are unknown. */
  readonly duplicatesFirst?: boolean;
}

export interface Field {
  /** The name in JSON, or for an embedded struct its Go name. */
  readonly name: string;
  readonly node: Node;
  /** The protobuf field number; 0 where there is none. */
  readonly number: number;
  /** Absent and zero differ. A struct that is not a pointer is always written. */
  readonly pointer: boolean;
  /** Left out of JSON when empty; without it always written (null for a list that is not there). */
  readonly omitEmpty: boolean;
  /**
   * A struct or time by value that is left out of JSON when zero; others are written (`{}`, `null`) even if
   * omitEmpty.
   */
  readonly omitZero?: boolean;
  /** The members of this struct stand in the enclosing object. */
  readonly inline: boolean;
  readonly required: boolean;
  /** As OpenAPI publishes it; for a value that is not a pointer and always written that is its zero value. */
  readonly default: unknown;
  readonly enum: readonly string[] | undefined;
  /** Where it is not the one that follows from the scalar's kind. */
  readonly format: string | undefined;
  /** A list type published for a field that is not a list. */
  readonly listType?: ListType | undefined;
  /** Strategic merge: `merge`, `replace`, `retainKeys`, comma-separated as Kubernetes writes it. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** With this feature gate off the field is dropped on write. */
  readonly gate: string | undefined;
  /** A field that is never dropped: an object that has it keeps the fields of this gate all the same. */
  readonly showsUseOf?: string | undefined;
  readonly declarative: readonly string[] | undefined;
  readonly unionDiscriminator: boolean;
}
