import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PolicyRule, ruleText } from '../../api/policy-rule.ts';
import { limits } from '../../base/limits.ts';
import { atOnce } from '../../base/steps.ts';
import { type MissingRights, missingRights } from './rule-cover.ts';

function rule(verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule {
  return { verbs, apiGroups: [''], resources, resourceNames: [], nonResourceURLs: [], ...more };
}

function path(verb: string, url: string): PolicyRule {
  return rule([verb], [], { apiGroups: [], nonResourceURLs: [url] });
}

function compared(held: PolicyRule[], needed: PolicyRule[]): MissingRights {
  return atOnce(missingRights(held, needed));
}

/** `a0` to `a2999`. */
function many(prefix: string): string[] {
  return Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`);
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
    it(title, () => assert.deepEqual(compared(held, needed).rules.map(ruleText), missing));
  }

  // 81 trillion permissions.
  const huge = rule(many('verb'), many('resource'), { apiGroups: many('group'), resourceNames: many('name') });

  it('does not enumerate what one held rule covers', () => {
    assert.deepEqual(compared([rule(['*'], ['*'], { apiGroups: ['*'] })], [huge]), { rules: [], cut: false });
    assert.deepEqual(compared([huge], [huge]), { rules: [], cut: false });
  });

  it('reports a bounded number of missing permissions', () => {
    const { rules, cut } = compared([], [huge]);
    assert.ok(cut);
    assert.equal(rules.flatMap(({ verbs }) => verbs).length, limits.missingPermissions);
  });

  it('finds the only missing one of many', () => {
    const wide = rule(many('verb'), many('resource'));
    const held = rule(wide.verbs.slice(0, -1), wide.resources.slice());
    const rest = rule(wide.verbs.slice(), wide.resources.slice(0, -1));
    assert.deepEqual(compared([held, rest], [wide]).rules.map(ruleText), [
      '{APIGroups:[""], Resources:["resource2999"], Verbs:["verb2999"]}',
    ]);
  });

  it('gives up, uncovered, when too much is to be compared', () => {
    const names = many('n');
    // A chessboard: no part larger than a few permissions is covered by one rule.
    const held = names.map((name, index) => rule(names.filter((_, other) => (index ^ other) & 1).slice(0, 20), [name]));
    const { cut } = compared(held, [rule(names, names)]);
    assert.ok(cut);
  });
});
