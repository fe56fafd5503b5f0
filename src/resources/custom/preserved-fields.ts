// Definitions with preserveUnknownFields, which only old clusters stored: their schemas restrict values and remove nothing,
// need not be structural, and are published only if they are.

import { fieldError, fieldErrorBody } from '../../api/errors.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { membersOf, schemaAt } from '../../schema/structural/schema-source.ts';
import { structuralErrors } from '../../schema/structural/structural-rules.ts';
import type { Condition } from '../conditions.ts';
import { at } from '../value.ts';
import { schemaOf, versionsOf } from './definition-versions.ts';

/** Whether the objects of a definition keep fields that its schemas do not describe. */
export function preservesAll(definition: JsonObject): boolean {
  return at(definition, 'spec', 'preserveUnknownFields') === true;
}

/** A schema that says the same of values, and removes nothing at any place. */
export function preservingSchema(schema: JsonObject): JsonObject {
  const open: JsonObject = { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
  const properties = membersOf(schema, 'properties').map(([name, each]) => [name, preservingSchema(each)] as const);
  if (properties.length > 0) open['properties'] = Object.fromEntries(properties) as Json;
  for (const keyword of ['items', 'additionalProperties']) {
    const inner = schemaAt(schema, keyword);
    if (inner !== undefined) open[keyword] = preservingSchema(inner);
  }
  return open;
}

/** A schema as published: none if it is not structural. */
export function publishedSchema(schema: JsonObject): JsonObject {
  return structuralErrors(schema, '', { isOld: true }).length === 0 ? schema : {};
}

/** The condition of a definition that is not as definitions have to be; undefined for others. */
export function nonStructuralCondition(definition: ApiObject): Condition | undefined {
  if (!preservesAll(definition)) return undefined;
  const faults = [fieldError.invalid('spec.preserveUnknownFields', true, 'must be false')];
  for (const [index, version] of versionsOf(definition).entries()) {
    const schema = schemaOf(version);
    if (schema !== undefined)
      faults.push(...structuralErrors(schema, `spec.versions[${index}].schema.openAPIV3Schema`, { isOld: true }));
  }
  const texts = [...new Set(faults.map((fault) => `${fault.field}: ${fieldErrorBody(fault)}`))];
  const message = texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}
