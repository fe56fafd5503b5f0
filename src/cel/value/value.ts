// CEL values in JavaScript. JSON values represent themselves if possible, so that reading an object copies nothing;
// types that JSON does not distinguish have classes.

import type { Duration } from './duration.ts';
import { type Int, Uint } from './int.ts';
import type { Timestamp } from './timestamp.ts';

export { type Int, Uint };

export type Value =
  | null
  | boolean
  | Int
  | string
  | Uint8Array
  | Uint
  | Double
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | StructValue
  | Optional
  | OpaqueValue
  | TypeValue;

/** A type as a value: `type(1)`. Type is its only subclass. */
export abstract class TypeValue {
  abstract readonly kind: string;
  abstract readonly name: string;
  abstract readonly parameters: readonly TypeValue[];
}

/** A floating-point number, which JavaScript could not distinguish from an integer. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A list. Subclasses define its items and, if it is not item by item, its equality. */
export abstract class ListValue {
  abstract readonly size: number;
  /** The item at an index from 0 to size - 1. */
  abstract at(index: number): Value;
  /** Whether a uint or a double is never found in it, even with an integral value. */
  readonly indexedByInt?: boolean;
  /** Whether it is incomparable with values that are not lists. */
  readonly comparesOnlyAlike?: boolean;
  /** Its type's own equality; undefined leaves it to the order of items. */
  equals?(other: ListValue): boolean;
  /** Its type's own `+`; undefined appends. */
  concat?(other: ListValue): ListValue;
}

/** A map from bool, int, uint or string. */
export abstract class MapValue {
  abstract readonly size: number;
  /** Returns the value of a key, undefined if there is none; 1, 1u and 1.0 are the same key. */
  abstract get(key: Value): Value | undefined;
  /** The keys in their order of iteration. */
  abstract keys(): readonly Value[];
  /** Whether it is incomparable with values that are not maps. */
  readonly comparesOnlyAlike?: boolean;
  /** Its type's own equality; undefined compares key by key. */
  equals?(other: MapValue): boolean;
}

/** An object whose fields have names. */
export abstract class StructValue {
  abstract readonly type: TypeValue;
  /** Returns the value of a field, undefined if it is not set. */
  abstract get(field: string): Value | undefined;
  abstract equals(other: Value): boolean;
}

/** A value of an opaque type, defined by its functions alone. Comparing it costs 1. */
export abstract class OpaqueValue {
  abstract readonly type: TypeValue;
  abstract equals(other: Value): boolean;
  /** The size for costs, 1 by default. */
  readonly size?: number;
}

/** A value or none. */
export class Optional {
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    this.value = value;
  }
}
