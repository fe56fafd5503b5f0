// The claims of a token as a CEL value: JSON without a schema, all numbers doubles, fields also accessible by their
// escaped names (`claims.example__dot__com`).

import type { Json, JsonObject } from '../../../api/object.ts';
import { EvaluationError } from '../../../cel/value/evaluation-error.ts';
import { Double, MapValue, type Value } from '../../../cel/value/value.ts';
import { unescapeFieldName } from '../../../expressions/field-name.ts';
import { JsonList } from '../../../expressions/json-list.ts';

export class ClaimsValue extends MapValue {
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') throw new EvaluationError('no such overload');
    const name = unescapeFieldName(key) ?? key;
    return Object.hasOwn(this.#json, name) ? claimValue(this.#json[name] as Json) : undefined;
  }

  keys(): readonly Value[] {
    return Object.keys(this.#json);
  }
}

function claimValue(json: Json): Value {
  if (typeof json === 'number') return new Double(json);
  if (typeof json !== 'object' || json === null) return json;
  return Array.isArray(json) ? new JsonList(json, claimValue, { isTyped: false }) : new ClaimsValue(json);
}
