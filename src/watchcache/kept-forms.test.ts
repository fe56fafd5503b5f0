import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { type Form, FormBudget, FormKind, KeptForms } from './kept-forms.ts';

interface Sized extends Form {
  readonly text: string;
}

const kind = new FormKind<Sized>();

class Cache {
  readonly current = new Set<object>();
  readonly forms: KeptForms;
  made = 0;

  constructor(budget: FormBudget) {
    this.forms = new KeptForms(budget, (object) => this.current.has(object));
  }

  object(): object {
    const object = {};
    this.current.add(object);
    return object;
  }

  ask(object: object, size = 10, of = kind): string {
    return this.forms.form(of, object, () => ({ size, text: `made ${++this.made}` })).text;
  }
}

function budgetOf(most: number) {
  const clock = new ManualClock();
  const budget = new FormBudget(clock, most);
  return { clock, budget, cache: new Cache(budget) };
}

test('an encoded form of an object is made once, and each kind of form separately', () => {
  const { cache, budget } = budgetOf(100);
  const object = cache.object();
  assert.equal(cache.ask(object), 'made 1');
  assert.equal(cache.ask(object), 'made 1');
  assert.equal(cache.ask(object, 10, new FormKind<Sized>()), 'made 2');
  assert.equal(budget.bytes, 20);
});

test('encoded forms are dropped with their object, and those of superseded objects are not kept', () => {
  const { cache, budget } = budgetOf(100);
  const object = cache.object();
  cache.ask(object);
  cache.current.delete(object);
  cache.forms.drop(object);
  assert.equal(budget.bytes, 0);
  cache.ask(object);
  cache.ask(object);
  assert.equal(cache.made, 3);
  assert.equal(budget.bytes, 0);
});

test('a form that does not fit is made each time, while the others stay', () => {
  const { cache, budget } = budgetOf(25);
  const objects = [cache.object(), cache.object(), cache.object()];
  for (let round = 0; round < 3; round++) for (const object of objects) cache.ask(object);
  assert.equal(cache.made, 5);
  assert.equal(budget.bytes, 20);
});

test('an unused cache of forms is evicted in favor of one in use', () => {
  const { cache, budget, clock } = budgetOf(25);
  const other = new Cache(budget);
  cache.ask(cache.object());
  cache.ask(cache.object());
  const object = other.object();
  other.ask(object);
  assert.equal(budget.bytes, 20, 'both were asked just now');
  clock.advance(limits.keptFormIdleMs);
  other.ask(object);
  assert.equal(budget.bytes, 10);
  other.ask(object);
  assert.equal(other.made, 2);
});

test('caches of forms for kinds that are no longer defined make room for new ones', () => {
  const { cache, budget } = budgetOf(10_000);
  const object = cache.object();
  for (let definition = 0; definition < 100; definition++) cache.ask(object, 10, new FormKind<Sized>());
  assert.ok(budget.bytes <= 160, `${budget.bytes} bytes`);
});

test('a closed cache of forms keeps nothing', () => {
  const { cache, budget } = budgetOf(100);
  cache.ask(cache.object());
  cache.forms.clear();
  assert.equal(budget.bytes, 0);
});
