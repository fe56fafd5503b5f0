import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../api/object.ts';
import { cellAt } from '../table.ts';
import { customTable } from './columns.ts';

const OBJECT = {
  apiVersion: 'g/v1',
  kind: 'K',
  metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'shop' }, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    image: 'i:1',
    count: 3,
    ratio: 0.5,
    paused: false,
    tags: ['x', 'y'],
    meta: { owner: 'me' },
    when: 'soon',
    no: null,
    html: { a: '<&>' },
    large: 1e30,
    exact: 9007199254740993n,
  },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

const CELLS: readonly [string, string, Json][] = [
  ['string', '.spec.image', 'i:1'],
  ['string', '.spec.tags[*]', 'x'],
  ['string', '.spec.meta', '{"owner":"me"}'],
  ['string', '.spec.count', '3'],
  ['string', '.spec.paused', 'false'],
  ['string', '.spec.no', '<no value>'],
  ['string', '.spec.html', '{"a":"\\u003c\\u0026\\u003e"}'],
  ['string', '.spec.tags[5]', null],
  ['integer', '.spec.no', null],
  ['integer', '.spec.ratio', 0],
  ['integer', '.spec.large', -9223372036854775808n],
  ['number', '.spec.exact', 9007199254740992],
  ['integer', '.spec.count', 3],
  ['integer', '.spec.image', null],
  ['number', '.spec.ratio', 0.5],
  ['boolean', '.spec.paused', false],
  ['date', '.metadata.creationTimestamp', '10s'],
  ['date', '.spec.when', '<invalid>'],
  ['date', '.spec.none', null],
];

for (const [type, jsonPath, expected] of CELLS) {
  test(`a printer column of type ${type} shows the value at ${jsonPath}`, () => {
    const table = customTable([{ name: 'C', type, jsonPath }]);
    const now = Date.parse('2026-01-01T00:00:10Z');
    assert.deepEqual(
      table.cells(OBJECT as never).map((cell) => cellAt(cell, now)),
      ['a', expected],
    );
  });
}

test('the Table of a custom resource without printer columns shows the age', () => {
  assert.deepEqual(namesOf([]), ['Name', 'Age']);
});

test('the Table of a custom resource ends before the first column with an invalid path', () => {
  const [one, other] = ['.spec.image', '.spec.count'].map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath }));
  const none = { name: 'N', type: 'string', jsonPath: '.spec.tags[' };
  assert.deepEqual(namesOf([none, one!]), ['Name']);
  assert.deepEqual(namesOf([one!, none, other!]), ['Name', '.spec.image']);
});

function namesOf(columns: Parameters<typeof customTable>[0]): string[] {
  return customTable(columns).columns.map(({ name }) => name);
}
