// Validation of structural schemas: every place has a type, alternatives only restrict, and metadata is left to the
// server. Errors are sorted by text, as in Kubernetes.

import { type FieldError, fieldError, fieldErrorBody } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { compareText } from '../../base/compare-text.ts';
import { NONE } from '../../base/findings.ts';
import { limits } from '../../base/limits.ts';
import { overItems, part } from '../../base/resumed.ts';
import { CompiledPatterns, PatternError } from './pattern.ts';
import { patternSize } from './pattern-size.ts';
import { isPlainScalar, membersOf, schemaAt, schemasAt } from './schema-source.ts';

type Member = readonly [name: string, schema: JsonObject];
type Level = 'root' | 'item' | 'field';

const WITHOUT_TYPE: Readonly<Record<Level, string>> = Object.freeze({
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
});

/** The alternatives that repeat x-kubernetes-int-or-string. */
const INT_OR_STRING: Json = Object.freeze([{ type: 'integer' }, { type: 'string' }]) as unknown as Json;

interface StructuralOptions {
  /** The cache of patterns that the server shares; undefined for none. */
  readonly patterns?: CompiledPatterns | undefined;
  /** Whether the schema is stored already, so that its patterns may have any size. */
  readonly isOld?: boolean;
}

/** Why a schema is not structural. */
export function structuralErrors(schema: JsonObject, field: string, options: StructuralOptions = {}): FieldError[] {
  const rules = new StructuralRules(options);
  const found = [...rules.invariants(schema, 'root', field), ...completenessErrors(schema, schema, [field, field])];
  const texts = new Map(found.map((error) => [error, `${error.field}: ${fieldErrorBody(error)}`]));
  return found.sort((one, other) => compareText(texts.get(one) as string, texts.get(other) as string));
}

/** What every place of a schema must be, and what its alternatives must not contain. */
class StructuralRules {
  readonly #patterns: CompiledPatterns;
  readonly #mostInstructions: number;

  constructor({ patterns = new CompiledPatterns(), isOld = false }: StructuralOptions) {
    this.#patterns = patterns;
    this.#mostInstructions = isOld ? Number.POSITIVE_INFINITY : limits.patternInstructions;
  }

  invariants(schema: JsonObject, level: Level, field: string): readonly FieldError[] {
    if (level !== 'root' && isPlainScalar(schema)) return NONE;
    const type = (schema['type'] ?? '') as string;
    const found: FieldError[] = [];
    if (type === 'array' && (schema['items'] === undefined || Array.isArray(schema['items']))) {
      found.push(fieldError.required(`${field}.items`, 'must be specified'));
    }
    const items = schemaAt(schema, 'items');
    if (items !== undefined) pushAll(found, this.invariants(items, 'item', `${field}.items`));
    const ofMember = ([name, each]: Member) => this.invariants(each, 'field', `${field}.properties[${name}]`);
    pushAll(found, overItems(membersOf(schema, 'properties'), ofMember));
    const additional = schemaAt(schema, 'additionalProperties');
    if (additional !== undefined) {
      pushAll(found, this.invariants(additional, 'field', `${field}.additionalProperties`));
    }
    if (level === 'root' && schema['additionalProperties'] !== undefined) {
      found.push(fieldError.forbidden(`${field}.additionalProperties`, 'must not be used at the root'));
    }
    found.push(...extensionErrors(schema, field));
    pushAll(found, this.#restrictions(schema, field, allowsTypes(schema)));
    found.push(...typeErrors(schema, { type, level, field }));
    if (level === 'root' || schema['x-kubernetes-embedded-resource'] === true) {
      found.push(...objectMemberErrors(schema, level, field));
    }
    return found;
  }

  #restrictions(schema: JsonObject, field: string, allowed: 'anyOf' | 'firstAllOf' | undefined): FieldError[] {
    const found: FieldError[] = [];
    for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
      if (keyword === 'anyOf' && allowed === 'anyOf') continue;
      const ofEach = (each: JsonObject, index: number) => {
        const below = keyword === 'allOf' && index === 0 && allowed === 'firstAllOf' ? 'anyOf' : undefined;
        return this.#alternative(each, `${field}.${keyword}[${index}]`, below);
      };
      pushAll(found, overItems(schemasAt(schema, keyword), ofEach));
    }
    const not = schemaAt(schema, 'not');
    if (not !== undefined) pushAll(found, this.#alternative(not, `${field}.not`, undefined));
    const pattern = schema['pattern'];
    if (typeof pattern === 'string') found.push(...this.#pattern(pattern, `${field}.pattern`));
    return found;
  }

  #alternative(schema: JsonObject, field: string, allowed: 'anyOf' | undefined): FieldError[] {
    const found = this.#restrictions(schema, field, allowed);
    const items = schemaAt(schema, 'items');
    if (items !== undefined) pushAll(found, this.#alternative(items, `${field}.items`, undefined));
    const ofMember = ([name, each]: Member) => this.#alternative(each, `${field}.properties[${name}]`, undefined);
    pushAll(found, overItems(membersOf(schema, 'properties'), ofMember));
    for (const [keyword, wanted] of FORBIDDEN) {
      const said = ownMember(schema, keyword);
      if (said === undefined || said === null || said === false || said === '') continue;
      found.push(fieldError.forbidden(`${field}.${keyword}`, `must be ${wanted} to be structural`));
    }
    if (isObject((schema['properties'] as JsonObject | undefined)?.['metadata'])) {
      found.push(fieldError.forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context'));
    }
    return found;
  }

  #pattern(pattern: string, field: string): readonly FieldError[] {
    // Each pattern can take a millisecond or more.
    const fault = part(() => this.#faultOf(pattern));
    if (fault === undefined) return NONE;
    return [fieldError.invalid(field, pattern, `must be a valid regular expression, but isn't: ${fault}`)];
  }

  #faultOf(pattern: string): string | undefined {
    const most = this.#mostInstructions;
    if (Number.isFinite(most) && patternSize(pattern, most) > most) return TOO_LARGE;
    try {
      this.#patterns.of(pattern);
      return undefined;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return error.message;
    }
  }
}

/** The message of Go's regexp package, which has a larger limit. */
const TOO_LARGE = 'error parsing regexp: expression too large';

function pushAll(found: FieldError[], more: readonly FieldError[]): void {
  for (const each of more) found.push(each);
}

function extensionErrors(schema: JsonObject, field: string): FieldError[] {
  const found: FieldError[] = [];
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const detail = 'must be false if x-kubernetes-int-or-string is true';
    if (preserves) found.push(fieldError.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, true, detail));
    if (embedded) found.push(fieldError.invalid(`${field}.x-kubernetes-embedded-resource`, true, detail));
  }
  if (!embedded) return found;
  if (!preserves && membersOf(schema, 'properties').length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    found.push(fieldError.required(`${field}.properties`, detail));
  }
  if (schema['additionalProperties'] !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    found.push(fieldError.forbidden(`${field}.additionalProperties`, detail));
  }
  return found;
}

function typeErrors(schema: JsonObject, place: { type: string; level: Level; field: string }): FieldError[] {
  const { type, level, field } = place;
  const found: FieldError[] = [];
  const open = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') found.push(fieldError.required(`${field}.type`, detail));
    else if (type !== 'object') found.push(fieldError.invalid(`${field}.type`, type, detail));
  } else if (type === '' && !open) {
    found.push(fieldError.required(`${field}.type`, WITHOUT_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    found.push(fieldError.invalid(`${field}.type`, type, 'must be object at the root'));
  }
  return found;
}

/** kind, apiVersion and metadata belong to the server; a schema may only restrict names. */
function objectMemberErrors(schema: JsonObject, level: Level, field: string): FieldError[] {
  const found: FieldError[] = [];
  for (const name of ['kind', 'apiVersion']) {
    const member = schemaAt(schemaAt(schema, 'properties') ?? {}, name);
    if (member !== undefined && member['type'] !== 'string') {
      found.push(fieldError.invalid(`${field}.properties[${name}].type`, member['type'] ?? '', 'must be string'));
    }
  }
  const metadata = schemaAt(schemaAt(schema, 'properties') ?? {}, 'metadata');
  if (metadata === undefined) return found;
  const place = `${field}.properties[metadata]`;
  if (metadata['type'] !== 'object') {
    found.push(fieldError.invalid(`${place}.type`, metadata['type'] ?? '', 'must be object'));
  }
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    found.push(fieldError.forbidden(place, detail));
  }
  return found;
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Keywords that no structural schema has: they are ignored, or refused by other rules. */
const WITHOUT_STRUCTURE = new Set(['externalDocs', 'example', 'definitions', 'dependencies', 'patternProperties']);

function restrictsNamesOnly({ type: _type, default: _default, properties, ...rest }: JsonObject): boolean {
  const names = Object.keys((properties ?? {}) as JsonObject);
  const isSaid = (keyword: string) => !WITHOUT_STRUCTURE.has(keyword) && !isEmptyList(ownMember(rest, keyword));
  return !Object.keys(rest).some(isSaid) && names.every((name) => name === 'name' || name === 'generateName');
}

/** Alternatives may only have types if they repeat x-kubernetes-int-or-string. */
function allowsTypes(schema: JsonObject): 'anyOf' | 'firstAllOf' | undefined {
  if (equalJson(schema['anyOf'], INT_OR_STRING)) return 'anyOf';
  const first = schemasAt(schema, 'allOf')[0];
  return first !== undefined && equalJson(first['anyOf'], INT_OR_STRING) ? 'firstAllOf' : undefined;
}

/** Keywords forbidden in alternatives, and their errors. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

/** Fields in alternatives of the root must be declared outside of them. */
function completenessErrors(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  [at, said]: readonly [string, string],
): FieldError[] {
  if (schema === undefined) return [fieldError.required(at, `because it is defined in ${said}`)];
  const found: FieldError[] = [];
  const not = schemaAt(restriction, 'not');
  if (not !== undefined) found.push(...memberCompleteness(not, schema, [at, `${said}.not`]));
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const ofEach = (each: JsonObject, index: number) =>
      memberCompleteness(each, schema, [at, `${said}.${keyword}[${index}]`]);
    pushAll(found, overItems(schemasAt(restriction, keyword), ofEach));
  }
  return found;
}

function memberCompleteness(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  [at, said]: readonly [string, string],
): FieldError[] {
  if (schema === undefined) return [fieldError.required(at, `because it is defined in ${said}`)];
  const found = completenessErrors(restriction, schema, [at, said]);
  const items = schemaAt(restriction, 'items');
  if (items !== undefined) {
    found.push(...memberCompleteness(items, schemaAt(schema, 'items'), [`${at}.items`, `${said}.items`]));
  }
  const declared = schemaAt(schema, 'properties') ?? {};
  const ofMember = ([name, each]: Member) => {
    const path = `.properties[${name}]`;
    return memberCompleteness(each, schemaAt(declared, name), [at + path, said + path]);
  };
  pushAll(found, overItems(membersOf(restriction, 'properties'), ofMember));
  return found;
}
