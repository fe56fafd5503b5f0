// Expressions: random rules of CustomResourceDefinitions and admission policies, valid and nearly valid, and objects
// that they are evaluated on.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';
import { type Leaves, randomExpression } from '../cel.ts';

const rulesTried = 5;
const objectsTried = 6;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The fields of the objects, by type; some are bounded, so that rules stay within the cost budget. */
const properties: Body = {
  text: { type: 'string', maxLength: 40 },
  long: { type: 'string' },
  day: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'date-time' },
  wait: { type: 'string', format: 'duration' },
  data: { type: 'string', format: 'byte', maxLength: 40 },
  number: { type: 'integer' },
  small: { type: 'integer', format: 'int32' },
  part: { type: 'number' },
  maybe: { type: 'boolean' },
  either: { 'x-kubernetes-int-or-string': true },
  entries: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } },
  unbounded: { type: 'array', items: { type: 'string' } },
  numbers: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  set: { type: 'array', maxItems: 5, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 9 } },
  lists: { type: 'array', maxItems: 4, items: { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 9 } } },
  map: { type: 'object', maxProperties: 8, additionalProperties: { type: 'string', maxLength: 20 } },
  nested: { type: 'object', properties: { text: { type: 'string', maxLength: 9 }, number: { type: 'integer' } } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  maybeNull: { type: 'string', nullable: true, maxLength: 9 },
  'dashed-name': { type: 'string', maxLength: 9 },
  namespace: { type: 'string', maxLength: 9 },
};

const selfLeaves: Leaves = {
  string: [
    'self.text',
    'self.text',
    'self.long',
    'self.nested.text',
    'self.maybeNull',
    'self.dashed__dash__name',
    'self.__namespace__',
    'self.metadata.name',
  ],
  int: ['self.number', 'self.small', 'self.nested.number'],
  double: ['self.part'],
  bool: ['self.maybe'],
  list: ['self.entries', 'self.entries', 'self.unbounded', 'self.set'],
  ints: ['self.numbers'],
  lists: ['self.lists'],
  map: ['self.map'],
  duration: ['self.wait'],
  time: ['self.time', 'self.day'],
  dyn: ['self.either', 'self.nested', 'self.maybeNull'],
  bytes: ['self.data'],
};

export const expressions: Area = {
  name: 'expressions',
  async run(given) {
    const { session, random } = given;
    const good: Body[] = [];
    for (let left = rulesTried; left > 0; left--) {
      const rule = ruleOf(random);
      const { status } = await session.ask({
        method: 'POST',
        path: definitions,
        query: { dryRun: 'All' },
        body: definitionOf([rule]),
      });
      if (status === 201) good.push(rule);
    }
    if (good.length === 0) return;
    const made = await session.ask({ method: 'POST', path: definitions, body: definitionOf(good) });
    if (made.status !== 201) return;
    const path = '/apis/{u}.example.com/v1/namespaces/{ns}/things';
    await session.until({ path }, (status) => status === 200);
    for (let index = 0; index < objectsTried; index++) await judge(given, path, index);
  },
};

async function judge({ session, random }: Case, path: string, index: number): Promise<void> {
  const body = {
    apiVersion: '{u}.example.com/v1',
    kind: 'Thing',
    metadata: { name: `o${index}` },
    ...randomMembers(random),
  };
  const { status } = await session.ask({ method: 'POST', path, body });
  if (status !== 201) return;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await session.ask({ method: 'PATCH', path: `${path}/o${index}`, headers, body: randomMembers(random) });
}

function ruleOf(random: SeededRandom): Body {
  const withOld = random.chance(20);
  const leaves = withOld
    ? { ...selfLeaves, string: [...selfLeaves.string!, 'oldSelf.text'], int: ['oldSelf.number', 'self.number'] }
    : selfLeaves;
  return {
    rule: randomExpression(random, 'bool', leaves),
    ...(random.chance(25) && { message: random.pick(['no', '', ' ', 'a\nb', 'x'.repeat(3000)]) }),
    ...(random.chance(25) && {
      messageExpression: randomExpression(random, random.chance(90) ? 'string' : 'int', selfLeaves),
    }),
    ...(random.chance(15) && { reason: random.pick(['FieldValueForbidden', 'FieldValueRequired', 'x']) }),
    ...(random.chance(15) && {
      fieldPath: random.pick(['.text', '.map.a', ".map['a']", '.entries[0]', '.nope', 'text', '.nested.text', '']),
    }),
    ...(withOld && random.chance(20) && { optionalOldSelf: random.chance(50) }),
  };
}

function definitionOf(rules: readonly Body[]): Body {
  const openAPIV3Schema = { type: 'object', properties, 'x-kubernetes-validations': rules };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.{u}.example.com' },
    spec: {
      group: '{u}.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const values: Readonly<Record<string, readonly unknown[]>> = {
  text: [
    '',
    'a',
    'b,c',
    'ü€',
    '1h',
    '10.0.0.1',
    '1Gi',
    '1.2.3',
    'https://a.b:80/c?d=e#f',
    'A b ',
    '(',
    '::1',
    '10.0.0.0/8',
    '2024-02-29T12:30:45Z',
  ],
  long: ['', 'abc', 'a-b', '10.0.0.300', '-5', 'true', 'NaN'],
  day: ['2024-02-29', '1999-12-31'],
  time: ['2024-02-29T12:30:45.5Z', '2020-01-01T00:00:00+02:00'],
  wait: ['1h', '90s', '1.5h'],
  data: ['YWJj', ''],
  number: [0, 1, -1, 2, 4_294_967_296],
  small: [0, 7, -3],
  part: [0, 1.5, -0.25, 3],
  maybe: [true, false],
  either: [1, 'a', '50%'],
  entries: [[], ['a'], ['b', 'a', 'a'], ['x', '']],
  unbounded: [[], ['a', 'b']],
  numbers: [[], [1, 2, 3], [3, 1, 1], [-1]],
  set: [['a'], ['b', 'a']],
  lists: [[], [['a'], []], [['a', 'b'], ['c']]],
  map: [{}, { a: 'b' }, { a: 'b', c: 'd' }],
  nested: [{}, { text: 'a' }, { text: 'b', number: 3 }],
  free: [{}, { x: 1, y: [1] }],
  maybeNull: [null, 'a'],
  'dashed-name': ['a'],
  namespace: ['a'],
};

function randomMembers(random: SeededRandom): Body {
  const kept = random.pick([95, 80, 50]);
  return Object.fromEntries(
    Object.entries(values)
      .filter(() => random.chance(kept))
      .map(([name, of]) => [name, random.pick(of)]),
  );
}
