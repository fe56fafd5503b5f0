// The rules that the schema of a definition's version keeps to, at its root and below.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { definitionRuleErrors } from '../../expressions/definition-rules.ts';
import { type Environments, STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { RuleSet } from '../../expressions/rule-set.ts';
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

const BEFORE_TYPE = ['id', '$schema', '$ref'];

/** How Kubernetes names them in its message. */
const NAMES_AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields ' +
  'XValidations';

interface SchemaPlace {
  /** Where the schema stands, without its own name: `spec.versions[0].schema`. */
  readonly field: string;
  readonly statusEnabled: boolean;
  /** Which functions its rules may use. */
  readonly environments: Environments;
  /** Whether the schema is the one that was there before, so that its rules may cost what they cost. */
  readonly isOld: boolean;
}

/** The faults of a version's schema. */
export function definitionSchemaErrors(
  schema: JsonObject,
  { field, statusEnabled, environments, isOld }: SchemaPlace,
): FieldError[] {
  const place = `${field}.openAPIV3Schema`;
  const found: FieldError[] = [];
  if (statusEnabled) found.push(...rootErrors(schema, place));
  if (schema['nullable'] === true) {
    found.push(fieldError.forbidden(`${place}.nullable`, 'nullable cannot be true at the root'));
  }
  const known = !isIncomprehensible(schema);
  const unsupported = unsupportedKeyword(schema);
  let part: SchemaPart | undefined;
  if (known && unsupported === undefined) {
    const structural = structuralErrors(schema, place);
    part = structural.length > 0 ? undefined : new SchemaPart(schema);
    const faults = part === undefined ? structural : defaultErrors(part, place, { objectMeta: ObjectMeta, ruleErrors });
    if (faults.length > 0) part = undefined;
    found.push(...faults);
  }
  const faults = schemaErrors(schema, place);
  found.push(...faults);
  if (part !== undefined) {
    const options = { environments, faulty: faults.map((each) => each.field), keepsCosts: isOld };
    found.push(...definitionRuleErrors(part, place, options));
  }
  if (found.length === 0 && unsupported !== undefined) {
    found.push(fieldError.invalid(place, '', `OpenAPIV3Schema '${unsupported}' is not supported`));
  }
  return found;
}

/** The first keyword is told that may not stand beside a status, of which the schema is that of a member of the root. */
function rootErrors(schema: JsonObject, place: string): FieldError[] {
  const of = 'at the root of the schema if the status subresource is enabled';
  const { type = '' } = schema;
  const misplaced = Object.keys(schema).filter((keyword) => !AT_ROOT_WITH_STATUS.includes(keyword));
  const isTypeFirst = !misplaced.some((keyword) => BEFORE_TYPE.includes(keyword));
  if (type !== '' && type !== 'object' && isTypeFirst) {
    return [fieldError.invalid(`${place}.type`, type, `only "object" is allowed as the type ${of}`)];
  }
  if (misplaced.length === 0) return [];
  return [fieldError.invalid(place, schema, `only [${NAMES_AT_ROOT}] fields are allowed ${of}`)];
}

/** What the rules find in a default: first as if it stayed, then as if it were new. */
function ruleErrors(value: Json, part: SchemaPart, field: string): readonly FieldError[] {
  const rules = new RuleSet(part, part.embedded, STORED_EXPRESSIONS);
  const { errors } = rules.validate(value, { field, previous: value, ratchets: false });
  return errors.length > 0 ? errors : rules.validate(value, { field }).errors;
}
