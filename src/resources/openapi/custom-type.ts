// OpenAPI types of a custom resource: the schema of its definition with the common fields added, and its list. For
// OpenAPI v2, what old clients would misread is removed.

import { copyingJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { inOneStep, type Steps } from '../../base/steps.ts';
import type { OpenApiOptions } from '../../schema/openapi.ts';
import { publishedName } from '../../schema/openapi.ts';
import { ListMeta, ObjectMeta } from '../builtin/meta/v1.ts';
import type { CatalogEntry } from '../catalog.ts';
import { customTypeName } from './names.ts';

interface TypeMemberDescriptions {
  readonly apiVersion: string;
  readonly kind: string;
}

const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** kube-apiserver's descriptions of the common fields, which replace those of definitions. */
const WHOLE_OBJECT: TypeMemberDescriptions = {
  apiVersion:
    'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized ' +
    `schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
  kind:
    'Kind is a string value representing the REST resource this object represents. Servers may infer this from the ' +
    `endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
};

const EMBEDDED_OBJECT: TypeMemberDescriptions = {
  apiVersion: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
  kind: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
};

const OBJECT_METADATA = `Standard object's metadata. More info: ${CONVENTIONS}#metadata`;
const LIST_METADATA = `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`;

/** A custom resource's type or the type of its list. */
export interface CustomType {
  readonly kind: 'object' | 'list';
  readonly entry: CatalogEntry;
}

export function customName({ kind, entry: { definition, version } }: CustomType): string {
  const named = kind === 'list' ? definition.listKind : definition.kind;
  return customTypeName({ group: definition.group, version: version.version, kind: named });
}

/** The schema of one type, in slices if it is long. */
export function* makingSchema(type: CustomType, options: OpenApiOptions): Steps<JsonObject> {
  const { definition, version } = type.entry;
  const schema = type.kind === 'list' ? listSchema(type, options) : yield* objectSchema(type, options);
  const kind = type.kind === 'list' ? definition.listKind : definition.kind;
  schema['x-kubernetes-group-version-kind'] = [{ group: definition.group, kind, version: version.version }];
  const selectable = definition.strategy.selection?.names ?? [];
  if (selectable.length > 0) schema['x-kubernetes-selectable-fields'] = selectable.map((fieldPath) => ({ fieldPath }));
  return schema;
}

function listSchema({ entry }: CustomType, options: OpenApiOptions): JsonObject {
  const items = { $ref: options.ref(customName({ kind: 'object', entry })) };
  const { kind, listKind, resource } = entry.definition;
  const properties = {
    ...typeMembers(WHOLE_OBJECT),
    items: { description: `List of ${resource}. More info: ${CONVENTIONS}`, type: 'array', items },
    metadata: { description: LIST_METADATA, ...reference(publishedName(ListMeta.name), options) },
  };
  return { description: `${listKind} is a list of ${kind}`, type: 'object', required: ['items'], properties };
}

function* objectSchema({ entry }: CustomType, options: OpenApiOptions): Steps<JsonObject> {
  const declared = yield* entry.version.openapiSchema?.() ?? inOneStep(undefined);
  // Clients reject fields that a schema with properties does not list; without properties they accept any.
  if (declared === undefined) return { type: 'object' };
  if (options.version === 2 && declared['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
  const schema = yield* copyingJson(declared);
  yield* publishing(schema, options);
  addProperties(schema, objectMembers(WHOLE_OBJECT, options));
  return schema;
}

function objectMembers(descriptions: TypeMemberDescriptions, options: OpenApiOptions): JsonObject {
  const metadata = { description: OBJECT_METADATA, ...reference(publishedName(ObjectMeta.name), options) };
  return { ...typeMembers(descriptions), metadata };
}

function typeMembers({ apiVersion, kind }: TypeMemberDescriptions): JsonObject {
  return { apiVersion: { description: apiVersion, type: 'string' }, kind: { description: kind, type: 'string' } };
}

function reference(name: string, { version, ref }: OpenApiOptions): JsonObject {
  return version === 3 ? { allOf: [{ $ref: ref(name) }] } : { $ref: ref(name) };
}

function addProperties(schema: JsonObject, properties: JsonObject): void {
  schema['properties'] = Object.assign((schema['properties'] ?? {}) as JsonObject, properties);
}

/** What a definition may say about a schema without it being published. */
const UNPUBLISHED = ['example', 'externalDocs'];

/** Transforms a declared schema, including nested ones, to the published form. Modifies its argument. */
function* publishing(root: JsonObject, options: OpenApiOptions): Steps<void> {
  let left = SCHEMAS_IN_STEP;
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (--left < 0) {
      left = SCHEMAS_IN_STEP;
      yield;
    }
    for (const key of UNPUBLISHED) delete schema[key];
    if (options.version === 2) reduce(schema);
    else if (isIntOrString(schema)) schema['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
    for (const inner of innerSchemas(schema)) open.push(inner);
    addEmbedded(schema, options);
  }
}

const SCHEMAS_IN_STEP = 1_000;

function isIntOrString(schema: JsonObject): boolean {
  const says = schema['anyOf'] !== undefined || schema['allOf'] !== undefined;
  return schema['x-kubernetes-int-or-string'] === true && !says;
}

function innerSchemas(schema: JsonObject): JsonObject[] {
  const properties = (schema['properties'] ?? {}) as JsonObject;
  // Object.values takes several times as long for many members.
  const inner = Object.keys(properties).map((name) => properties[name] as Json);
  for (const key of ['items', 'additionalProperties']) inner.push(ownMember(schema, key) ?? null);
  return inner.filter((each) => typeof each === 'object' && each !== null) as JsonObject[];
}

/** What v2 cannot express or does not publish: nullable values and values of any form have no type, and no value has a default. */
function reduce(schema: JsonObject): void {
  for (const key of ['allOf', 'oneOf', 'anyOf', 'not', 'default']) delete schema[key];
  const free = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const nullable = schema['nullable'] === true;
  delete schema['nullable'];
  if (nullable || free) {
    delete schema['items'];
    delete schema['properties'];
  }
  const untyped = nullable || (free && schema['type'] === 'object');
  if (untyped || (schema['type'] === 'array' && schema['items'] === undefined)) delete schema['type'];
  reduceRequired(schema);
}

/** Nullable fields are not required, because null is no longer among their values. */
function reduceRequired(schema: JsonObject): void {
  const required = schema['required'] as string[] | undefined;
  if (required === undefined) return;
  const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>;
  const kept = required.filter((name) => ownMember(properties, name)?.['nullable'] !== true);
  const values = schema['additionalProperties'] as JsonObject | boolean | undefined;
  const nullableValues = typeof values === 'object' && values['nullable'] === true;
  if (nullableValues || kept.length === 0) delete schema['required'];
  else schema['required'] = kept;
}

/** An embedded object has kind, apiVersion and metadata like any other. */
function addEmbedded(schema: JsonObject, options: OpenApiOptions): void {
  if (schema['x-kubernetes-embedded-resource'] !== true) return;
  if (options.version === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true) return;
  addProperties(schema, objectMembers(EMBEDDED_OBJECT, options));
  schema['required'] = [...new Set([...((schema['required'] ?? []) as string[]), 'kind', 'apiVersion'])];
}
