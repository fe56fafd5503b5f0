// Validation of schemas, structural or not: keywords, types, and the requirements of list types. Errors are reported
// place by place, outer ones first, as in Kubernetes.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { listTypeErrors } from './list-type-rules.ts';
import { ruleTextErrors } from './rule-texts.ts';
import { isPlainScalar, isSchema, membersOf, schemaAt, schemasAt } from './schema-source.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const OBJECT_MEMBERS = new Set(['apiVersion', 'kind', 'metadata']);

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  readonly inMetadata: boolean;
  /** Why a default is not allowed here. */
  readonly noDefault: string;
  /** Receives the fields of schemas with errors. */
  readonly faulty: Set<string>;
}

interface SchemaErrors {
  /** Those of the root first. */
  readonly errors: FieldError[];
  /** The fields of schemas with errors, in themselves or in schemas within them. */
  readonly faulty: ReadonlySet<string>;
}

/** Errors in a schema. */
export function schemaErrors(schema: JsonObject, field: string): SchemaErrors {
  const faulty = new Set<string>();
  const errors = partErrors(schema, { field, isRoot: true, inMetadata: false, noDefault: '', faulty });
  return { errors, faulty };
}

/**
 * A valid keyword that structural schemas do not support, by Kubernetes' name; undefined if there is none. Examples and
 * external documentation are ignored.
 */
export function unsupportedKeyword(schema: JsonObject): string | undefined {
  if (isPlainScalar(schema)) return undefined;
  if ((schema['$schema'] ?? '') !== '') return 'schema';
  for (const each of subschemas(schema)) {
    const found = unsupportedKeyword(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a schema has keywords that rule out further structural validation. */
export function isIncomprehensible(schema: JsonObject): boolean {
  if (isPlainScalar(schema)) return false;
  return keywordErrors(schema, '').length > 0 || subschemas(schema).some(isIncomprehensible);
}

/** Whether a schema says somewhere that unknown fields are not preserved, which leaves no structure to validate. */
export function deniesUnknownFields(schema: JsonObject): boolean {
  if (isPlainScalar(schema)) return false;
  return schema['x-kubernetes-preserve-unknown-fields'] === false || subschemas(schema).some(deniesUnknownFields);
}

function subschemas(schema: JsonObject): JsonObject[] {
  const found = Object.values(schemaAt(schema, 'properties') ?? {}).filter(isSchema);
  for (const keyword of ['items', 'additionalProperties', 'not']) {
    const each = schemaAt(schema, keyword);
    if (each !== undefined) found.push(each);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) found.push(...schemasAt(schema, keyword));
  return found;
}

function partErrors(schema: JsonObject, place: Place): FieldError[] {
  if (isPlainScalar(schema)) return [];
  const { field } = place;
  const found = [...standardErrors(schema, place)];
  if (schema['uniqueItems'] === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.push(fieldError.forbidden(`${field}.uniqueItems`, detail));
  }
  found.push(...additionalErrors(schema, place), ...propertyErrors(schema, place));
  const below = { ...place, isRoot: false };
  const not = schemaAt(schema, 'not');
  if (not !== undefined) found.push(...partErrors(not, { ...below, field: `${field}.not` }));
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, each] of schemasAt(schema, keyword).entries()) {
      found.push(...partErrors(each, { ...below, field: `${field}.${keyword}[${index}]` }));
    }
  }
  for (const [name, each] of membersOf(schema, 'definitions')) {
    found.push(...partErrors(each, { ...below, field: `${field}.definitions[${name}]` }));
  }
  const items = schemaAt(schema, 'items');
  if (items !== undefined) found.push(...partErrors(items, { ...below, field: `${field}.items` }));
  for (const [index, each] of schemasAt(schema, 'items').entries()) {
    found.push(...partErrors(each, { ...below, field: `${field}.items[${index}]` }));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const detail = 'must be true or undefined';
    found.push(fieldError.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, detail));
  }
  found.push(...listTypeErrors(schema, field), ...ruleTextErrors(schema, field));
  if (found.length > 0) place.faulty.add(field);
  return found;
}

function standardErrors(schema: JsonObject, { field, inMetadata, noDefault }: Place): FieldError[] {
  const found: FieldError[] = [];
  const type = (schema['type'] ?? '') as string;
  if (type !== '' && !TYPES.includes(type)) found.push(fieldError.notSupported(`${field}.type`, type, TYPES));
  if (noDefault !== '' && schema['default'] !== undefined) {
    found.push(fieldError.forbidden(`${field}.default`, `must not be set ${noDefault}`));
  }
  found.push(...keywordErrors(schema, field));
  if (inMetadata && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    found.push(fieldError.forbidden(`${field}.x-kubernetes-embedded-resource`, detail));
  }
  return found;
}

const UNKNOWN_KEYWORDS = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function keywordErrors(schema: JsonObject, field: string): FieldError[] {
  const found: FieldError[] = [];
  for (const keyword of UNKNOWN_KEYWORDS) {
    const value = ownMember(schema, keyword);
    if (!isSaid(keyword, value) || (MAPS.has(keyword) && isEmptyMap(value))) continue;
    found.push(fieldError.forbidden(`${field}.${keyword}`, `${keyword} is not supported`));
  }
  if (schema['type'] === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    found.push(fieldError.forbidden(`${field}.type`, detail));
  }
  if (Array.isArray(schema['items'])) {
    found.push(fieldError.forbidden(`${field}.items`, 'items must be a schema object and not an array'));
  }
  return found;
}

/** Keywords that mean nothing with an empty map. */
const MAPS = new Set(['patternProperties', 'definitions']);

function isEmptyMap(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** An empty reference is still a reference. */
function isSaid(keyword: string, value: Json | undefined): boolean {
  return value !== undefined && value !== null && (value !== '' || keyword === '$ref');
}

function additionalErrors(schema: JsonObject, place: Place): FieldError[] {
  const additional = schema['additionalProperties'];
  if (additional === undefined || additional === null) return [];
  const found: FieldError[] = [];
  const field = `${place.field}.additionalProperties`;
  if (membersOf(schema, 'properties').length > 0 && additional !== true) {
    found.push(fieldError.forbidden(field, 'additionalProperties and properties are mutual exclusive'));
  }
  const values = schemaAt(schema, 'additionalProperties');
  if (values === undefined) return found;
  const noDefault = place.inMetadata ? 'inside additionalProperties applying to object metadata' : place.noDefault;
  return [...found, ...partErrors(values, { ...place, field, isRoot: false, noDefault })];
}

function propertyErrors(schema: JsonObject, place: Place): FieldError[] {
  const found: FieldError[] = [];
  const isObject = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, each] of membersOf(schema, 'properties')) {
    const isOwn = isObject && OBJECT_MEMBERS.has(name);
    found.push(
      ...partErrors(each, {
        ...place,
        field: `${place.field}.properties[${name}]`,
        isRoot: false,
        inMetadata: place.inMetadata || isOwn,
        noDefault: isOwn && place.isRoot ? `in top-level ${name}` : place.noDefault,
      }),
    );
  }
  return found;
}
