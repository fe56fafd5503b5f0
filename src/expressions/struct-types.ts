// Hand-written struct types: a name and the types of its fields.

import { type StructDescription, structType, type Type, type TypeProvider } from '../cel/types/type.ts';

/** Types by name. */
export class StructTypes implements TypeProvider {
  readonly #structs: ReadonlyMap<string, StructDescription>;

  /** @param structs the types of fields, by the name of their struct */
  constructor(structs: Readonly<Record<string, Readonly<Record<string, Type<unknown>>>>>) {
    this.#structs = new Map(
      Object.entries(structs).map(([name, fields]) => [
        name,
        { type: structType(name), fields: new Map(Object.entries(fields)) },
      ]),
    );
  }

  struct(name: string): StructDescription | undefined {
    return this.#structs.get(name);
  }

  constant(): undefined {
    return undefined;
  }
}
