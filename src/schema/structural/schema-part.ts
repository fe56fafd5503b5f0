// A custom resource's schema in parsed form: what each place says about a value, as used by pruning, defaulting and
// validation. The schema has been validated before.

import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { overItems } from '../../base/resumed.ts';
import { sortedNames } from '../../base/sorted-names.ts';
import { isKnownFormat } from './formats.ts';
import { type NumberType, numberType } from './number-type.ts';

/** JSON types by their schema names. */
export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** A limit of a schema that only restricts values. */
interface Limits {
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: readonly Json[];
}

/** A rule of x-kubernetes-validations, as in the schema. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export class SchemaPart {
  /** The allowed types; empty for any. */
  readonly types: readonly JsonType[];
  /** The format that values are checked against; '' for none, and for an unknown one. */
  readonly format: string;
  /** Of a schema for numbers, which are in its range from 1.36 on. */
  readonly numbers: NumberType | undefined;
  /** The same for an unknown one: what defaults are checked against. */
  readonly declaredFormat: string;
  /** Whether a string has a format other than that of plain text and bytes, an unknown one included. */
  readonly isFormatted: boolean;
  readonly nullable: boolean;
  /** Undefined if absent; null counts as absent. */
  readonly default: Json | undefined;
  /** Sorted by name, so that errors have a deterministic order. */
  readonly properties: ReadonlyMap<string, SchemaPart>;
  /** The schema of undeclared members; `true` for anything, `false` for none. */
  readonly additional: SchemaPart | boolean | undefined;
  readonly items: SchemaPart | undefined;
  readonly preserves: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly limits: Limits;
  /** x-kubernetes-validations. */
  readonly rules: readonly ValidationRule[];
  readonly allOf: readonly SchemaPart[];
  readonly anyOf: readonly SchemaPart[];
  readonly oneOf: readonly SchemaPart[];
  readonly not: SchemaPart | undefined;
  /** Whether there is a default here or below. */
  readonly hasDefaults: boolean;
  /** Whether there is an embedded object here or below. */
  readonly hasEmbedded: boolean;
  /** Whether there is a set or a keyed list here or below. */
  readonly hasListTypes: boolean;
  /** Whether there is a rule here or below, except in alternatives. */
  readonly hasRules: boolean;

  constructor(source: JsonObject) {
    this.intOrString = source['x-kubernetes-int-or-string'] === true;
    const type = textOf(source['type']);
    this.types = this.intOrString ? ['integer', 'string'] : type === '' ? [] : [type as JsonType];
    const format = textOf(source['format']);
    this.declaredFormat = format;
    this.format = isKnownFormat(format) ? format : '';
    this.numbers = this.intOrString ? undefined : numberType(type, format);
    this.isFormatted = type === 'string' && format !== '' && format !== 'byte';
    this.nullable = source['nullable'] === true;
    this.default = source['default'] ?? undefined;
    this.properties = partsOf(source['properties']);
    this.additional = additionalOf(source['additionalProperties']);
    this.items = partOf(source['items']);
    this.preserves = source['x-kubernetes-preserve-unknown-fields'] === true;
    this.embedded = source['x-kubernetes-embedded-resource'] === true;
    this.listType = source['x-kubernetes-list-type'] as string | undefined;
    this.listKeys = listOf(source['x-kubernetes-list-map-keys']) as string[];
    this.mapType = source['x-kubernetes-map-type'] as string | undefined;
    this.limits = limitsOf(source);
    this.rules = listOf(source['x-kubernetes-validations']) as unknown as readonly ValidationRule[];
    this.allOf = alternativesOf(source['allOf']);
    this.anyOf = alternativesOf(source['anyOf']);
    this.oneOf = alternativesOf(source['oneOf']);
    this.not = partOf(source['not']);
    const below = this.#below();
    this.hasDefaults = this.default !== undefined || below.some((part) => part.hasDefaults);
    this.hasEmbedded = this.embedded || below.some((part) => part.hasEmbedded);
    const hasListType = this.listType === 'set' || this.listType === 'map';
    this.hasListTypes = hasListType || below.some((part) => part.hasListTypes);
    this.hasRules = this.rules.length > 0 || below.some((part) => part.hasRules);
  }

  /** The same place with other fields. */
  withProperties(properties: ReadonlyMap<string, SchemaPart>): SchemaPart {
    return Object.assign(Object.create(SchemaPart.prototype) as SchemaPart, this, { properties });
  }

  /** The same place with an embedded object. */
  asEmbedded(): SchemaPart {
    const embedded = { embedded: true, hasEmbedded: true };
    return Object.assign(Object.create(SchemaPart.prototype) as SchemaPart, this, embedded);
  }

  /** Whether the schema declares any fields. */
  get hasMembers(): boolean {
    return this.properties.size > 0 || typeof this.additional === 'object';
  }

  /** The schema of a field; undefined if undeclared. */
  member(name: string): SchemaPart | undefined {
    const declared = this.properties.get(name);
    if (declared !== undefined) return declared;
    return typeof this.additional === 'object' ? this.additional : undefined;
  }

  #below(): SchemaPart[] {
    const below = [...this.properties.values()];
    if (this.items !== undefined) below.push(this.items);
    if (typeof this.additional === 'object') below.push(this.additional);
    return below;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : NOTHING;
}

const NOTHING: readonly Json[] = Object.freeze([]);
const NO_PARTS: ReadonlyMap<string, SchemaPart> = new Map();

function partOf(value: Json | undefined): SchemaPart | undefined {
  return typeof value === 'object' && value !== null ? new SchemaPart(value as JsonObject) : undefined;
}

function partsOf(value: Json | undefined): ReadonlyMap<string, SchemaPart> {
  if (typeof value !== 'object' || value === null) return NO_PARTS;
  const ofMember = (name: string): [string, SchemaPart][] => [
    [name, new SchemaPart(ownMember(value as JsonObject, name) as JsonObject)],
  ];
  return new Map(overItems(sortedNames(value as JsonObject), ofMember));
}

function alternativesOf(value: Json | undefined): readonly SchemaPart[] {
  return overItems(listOf(value), (each) => [new SchemaPart(each as JsonObject)]);
}

function additionalOf(value: Json | undefined): SchemaPart | boolean | undefined {
  return typeof value === 'boolean' ? value : partOf(value);
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** Most places have no limits and share one record. */
const NO_LIMITS: Limits = Object.freeze(limitsFrom({}));

const LIMIT_KEYWORDS = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'enum',
];

function limitsOf(source: JsonObject): Limits {
  return LIMIT_KEYWORDS.some((keyword) => keyword in source) ? limitsFrom(source) : NO_LIMITS;
}

function limitsFrom(source: JsonObject): Limits {
  return {
    minLength: numberOf(source['minLength']),
    maxLength: numberOf(source['maxLength']),
    pattern: textOf(source['pattern']),
    minimum: numberOf(source['minimum']),
    exclusiveMinimum: source['exclusiveMinimum'] === true,
    maximum: numberOf(source['maximum']),
    exclusiveMaximum: source['exclusiveMaximum'] === true,
    multipleOf: numberOf(source['multipleOf']),
    minItems: numberOf(source['minItems']),
    maxItems: numberOf(source['maxItems']),
    minProperties: numberOf(source['minProperties']),
    maxProperties: numberOf(source['maxProperties']),
    required: listOf(source['required']) as readonly string[],
    enum: listOf(source['enum']),
  };
}
