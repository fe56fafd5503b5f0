// Random structural schemas with every feature of CustomResourceDefinitions: validation rules with transitions, ratcheting,
// list and map types, embedded objects, defaults, pruning, alternatives; and values that match or nearly match them.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Body } from './bodies.ts';
import type { Schema } from './custom-schema.ts';

const names = ['alpha', 'beta', 'gamma', 'delta', 'replicas', 'mode', 'a-b', 'x/y', 'metadata', 'kind'];

/** Returns a schema of an object. */
export function richObject(random: SeededRandom, depth: number): Schema {
  const properties: Record<string, Schema> = {};
  for (const name of names) if (random.chance(35)) properties[name] = property(random, depth - 1);
  const known = Object.keys(properties);
  return {
    type: 'object',
    properties,
    ...(random.chance(20) && known.length > 0 && { required: [random.pick(known)] }),
    ...(random.chance(10) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(random.chance(10) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...(random.chance(8) && { nullable: true }),
    ...(random.chance(12) && { default: random.pick<unknown>([{}, {}, { alpha: 'a' }, { nope: 1 }]) }),
    ...(random.chance(12) && known.length > 0 && alternatives(random, known)),
    ...(random.chance(30) && known.length > 0 && objectRules(random, known)),
    ...(random.chance(6) && { minProperties: 1 }),
    ...(random.chance(6) && { maxProperties: 2 }),
  };
}

function alternatives(random: SeededRandom, known: readonly string[]): Schema {
  const [one, other] = [random.pick(known), random.pick(known)];
  return random.pick<Schema>([
    { oneOf: [{ required: [one] }, { required: [other] }] },
    { anyOf: [{ required: [one] }, { required: [other] }] },
    { not: { required: [one] } },
    { allOf: [{ required: [one] }, { not: { required: [other] } }] },
    { anyOf: [{ properties: { [one]: { enum: ['a', 1, true] } } }, { required: [other] }] },
    { oneOf: [{ properties: { [one]: { minLength: 2 } }, required: [one] }, { not: { required: [one] } }] },
  ]);
}

/** The name of a field in expressions. */
function celName(name: string): string {
  return name.replaceAll('-', '__dash__').replaceAll('/', '__slash__');
}

function objectRules(random: SeededRandom, known: readonly string[]): Schema {
  const name = random.pick(known);
  const [one, other] = [celName(name), celName(random.pick(known))];
  const rule = random.pick([
    `has(self.${one})`,
    `has(self.${one}) || has(self.${other})`,
    `!has(oldSelf.${one}) || has(self.${one})`,
    `!has(oldSelf.${one}) || self.${one} == oldSelf.${one}`,
    `has(self.${one}) == has(oldSelf.${one})`,
    'self == oldSelf',
    'true',
    'false',
    `!has(self.${one}) || self.${one} != null`,
  ]);
  return {
    'x-kubernetes-validations': [
      { rule, ...wording(random), ...(random.chance(25) && { fieldPath: fieldPathOf(name) }) },
      ...(random.chance(20) ? [{ rule: `has(self.${one}) && has(self.${other})`, ...wording(random) }] : []),
    ],
  };
}

function fieldPathOf(name: string): string {
  return /^\w+$/.test(name) ? `.${name}` : `['${name}']`;
}

function wording(random: SeededRandom): Schema {
  return {
    ...(random.chance(40) && { message: 'refused by a rule' }),
    ...(random.chance(15) && { messageExpression: random.pick(["'old: ' + string(oldSelf)", "'now'", "''"]) }),
    ...(random.chance(25) && {
      reason: random.pick(['FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']),
    }),
    ...(random.chance(12) && { optionalOldSelf: random.chance(70) }),
  };
}

function scalarRules(random: SeededRandom, rules: readonly string[], percent: number): Schema {
  if (!random.chance(percent)) return {};
  return { 'x-kubernetes-validations': [{ rule: random.pick(rules), ...wording(random) }] };
}

const textRules = ["self != 'b'", 'self == oldSelf', 'self.size() >= oldSelf.size()', "self.startsWith('a')"];
const numberRules = ['self >= oldSelf', 'self < 3', 'self == oldSelf', 'self != 2'];
const listRules = [
  'self.size() >= oldSelf.size()',
  'self == oldSelf',
  'oldSelf.all(v, v in self)',
  'self.size() < 3',
  'self.all(v, self.exists_one(w, w == v))',
];

function property(random: SeededRandom, depth: number): Schema {
  const kind = random.below(depth > 0 ? 16 : 8);
  const nullable = random.chance(12) && { nullable: true };
  if (kind < 2) return { ...text(random), ...nullable };
  if (kind === 2) return { ...whole(random), ...nullable };
  if (kind === 3) return { type: 'boolean', ...(random.chance(30) && { default: random.chance(50) }), ...nullable };
  if (kind === 4) return { type: 'number', ...bounds(random), ...(random.chance(20) && { default: 1.5 }) };
  if (kind === 5) return eitherType(random);
  if (kind === 6) return open(random);
  if (kind === 7) return embedded(random);
  if (kind < 10) return map(random, depth);
  if (kind < 13) return list(random, depth);
  return richObject(random, depth);
}

function text(random: SeededRandom): Schema {
  const keywords = random.pick<Schema>([
    {},
    {},
    { enum: ['a', 'b', 'ab'] },
    { maxLength: 2 },
    { minLength: 1, maxLength: 4 },
    { pattern: '^[a-z]*$' },
    ...['date-time', 'date', 'byte', 'ipv4', 'ipv6', 'cidr', 'uuid', 'duration', 'email', 'hostname', 'uri', 'x'].map(
      (format) => ({ format }),
    ),
  ]);
  const given = random.chance(25) ? { default: 'a' } : {};
  return { type: 'string', ...keywords, ...given, ...scalarRules(random, textRules, 30) };
}

function bounds(random: SeededRandom): Schema {
  return random.pick<Schema>([
    {},
    {},
    { minimum: 1 },
    { maximum: 2 },
    { minimum: 0, maximum: 2, exclusiveMaximum: true },
    { multipleOf: 2 },
    { enum: [1, 2] },
  ]);
}

function whole(random: SeededRandom): Schema {
  const format = random.chance(30) && { format: random.pick(['int32', 'int64']) };
  const given = random.chance(20) && { default: 1 };
  return { type: 'integer', ...format, ...bounds(random), ...given, ...scalarRules(random, numberRules, 30) };
}

function eitherType(random: SeededRandom): Schema {
  const either = { 'x-kubernetes-int-or-string': true };
  return random.pick<Schema>([
    either,
    { ...either, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[0-9]+%?$' },
    { ...either, anyOf: [{ type: 'integer' }, { type: 'string' }], default: '5%' },
    { ...either, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    { ...either, default: 3 },
  ]);
}

/** Objects with undeclared content. */
function open(random: SeededRandom): Schema {
  const keep = { 'x-kubernetes-preserve-unknown-fields': true };
  return random.pick<Schema>([
    { type: 'object', ...keep },
    { ...keep },
    { type: 'object', ...keep, properties: { known: { type: 'object', properties: { a: { type: 'string' } } } } },
    { type: 'object', ...keep, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    { type: 'array', items: { type: 'object', ...keep } },
    { type: 'object', additionalProperties: true },
  ]);
}

function embedded(random: SeededRandom): Schema {
  const base = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const keep = { 'x-kubernetes-preserve-unknown-fields': true };
  return random.pick<Schema>([
    { ...base, ...keep },
    { ...base, properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'b' } } } } },
    { ...base, ...keep, properties: { kind: { type: 'string', enum: ['Pod', 'Thing'] } } },
    {
      ...base,
      ...keep,
      'x-kubernetes-validations': [{ rule: "self.kind != 'Pod' && self.metadata.name == oldSelf.metadata.name" }],
    },
    { ...base, ...keep, properties: { metadata: { type: 'object', properties: { name: { pattern: '^[ab]' } } } } },
  ]);
}

function map(random: SeededRandom, depth: number): Schema {
  const additionalProperties = property(random, depth - 1);
  return {
    type: 'object',
    additionalProperties,
    ...(random.chance(15) && { default: {} }),
    ...(random.chance(15) && { maxProperties: 2 }),
    ...(random.chance(15) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...scalarRules(
      random,
      ['self == oldSelf', "!('x' in self)", 'oldSelf.all(k, k in self)', 'self.size() <= oldSelf.size() + 1'],
      25,
    ),
  };
}

function list(random: SeededRandom, depth: number): Schema {
  const sized = random.pick<Schema>([{}, { maxItems: 3 }, { minItems: 1, maxItems: 5 }, { maxItems: 4 }]);
  const given = random.chance(12) && { default: random.pick<unknown>([[], [], ['a'], [{ key: 'a' }]]) };
  const form = random.below(10);
  if (form < 4) return { ...keyed(random, depth), ...sized, ...given };
  if (form < 6) {
    const items = { type: 'string', maxLength: 5, ...scalarRules(random, textRules, 15) };
    const type = { 'x-kubernetes-list-type': 'set' };
    return { type: 'array', items, ...type, ...sized, ...given, ...scalarRules(random, listRules, 25) };
  }
  const type = random.chance(30) && { 'x-kubernetes-list-type': 'atomic' };
  const items = form === 6 ? { type: 'string', maxLength: 5 } : property(random, depth - 1);
  return { type: 'array', items, ...type, ...sized, ...given, ...scalarRules(random, listRules, 20) };
}

function keyed(random: SeededRandom, depth: number): Schema {
  const second = random.chance(35);
  const port = { type: 'integer', ...(random.chance(60) && { default: 80 }) };
  const rules = ['self.key == oldSelf.key', 'has(self.value)', '!has(oldSelf.value) || self.value == oldSelf.value'];
  const items = {
    type: 'object',
    required: random.pick([['key'], ['key', ...(second && Object.keys(port).length === 1 ? ['port'] : [])]]),
    properties: {
      key: { type: 'string', maxLength: 8 },
      ...(second && { port }),
      value: property(random, depth - 1),
      note: { type: 'string', maxLength: 8, ...scalarRules(random, textRules, 25) },
    },
    ...scalarRules(random, rules, 30),
  };
  const keys = second ? ['key', 'port'] : ['key'];
  const type = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
  return { type: 'array', items, ...type, ...scalarRules(random, listRules, 20) };
}

const texts = [
  ...['a', 'a', 'b', 'ab', 'abcde', '', 'B', '2026-01-02T03:04:05Z', '2026-01-02', 'YQ==', '10.0.0.1', '::1'],
  ...['10.0.0.0/8', '123e4567-e89b-12d3-a456-426614174000', '1h', 'a@b.c', 'https://a.b/c', 'ü'],
];
const numbers: readonly unknown[] = [0, 1, 1, 2, 3, -1, 1.5, 1e20, 2_147_483_648, 1.0];
const oddities: readonly unknown[] = [null, null, 'x', 1, 1.5, true, [], {}, ['x'], { a: 1 }, [null], ''];

/** Returns a value; one in 25 parts has another type. */
export function richValue(schema: Schema, random: SeededRandom): unknown {
  if (random.chance(4)) return random.pick(oddities);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick<unknown>([1, 3, '5%', 'x', true]);
  if (schema['x-kubernetes-embedded-resource'] === true) return embeddedValue(schema, random);
  const { items, additionalProperties, properties } = schema as Record<string, Schema | undefined>;
  switch (schema['type'] as string) {
    case 'string':
      return Array.isArray(schema['enum']) && random.chance(80) ? random.pick(schema['enum']) : random.pick(texts);
    case 'integer':
    case 'number':
      return random.pick(numbers);
    case 'boolean':
      return random.chance(50);
    case 'array':
      return listValue(schema, items ?? {}, random);
    default:
      if (typeof additionalProperties === 'object') return mapValue(additionalProperties, random);
      return members(schema, (properties ?? {}) as Record<string, Schema>, random);
  }
}

function listValue(schema: Schema, items: Schema, random: SeededRandom): unknown {
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = random.pick([['a'], ['a', 'b'], ['b', 'a'], ['b'], ['a', 'b', 'c'], ['a', 'a'], []]);
    return keys.map((key) => {
      const value = richValue({ ...items, properties: { ...(items['properties'] as Body) } }, random);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return { ...value, ...(random.chance(97) && { key }) };
    });
  }
  const most = random.pick([0, 1, 2, 3]);
  if (schema['x-kubernetes-list-type'] === 'set') {
    const shown = ['a', 'b', 'ab', 'c'].slice(random.below(2), 1 + most);
    return random.chance(8) ? [...shown, 'a'] : random.chance(30) ? shown.reverse() : shown;
  }
  return Array.from({ length: most }, () => richValue(items, random));
}

function mapValue(values: Schema, random: SeededRandom): unknown {
  const keys = random.pick([['x'], ['y'], ['x', 'y'], ['x', 'y', 'z'], [], ['a/b']]);
  return Object.fromEntries(keys.map((key) => [key, richValue(values, random)]));
}

function members(schema: Schema, properties: Record<string, Schema>, random: SeededRandom): Body {
  const value: Body = {};
  for (const [name, each] of Object.entries(properties)) {
    if (random.chance(60)) value[name] = richValue(each, random);
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (random.chance(isOpen ? 50 : 8)) value['extra'] = random.pick<unknown>(['x', 1, { a: null }, [1, 'x'], null]);
  return value;
}

function embeddedValue(schema: Schema, random: SeededRandom): unknown {
  // Kubernetes visits the members in random order, and decoding ends with the first invalid one: there is one at most.
  const bad = random.below(12);
  const goodMetadata = random.pick<unknown>([
    ...[{ name: 'a' }, { name: 'a' }, { name: 'b', labels: { x: 'y' } }, {}, undefined, { finalizers: ['x'] }],
    ...[{ creationTimestamp: null }, { annotations: { a: null } }, { uid: 'x', generation: 5 }, { unknown: 1 }, null],
  ]);
  const badMetadata = random.pick<unknown>([
    ...[{ name: 'Bad/Name' }, { labels: { 'b ad': 'x' } }, { labels: 1 }, 'x', { name: 1 }, { creationTimestamp: 'x' }],
  ]);
  const metadata = bad === 0 ? badMetadata : goodMetadata;
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  return {
    apiVersion: bad === 1 ? random.pick<unknown>(['a/b/c', '', undefined, 1, null]) : random.pick(['v1', 'apps/v1']),
    kind:
      bad === 2 ? random.pick<unknown>(['bad kind', '', undefined, null, 1]) : random.pick(['Pod', 'Thing', 'Thing']),
    ...(metadata !== undefined && { metadata }),
    ...(random.chance(60) && properties['spec'] !== undefined && { spec: richValue(properties['spec'], random) }),
    ...(random.chance(30) && { data: { a: 'b' } }),
  };
}

/** Returns a copy with a few of its parts replaced by other values of the schema. */
export function varied(schema: Schema, value: unknown, random: SeededRandom): unknown {
  if (random.chance(12)) return richValue(schema, random);
  const { items, additionalProperties, properties } = schema as Record<string, Schema | undefined>;
  if (Array.isArray(value) && items !== undefined) {
    const kept = random.chance(20) ? value.slice(1) : random.chance(15) ? [...value].reverse() : value;
    const next = kept.map((item) => (random.chance(30) ? varied(items, item, random) : item));
    return random.chance(15) ? [...next, ...(listValue(schema, items, random) as unknown[])] : next;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return random.chance(40) ? richValue(schema, random) : value;
  }
  const next: Body = { ...value };
  for (const name of Object.keys(next)) {
    const part = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (random.chance(10)) delete next[name];
    else if (part !== undefined && random.chance(40)) next[name] = varied(part as Schema, next[name], random);
  }
  for (const [name, part] of Object.entries(properties ?? {})) {
    if (!Object.hasOwn(next, name) && random.chance(12)) next[name] = richValue(part as Schema, random);
  }
  return next;
}
