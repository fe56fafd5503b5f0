import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { SchemaPart } from '../schema/structural/schema-part.ts';
import { DeclaredTypes } from './declared-type.ts';
import { newExpressions, STORED_EXPRESSIONS, storedExpressions } from './environments.ts';
import { RuleCompiler } from './rule.ts';
import { RuleSet } from './rule-set.ts';

function rulesOf(schema: JsonObject): RuleSet {
  return new RuleSet(new SchemaPart(schema), false, STORED_EXPRESSIONS);
}

/** What the rules of a schema say of a value. */
function faults(schema: JsonObject, value: Json, previous?: Json): string[] {
  const { errors } = rulesOf(schema).validate(value, { previous });
  return errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

const ruled = (type: string, ...rules: JsonObject[]): JsonObject => ({ type, 'x-kubernetes-validations': rules });

test('validation rules run at their place in the schema, outer ones first', () => {
  const schema = {
    ...ruled('object', { rule: 'self.a < 2', message: 'whole' }),
    properties: {
      a: ruled('integer', { rule: 'self < 2', message: 'member' }),
      l: { type: 'array', items: ruled('string', { rule: "self != 'x'" }) },
      m: { type: 'object', additionalProperties: ruled('integer', { rule: 'self > 0', message: 'value' }) },
    },
  };
  assert.deepEqual(faults(schema, { a: 2, l: ['y', 'x'], m: { 'b.c': 0 } }), [
    '<nil>: Invalid value: "object": whole',
    'a: Invalid value: "integer": member',
    'l[1]: Invalid value: "string": failed rule: self != \'x\'',
    'm[b.c]: Invalid value: "integer": value',
  ]);
  assert.deepEqual(faults(schema, { a: 1, l: ['y'], m: { b: 1 } }), []);
});

test('a validation rule has a fieldPath, a reason and a messageExpression', () => {
  const rule = {
    rule: 'false',
    fieldPath: '.a',
    reason: 'FieldValueForbidden',
    messageExpression: "'a is ' + string(self.a)",
  };
  const schema = { ...ruled('object', rule), properties: { a: { type: 'integer' } } };
  assert.deepEqual(faults(schema, { a: 5 }), ['a: Forbidden: a is 5']);
});

test('a messageExpression that fails is replaced by the message', () => {
  const rule = { rule: 'false', message: 'fixed', messageExpression: 'self.l[3]' };
  const schema = { ...ruled('object', rule), properties: { l: { type: 'array', items: { type: 'string' } } } };
  assert.deepEqual(faults(schema, { l: [] }), ['<nil>: Invalid value: "object": fixed']);
});

test('transition rules run only with an old value, or with optionalOldSelf', () => {
  const schema = ruled('integer', { rule: 'self >= oldSelf', message: 'shrank' });
  assert.deepEqual(faults(schema, 1), []);
  assert.deepEqual(faults(schema, 1, 2), ['<nil>: Invalid value: "integer": shrank']);
  const optional = ruled('integer', { rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'new' });
  assert.deepEqual(faults(optional, 1), ['<nil>: Invalid value: "integer": new']);
  assert.deepEqual(faults(optional, 1, 1), []);
});

test('transition rules match items of a list of type map by key', () => {
  const item = {
    ...ruled('object', { rule: 'self.v == oldSelf.v', message: 'changed' }),
    properties: { k: { type: 'string' }, v: { type: 'integer' } },
  };
  const schema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: item,
  };
  const previous = [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ];
  assert.deepEqual(
    faults(
      schema,
      [
        { k: 'b', v: 2 },
        { k: 'a', v: 3 },
        { k: 'c', v: 9 },
      ],
      previous,
    ),
    ['[1]: Invalid value: "object": changed'],
  );
});

test('violations of rules in unchanged values are ratcheted with a warning', () => {
  const schema = {
    type: 'object',
    properties: { a: ruled('integer', { rule: 'self < 2', message: 'large' }), b: { type: 'integer' } },
  };
  const rules = rulesOf(schema);
  const kept = rules.validate({ a: 5, b: 2 }, { previous: { a: 5, b: 1 } });
  assert.deepEqual(kept.errors, []);
  assert.deepEqual(kept.warnings, ['a: Invalid value: "integer": large']);
  assert.equal(rules.validate({ a: 6 }, { previous: { a: 5 } }).errors.length, 1);
});

test('an evaluation error of a validation rule is an error of the object', () => {
  const schema = {
    ...ruled('object', { rule: 'self.l[1] == 1' }),
    properties: { l: { type: 'array', items: { type: 'integer' } } },
  };
  assert.deepEqual(faults(schema, { l: [1] }), [
    '<nil>: Invalid value: "object": index out of bounds: 1 evaluating rule: self.l[1] == 1',
  ]);
});

test('each validation rule and all rules together have a cost limit', () => {
  const dear = 'self.all(x, self.all(y, x + y >= 0))';
  const list = { type: 'array', items: { type: 'integer' } };
  const many = Array.from({ length: 500 }, (_, index) => index);
  const tooDear = faults({ ...list, 'x-kubernetes-validations': [{ rule: dear }, { rule: 'false' }] }, many);
  assert.deepEqual(tooDear, [
    `<nil>: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${dear}`,
  ]);
  const rules = Array.from({ length: 30 }, () => ({ rule: dear }));
  const spent = faults({ ...list, 'x-kubernetes-validations': [...rules, { rule: 'false' }] }, many.slice(0, 300));
  assert.deepEqual(spent, [
    '<nil>: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test('lists and maps of a schema are compared only with lists and maps of the same kind', () => {
  const properties = {
    list: { type: 'array', items: { type: 'integer' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    deep: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
  };
  const value = { list: [1, 2], map: { a: 'b' }, deep: [{ a: 1 }] };
  const holds = (rule: string): boolean | 'error' => {
    const [found] = faults({ ...ruled('object', { rule, message: 'FALSE' }), properties }, value);
    if (found === undefined) return true;
    return found.includes('no such overload') ? 'error' : false;
  };
  for (const rule of ['dyn(self.list) == 1', 'dyn(self.list + self.list) == 1', 'dyn(self.map) == dyn([1])']) {
    assert.equal(holds(rule), 'error', rule);
  }
  assert.equal(holds('dyn(1) in self.deep'), 'error');
  assert.equal(holds('dyn(optional.of(self.list)) == dyn(optional.of(1))'), 'error');
  for (const rule of ['dyn(self.list) == null', '1 == dyn(self.list)', 'dyn(self.list) in [dyn(1)]']) {
    assert.equal(holds(rule), false, rule);
  }
  // What cannot be compared is not equal, and does not make a whole differ that the language itself made.
  for (const rule of ['dyn(self.list) != 1', "dyn(url('http://a')) != dyn(1)", 'dyn([self.list]) == dyn([1])']) {
    assert.equal(holds(rule), true, rule);
  }
  assert.equal(holds('self.deep.indexOf(dyn(1)) == -1'), true);
});

test('the type of a messageExpression is checked before it is planned', () => {
  const part = new SchemaPart({ type: 'object', properties: { a: { type: 'string' } } });
  const rule = { rule: 'true', messageExpression: 'int(string(true))' };
  const compiled = new RuleCompiler(new DeclaredTypes(part, false), STORED_EXPRESSIONS).compile(rule, part);
  assert.equal(compiled.messageFault, 'messageExpression must evaluate to a string');
});

test('validation rules of a value without a declared type cannot run', () => {
  const schema = {
    ...ruled('object', { rule: "!('x' in self)" }),
    additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true },
  };
  assert.deepEqual(faults(schema, {}), [
    '<nil>: Invalid value: "object": rule compiler initialization error: failed to convert to declType for CEL validation rules',
  ]);
});

test('a rule whose messageExpression cannot be compiled fails at its own place', () => {
  const rule = { rule: 'self.a > 1', fieldPath: '.a' };
  const schema = (more: JsonObject) => ({
    ...ruled('object', { ...rule, ...more }),
    properties: { a: { type: 'integer' } },
  });
  assert.deepEqual(faults(schema({}), { a: 1 }), ['a: Invalid value: "object": failed rule: self.a > 1']);
  assert.deepEqual(faults(schema({ messageExpression: 'string(self)' }), { a: 1 }), [
    '<nil>: Invalid value: "object": failed rule: self.a > 1',
  ]);
});

test('rules of items cannot run where a list became an object, and reject the list', () => {
  const schema = { type: 'object', items: ruled('integer', { rule: 'self > 0' }) };
  const why = 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
  assert.deepEqual(faults(schema, [1, 2]), [
    `[0]: Invalid value: "integer": ${why}`,
    `[1]: Invalid value: "integer": ${why}`,
  ]);
  assert.deepEqual(faults(schema, { a: 1 }), []);
});

test('from 1.37 on a list that grew is indexed by any whole number, like one that a rule makes', () => {
  const told = (rule: string, listType: string, minor: number) => {
    const schema = {
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': listType } },
      'x-kubernetes-validations': [{ rule }],
    };
    const { errors } = rulesOf(schema).validate({ l: ['a'] }, { minor });
    return errors.map((error) => fieldErrorBody(error).replace(/^.*?(unsupported index: \d).*$/, '$1'));
  };
  for (const listType of ['atomic', 'set']) {
    assert.deepEqual(told("(self.l + ['b'])[dyn(1u)] == 'b'", listType, 36), ['unsupported index: 1']);
    assert.deepEqual(told("(self.l + ['b'])[dyn(1u)] == 'b'", listType, 37), []);
    assert.deepEqual(told("self.l[dyn(0u)] == 'a'", listType, 37), ['unsupported index: 0']);
  }
});

test('the range of a list has a limit from 1.37 on, and a negative one is an error', () => {
  const told = (minor: number, rule: string) => {
    const rules = new RuleSet(new SchemaPart(ruled('object', { rule })), false, storedExpressions(minor));
    return rules.validate({}).errors.map((error) => fieldErrorBody(error));
  };
  assert.deepEqual(told(36, 'lists.range(-1).size() == 0'), []);
  const [negative = ''] = told(37, 'lists.range(-1).size() == 0');
  assert.match(negative, /lists\.range: size must be non-negative, got -1 evaluating rule/);
  const [large = ''] = told(37, 'lists.range(1000001).size() > 0');
  assert.match(large, /lists\.range: size 1000001 exceeds maximum allowed \(1000000\)|cost budget/);
});

test('before 1.33 there are no functions for lists of optional values, and a comparison of dyn() has no bound', () => {
  const rulesIn = (minor: number, rule: string) =>
    new RuleSet(new SchemaPart(ruled('object', { rule })), false, storedExpressions(minor));
  const told = (minor: number) =>
    rulesIn(minor, '[1].first().value() == 1')
      .validate({})
      .errors.map((error) => fieldErrorBody(error));
  assert.match(told(32)[0] ?? '', /undeclared reference to 'first'/);
  assert.deepEqual(told(33), []);
  const cost = (minor: number) => {
    const environment = storedExpressions(minor).for('');
    const { checked } = environment.compile('dyn([1]) == dyn([1])');
    assert.ok(checked);
    return environment.estimate(checked).max;
  };
  assert.ok(cost(32) > 1_000_000);
  assert.equal(cost(33), 23);
});

test('before 1.33 the parser has other words, and tells a percent sign as a verb without its operand', () => {
  const told = (minor: number) => {
    const rule = 'a."%d"';
    const rules = new RuleSet(new SchemaPart(ruled('object', { rule })), false, storedExpressions(minor));
    return rules.validate({}).errors.map((error) => /input '(.*?)'\n/.exec(fieldErrorBody(error))?.[1]);
  };
  assert.deepEqual([told(32)[0], told(33)[0]], ['."%!d(MISSING)"', '."%d"']);
  const faultIn = (minor: number) => storedExpressions(minor).for('').parse("'\\U00110000'").issues[0]?.message;
  assert.deepEqual([faultIn(32), faultIn(33)], ['unable to unescape string', 'invalid unicode code point']);
});

test('new rules that 1.28 must support use the first functions for strings, and not those that came with 1.29', () => {
  const isKnown = (minCompatibilityMinor: number, expression: string) =>
    newExpressions({ minor: 29, minCompatibilityMinor, gateEnabled: () => true })
      .for(expression)
      .compile(expression).checked !== undefined;
  for (const expression of ["'abc'.substring(1) == 'bc'", "'a,b'.split(',').size() == 2"])
    assert.deepEqual([isKnown(28, expression), isKnown(29, expression)], [true, true], expression);
  for (const expression of ["['a'].join() == 'a'", "'%d'.format([1]) == '1'", "strings.quote('a') == ''"])
    assert.deepEqual([isKnown(28, expression), isKnown(29, expression)], [false, true], expression);
});
