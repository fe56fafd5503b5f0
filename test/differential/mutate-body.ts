// Mutation of bodies: a few fields, found by type, are set to values from this or another body, to edge cases or to the
// wrong type, or removed.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Field, Node, StructNode } from '../../src/schema/node.ts';
import type { Bodies, Body } from './bodies.ts';

interface Holder {
  readonly value: Body;
  readonly struct: StructNode;
}

export interface Mutation {
  readonly bodies: Bodies;
  readonly random: SeededRandom;
  /** The maximum number of changes; there is at least one. */
  readonly changes: number;
}

/** Returns a mutated copy of a body of this type. */
export function mutatedBody(node: StructNode, body: Body, { bodies, random, changes }: Mutation): Body {
  const copy = structuredClone(body);
  const maker = new Maker(bodies, random);
  for (let left = 1 + random.below(changes); left > 0; left--) {
    const holders = holdersIn(node, copy).filter((holder) => !isMeta(holder.struct) || random.chance(metaPercent));
    const holder = holders.length > 0 && random.chance(90) ? random.pick(holders) : { value: copy, struct: node };
    maker.change(holder);
  }
  return copy;
}

const metaPercent = 15;

function isMeta({ name }: StructNode): boolean {
  return name.endsWith('.ObjectMeta');
}

/** Returns every struct in a body, with its type. */
function holdersIn(node: Node, value: unknown): Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  if (node.kind === 'list') return Array.isArray(value) ? value.flatMap((item) => holdersIn(node.items, item)) : [];
  if (node.kind === 'map') return Object.values(value).flatMap((item) => holdersIn(node.values, item));
  if (node.kind !== 'struct' || Array.isArray(value)) return [];
  const inner = [...node.jsonFields].flatMap(([name, field]) => holdersIn(field.node, (value as Body)[name]));
  return [{ value: value as Body, struct: node }, ...inner];
}

class Maker {
  readonly #bodies: Bodies;
  readonly #random: SeededRandom;

  constructor(bodies: Bodies, random: SeededRandom) {
    this.#bodies = bodies;
    this.#random = random;
  }

  change({ value, struct }: Holder): void {
    const random = this.#random;
    const open = [...struct.jsonFields.values()].filter(({ name }) => !untouched.has(name) || random.chance(1));
    const present = open.filter(({ name }) => Object.hasOwn(value, name));
    const kind = random.below(100);
    if (kind < 15 && present.length > 0) delete value[random.pick(present).name];
    else if (kind < 25 && present.length > 0) this.#disturb(value, random.pick(present));
    else if (kind < 28) value[random.pick(['unknownField', 'Name', 'spec', 'nam'])] = this.#wrong();
    else {
      const pool = present.length > 0 && random.chance(50) ? present : open;
      if (pool.length > 0) this.#set(value, struct, random.pick(pool));
    }
  }

  #set(value: Body, struct: StructNode, field: Field): void {
    value[field.name] = this.#random.chance(4) ? this.#wrong() : this.#field(struct, field, 2);
  }

  /** Duplicates, adds or removes list items; makes strings longer. */
  #disturb(value: Body, { name }: Field): void {
    const random = this.#random;
    const current = value[name];
    if (Array.isArray(current) && current.length > 0) {
      const kind = random.below(3);
      if (kind === 0) current.push(structuredClone(random.pick(current)));
      else if (kind === 1) current.splice(random.below(current.length), 1);
      else current.reverse();
    } else if (typeof current === 'string') {
      value[name] = random.pick([`${current}x`, current.toUpperCase(), ` ${current}`, `${current}.`, '']);
    } else if (typeof current === 'number') value[name] = random.pick([current + 1, -current, 0, current * 1000]);
    else if (typeof current === 'boolean') value[name] = !current;
    else value[name] = random.pick([null, {}, []]);
  }

  #field(struct: StructNode, field: Field, depth: number): unknown {
    const random = this.#random;
    if (random.chance(45)) {
      const known = this.#bodies.value(struct, field.name, random);
      if (known !== undefined) return known;
    }
    if (field.enum !== undefined && random.chance(80)) return random.pick(field.enum);
    return this.#value(field.node, depth);
  }

  #value(node: Node, depth: number): unknown {
    const random = this.#random;
    switch (node.kind) {
      case 'struct':
        return this.#struct(node, depth);
      case 'list': {
        if (node.itemsEnum !== undefined && random.chance(80)) return [random.pick(node.itemsEnum)];
        return Array.from({ length: random.pick([0, 1, 1, 2]) }, () => this.#value(node.items, depth));
      }
      case 'map':
        return Object.fromEntries(
          Array.from({ length: random.pick([0, 1, 1, 2]) }, () => [random.pick(keys), this.#value(node.values, depth)]),
        );
      case 'raw':
      case 'fields':
        return { apiVersion: 'v1', kind: 'Thing', a: 1 };
      case 'json':
        return random.pick<unknown>([true, 'text', 1, { a: 'b' }]);
      default:
        return random.pick(scalars[node.kind] ?? texts);
    }
  }

  #struct(node: StructNode, depth: number): unknown {
    const value: Body = {};
    if (depth <= 0) return value;
    for (const field of node.jsonFields.values()) {
      if (this.#random.chance(field.required ? 80 : 25)) value[field.name] = this.#field(node, field, depth - 1);
    }
    return value;
  }

  #wrong(): unknown {
    return this.#random.pick<unknown>([null, '', 'x', 1, 1.5, -1, true, [], {}, ['x'], { a: 'b' }, [null], [{}]]);
  }
}

/**
 * Set by the server or determined by the path; a body with a different value is rejected before anything else is
 * checked.
 */
const untouched = new Set(['kind', 'apiVersion', 'status', 'resourceVersion', 'uid', 'creationTimestamp']);

const texts: readonly unknown[] = [
  'a',
  'web',
  'a-b',
  'Bad_Name',
  '',
  ' ',
  'a'.repeat(64),
  'a'.repeat(254),
  'a.b',
  'example.com/a',
  '1',
  '80',
  '-a',
  'http',
  '*',
  '10.0.0.1',
  '::1',
  '10.0.0.0/8',
  '/abs/path',
  '../up',
  'kubernetes.io/x',
  '$(X)',
  'ä',
  'Always',
  'True',
  'a=b',
  'self.x',
  'true',
  'a:b',
  'https://example.com',
];
const keys: readonly string[] = [
  'a',
  'example.com/a',
  'Bad Key',
  '',
  'kubernetes.io/x',
  'cpu',
  'memory',
  '-a',
  'pods',
  'storage',
];
const integers: readonly unknown[] = [0, 1, 2, -1, 5, 80, 100, 101, 65_535, 65_536, 2_147_483_647, 2_147_483_648];
const scalars: Readonly<Record<string, readonly unknown[]>> = {
  bool: [true, false],
  int32: integers,
  int64: integers,
  float64: [0, 1.5, -1],
  bytes: ['', 'YQ==', 'not base64'],
  quantity: ['0', '1', '100m', '1Gi', '-1', '1.5', '1e3', 'x', 2, '0.1m', '100Ti'],
  intOrString: [0, 80, -1, 65_536, '', '25%', 'http', '101%', '-5%', 'Bad_Name'],
  time: ['2026-01-02T03:04:05Z', null, 'x', '2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05+02:00'],
  microTime: ['2026-01-02T03:04:05.000006Z', null, 'x', '2026-01-02T03:04:05Z'],
  duration: ['0s', '1m30s', '-1s', 'x', '36h'],
};
