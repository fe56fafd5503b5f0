// JSON without a schema as CEL values: integral numbers are ints, others doubles, objects are maps. Used by admission
// policies.

import type { Json } from '../api/object.ts';
import { Double, type Value } from '../cel/value/value.ts';
import { JsonList } from './json-list.ts';
import { ObjectValue } from './object-value.ts';

/** The value of untyped JSON. */
export function readUntyped(json: Json): Value {
  switch (typeof json) {
    case 'number':
      return Number.isSafeInteger(json) ? json : new Double(json);
    case 'object':
      if (json === null) return null;
      if (Array.isArray(json)) return new JsonList(json, readUntyped, { isTyped: false });
      return new ObjectValue(json, { values: readUntyped }, false);
    default:
      return json;
  }
}
