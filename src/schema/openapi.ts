// OpenAPI schemas of declared types, as published by kube-apiserver: v3 with defaults and references wrapped in allOf,
// v2 with neither. Independent of documents, paths and descriptions.

import type { JsonObject } from '../api/object.ts';
import { lookup } from '../base/lookup.ts';
import type { Field, ListNode, MapNode, Node, ScalarKind, StructNode } from './node.ts';

export type OpenApiVersion = 2 | 3;

export interface OpenApiOptions {
  readonly version: OpenApiVersion;
  /** The reference to a published type: `#/components/schemas/io.k8s.api.core.v1.Container` from its name. */
  readonly ref: (name: string) => string;
  /** Whether enum values are included; true by default. */
  readonly enums?: boolean;
  /** Whether x-kubernetes-group-version-kind lists this kind, given by group, version and name; by default it lists all. */
  readonly isTold?: (kind: string) => boolean;
}

/** The schemas of these types and of all types that they reference, by published name; type by type. */
export function* collectingSchemas(
  roots: Iterable<StructNode>,
  options: OpenApiOptions,
): Generator<undefined, Map<string, JsonObject>> {
  const schemas = new Map<string, JsonObject>();
  const pending: StructNode[] = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const name = publishedName(node.name);
    if (schemas.has(name)) continue;
    const type = node.variantOf ?? node;
    schemas.set(name, structSchema(type, options));
    for (const field of type.jsonFields.values()) mention(field.node, type, { pending, schemas, options });
    yield;
  }
  return schemas;
}

interface Mentions {
  readonly pending: StructNode[];
  readonly schemas: Map<string, JsonObject>;
  readonly options: OpenApiOptions;
}

function mention(node: Node, owner: StructNode, mentions: Mentions): void {
  if (node.kind === 'list') mention(node.items, owner, mentions);
  else if (node.kind === 'map') mention(node.values, owner, mentions);
  else if (node.kind === 'struct') mentions.pending.push(node);
  else {
    const leaf = leafName(node.kind, owner);
    if (leaf !== undefined) mentions.schemas.set(leaf, { ...LEAVES[mentions.options.version][node.kind] });
  }
}

const PACKAGES: readonly (readonly [prefix: string, published: string])[] = Object.freeze([
  ['meta/', 'io.k8s.apimachinery.pkg.apis.meta.'],
  ['runtime.', 'io.k8s.apimachinery.pkg.runtime.'],
  ['version.', 'io.k8s.apimachinery.pkg.version.'],
  ['apiextensions/', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.'],
  ['apiregistration/', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.'],
  ['audit/', 'io.k8s.apiserver.pkg.apis.audit.'],
]);

/** The published name of a type: `io.k8s.api.core.v1.Container` for `core/v1.Container`. */
export function publishedName(name: string): string {
  for (const [prefix, published] of PACKAGES) {
    if (name.startsWith(prefix)) return published + name.slice(prefix.length);
  }
  return `io.k8s.api.${name.replace('/', '.')}`;
}

/** Kinds without a declaration that are published as separate types. */
const LEAF_NAMES: Readonly<Record<string, string>> = lookup({
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  duration: 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration',
  raw: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  fields: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
});

/** `json` is a type of apiextensions, one in each version; elsewhere any value is an anonymous object. */
function leafName(kind: string, owner: StructNode): string | undefined {
  if (kind !== 'json') return LEAF_NAMES[kind];
  if (!owner.name.startsWith('apiextensions/')) return undefined;
  return publishedName(`${owner.name.slice(0, owner.name.lastIndexOf('.'))}.JSON`);
}

const PLAIN_LEAVES: Readonly<Record<string, JsonObject>> = lookup({
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  raw: { type: 'object' },
  fields: { type: 'object' },
  json: {},
});

const LEAVES: Readonly<Record<OpenApiVersion, Readonly<Record<string, JsonObject>>>> = Object.freeze({
  2: PLAIN_LEAVES,
  3: Object.freeze({
    ...PLAIN_LEAVES,
    quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    intOrString: { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' },
  }),
});

const SCALARS: Partial<Readonly<Record<ScalarKind, JsonObject>>> = Object.freeze({
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
});

function structSchema(node: StructNode, options: OpenApiOptions): JsonObject {
  // Types with several JSON forms publish no schema.
  if (node.form !== undefined) return {};
  const schema: JsonObject = { type: 'object' };
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const field of node.jsonFields.values()) {
    properties[field.name] = fieldSchema(field, node, options);
    if (field.required) required.push(field.name);
  }
  if (node.jsonFields.size > 0) schema['properties'] = properties;
  if (required.length > 0) schema['required'] = required;
  const { isTold = () => true } = options;
  const kinds = node.kinds.filter(isTold);
  if (kinds.length > 0) schema['x-kubernetes-group-version-kind'] = kinds.map(groupVersionKind);
  if (node.mapType !== undefined) schema['x-kubernetes-map-type'] = node.mapType;
  if (node.unions !== undefined) schema['x-kubernetes-unions'] = ownCopy(node.unions);
  return schema;
}

/** The parts of `apps/v1/Deployment`; the core group's name is empty. */
function groupVersionKind(name: string): JsonObject {
  const parts = name.split('/');
  return { group: parts.at(-3) ?? '', kind: parts.at(-1) ?? '', version: parts.at(-2) ?? '' };
}

function fieldSchema(field: Field, owner: StructNode, options: OpenApiOptions): JsonObject {
  const { node } = field;
  const schema = typeSchema(node, owner, options);
  // A v3 reference has no siblings, and a field has at least a description, if it is not bare.
  if (options.version === 3 && !field.bare) wrapReference(schema);
  if (field.enum !== undefined && options.enums !== false) schema['enum'] = [...field.enum];
  if (field.format !== undefined) schema['format'] = field.format;
  if (options.version === 3 && field.default !== undefined) schema['default'] = ownCopy(field.default);
  const listType = field.listType ?? (node.kind === 'list' ? node.listType : undefined);
  if (listType !== undefined) schema['x-kubernetes-list-type'] = listType;
  if (node.kind === 'list' && node.keys.length > 0) schema['x-kubernetes-list-map-keys'] = [...node.keys];
  const mapType = node.kind === 'map' || (node.kind === 'struct' && node.variantOf) ? node.mapType : undefined;
  if (mapType !== undefined) schema['x-kubernetes-map-type'] = mapType;
  if (field.patchMergeKey !== undefined) schema['x-kubernetes-patch-merge-key'] = field.patchMergeKey;
  if (field.patchStrategy !== undefined) schema['x-kubernetes-patch-strategy'] = field.patchStrategy;
  return schema;
}

function typeSchema(node: Node, owner: StructNode, options: OpenApiOptions): JsonObject {
  switch (node.kind) {
    case 'struct':
      return { $ref: options.ref(publishedName(node.name)) };
    case 'list':
      return { type: 'array', items: itemsSchema(node, owner, options) };
    case 'map':
      return { type: 'object', additionalProperties: valuesSchema(node, owner, options) };
    default: {
      const leaf = leafName(node.kind, owner);
      if (leaf !== undefined) return { $ref: options.ref(leaf) };
      return node.kind === 'json' ? { type: 'object' } : { ...SCALARS[node.kind as ScalarKind] };
    }
  }
}

function itemsSchema(node: ListNode, owner: StructNode, options: OpenApiOptions): JsonObject {
  const schema = withDefault(typeSchema(node.items, owner, options), node.itemsDefault, options);
  if (node.itemsEnum !== undefined && options.enums !== false) schema['enum'] = [...node.itemsEnum];
  return schema;
}

function valuesSchema(
  { values, valuesEnum, valuesDefault }: MapNode,
  owner: StructNode,
  options: OpenApiOptions,
): JsonObject {
  const schema = withDefault(typeSchema(values, owner, options), valuesDefault, options);
  if (valuesEnum !== undefined && options.enums !== false) schema['enum'] = [...valuesEnum];
  return schema;
}

function withDefault(schema: JsonObject, value: unknown, { version }: OpenApiOptions): JsonObject {
  if (version === 2 || value === undefined) return schema;
  wrapReference(schema);
  schema['default'] = ownCopy(value);
  return schema;
}

function wrapReference(schema: JsonObject): void {
  if (schema['$ref'] === undefined) return;
  schema['allOf'] = [{ $ref: schema['$ref'] }];
  delete schema['$ref'];
}

/** Declarations are frozen or shared; documents get copies. */
function ownCopy(value: unknown): JsonObject[string] {
  return JSON.parse(JSON.stringify(value));
}
