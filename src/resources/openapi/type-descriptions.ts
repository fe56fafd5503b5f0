// Prose in the schemas of OpenAPI documents: what types and their members are for, where somebody can tell. Knows
// nothing of where descriptions come from.

import type { Json, JsonObject } from '../../api/object.ts';

export interface TypeDescription {
  readonly text: string;
  /** By the names of members in JSON. */
  readonly members: ReadonlyMap<string, string>;
}

export interface TypeDescriptions {
  /** Changes when the descriptions do. */
  readonly version: string;
  /** Of types by their published names (`io.k8s.api.core.v1.Pod`), as far as they are known. */
  of(names: readonly string[]): Promise<ReadonlyMap<string, TypeDescription>>;
}

/** Adds descriptions to the schemas of a document of either version. Those that schemas have already stay. */
export async function describeTypes(document: JsonObject, descriptions: TypeDescriptions): Promise<void> {
  const schemas = (document['definitions'] ?? memberOf(document['components'], 'schemas') ?? {}) as JsonObject;
  const found = await descriptions.of(Object.keys(schemas));
  const textOf = (reference: string) => found.get(reference.slice(reference.lastIndexOf('/') + 1))?.text;
  for (const [name, { text, members }] of found) {
    const schema = schemas[name] as JsonObject;
    if (text !== '') schema['description'] ??= text;
    for (const [member, description] of members) {
      const property = memberOf(schema['properties'], member);
      if (property !== undefined) (property as JsonObject)['description'] ??= description;
    }
    describeReferences(schema, textOf);
  }
}

/** A member that nobody describes, and that is a type of its own, is what that type is. */
function describeReferences(schema: JsonObject, textOf: (reference: string) => string | undefined): void {
  for (const property of Object.values((schema['properties'] ?? {}) as Record<string, JsonObject>)) {
    if (property['description'] !== undefined) continue;
    const [only] = Array.isArray(property['allOf']) ? property['allOf'] : [property];
    const reference = memberOf(only, '$ref');
    const text = typeof reference === 'string' ? textOf(reference) : undefined;
    if (text !== undefined && text !== '') property['description'] = text;
  }
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    return undefined;
  }
  return value[name];
}
