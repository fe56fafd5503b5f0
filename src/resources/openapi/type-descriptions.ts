// Descriptions in OpenAPI schemas: documentation of types and their fields, if available. Independent of their source.

import type { Json, JsonObject } from '../../api/object.ts';

export interface TypeDescription {
  readonly text: string;
  /** By JSON field name. */
  readonly members: Readonly<Record<string, string>>;
}

export interface TypeDescriptions {
  /** Changes with the descriptions. */
  readonly version: string;
  /** Descriptions of a type by its published name (`io.k8s.api.core.v1.Pod`); undefined if unknown. */
  of(name: string): TypeDescription | undefined;
}

/** Adds descriptions to the schemas of types, one by one. Existing ones are kept. */
export function* describingTypes(
  schemas: Iterable<readonly [name: string, schema: JsonObject]>,
  descriptions: TypeDescriptions,
): Generator<undefined, void> {
  for (const [name, schema] of schemas) {
    const found = descriptions.of(name);
    if (found === undefined) continue;
    describe(schema, found);
    yield;
  }
}

function describe(schema: JsonObject, { text, members }: TypeDescription): void {
  if (text !== '') schema['description'] ??= text;
  for (const [member, description] of Object.entries(members)) {
    const property = memberOf(schema['properties'], member);
    if (property !== undefined && !standsAlone(property as JsonObject)) {
      (property as JsonObject)['description'] ??= description;
    }
  }
}

/** In v3, the reference of a field that the release that is served does not describe. */
function standsAlone({ $ref }: JsonObject): boolean {
  return typeof $ref === 'string' && $ref.startsWith('#/components/');
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    return undefined;
  }
  return value[name];
}
