import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PolicyRule, ruleText } from '../../api/policy-rule.ts';
import { missingRights } from './rule-cover.ts';

function rule(verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule {
  return { verbs, apiGroups: [''], resources, resourceNames: [], nonResourceURLs: [], ...more };
}

function path(verb: string, url: string): PolicyRule {
  return rule([verb], [], { apiGroups: [], nonResourceURLs: [url] });
}

describe('missingRights', () => {
  const cases: [string, PolicyRule[], PolicyRule[], string[]][] = [
    ['nothing is needed', [], [], []],
    ['all is held', [rule(['get', 'list'], ['pods', 'nodes'])], [rule(['list'], ['nodes'])], []],
    ['held by several rules together', [rule(['get'], ['a']), rule(['get'], ['b'])], [rule(['get'], ['a', 'b'])], []],
    [
      'verbs of one resource are told together',
      [],
      [rule(['get'], ['b', 'a']), rule(['list'], ['a'])],
      ['{APIGroups:[""], Resources:["b"], Verbs:["get"]}', '{APIGroups:[""], Resources:["a"], Verbs:["get" "list"]}'],
    ],
    [
      'all is more than each that is held',
      [rule(['get'], ['pods'])],
      [rule(['*'], ['*'])],
      ['{APIGroups:[""], Resources:["*"], Verbs:["*"]}'],
    ],
    ['all holds each', [rule(['*'], ['*'], { apiGroups: ['*'] })], [rule(['get'], ['pods/log'])], []],
    ['a subresource of all', [rule(['get'], ['*/log'])], [rule(['get'], ['pods/log'])], []],
    ['a name of all', [rule(['get'], ['pods'])], [rule(['get'], ['pods'], { resourceNames: ['a'] })], []],
    [
      'all of a name',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'names are told apart',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'], { resourceNames: ['a', 'b'] })],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    ['a path by its beginning', [path('get', '/a/*')], [path('get', '/a/b')], []],
    ['another path', [path('get', '/a')], [path('get', '/b')], ['{NonResourceURLs:["/b"], Verbs:["get"]}']],
  ];
  for (const [title, held, needed, missing] of cases) {
    it(title, () => assert.deepEqual(missingRights(held, needed).map(ruleText), missing));
  }
});
