import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { decideNames, takenNames } from './accepted-names.ts';

const APPLE = { plural: 'apples', singular: 'apple', shortNames: ['ap'], kind: 'Apple', listKind: 'AppleList' };
const PEAR = { plural: 'pears', singular: 'pear', kind: 'Pear', listKind: 'PearList' };

function decide(names: JsonObject, had: JsonObject = { plural: '', kind: '' }) {
  const definition = { metadata: {}, spec: { names }, status: { acceptedNames: had } };
  return decideNames(definition as never, takenNames([APPLE, undefined]));
}

test('names of a CustomResourceDefinition that no other has are accepted', () => {
  const { acceptedNames, condition } = decide(PEAR);
  assert.deepEqual(acceptedNames, PEAR);
  assert.deepEqual([condition.status, condition.reason], ['True', 'NoConflicts']);
});

test('names that another has are rejected, the others accepted, and the condition names the last conflict', () => {
  const { acceptedNames, condition } = decide({ ...PEAR, kind: 'Apple', singular: 'apple', shortNames: ['pr'] });
  assert.deepEqual(acceptedNames, { plural: 'pears', shortNames: ['pr'], kind: '', listKind: 'PearList' });
  assert.deepEqual([condition.reason, condition.message], ['KindConflict', '"Apple" is already in use']);
});

test('short names are accepted together or not at all, and categories always', () => {
  const { acceptedNames, condition } = decide({ ...PEAR, shortNames: ['pr', 'ap'], categories: ['fruit'] });
  assert.deepEqual(acceptedNames, { ...PEAR, categories: ['fruit'] });
  assert.equal(condition.reason, 'ShortNamesConflict');
});

test('a CustomResourceDefinition keeps names that were accepted before', () => {
  const { condition } = decide({ ...PEAR, kind: 'Apple' }, { ...PEAR, kind: 'Apple' });
  assert.equal(condition.status, 'True');
});
