import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SharedWidget, WIDGET, widget } from '../../test/widget.ts';
import type { JsonObject } from '../api/object.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { managersAfterCreation } from './creation.ts';
import { difference, differenceBelow, type FieldSet, union } from './field-set.ts';
import { withoutUnowned } from './owned-metadata.ts';
import { fieldSetOf, wholeSet } from './typed-walk.ts';
import { managersAfterUpdate } from './update.ts';

const ROUNDS = 200;
const NAMES = ['a', 'b', 'c', 'd'];

/** Some of the things that a widget can say; scalars come from `text`, so that two may differ or agree. */
function randomConfiguration(random: SeededRandom, names = NAMES): JsonObject {
  const some = () => names.filter(() => random.chance(50));
  const text = () => random.pick(['1', '2']);
  const spec: JsonObject = {};
  if (random.chance(50)) spec.free = Object.fromEntries(some().map((name) => [name, text()]));
  if (random.chance(50)) spec.tags = some();
  if (random.chance(50)) {
    spec.items = some().map((name) => ({
      name,
      ...(random.chance(50) ? { size: Number(text()) } : {}),
      ...(random.chance(30) ? { tags: some() } : {}),
    }));
  }
  if (random.chance(30)) spec.deep = Object.fromEntries(some().map((name) => [name, { x: text() }]));
  if (random.chance(30))
    spec.ports = some().map((_, index) => ({ port: index, ...(random.chance(50) ? { name: text() } : {}) }));
  return random.chance(10) ? {} : { spec };
}

function owned(configuration: JsonObject): FieldSet {
  return withoutUnowned(fieldSetOf(WIDGET, configuration));
}

function eachRound(check: (random: SeededRandom, seed: number) => void): void {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    try {
      check(new SeededRandom(seed), seed);
    } catch (error) {
      throw new Error(`with seed ${seed}`, { cause: error });
    }
  }
}

/** Several appliers and an updater in turn. */
function writeAtRandom(shared: SharedWidget, random: SeededRandom, applied: Map<string, JsonObject>): void {
  for (let step = 0; step < 8; step++) {
    if (random.chance(25)) {
      shared.update('updater', randomConfiguration(random));
      continue;
    }
    const name = random.pick(['one', 'two', 'three']);
    const configuration = randomConfiguration(random);
    shared.apply(name, configuration, { force: true });
    applied.set(name, configuration);
  }
}

describe('server-side apply with random configurations', () => {
  test('a creator owns the fields that an update of the empty object would give it', () => {
    const parts = [undefined, null, {}, { items: null, free: { a: '1' }, tags: ['a'], deep: {} }];
    eachRound((random) => {
      const spec = random.pick(parts);
      const empty = widget(spec === undefined ? {} : { spec });
      const created = widget({ metadata: { name: 'w', labels: { a: 'b' } }, ...randomConfiguration(random) });
      const ignored: FieldSet = random.chance(20) ? { 'f:spec': { 'f:free': {} } } : undefined;
      const write = { by: { name: 'me', subresource: '' }, now: 'now', ignored };
      const updated = managersAfterUpdate({ live: empty, next: created, convert: () => undefined, ...write }, []);
      // Compared as text: the order is Kubernetes'.
      const text = JSON.stringify(managersAfterCreation({ empty, created, ...write }));
      assert.equal(text, JSON.stringify(updated));
    });
  });

  test('an apply of the same configuration again changes neither the object nor its managedFields', () => {
    eachRound((random) => {
      const shared = new SharedWidget();
      writeAtRandom(shared, random, new Map());
      const configuration = randomConfiguration(random);
      shared.apply('me', configuration, { force: true });
      const { value, managers } = shared;
      shared.apply('me', configuration);
      assert.deepEqual(shared.value, value);
      assert.deepEqual(new Set(shared.managers), new Set(managers));
    });
  });

  test('two managers that apply disjoint fields get the same object in either order', () => {
    eachRound((random) => {
      const live = randomConfiguration(random);
      const one = randomConfiguration(random, ['a', 'b']);
      const other = randomConfiguration(random, ['c', 'd']);
      delete (one.spec as JsonObject | undefined)?.ports;
      const [first, second] = [new SharedWidget(live), new SharedWidget(live)];
      first.apply('one', one, { force: true });
      first.apply('other', other, { force: true });
      second.apply('other', other, { force: true });
      second.apply('one', one, { force: true });
      assert.deepEqual(unordered(first.value), unordered(second.value));
      for (const name of ['one', 'other']) assert.deepEqual(first.fieldsOf(name), second.fieldsOf(name));
    });
  });

  test('a manager owns the fields that it applied last, except those that others took by force', () => {
    eachRound((random) => {
      const shared = new SharedWidget();
      const applied = new Map<string, JsonObject>();
      writeAtRandom(shared, random, applied);
      for (const [name, configuration] of applied) {
        const fields = shared.fieldsOf(name) as unknown as FieldSet;
        assert.deepEqual(union(fields, owned(configuration)), owned(configuration) ?? fields);
      }
      const last = randomConfiguration(random);
      shared.apply('last', last, { force: true });
      assert.deepEqual(shared.fieldsOf('last'), owned(last));
    });
  });

  test('an apply removes no field that its manager does not own', () => {
    eachRound((random) => {
      const shared = new SharedWidget();
      writeAtRandom(shared, random, new Map());
      const before = wholeSet(WIDGET, shared.value);
      const mine = shared.fieldsOf('one') as unknown as FieldSet;
      shared.apply('one', randomConfiguration(random), { force: true });
      // With the last of its fields in a map or list, what nobody owns there may go, and so may all of the spec.
      const places = shared.value.spec === undefined ? { 'f:spec': {} } : placesOf(mine);
      const gone = difference(before, wholeSet(WIDGET, shared.value));
      assert.equal(differenceBelow(gone, union(mine, places)), undefined);
      const there = wholeSet(WIDGET, shared.value);
      for (const { name, fields } of shared.managers) {
        if (name !== 'one') assert.equal(difference(fields, there), undefined, `what ${name} owns is there`);
      }
    });
  });
});

/** Lists and maps that a set has something of. */
function placesOf(set: FieldSet): FieldSet {
  const spec = (set?.['f:spec'] ?? {}) as Record<string, FieldSet>;
  const places = Object.keys(spec).map((element) => [element, {}] as const);
  return places.length === 0 ? undefined : { 'f:spec': Object.fromEntries(places) };
}

/** Lists without their order, empty ones and maps left out. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(unordered(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, unordered(member)] as const)
    .filter(([, member]) => member !== null && JSON.stringify(member) !== '[]' && JSON.stringify(member) !== '{}');
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
