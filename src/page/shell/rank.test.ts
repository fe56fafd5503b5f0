import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rank } from './rank.ts';

const all = [
  { title: 'PodTemplate', words: ['podtemplates'] },
  { title: 'Pod', words: ['pods', 'po'] },
  { title: 'Deployment', words: ['deployments', 'deploy'] },
  { title: 'Endpoints', words: ['endpoints', 'ep'] },
];
const titles = (query: string) => rank(all, query).map(({ title }) => title);

test('a search ranks whole names before prefixes, and these before letters in between', () => {
  assert.deepEqual(titles('po'), ['Pod', 'PodTemplate', 'Endpoints', 'Deployment']);
  assert.deepEqual(titles('deploy'), ['Deployment']);
  assert.deepEqual(titles('dpl'), ['Deployment', 'PodTemplate']);
});

test('an empty search keeps the order, and one without a match is empty', () => {
  assert.deepEqual(titles(''), ['PodTemplate', 'Pod', 'Deployment', 'Endpoints']);
  assert.deepEqual(titles('xyz'), []);
});
