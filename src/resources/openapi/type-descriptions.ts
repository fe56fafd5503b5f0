// Prose in the schemas of OpenAPI documents: what types and their members are for, where somebody can tell. Knows
// nothing of where descriptions come from.

import type { Json, JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';

export interface TypeDescription {
  readonly text: string;
  /** By the names of members in JSON. */
  readonly members: Readonly<Record<string, string>>;
}

export interface TypeDescriptions {
  /** Changes when the descriptions do. */
  readonly version: string;
  /** Of a type by its published name (`io.k8s.api.core.v1.Pod`); undefined where nothing is known of it. */
  of(name: string): TypeDescription | undefined;
}

/**
 * Adds descriptions to the schemas of a document of either version, schema by schema. Those that schemas have already
 * stay.
 */
export function* describingTypes(document: JsonObject, descriptions: TypeDescriptions): Steps<void> {
  const schemas = (document['definitions'] ?? memberOf(document['components'], 'schemas') ?? {}) as JsonObject;
  for (const [name, schema] of Object.entries(schemas)) {
    const found = descriptions.of(name);
    if (found === undefined) continue;
    describe(schema as JsonObject, found);
    yield;
  }
}

function describe(schema: JsonObject, { text, members }: TypeDescription): void {
  if (text !== '') schema['description'] ??= text;
  for (const [member, description] of Object.entries(members)) {
    const property = memberOf(schema['properties'], member);
    if (property !== undefined) (property as JsonObject)['description'] ??= description;
  }
  unwrapReferences(schema);
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
