import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../api/object.ts';
import { cellAt } from '../table.ts';
import { customTable } from './columns.ts';
import { findValues, parseJsonPath } from './json-path.ts';

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
  },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

const PATHS: readonly [string, Json[]][] = [
  ['.spec.image', ['i:1']],
  ['.spec.none', []],
  ['.spec.tags[*]', ['x', 'y']],
  ['.spec.tags[0]', ['x']],
  ['.spec.tags[-1]', ['y']],
  ['.spec.tags[5]', []],
  ['.spec.tags[0:2]', ['x', 'y']],
  ['.spec.tags[0:2:2]', ['x']],
  ['.metadata.labels.app\\.kubernetes\\.io/name', ['shop']],
  [".metadata.labels['app\\.kubernetes\\.io/name']", ['shop']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type!='Ready')].status", ['False']],
  ['.status.conditions[?(@.missing)].status', []],
  ['..status', [OBJECT.status as never, 'False', 'True']],
];

for (const [path, expected] of PATHS) {
  test(`the path ${path}`, () => {
    const parsed = parseJsonPath(path);
    assert.ok(parsed);
    assert.deepEqual(findValues(OBJECT as never, parsed), expected);
  });
}

for (const path of ['.spec.tags[', '.spec.tags[?(@.a==)]', '.spec.[x]', 'spec']) {
  test(`no path: ${path}`, () => assert.equal(parseJsonPath(path), undefined));
}

const CELLS: readonly [string, string, Json][] = [
  ['string', '.spec.image', 'i:1'],
  ['string', '.spec.tags[*]', 'x'],
  ['string', '.spec.meta', '{"owner":"me"}'],
  ['string', '.spec.count', '3'],
  ['string', '.spec.paused', 'false'],
  ['string', '.spec.no', '<no value>'],
  ['integer', '.spec.no', null],
  ['integer', '.spec.count', 3],
  ['integer', '.spec.image', null],
  ['number', '.spec.ratio', 0.5],
  ['boolean', '.spec.paused', false],
  ['date', '.metadata.creationTimestamp', '10s'],
  ['date', '.spec.when', '<invalid>'],
  ['date', '.spec.none', null],
];

for (const [type, jsonPath, expected] of CELLS) {
  test(`a column of type ${type} at ${jsonPath}`, () => {
    const table = customTable([{ name: 'C', type, jsonPath }]);
    const now = Date.parse('2026-01-01T00:00:10Z');
    assert.deepEqual(
      table.cells(OBJECT as never).map((cell) => cellAt(cell, now)),
      ['a', expected],
    );
  });
}

test('without columns, or with one whose path is none, a table shows the age', () => {
  for (const columns of [[], [{ name: 'A', type: 'string', jsonPath: '.spec.tags[' }]]) {
    assert.deepEqual(
      customTable(columns).columns.map(({ name }) => name),
      ['Name', 'Age'],
    );
  }
});
