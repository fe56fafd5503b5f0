// Random schemas of custom resources, their definitions, and objects that match or nearly match them.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Body } from './bodies.ts';

export type Schema = Record<string, unknown>;

const names = ['alpha', 'beta', 'gamma', 'delta', 'replicas', 'items', 'name', 'size'];

/** Returns a structural schema of an object. */
export function randomSchema(random: SeededRandom, depth: number): Schema {
  const properties: Record<string, Schema> = {};
  for (const name of names) if (random.chance(40)) properties[name] = propertySchema(random, depth - 1);
  const known = Object.keys(properties);
  return {
    type: 'object',
    properties,
    ...(random.chance(25) && known.length > 0 && { required: [random.pick(known)] }),
    ...(random.chance(10) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(random.chance(8) && { maxProperties: random.pick([1, 2, 3]) }),
    ...(random.chance(8) && { 'x-kubernetes-map-type': 'atomic' }),
    ...(random.chance(8) && { nullable: true }),
  };
}

function propertySchema(random: SeededRandom, depth: number): Schema {
  const kind = random.below(depth > 0 ? 10 : 6);
  const nullable = random.chance(10) && { nullable: true };
  if (kind < 2) return { type: 'string', ...stringRules(random), ...nullable };
  if (kind === 2) return { type: 'integer', ...numberRules(random), ...nullable };
  if (kind === 3) return { type: 'boolean', ...(random.chance(20) && { default: true }), ...nullable };
  if (kind === 4) return { type: 'number', ...numberRules(random) };
  if (kind === 5)
    return random.pick<Schema>([
      { 'x-kubernetes-int-or-string': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ]);
  if (kind === 6) return { type: 'object', additionalProperties: propertySchema(random, depth - 1) };
  if (kind === 7) return listSchema(random, depth);
  return randomSchema(random, depth);
}

function stringRules(random: SeededRandom): Schema {
  return random.pick<Schema>([
    {},
    {},
    { enum: ['a', 'b'] },
    { maxLength: 3 },
    { minLength: 2 },
    { pattern: '^[a-z]+$' },
    { format: 'date-time' },
    { format: 'byte' },
    { format: 'ipv4' },
    { format: 'uuid' },
    { default: 'a' },
    { enum: ['a', 'b'], default: 'a' },
  ]);
}

function numberRules(random: SeededRandom): Schema {
  return random.pick<Schema>([
    {},
    {},
    { minimum: 1 },
    { maximum: 2 },
    { minimum: 1, exclusiveMinimum: true },
    { multipleOf: 2 },
    { default: 1 },
    { enum: [1, 2] },
  ]);
}

function listSchema(random: SeededRandom, depth: number): Schema {
  const bounds = random.pick<Schema>([{}, {}, { maxItems: 1 }, { minItems: 1 }, { uniqueItems: false }]);
  if (random.chance(30)) {
    const items = {
      type: 'object',
      required: ['key'],
      properties: { key: { type: 'string' }, value: propertySchema(random, depth - 1) },
    };
    return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'], ...bounds };
  }
  if (random.chance(30))
    return { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', ...bounds };
  return { type: 'array', items: propertySchema(random, depth - 1), ...bounds };
}

/** Returns a definition with this schema in `spec` and `status`. */
export function definitionOf(schema: Schema, random: SeededRandom): Body {
  const withScale = random.chance(40);
  const subresources = {
    ...(random.chance(60) && { status: {} }),
    ...(withScale && { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }),
  };
  const columns = [
    { name: 'Alpha', type: random.pick(['string', 'integer', 'date']), jsonPath: '.spec.alpha' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema, status: schema } } },
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(random.chance(40) && { additionalPrinterColumns: columns }),
    ...(random.chance(15) && { deprecated: true }),
  };
  const naming = {
    plural: 'things',
    kind: 'Thing',
    ...(random.chance(30) && { shortNames: ['th{u}'], categories: ['all'] }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.{u}.example.com' },
    spec: {
      group: '{u}.example.com',
      scope: random.pick(['Namespaced', 'Namespaced', 'Cluster']),
      names: naming,
      versions: [version],
    },
  };
}

/** Returns an object of the schema; one value in ten has another type or violates a rule. */
export function objectOf(schema: Schema, random: SeededRandom): unknown {
  const value: Body = {};
  if (random.chance(85)) value['spec'] = randomValueOf(schema, random);
  if (random.chance(40)) value['status'] = randomValueOf(schema, random);
  if (random.chance(5)) value['other'] = 'x';
  return value;
}

function randomValueOf(schema: Schema, random: SeededRandom): unknown {
  if (random.chance(4)) return random.pick<unknown>([null, 'x', 1, 1.5, true, [], {}, ['x'], { a: 1 }]);
  const { type, items, additionalProperties, properties } = schema as Record<string, unknown>;
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick<unknown>([1, 'x', '50%', true]);
  switch (type as string) {
    case 'string':
      return random.pick([
        'a',
        'b',
        'abcd',
        '',
        'A',
        '2026-01-02T03:04:05Z',
        'YQ==',
        '10.0.0.1',
        '123e4567-e89b-12d3-a456-426614174000',
      ]);
    case 'integer':
      return random.pick<unknown>([0, 1, 2, 3, -1, 1.5, 1e20]);
    case 'number':
      return random.pick<unknown>([0, 1, 2.5, -1]);
    case 'boolean':
      return random.chance(50);
    case 'array': {
      if (schema['x-kubernetes-list-type'] === 'map') {
        const keys = random.pick([['a'], ['a', 'b'], ['b'], ['a', 'a'], []]);
        const { value } = (items as { properties: Record<string, Schema> }).properties;
        return keys.map((key) => ({ key, ...(random.chance(70) && { value: randomValueOf(value!, random) }) }));
      }
      return Array.from({ length: random.below(3) }, () => randomValueOf(items as Schema, random));
    }
    default:
      if (additionalProperties !== undefined)
        return { [random.pick(['x', 'y'])]: randomValueOf(additionalProperties as Schema, random) };
      return membersOf((properties ?? {}) as Record<string, Schema>, random);
  }
}

function membersOf(properties: Record<string, Schema>, random: SeededRandom): Body {
  const value: Body = {};
  for (const [name, each] of Object.entries(properties))
    if (random.chance(60)) value[name] = randomValueOf(each, random);
  if (random.chance(12)) value['unknown'] = random.pick<unknown>(['x', 1, { a: null }]);
  return value;
}

const wrongValues: readonly unknown[] = [
  null,
  '',
  'x',
  1,
  -1,
  1.5,
  true,
  false,
  [],
  {},
  ['x'],
  { a: 'b' },
  'object',
  'string',
  '.x',
  'Namespaced',
];
const keywords = [
  'default',
  'pattern',
  'format',
  'enum',
  'required',
  'type',
  'nullable',
  'oneOf',
  'anyOf',
  'not',
  '$ref',
  'example',
  'externalDocs',
  'x-kubernetes-validations',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'maximum',
  'title',
  'description',
  'uniqueItems',
  'additionalProperties',
  'id',
  '$schema',
];

/** Returns a copy with one or two fields removed, changed or added. */
export function wrongly(body: Body, random: SeededRandom): Body {
  const copy = structuredClone(body);
  for (let left = random.pick([1, 1, 2]); left > 0; left--) {
    const holders = holdersIn(copy);
    const holder = random.pick(holders);
    const present = Object.keys(holder);
    const kind = random.below(3);
    if (kind === 0 && present.length > 0) delete holder[random.pick(present)];
    else if (kind === 1 && present.length > 0) holder[random.pick(present)] = structuredClone(random.pick(wrongValues));
    else if (!Array.isArray(holder)) holder[random.pick(keywords)] = structuredClone(random.pick(wrongValues));
  }
  return copy;
}

function holdersIn(value: unknown): Body[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Body, ...Object.values(value).flatMap(holdersIn)];
}
