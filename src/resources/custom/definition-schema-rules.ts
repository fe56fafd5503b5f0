// Validation of the schema of a definition's version.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { part as inPart } from '../../base/resumed.ts';
import { definitionRuleErrors } from '../../expressions/definition-rules.ts';
import { type Environments, storedExpressions } from '../../expressions/environments.ts';
import { RuleSet } from '../../expressions/rule-set.ts';
import { defaultErrors } from '../../schema/structural/default-rules.ts';
import type { CompiledPatterns } from '../../schema/structural/pattern.ts';
import { SchemaPart } from '../../schema/structural/schema-part.ts';
import {
  deniesUnknownFields,
  isIncomprehensible,
  schemaErrors,
  unsupportedKeyword,
} from '../../schema/structural/schema-rules.ts';
import { structuralErrors } from '../../schema/structural/structural-rules.ts';
import { ObjectMeta } from '../builtin/meta/v1.ts';

/**
 * With a status subresource, the root of a schema must not contain what would be lost when the status is validated
 * alone.
 */
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

/** Their names in Kubernetes' message. */
const NAMES_AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields ' +
  'XValidations';

interface SchemaPlace {
  /** The path of the schema without its own name: `spec.versions[0].schema`. */
  readonly field: string;
  readonly statusEnabled: boolean;
  /** The functions that its rules may use. */
  readonly environments: Environments;
  /** The minor release of Kubernetes 1 that is served; the one served by default if undefined. */
  readonly minor?: number | undefined;
  /** Whether the schema is unchanged, so that costs of its rules are not limited. */
  readonly isOld: boolean;
  /** Those of the server. */
  readonly patterns: CompiledPatterns | undefined;
}

/** Errors in a version's schema. */
export function definitionSchemaErrors(
  schema: JsonObject,
  { field, statusEnabled, environments, minor, isOld, patterns }: SchemaPlace,
): FieldError[] {
  const place = `${field}.openAPIV3Schema`;
  const found: FieldError[] = [];
  if (statusEnabled) found.push(...rootErrors(schema, place));
  if (schema['nullable'] === true) {
    found.push(fieldError.forbidden(`${place}.nullable`, 'nullable cannot be true at the root'));
  }
  const known = inPart(() => !isIncomprehensible(schema)) && inPart(() => !deniesUnknownFields(schema));
  const unsupported = inPart(() => unsupportedKeyword(schema));
  let part: SchemaPart | undefined;
  if (known && unsupported === undefined) {
    const structural = inPart(() => structuralErrors(schema, place, { patterns, isOld }));
    part = structural.length > 0 ? undefined : inPart(() => new SchemaPart(schema));
    const faults =
      part === undefined
        ? structural
        : defaultErrors(part, place, { objectMeta: ObjectMeta, patterns, ruleErrors: ruleErrorsOf(minor) });
    if (faults.length > 0) part = undefined;
    found.push(...faults);
  }
  const { errors, faulty } = inPart(() => schemaErrors(schema, place));
  found.push(...errors);
  if (part !== undefined) {
    const options = { environments, minor, faulty, keepsCosts: isOld };
    found.push(...definitionRuleErrors(part, place, options));
  }
  if (found.length === 0 && unsupported !== undefined) {
    found.push(fieldError.invalid(place, '', `OpenAPIV3Schema '${unsupported}' is not supported`));
  }
  return found;
}

/** Only the first forbidden keyword next to a status is reported. */
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

/** Errors of rules in a default: first as for an update, then as for a create. */
function ruleErrorsOf(minor: number | undefined) {
  return (value: Json, part: SchemaPart, field: string): readonly FieldError[] => {
    const rules = new RuleSet(part, part.embedded, storedExpressions(minor));
    const { errors } = rules.validate(value, { field, previous: value, ratchets: false, minor });
    return errors.length > 0 ? errors : rules.validate(value, { field, minor }).errors;
  };
}
