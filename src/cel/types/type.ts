// CEL types, for the checker and as values at run time (`type(1) == int`). For declarations of functions, a type
// carries the TypeScript type of its values, which exists only at compile time.

import type { Duration } from '../value/duration.ts';
import type { Timestamp } from '../value/timestamp.ts';
import {
  type Double,
  type Int,
  type ListValue,
  type MapValue,
  type Optional,
  TypeValue,
  type Uint,
  type Value,
} from '../value/value.ts';

export type TypeKind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'struct'
  | 'opaque'
  | 'wrapper'
  | 'type'
  | 'parameter';

/** A type; two are the same when kind, name and parameters are. */
export class Type<V = Value> extends TypeValue {
  readonly kind: TypeKind;
  /** The name at run time: `int`, `google.protobuf.Timestamp`, a struct's or opaque type's own name. */
  readonly name: string;
  /** Of a list its element; of a map key and value; of an opaque type its own; of a wrapper the primitive. */
  readonly parameters: readonly Type<unknown>[];
  /** Never set: it carries the TypeScript type of the type's values. */
  declare readonly value?: V;

  constructor(kind: TypeKind, name: string, parameters: readonly Type<unknown>[] = []) {
    super();
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
  }
}

export const DYN = new Type<Value>('dyn', 'dyn');
export const ANY = new Type<Value>('any', 'google.protobuf.Any');
/**
 * The type of expressions that failed to type-check; it is compatible with everything, so that an error is reported
 * once.
 */
export const ERROR = new Type<never>('error', '*error*');
export const NULL = new Type<null>('null', 'null_type');
export const BOOL = new Type<boolean>('bool', 'bool');
export const INT = new Type<Int>('int', 'int');
export const UINT = new Type<Uint>('uint', 'uint');
export const DOUBLE = new Type<Double>('double', 'double');
export const STRING = new Type<string>('string', 'string');
export const BYTES = new Type<Uint8Array>('bytes', 'bytes');
export const TIMESTAMP = new Type<Timestamp>('timestamp', 'google.protobuf.Timestamp');
export const DURATION = new Type<Duration>('duration', 'google.protobuf.Duration');

/** `list(element)` */
export function listOf(element: Type<unknown>): Type<ListValue> {
  return new Type<ListValue>('list', 'list', [element]);
}

/** `map(key, value)` */
export function mapOf(key: Type<unknown>, value: Type<unknown>): Type<MapValue> {
  return new Type<MapValue>('map', 'map', [key, value]);
}

/** The type of a type; of the unknown type without a parameter. */
export function typeOf(type?: Type<unknown>): Type<Type> {
  return new Type<Type>('type', 'type', type === undefined ? [] : [type]);
}

/** `optional_type(value)` */
export function optionalOf(value: Type<unknown>): Type<Optional> {
  return new Type<Optional>('opaque', 'optional_type', [value]);
}

/** A type that null joins: `wrapper(int)` is `google.protobuf.Int64Value`. */
export function nullable<V>(primitive: Type<V>): Type<V | null> {
  return new Type<V | null>('wrapper', primitive.name, [primitive]);
}

/** A type parameter of a function's overload. */
export function parameter(name: string): Type<Value> {
  return new Type<Value>('parameter', name);
}

/** A type of named fields, which a TypeProvider describes. */
export function structType<V = Value>(name: string): Type<V> {
  return new Type<V>('struct', name);
}

/** A type that is only defined by its functions. */
export function opaqueType<V = Value>(name: string, parameters: readonly Type<unknown>[] = []): Type<V> {
  return new Type<V>('opaque', name, parameters);
}

/** An environment's information about named types. */
export interface TypeProvider {
  /** A struct type by its full name. */
  struct(name: string): StructDescription | undefined;
  /**
   * A constant or a type's own name as a value: an enum's member, `net.IP`. Without a value it passes the checker, but
   * no program can be created.
   */
  constant(name: string): { readonly type: Type<unknown>; readonly value: Value | undefined } | undefined;
}

export interface StructDescription {
  readonly type: Type<unknown>;
  /** Type by field, in the expression's spelling. */
  readonly fields: ReadonlyMap<string, Type<unknown>>;
  /** Makes a value of `Name{field: value}`; absent where the type can't be written. Throws EvaluationError. */
  readonly create?: (fields: ReadonlyMap<string, Value>) => Value;
}
