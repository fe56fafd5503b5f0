// Validation of list types and map types in a schema: sets of atomic values, keyed lists with valid keys.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { schemaAt } from './schema-source.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** Errors in the list type and the map type of one place. */
export function listTypeErrors(schema: JsonObject, field: string): FieldError[] {
  const listType = schema[LIST_TYPE] as string | undefined;
  const found = [...mapTypeErrors(schema, field)];
  if (listType !== undefined) {
    if (schema['type'] !== 'array') found.push(wrongType(schema, field, LIST_TYPE));
    else if (listType === 'set') found.push(...setItemErrors(schema, field));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      found.push(fieldError.notSupported(`${field}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']));
    }
  }
  const keys = listKeys(schema);
  if (keys.length > 0 && listType !== 'map') {
    const detail = `must be map if ${LIST_KEYS} is non-empty`;
    if (listType === undefined) found.push(fieldError.required(`${field}.${LIST_TYPE}`, detail));
    else found.push(fieldError.invalid(`${field}.${LIST_TYPE}`, listType, detail));
  }
  if (listType === 'map') found.push(...keyedListErrors(schema, keys, field));
  return [...found, ...keyErrors(schema, keys, field)];
}

function listKeys(schema: JsonObject): string[] {
  return Array.isArray(schema[LIST_KEYS]) ? (schema[LIST_KEYS] as string[]) : [];
}

function wrongType(schema: JsonObject, field: string, because: typeof LIST_TYPE | typeof MAP_TYPE): FieldError {
  const type = because === LIST_TYPE ? 'array' : 'object';
  const detail = `must be ${type} if ${because} is specified`;
  const found = (schema['type'] ?? '') as string;
  if (found === '') return fieldError.required(`${field}.type`, detail);
  return fieldError.invalid(`${field}.type`, found, detail);
}

function mapTypeErrors(schema: JsonObject, field: string): FieldError[] {
  const mapType = schema[MAP_TYPE] as string | undefined;
  if (mapType === undefined) return [];
  const found = schema['type'] === 'object' ? [] : [wrongType(schema, field, MAP_TYPE)];
  if (mapType === 'atomic' || mapType === 'granular') return found;
  return [...found, fieldError.notSupported(`${field}.${MAP_TYPE}`, mapType, ['atomic', 'granular'])];
}

/** Set items are compared as a whole, so they must be atomic. */
function setItemErrors(schema: JsonObject, field: string): FieldError[] {
  const items = schemaAt(schema, 'items');
  const refuse = (keyword: string) => {
    const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`;
    return [fieldError.invalid(`${field}.items.${keyword}`, ownMember(items, keyword) ?? null, detail)];
  };
  if (items?.['type'] === 'array' && (items[LIST_TYPE] ?? 'atomic') !== 'atomic') return refuse(LIST_TYPE);
  if (items?.['type'] === 'object' && items[MAP_TYPE] !== 'atomic') return refuse(MAP_TYPE);
  return [];
}

function keyedListErrors(schema: JsonObject, keys: readonly string[], field: string): FieldError[] {
  const found: FieldError[] = [];
  if (keys.length === 0) {
    found.push(fieldError.required(`${field}.${LIST_KEYS}`, `must not be empty if ${LIST_TYPE} is map`));
  }
  if (schema['items'] === undefined) {
    found.push(fieldError.required(`${field}.items`, `must have a schema if ${LIST_TYPE} is map`));
  }
  if (Array.isArray(schema['items'])) {
    const detail = `must only have a single schema if ${LIST_TYPE} is map`;
    found.push(fieldError.invalid(`${field}.items`, { Schema: null, JSONSchemas: schema['items'] }, detail));
  }
  const items = schemaAt(schema, 'items');
  if (items === undefined) return found;
  if (items['type'] !== 'object') {
    const detail = `must be object if parent array's ${LIST_TYPE} is map`;
    return [...found, fieldError.invalid(`${field}.items.type`, items['type'] ?? '', detail)];
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = schemaAt(schemaAt(items, 'properties') ?? {}, key);
    if (property === undefined) {
      const detail = 'entries must all be names of item properties';
      found.push(fieldError.invalid(`${field}.${LIST_KEYS}`, keys as Json, detail));
    } else if (property['type'] === 'array' || property['type'] === 'object') {
      const detail = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      found.push(fieldError.invalid(`${field}.items.properties[${key}].type`, items['type'], detail));
    }
    if (seen.has(key)) {
      found.push(fieldError.invalid(`${field}.${LIST_KEYS}`, keys as Json, 'must not contain duplicate entries'));
    }
    seen.add(key);
  }
  return found;
}

/** Every item of a keyed list has its keys: they are required or have a default, and are not nullable. */
function keyErrors(schema: JsonObject, keys: readonly string[], field: string): FieldError[] {
  const items = schemaAt(schema, 'items');
  const listType = schema[LIST_TYPE];
  if (items === undefined || (listType !== 'map' && listType !== 'set')) return [];
  const found: FieldError[] = [];
  if (items['nullable'] === true) {
    const detail = `cannot be nullable when ${LIST_TYPE} is ${listType}`;
    found.push(fieldError.forbidden(`${field}.items.nullable`, detail));
  }
  if (listType !== 'map') return found;
  const required = new Set((items['required'] ?? []) as string[]);
  const properties = schemaAt(items, 'properties') ?? {};
  for (const key of keys) {
    const property = schemaAt(properties, key);
    if (property === undefined) continue;
    const place = `${field}.items.properties[${key}]`;
    if (!required.has(key) && (property['default'] ?? null) === null) {
      const detail = `this property is in ${LIST_KEYS}, so it must have a default or be a required property`;
      found.push(fieldError.required(`${place}.default`, detail));
    }
    if (property['nullable'] === true) {
      const detail = `this property is in ${LIST_KEYS}, so it cannot be nullable`;
      found.push(fieldError.forbidden(`${place}.nullable`, detail));
    }
  }
  return found;
}
