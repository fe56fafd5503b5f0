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
  for (const [name, { text, members }] of found) {
    const schema = schemas[name] as JsonObject;
    if (text !== '') schema['description'] ??= text;
    for (const [member, description] of members) {
      const property = memberOf(schema['properties'], member);
      if (property !== undefined) (property as JsonObject)['description'] ??= description;
    }
    unwrapReferences(schema);
  }
}

/** A reference is wrapped to have something beside it; those that have nothing stand alone, as kube-apiserver has them. */
function unwrapReferences({ properties = {} }: JsonObject): void {
  for (const property of Object.values(properties as Record<string, JsonObject>)) {
    const { allOf } = property;
    if (!Array.isArray(allOf) || Object.keys(property).length > 1) continue;
    delete property['allOf'];
    Object.assign(property, allOf[0]);
  }
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    return undefined;
  }
  return value[name];
}
