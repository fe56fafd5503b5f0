// JSON objects as CEL values: structs with declared fields, or maps.

import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { equalPart } from '../cel/value/equality.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { MapValue, type Value } from '../cel/value/value.ts';

/** A declared field. */
export interface Member {
  /** Its JSON name. */
  readonly name: string;
  /** Its name in expressions. */
  readonly spelled: string;
  readonly read: (json: Json) => Value;
}

/** The content of an object: declared fields, by all their spellings, or any keys with values of one type. */
type ObjectShape =
  | { readonly members: ReadonlyMap<string, Member>; readonly values?: undefined }
  | { readonly members?: undefined; readonly values: (json: Json) => Value };

export class ObjectValue extends MapValue {
  readonly json: JsonObject;
  override readonly comparesOnlyAlike: boolean;
  readonly #shape: ObjectShape;

  /** @param isTyped whether it has a schema: then it can only be compared with maps */
  constructor(json: JsonObject, shape: ObjectShape, isTyped: boolean) {
    super();
    this.comparesOnlyAlike = isTyped;
    this.json = json;
    this.#shape = shape;
  }

  get size(): number {
    return this.#names().length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') throw new EvaluationError('no such overload');
    const { members, values } = this.#shape;
    if (members === undefined) {
      const json = this.json[key];
      return json === undefined || !Object.hasOwn(this.json, key) ? undefined : values(json);
    }
    const member = members.get(key);
    if (member === undefined) return undefined;
    const json = ownMember(this.json, member.name);
    // A nullable field that is null counts as absent.
    return json === undefined || json === null ? undefined : member.read(json);
  }

  keys(): readonly Value[] {
    const { members } = this.#shape;
    const names = this.#names();
    return members === undefined ? names : names.flatMap((name) => members.get(name)?.spelled ?? []);
  }

  /** A field without a value counts as absent. */
  #names(): string[] {
    return Object.keys(this.json).filter((name) => this.json[name] !== undefined);
  }

  override equals(other: MapValue): boolean {
    if (this.size !== other.size) return false;
    const { members } = this.#shape;
    for (const [name, json] of Object.entries(this.json)) {
      if (members !== undefined && !members.has(name)) {
        if (!sameUnknown(json, name, other)) return false;
        continue;
      }
      const own = this.get(name);
      const others = other.get(members?.get(name)?.spelled ?? name);
      if ((own === undefined) !== (others === undefined)) return false;
      if (own !== undefined && others !== undefined && !equalPart(own, others)) return false;
    }
    return true;
  }
}

/** Undeclared content is compared if both have it. */
function sameUnknown(json: Json | undefined, name: string, other: MapValue): boolean {
  if (!(other instanceof ObjectValue)) throw new EvaluationError('no such overload');
  const others = ownMember(other.json, name);
  return json === undefined || others === undefined || equalJson(json, others);
}
