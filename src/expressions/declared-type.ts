// CEL types declared by a custom resource's schema, with the maximum and minimum sizes that cost estimation needs.
// Created lazily.

import { lookup } from '../base/lookup.ts';
import type { Range } from '../cel/cost/range.ts';
import type { SizeEstimator } from '../cel/cost/size-estimator.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  type StructDescription,
  structType,
  TIMESTAMP,
  type Type,
  type TypeProvider,
  typeOf,
} from '../cel/types/type.ts';
import { isSince } from '../lifecycle/version.ts';
import { withObjectMembers } from '../schema/structural/object-members.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';
import { MAX_REQUEST_BYTES } from './environments.ts';
import { escapeFieldName, isReserved } from './field-name.ts';

/** The first minor release of Kubernetes 1 whose names have a greatest length in expressions. */
const CAPS_NAMES = 37;

const MAX_TEXT = MAX_REQUEST_BYTES - 2;
const NO_FIELDS: ReadonlyMap<string, DeclaredType> = new Map();

/** Estimated sizes of strings with some formats, in bytes of JSON. */
const FORMATS: Readonly<Record<string, { type: Type<unknown>; most: number; least: number }>> = lookup({
  duration: { type: DURATION, most: 32, least: 3 },
  date: { type: TIMESTAMP, most: 12, least: 12 },
  'date-time': { type: TIMESTAMP, most: 32, least: 21 },
});

/** A place in a schema. */
export interface DeclaredType {
  readonly type: Type<unknown>;
  /** Maximum number of characters, bytes, items or entries; 0 for values without a size. */
  readonly maxSize: number;
  /** Minimum size in JSON. */
  readonly minBytes: number;
  /** Of a map's keys. */
  readonly keys?: DeclaredType | undefined;
  /** Of a list's items or a map's values. */
  readonly elements: DeclaredType | undefined;
  /** By the name in expressions. */
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

const KEYS: DeclaredType = scalar(STRING, 2);

/** The size of the value at a path below a variable, whose name is the first step; undefined if unknown. */
export function sizeAt(root: DeclaredType, path: readonly string[] | undefined): Range | undefined {
  if (path === undefined || path.length === 0) return undefined;
  let place: DeclaredType | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') place = place.elements;
    else if (step === '@keys') place = place.keys;
    else place = place.fields.get(step);
    if (place === undefined) return undefined;
  }
  return { min: 0, max: place.maxSize };
}

/** Kubernetes' names of types in schemas, if they differ from CEL's. */
const SCHEMA_TYPE_NAMES: ReadonlyMap<string, Type<unknown>> = new Map<string, Type<unknown>>([
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
]);

/** The types of one schema: structs by name for the type checker, and sizes by path for cost estimation. */
export class DeclaredTypes implements TypeProvider, SizeEstimator {
  /** Undefined if CEL cannot represent the schema: without a type, or a list of such. */
  readonly root: DeclaredType | undefined;
  readonly #structs = new Map<string, Struct>();

  /** Whether names have the length that they have at most. */
  readonly capsNames: boolean;

  /**
   * @param isObject whether it is a whole object, with kind, apiVersion and a name
   * @param minor the minor release of Kubernetes 1 that is served; the one served by default if undefined
   */
  constructor(part: SchemaPart, isObject: boolean, minor?: number) {
    this.capsNames = isSince({ minor }, CAPS_NAMES);
    this.root = this.declare(part, isObject, 'selfType');
  }

  struct(name: string): StructDescription | undefined {
    return this.#structs.get(name)?.description;
  }

  /** Types of fields can also be named as in the schema, but these names are not values. */
  constant(name: string): { readonly type: Type<unknown>; readonly value: undefined } | undefined {
    const type = SCHEMA_TYPE_NAMES.get(name);
    return type && { type: typeOf(type), value: undefined };
  }

  size(path: readonly string[] | undefined): Range | undefined {
    return this.root === undefined ? undefined : sizeAt(this.root, path);
  }

  /** @param name of the type if it is a struct, and prefix of nested ones */
  declare(part: SchemaPart, isObject: boolean, name: string): DeclaredType | undefined {
    if (part.intOrString) return { ...scalar(DYN, 1), maxSize: longest(part) };
    switch (part.types[0]) {
      case 'array':
        return this.#list(part, name);
      case 'object':
        return this.#object(part, isObject, name);
      case 'string':
        return text(part);
      case 'boolean':
        return scalar(BOOL, 4);
      case 'number':
        return scalar(DOUBLE, 1);
      case 'integer':
        return scalar(INT, 1);
      default:
        return undefined;
    }
  }

  #list(part: SchemaPart, name: string): DeclaredType | undefined {
    if (part.items === undefined) return undefined;
    const elements = this.declare(part.items, part.items.embedded, `${name}.@idx`);
    if (elements === undefined) return undefined;
    const maxSize = bounded(part.limits.maxItems) ?? Math.floor(MAX_TEXT / (elements.minBytes + 1));
    return { ...scalar(listOf(elements.type), 2), maxSize, elements };
  }

  #object(part: SchemaPart, isObject: boolean, name: string): DeclaredType | undefined {
    if (typeof part.additional === 'object' && !isObject) {
      const elements = this.declare(part.additional, part.additional.embedded, `${name}.@elem`);
      if (elements === undefined) return undefined;
      const maxSize = bounded(part.limits.maxProperties) ?? Math.floor(MAX_TEXT / (elements.minBytes + 6));
      return { ...scalar(mapOf(STRING, elements.type), 2), maxSize, keys: KEYS, elements };
    }
    const struct = new Struct(this, part, { isObject, name });
    this.#structs.set(name, struct);
    return struct;
  }
}

/** An object with named fields, evaluated on first use. */
class Struct implements DeclaredType {
  readonly type: Type<unknown>;
  readonly maxSize = 0;
  readonly elements = undefined;
  readonly #types: DeclaredTypes;
  readonly #part: SchemaPart;
  #fields: ReadonlyMap<string, DeclaredType> | undefined;
  #minBytes = 0;
  #description: StructDescription | undefined;

  constructor(types: DeclaredTypes, part: SchemaPart, { isObject, name }: { isObject: boolean; name: string }) {
    this.type = structType(name);
    this.#types = types;
    this.#part = isObject ? withObjectMembers(part, types.capsNames) : part;
  }

  get fields(): ReadonlyMap<string, DeclaredType> {
    this.#fields ??= this.#declareFields();
    return this.#fields;
  }

  get minBytes(): number {
    this.#fields ??= this.#declareFields();
    return this.#minBytes;
  }

  get description(): StructDescription {
    this.#description ??= { type: this.type, fields: spellings(this.fields) };
    return this.#description;
  }

  #declareFields(): ReadonlyMap<string, DeclaredType> {
    const { properties, limits } = this.#part;
    const fields = new Map<string, DeclaredType>();
    this.#minBytes = 2;
    for (const [name, part] of properties) {
      const spelled = escapeFieldName(name);
      const declared = this.#types.declare(part, part.embedded, `${this.type.name}.${spelled ?? name}`);
      if (declared === undefined) continue;
      if (spelled !== undefined) fields.set(spelled, declared);
      if (limits.required.includes(name) && part.default === undefined) {
        this.#minBytes += new TextEncoder().encode(name).length + declared.minBytes + 4;
      }
    }
    return fields;
  }
}

function text(part: SchemaPart): DeclaredType {
  const known = FORMATS[part.format];
  if (known !== undefined) return { ...scalar(known.type, known.least), maxSize: known.most };
  if (part.format === 'byte') return { ...scalar(BYTES, 2), maxSize: bounded(part.limits.maxLength) ?? MAX_TEXT };
  return { ...scalar(STRING, 2), maxSize: longest(part) };
}

/** Maximum size of a string in bytes, with up to four per character. */
function longest({ limits, intOrString }: SchemaPart): number {
  if (limits.maxLength !== undefined) return Math.max(0, limits.maxLength) * 4;
  if (limits.enum.length === 0 || intOrString) return MAX_TEXT;
  const sizes = limits.enum.map((each) => (typeof each === 'string' ? new TextEncoder().encode(each).length : 0));
  return Math.max(...sizes);
}

function bounded(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}

function scalar(type: Type<unknown>, minBytes: number): DeclaredType {
  return { type, maxSize: 0, minBytes, elements: undefined, fields: NO_FIELDS };
}

/** The fields by all their names: reserved words may be used unescaped too. */
function spellings(fields: ReadonlyMap<string, DeclaredType>): ReadonlyMap<string, Type<unknown>> {
  const types = new Map<string, Type<unknown>>();
  for (const [spelled, { type }] of fields) {
    types.set(spelled, type);
    const plain = spelled.slice(2, -2);
    if (spelled.startsWith('__') && isReserved(plain) && !fields.has(plain)) types.set(plain, type);
  }
  return types;
}
