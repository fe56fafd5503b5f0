import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberText, shownMembers } from './members-shown.ts';

const metadata = { name: 'a', uid: 'u', resourceVersion: '1' };

test('the summary of any object has its single values as facts, by the paths of their fields', () => {
  const object = {
    ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata },
    spec: { size: 3, color: { name: 'red', shades: ['light', 'dark'] }, hidden: false },
    status: { phase: 'Ready', observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] },
  };
  assert.deepEqual(shownMembers(object), {
    facts: [
      { label: 'size', text: '3' },
      { label: 'color.name', text: 'red' },
      { label: 'color.shades', text: 'light, dark' },
      { label: 'hidden', text: 'false' },
      { label: 'status.phase', text: 'Ready' },
    ],
    tables: [],
  });
});

test('the summary of any object has lists of objects as tables, with the fields of all items', () => {
  const rules = [
    { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ];
  const { facts, tables } = shownMembers({ apiVersion: 'v1', kind: 'Role', metadata, rules });
  assert.deepEqual(facts, []);
  assert.deepEqual(tables, [
    { title: 'rules', fields: ['apiGroups', 'resources', 'verbs', 'nonResourceURLs'], items: rules },
  ]);
});

test('the summary of any object shows a value in one line, and no longer than one can read', () => {
  assert.equal(memberText(['pods', 'pods/log']), 'pods, pods/log');
  assert.equal(memberText({ matchLabels: { app: 'shop' }, n: [1] }), 'matchLabels: {app: shop}, n: 1');
  assert.deepEqual([memberText(undefined), memberText(['', 'apps'])], ['', '"", apps']);
  assert.ok(memberText('x'.repeat(1000)).length <= 301);
});
