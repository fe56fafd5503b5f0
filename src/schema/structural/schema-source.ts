// Access to a schema as written in a CustomResourceDefinition (JSON schema), for its validation.

import { isObject } from '../../api/is-object.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { NONE } from '../../base/findings.ts';
import { overItems, part } from '../../base/resumed.ts';
import { sortedNames } from '../../base/sorted-names.ts';

/** The schema of a keyword; undefined if there is none. */
export function schemaAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const found = ownMember(schema, keyword);
  return isObject(found) ? found : undefined;
}

/** The list of schemas of a keyword. */
export function schemasAt(schema: JsonObject, keyword: string): JsonObject[] {
  const found = ownMember(schema, keyword);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

const SCALARS: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number', 'string']);
const HARMLESS: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'format', 'enum', 'nullable'],
  ...['minimum', 'maximum', 'minLength', 'maxLength'],
]);

/** Whether a schema is that of a scalar and cannot be invalid: most in a large definition are. */
export function isPlainScalar(schema: JsonObject): boolean {
  if (!SCALARS.has(schema['type'])) return false;
  for (const keyword in schema) if (!HARMLESS.has(keyword)) return false;
  return true;
}

/** The named schemas of a keyword. */
export function membersOf(schema: JsonObject, keyword: string): [string, JsonObject][] {
  const found = schemaAt(schema, keyword);
  if (found === undefined) return [];
  return part(() =>
    overItems(sortedNames(found), (name) => {
      const member = ownMember(found, name);
      return isObject(member) ? [[name, member]] : NONE;
    }),
  );
}

const UNSTRUCTURED = ['id', '$schema', '$ref', 'additionalItems'];
const UNSTRUCTURED_MAPS = ['patternProperties', 'dependencies', 'definitions'];

/**
 * Whether a schema and all within it can be turned into a structural one, which has no place for some keywords. That
 * says little of whether it is structural.
 */
export function isConvertible(schema: JsonObject): boolean {
  const { items } = schema;
  if (UNSTRUCTURED.some((keyword) => ![undefined, null, ''].includes(ownMember(schema, keyword) as string)))
    return false;
  if (UNSTRUCTURED_MAPS.some((keyword) => membersOf(schema, keyword).length > 0)) return false;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) return false;
  if (Array.isArray(items) && items.length > 0) return false;
  const parts = [
    ...['items', 'not', 'additionalProperties'].map((keyword) => schemaAt(schema, keyword)),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasAt(schema, keyword)),
    ...membersOf(schema, 'properties').map(([, member]) => member),
  ];
  return parts.every((each) => each === undefined || isConvertible(each));
}

const WITH_SCHEMAS = ['items', 'allOf', 'anyOf', 'oneOf', 'not', 'additionalProperties', 'additionalItems'];
const WITH_NAMED_SCHEMAS = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** Whether a schema has a default anywhere below it, allowed or not. */
export function mentionsDefault(schema: JsonObject): boolean {
  if (schema['default'] !== undefined && schema['default'] !== null) return true;
  return schemasIn(schema).some(mentionsDefault);
}

/** The schemas in a schema, one level below it, of all keywords, allowed or not. */
export function schemasIn(schema: JsonObject): JsonObject[] {
  const below: JsonObject[] = [];
  for (const keyword of WITH_SCHEMAS) {
    const one = schemaAt(schema, keyword);
    below.push(...(one === undefined ? schemasAt(schema, keyword) : [one]));
  }
  for (const keyword of WITH_NAMED_SCHEMAS) {
    for (const [, member] of membersOf(schema, keyword)) below.push(member);
  }
  return below;
}
