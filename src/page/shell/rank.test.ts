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

test('whole names come before beginnings, and these before letters in between', () => {
  assert.deepEqual(titles('po'), ['Pod', 'PodTemplate', 'Endpoints', 'Deployment']);
  assert.deepEqual(titles('deploy'), ['Deployment']);
  assert.deepEqual(titles('dpl'), ['Deployment', 'PodTemplate']);
});

test('nothing typed leaves all as they stand, and what fits nothing is left out', () => {
  assert.deepEqual(titles(''), ['PodTemplate', 'Pod', 'Deployment', 'Endpoints']);
  assert.deepEqual(titles('xyz'), []);
});
