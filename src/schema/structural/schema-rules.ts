// Validation of schemas, structural or not: keywords, types, and the requirements of list types. Errors are reported
// place by place, outer ones first, as in Kubernetes.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { NONE } from '../../base/findings.ts';
import { overItems, part } from '../../base/resumed.ts';
import { listTypeErrors } from './list-type-rules.ts';
import { ruleTextErrors } from './rule-texts.ts';
import { isPlainScalar, membersOf, schemaAt, schemasAt } from './schema-source.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const OBJECT_MEMBERS = new Set(['apiVersion', 'kind', 'metadata']);

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  readonly inMetadata: boolean;
  /** Why a default is not allowed here. */
  readonly noDefault: string;
}

/** A placeholder among the errors: marks a schema that has errors, in itself or in schemas within it. */
class FaultyPlace {
  readonly field: string;

  constructor(field: string) {
    this.field = field;
  }
}

type Found = FieldError | FaultyPlace;

interface SchemaErrors {
  /** In order from the root to the leaves. */
  readonly errors: FieldError[];
  /** The fields of schemas with errors, in themselves or in schemas within them. */
  readonly faulty: ReadonlySet<string>;
}

/** Errors in a schema. */
export function schemaErrors(schema: JsonObject, field: string): SchemaErrors {
  const errors: FieldError[] = [];
  const faulty = new Set<string>();
  for (const found of partErrors(schema, { field, isRoot: true, inMetadata: false, noDefault: '' })) {
    if (found instanceof FaultyPlace) faulty.add(found.field);
    else errors.push(found);
  }
  return { errors, faulty };
}

/**
 * A valid keyword that structural schemas do not support, by Kubernetes' name; undefined if there is none. Examples and
 * external documentation are ignored.
 */
export function unsupportedKeyword(schema: JsonObject): string | undefined {
  if (isPlainScalar(schema)) return undefined;
  if ((schema['$schema'] ?? '') !== '') return 'schema';
  return overItems(subschemas(schema), (each) => {
    const found = unsupportedKeyword(each);
    return found === undefined ? NONE : [found];
  })[0];
}

/** Whether a schema has keywords that rule out further structural validation; the type null does not. */
export function isIncomprehensible(schema: JsonObject): boolean {
  if (isPlainScalar(schema)) return false;
  return (
    keywordErrors(schema, '').some((error) => error.field !== '.type') || isAny(subschemas(schema), isIncomprehensible)
  );
}

/** Whether a schema says somewhere that unknown fields are not preserved, which leaves no structure to validate. */
export function deniesUnknownFields(schema: JsonObject): boolean {
  if (isPlainScalar(schema)) return false;
  return schema['x-kubernetes-preserve-unknown-fields'] === false || isAny(subschemas(schema), deniesUnknownFields);
}

function isAny(schemas: readonly JsonObject[], is: (schema: JsonObject) => boolean): boolean {
  return overItems(schemas, (each) => (is(each) ? [true] : NONE)).length > 0;
}

function schemasIn(properties: JsonObject): JsonObject[] {
  // Object.values takes several times as long for many members.
  return Object.keys(properties)
    .map((name) => properties[name])
    .filter(isObject);
}

function subschemas(schema: JsonObject): JsonObject[] {
  const properties = schemaAt(schema, 'properties');
  const found = properties === undefined ? [] : part(() => schemasIn(properties));
  for (const keyword of ['items', 'additionalProperties', 'not']) {
    const each = schemaAt(schema, keyword);
    if (each !== undefined) found.push(each);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const each of schemasAt(schema, keyword)) found.push(each);
  }
  return found;
}

function partErrors(schema: JsonObject, place: Place): readonly Found[] {
  if (isPlainScalar(schema)) return NONE;
  const { field } = place;
  const found: Found[] = standardErrors(schema, place);
  if (schema['uniqueItems'] === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.push(fieldError.forbidden(`${field}.uniqueItems`, detail));
  }
  const add = (more: readonly Found[]) => {
    for (const each of more) found.push(each);
  };
  add(additionalErrors(schema, place));
  add(propertyErrors(schema, place));
  const below = { ...place, isRoot: false };
  const not = schemaAt(schema, 'not');
  if (not !== undefined) add(partErrors(not, { ...below, field: `${field}.not` }));
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const ofEach = (each: JsonObject, index: number) =>
      partErrors(each, { ...below, field: `${field}.${keyword}[${index}]` });
    add(overItems(schemasAt(schema, keyword), ofEach));
  }
  const ofDefinition = ([name, each]: readonly [string, JsonObject]) =>
    partErrors(each, { ...below, field: `${field}.definitions[${name}]` });
  add(overItems(membersOf(schema, 'definitions'), ofDefinition));
  const items = schemaAt(schema, 'items');
  if (items !== undefined) add(partErrors(items, { ...below, field: `${field}.items` }));
  const ofItem = (each: JsonObject, index: number) => partErrors(each, { ...below, field: `${field}.items[${index}]` });
  add(overItems(schemasAt(schema, 'items'), ofItem));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const detail = 'must be true or undefined';
    found.push(fieldError.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, detail));
  }
  found.push(...listTypeErrors(schema, field), ...ruleTextErrors(schema, field));
  if (found.length > 0) found.push(new FaultyPlace(field));
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
  // An empty list is taken for no schema.
  if (Array.isArray(schema['items']) && schema['items'].length > 0) {
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

function additionalErrors(schema: JsonObject, place: Place): readonly Found[] {
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

function propertyErrors(schema: JsonObject, place: Place): readonly Found[] {
  const isObject = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  return overItems(membersOf(schema, 'properties'), ([name, each]) => {
    const isOwn = isObject && OBJECT_MEMBERS.has(name);
    return partErrors(each, {
      field: `${place.field}.properties[${name}]`,
      isRoot: false,
      inMetadata: place.inMetadata || isOwn,
      noDefault: isOwn && place.isRoot ? `in top-level ${name}` : place.noDefault,
    });
  });
}
