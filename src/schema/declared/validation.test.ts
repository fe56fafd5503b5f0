import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import { embedded, int32, list, map, pointer, string, struct } from '../build.ts';
import type { RuleScope } from './judged.ts';
import { type DeclaredTags, DeclaredValidation } from './validation.ts';

const Item = struct('test/v1.Item', () => ({ name: string(1).required(), value: string(2) }));
const Spec = struct('test/v1.Spec', () => ({
  text: string(1),
  count: int32(2).pointer(),
  mode: string(3),
  first: pointer(4, Item),
  second: pointer(5, Item),
  items: list(6, Item),
  names: list(7, 'string'),
  labels: map(8, 'string'),
}));
const Thing = struct('test/v1.Thing', () => ({ spec: embedded(1, Spec) }));

/** The errors of a spec, as text, when its fields have these tags. */
function errorsOf(
  tags: DeclaredTags[string],
  next: JsonObject,
  { previous, ...scope }: Partial<RuleScope> & { previous?: JsonObject; items?: DeclaredTags[string] } = {},
): string[] {
  const { items, ...rest } = scope;
  const validation = new DeclaredValidation({ 'test/v1.Spec': tags, ...(items && { 'test/v1.Item': items }) });
  const values = { next: { spec: next }, previous: previous && { spec: previous } };
  const found = validation.validate(Thing, values, { isOn: () => false, beta: true, ...rest });
  return found.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

describe('declared validation', () => {
  it('declared validation requires a field that is absent or empty, and applies no other rule to it', () => {
    const tags = { text: ['required', 'format=k8s-short-name'] };
    assert.deepEqual(errorsOf(tags, {}), ['spec.text: Required value']);
    assert.deepEqual(errorsOf(tags, { text: '' }), ['spec.text: Required value']);
    assert.deepEqual(errorsOf(tags, { text: 'fine' }), []);
  });

  it('declared validation rejects a change of an immutable field without quoting values', () => {
    const tags = { text: ['immutable'] };
    assert.deepEqual(errorsOf(tags, { text: 'b' }, { previous: { text: 'a' } }), [
      'spec.text: Invalid value: null: field is immutable',
    ]);
    assert.deepEqual(errorsOf(tags, { text: 'a' }, { previous: { text: 'a' } }), []);
    assert.deepEqual(errorsOf(tags, { text: 'a' }), []);
  });

  it('declared validation rejects a field that an update sets, clears or modifies against its rule', () => {
    const text = (kind: string, next: string, previous: string) =>
      errorsOf({ text: [`update=${kind}`] }, { text: next }, { previous: { text: previous } });
    assert.deepEqual(text('NoSet', 'a', ''), ['spec.text: Invalid value: null: field cannot be set once created']);
    assert.deepEqual(text('NoUnset', '', 'a'), ['spec.text: Invalid value: null: field cannot be cleared once set']);
    assert.deepEqual(text('NoModify', 'b', 'a'), ['spec.text: Invalid value: null: field cannot be modified once set']);
    assert.deepEqual(text('NoModify', '', 'a'), []);
  });

  it('declared validation rejects new and missing items of a list by their keys, not by their other fields', () => {
    const tags = { items: ['listType=map', 'listMapKey=name', 'update=NoAddItem', 'update=NoRemoveItem'] };
    const previous = { items: [{ name: 'a', value: 'x' }] };
    assert.deepEqual(errorsOf(tags, { items: [{ name: 'a', value: 'y' }] }, { previous }), []);
    assert.deepEqual(errorsOf(tags, { items: [{ name: 'b', value: 'x' }] }, { previous }), [
      'spec.items[0]: Forbidden: item may not be added',
      'spec.items: Forbidden: item may not be removed',
    ]);
  });

  it('declared validation reads a tag that ends in a comment', () => {
    assert.deepEqual(errorsOf({ count: ['maximum=3 # as everywhere'] }, { count: 4 }), [
      'spec.count: Invalid value: 4: must be less than or equal to 3',
    ]);
  });

  it('declared validation validates a struct that an update adds as a whole, with fields that are absent', () => {
    const items = { name: ['required'] };
    const found = errorsOf({}, { first: {} }, { previous: { text: 'a' }, items });
    assert.deepEqual(found, ['spec.first.name: Required value']);
    assert.deepEqual(errorsOf({}, { first: {}, text: 'b' }, { previous: { first: {} }, items }), []);
  });

  it('declared validation does not validate an unchanged value again on update', () => {
    const tags = { text: ['format=k8s-short-name'] };
    assert.equal(errorsOf(tags, { text: 'Not-A-Name' }).length, 1);
    assert.deepEqual(errorsOf(tags, { text: 'Not-A-Name' }, { previous: { text: 'Not-A-Name' } }), []);
  });

  it('declared validation limits numbers, lengths and lists', () => {
    assert.deepEqual(errorsOf({ count: ['minimum=1'] }, { count: 0 }), [
      'spec.count: Invalid value: 0: must be greater than or equal to 1',
    ]);
    assert.deepEqual(errorsOf({ count: ['maximum=3'] }, { count: 4 }), [
      'spec.count: Invalid value: 4: must be less than or equal to 3',
    ]);
    assert.deepEqual(errorsOf({ text: ['maxLength=2'] }, { text: 'äöü' }), [
      'spec.text: Too long: may not be more than 2 characters',
    ]);
    assert.deepEqual(errorsOf({ text: ['maxBytes=4'] }, { text: 'äöü' }), [
      'spec.text: Too long: may not be more than 4 bytes',
    ]);
    assert.deepEqual(errorsOf({ names: ['maxItems=1'] }, { names: ['a', 'b'] }), [
      'spec.names: Too many: 2: must have at most 1 item',
    ]);
  });

  it('declared validation reports the values of an enum', () => {
    assert.deepEqual(errorsOf({ mode: ['enum=A|B'] }, { mode: 'C' }), [
      'spec.mode: Unsupported value: "C": supported values: "A", "B"',
    ]);
  });

  it('declared validation applies rules to each item of a list and to each key and value of a map', () => {
    assert.deepEqual(errorsOf({ names: ['eachVal=+k8s:maxBytes=1'] }, { names: ['a', 'bb'] }), [
      'spec.names[1]: Too long: may not be more than 1 byte',
    ]);
    assert.deepEqual(errorsOf({ labels: ['eachVal=+k8s:maxBytes=1'] }, { labels: { a: 'bb' } }), [
      'spec.labels[a]: Too long: may not be more than 1 byte',
    ]);
    assert.equal(errorsOf({ labels: ['eachKey=+k8s:format=k8s-short-name'] }, { labels: { A: '' } }).length, 1);
  });

  it('declared validation rejects the second of two items with the same key, and compares items by their keys on update', () => {
    const tags = { items: ['listType=map', 'listMapKey=name'] };
    const twice = { items: [{ name: 'a' }, { name: 'a', value: 'x' }] };
    assert.deepEqual(errorsOf(tags, twice), ['spec.items[1]: Duplicate value: {"name":"a","value":"x"}']);
    const items = { value: ['immutable'] };
    const [next, previous] = [
      { items: [{ name: 'b' }, { name: 'a', value: '2' }] },
      { items: [{ name: 'a', value: '1' }] },
    ];
    assert.deepEqual(errorsOf(tags, next, { previous, items }), [
      'spec.items[1].value: Invalid value: null: field is immutable',
    ]);
  });

  it('declared validation accepts exactly one member of a union', () => {
    const tags = { first: ['unionMember'], second: ['unionMember'] };
    assert.deepEqual(errorsOf(tags, {}), ['spec: Invalid value: "": must specify one of: `first`, `second`']);
    assert.deepEqual(errorsOf(tags, { first: { name: 'a' }, second: { name: 'b' } }), [
      'spec: Invalid value: "{first, second}": must specify exactly one of: `first`, `second`',
    ]);
    assert.deepEqual(errorsOf(tags, { second: { name: 'b' } }), []);
  });

  it('declared validation rejects a field of another mode, and requires the one of its own', () => {
    const tags = { mode: ['modeDiscriminator'], first: ['ifMode("First")=+k8s:required'] };
    assert.deepEqual(errorsOf(tags, { mode: 'First' }), ['spec.first: Required value']);
    assert.deepEqual(errorsOf(tags, { mode: 'Second', first: { name: 'a' } }), ['spec.first: Forbidden']);
  });

  it('declared validation reports members of modes in the order of their names', () => {
    const tags = {
      mode: ['modeDiscriminator'],
      second: ['ifMode("Second")=+k8s:required'],
      first: ['ifMode("First")=+k8s:optional'],
    };
    assert.deepEqual(errorsOf(tags, { mode: 'Second', first: { name: 'a' } }), [
      'spec.first: Forbidden',
      'spec.second: Required value',
    ]);
  });

  it('declared validation reports a field that another one requires or excludes', () => {
    const filled = { text: 'a', mode: 'b' };
    assert.deepEqual(errorsOf({ text: ['dependentRequired("mode")'] }, { text: 'a' }), [
      'spec.mode: Required value: must be set when text is set',
    ]);
    assert.deepEqual(errorsOf({ text: ['dependentForbidden("mode")'] }, filled), [
      'spec.mode: Forbidden: may not be set when text is set',
    ]);
  });

  it('declared validation respects ifEnabled and ifDisabled, the gate of beta rules, and reports no errors of alpha rules', () => {
    const isOn = (option: string) => option === 'On';
    assert.equal(errorsOf({ text: ['ifEnabled("On")=+k8s:required'] }, {}, { isOn }).length, 1);
    assert.equal(errorsOf({ text: ['ifDisabled(On)=+k8s:required'] }, {}, { isOn }).length, 0);
    const beta = { text: ['beta(since: "1.37")=+k8s:required'] };
    assert.equal(errorsOf(beta, {}).length, 1);
    assert.equal(errorsOf(beta, {}, { beta: false }).length, 0);
    assert.equal(errorsOf({ text: ['alpha(since: "1.37")=+k8s:required'] }, {}).length, 0);
  });

  it('declared validation skips a value that an alpha rule rejects, without an error', () => {
    const items = { name: ['required'] };
    const change = { next: { first: {} }, previous: { first: { name: 'a' } } };
    const errors = (tags: DeclaredTags[string]) => errorsOf(tags, change.next, { previous: change.previous, items });
    assert.deepEqual(errors({}), ['spec.first.name: Required value']);
    assert.deepEqual(errors({ first: ['alpha(since: "1.37")=+k8s:immutable'] }), []);
  });

  it('declared validation skips an opaque value', () => {
    const items = { name: ['required'] };
    assert.equal(errorsOf({}, { items: [{}] }, { items }).length, 1);
    assert.equal(errorsOf({ items: ['opaqueType'] }, { items: [{}] }, { items }).length, 0);
  });
});
