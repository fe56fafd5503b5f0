// The rules that the schema of a definition's version keeps to, at its root and below.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import { defaultErrors } from '../../schema/structural/default-rules.ts';
import { SchemaPart } from '../../schema/structural/schema-part.ts';
import { isIncomprehensible, schemaErrors, unsupportedKeyword } from '../../schema/structural/schema-rules.ts';
import { structuralErrors } from '../../schema/structural/structural-rules.ts';
import { ObjectMeta } from '../builtin/meta/v1.ts';

/** With a status of its own, the root of a schema says nothing that would be lost when the status is looked at alone. */
const AT_ROOT_WITH_STATUS = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** How Kubernetes names them in its message. */
const NAMES_AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields ' +
  'XValidations';

/** @param field where the schema stands, without its own name: `spec.versions[0].schema` */
export function definitionSchemaErrors(schema: JsonObject, field: string, statusEnabled: boolean): FieldError[] {
  const place = `${field}.openAPIV3Schema`;
  const found: FieldError[] = [];
  if (statusEnabled && Object.keys(schema).some((keyword) => !AT_ROOT_WITH_STATUS.includes(keyword))) {
    const detail = `only [${NAMES_AT_ROOT}] fields are allowed at the root of the schema if the status subresource is enabled`;
    found.push(fieldError.invalid(place, schema, detail));
  }
  if (schema['nullable'] === true) {
    found.push(fieldError.forbidden(`${place}.nullable`, 'nullable cannot be true at the root'));
  }
  const known = !isIncomprehensible(schema);
  const unsupported = unsupportedKeyword(schema);
  if (known && unsupported === undefined) {
    const structural = structuralErrors(schema, place);
    found.push(...(structural.length > 0 ? structural : defaultErrors(new SchemaPart(schema), place, ObjectMeta)));
  }
  found.push(...schemaErrors(schema, place));
  if (found.length === 0 && unsupported !== undefined) {
    found.push(fieldError.invalid(place, '', `OpenAPIV3Schema '${unsupported}' is not supported`));
  }
  return found;
}
