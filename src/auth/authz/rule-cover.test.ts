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

describe('the permissions that held rules lack for needed ones', () => {
  const cases: [string, PolicyRule[], PolicyRule[], string[]][] = [
    ['no permission is missing if none is needed', [], [], []],
    [
      'no permission is missing if one rule holds all',
      [rule(['get', 'list'], ['pods', 'nodes'])],
      [rule(['list'], ['nodes'])],
      [],
    ],
    [
      'no permission is missing if several rules hold all together',
      [rule(['get'], ['a']), rule(['get'], ['b'])],
      [rule(['get'], ['a', 'b'])],
      [],
    ],
    [
      'missing verbs of one resource are reported in one rule',
      [],
      [rule(['get'], ['b', 'a']), rule(['list'], ['a'])],
      ['{APIGroups:[""], Resources:["b"], Verbs:["get"]}', '{APIGroups:[""], Resources:["a"], Verbs:["get" "list"]}'],
    ],
    [
      'a rule for all resources is not covered by one for pods',
      [rule(['get'], ['pods'])],
      [rule(['*'], ['*'])],
      ['{APIGroups:[""], Resources:["*"], Verbs:["*"]}'],
    ],
    [
      'a rule for all resources and verbs covers a subresource',
      [rule(['*'], ['*'], { apiGroups: ['*'] })],
      [rule(['get'], ['pods/log'])],
      [],
    ],
    [
      'a rule for a subresource of all resources covers that of one',
      [rule(['get'], ['*/log'])],
      [rule(['get'], ['pods/log'])],
      [],
    ],
    [
      'a rule for a resource covers one for an object by name',
      [rule(['get'], ['pods'])],
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [],
    ],
    [
      'a rule for an object by name does not cover one for the resource',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'])],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'a missing permission for one of several names is reported with that name',
      [rule(['get'], ['pods'], { resourceNames: ['a'] })],
      [rule(['get'], ['pods'], { resourceNames: ['a', 'b'] })],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    ['a path with * covers the paths below it', [path('get', '/a/*')], [path('get', '/a/b')], []],
    [
      'a path does not cover another path',
      [path('get', '/a')],
      [path('get', '/b')],
      ['{NonResourceURLs:["/b"], Verbs:["get"]}'],
    ],
  ];
  for (const [title, held, needed, missing] of cases) {
    it(title, () => assert.deepEqual(compared(held, needed).rules.map(ruleText), missing));
  }

  // 81 trillion permissions.
  const huge = rule(many('verb'), many('resource'), { apiGroups: many('group'), resourceNames: many('name') });

  it('permissions that one held rule covers are not enumerated', () => {
    assert.deepEqual(compared([rule(['*'], ['*'], { apiGroups: ['*'] })], [huge]), { rules: [], cut: false });
    assert.deepEqual(compared([huge], [huge]), { rules: [], cut: false });
  });

  it('the number of missing permissions that are reported is limited', () => {
    const { rules, cut } = compared([], [huge]);
    assert.ok(cut);
    assert.equal(rules.flatMap(({ verbs }) => verbs).length, limits.missingPermissions);
  });

  it('the only missing permission of nine million is found', () => {
    const wide = rule(many('verb'), many('resource'));
    const held = rule(wide.verbs.slice(0, -1), wide.resources.slice());
    const rest = rule(wide.verbs.slice(), wide.resources.slice(0, -1));
    assert.deepEqual(compared([held, rest], [wide]).rules.map(ruleText), [
      '{APIGroups:[""], Resources:["resource2999"], Verbs:["verb2999"]}',
    ]);
  });

  it('a comparison of too many rules is cut off, and reports missing permissions', () => {
    const names = many('n');
    // A chessboard: no part larger than a few permissions is covered by one rule.
    const held = names.map((name, index) => rule(names.filter((_, other) => (index ^ other) & 1).slice(0, 20), [name]));
    const { cut } = compared(held, [rule(names, names)]);
    assert.ok(cut);
  });
});
