import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlFault } from './yaml-fault.ts';

const OTHER = { line: 3, what: 'something else' };

test('invalid YAML has one kind of error message, with the line', () => {
  assert.equal(yamlFault('a: 1\n b: [\n', 0, OTHER), 'yaml: line 2: mapping values are not allowed in this context');
  const second = 'a: 1\n---\nb: 2\n c: 3\n';
  assert.equal(yamlFault(second, 9, OTHER), 'yaml: line 4: mapping values are not allowed in this context');
  assert.equal(yamlFault('a: 1\na: 2\n', 0, OTHER), 'yaml: line 2: key "a" already set in map');
  assert.equal(yamlFault('a: 1\n', 0, OTHER), 'yaml: line 3: something else');
});
