// Objects created by mutating policies: `Object{spec: Object.spec{replicas: 3}}`. Every name that begins with `Object.`
// is a type, and every type has every field: validity is checked when the object is merged.

import { DYN, type StructDescription, structType, type Type, type TypeProvider } from '../cel/types/type.ts';
import { equal } from '../cel/value/equality.ts';
import { ListValue, MapValue, StructValue, type Value } from '../cel/value/value.ts';

const ROOT = 'Object';

export const PATCH_OBJECT_TYPE = structType<PatchObject>(ROOT);

export class PatchObject extends StructValue {
  override readonly type: Type<unknown>;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: Type<unknown>, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  override get(field: string): Value | undefined {
    return this.fields.get(field);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof PatchObject) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const others = other.fields.get(name);
      if (others === undefined || !equal(value, others)) return false;
    }
    return true;
  }

  /** Nested types whose names differ from their fields; a line for each, '' for none. */
  misnamed(): string {
    return misnamedIn(this, this.type.name).join('\n');
  }
}

/** @param path the type's name here */
function misnamedIn(value: Value, path: string): string[] {
  if (value instanceof PatchObject) {
    const { name } = value.type;
    const own =
      name === path
        ? []
        : [`unexpected type name "${name}", expected "${path}", which matches field name path from root Object type`];
    return [...own, ...[...value.fields].flatMap(([field, each]) => misnamedIn(each, `${path}.${field}`))];
  }
  if (value instanceof ListValue) {
    return Array.from({ length: value.size }, (_, index) => misnamedIn(value.at(index), path)).flat();
  }
  if (!(value instanceof MapValue)) return [];
  return value.keys().flatMap((key) => misnamedIn(value.get(key) as Value, path));
}

/** Fields with any name and value. */
class AnyField extends Map<string, Type<unknown>> {
  override get(): Type<unknown> {
    return DYN;
  }

  override has(): boolean {
    return true;
  }
}

const ANY_FIELD: ReadonlyMap<string, Type<unknown>> = new AnyField();

/** The types of patch objects, in addition to those of another provider. */
export const PATCH_OBJECT_TYPES: TypeProvider = Object.freeze({
  struct: (name: string): StructDescription | undefined => {
    if (name !== ROOT && !name.startsWith(`${ROOT}.`)) return undefined;
    const type = name === ROOT ? PATCH_OBJECT_TYPE : structType(name);
    return { type, fields: ANY_FIELD, create: (fields) => new PatchObject(type, fields) };
  },
  constant: () => undefined,
});
