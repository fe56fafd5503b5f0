import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { type PolicyRule, ruleAllows } from '../../api/policy-rule.ts';
import { limits } from '../../base/limits.ts';
import type { User } from '../user.ts';
import type { AuthorizationAttributes } from './authorizer.ts';
import { RbacAuthorizer } from './rbac.ts';
import { RoleIndex } from './role-index.ts';

const nobody: User = { name: '', uid: '', groups: [], extra: {} };

function asked(what: Partial<AuthorizationAttributes>): AuthorizationAttributes {
  return {
    user: nobody,
    verb: 'get',
    isResourceRequest: what.path === undefined,
    path: '',
    group: '',
    version: 'v1',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    ...what,
  };
}

function rule(given: Partial<PolicyRule>): PolicyRule {
  return { verbs: ['get'], apiGroups: [''], resources: [], resourceNames: [], nonResourceURLs: [], ...given };
}

describe('a rule', () => {
  const cases: [string, Partial<PolicyRule>, Partial<AuthorizationAttributes>, boolean][] = [
    ['the resource', { resources: ['pods'] }, { resource: 'pods' }, true],
    ['another resource', { resources: ['pods'] }, { resource: 'nodes' }, false],
    ['another verb', { resources: ['pods'] }, { resource: 'pods', verb: 'list' }, false],
    ['any verb', { resources: ['pods'], verbs: ['*'] }, { resource: 'pods', verb: 'list' }, true],
    ['another group', { resources: ['pods'] }, { resource: 'pods', group: 'apps' }, false],
    ['any group', { resources: ['pods'], apiGroups: ['*'] }, { resource: 'pods', group: 'apps' }, true],
    [
      'a subresource is not part of the resource',
      { resources: ['pods'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    ['the subresource', { resources: ['pods/log'] }, { resource: 'pods', subresource: 'log' }, true],
    ['not its resource', { resources: ['pods/log'] }, { resource: 'pods' }, false],
    ['not its namesake', { resources: ['xpods/log'] }, { resource: 'pods', subresource: 'log' }, false],
    ['of any resource', { resources: ['*/log'] }, { resource: 'pods', subresource: 'log' }, true],
    ['of any resource, another one', { resources: ['*/log'] }, { resource: 'pods', subresource: 'catalog' }, false],
    [
      'all subresources of one is not a form',
      { resources: ['pods/*'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    ['everything', { resources: ['*'] }, { resource: 'pods', subresource: 'log' }, true],
    ['the name', { resources: ['pods'], resourceNames: ['a'] }, { resource: 'pods', name: 'a' }, true],
    ['another name', { resources: ['pods'], resourceNames: ['a'] }, { resource: 'pods', name: 'b' }, false],
    ['no name', { resources: ['pods'], resourceNames: ['a'] }, { resource: 'pods' }, false],
    ['the path', { nonResourceURLs: ['/metrics'] }, { path: '/metrics' }, true],
    ['below the path', { nonResourceURLs: ['/metrics'] }, { path: '/metrics/a' }, false],
    ['by its beginning', { nonResourceURLs: ['/a/*'] }, { path: '/a/b/c' }, true],
    ['not the beginning itself', { nonResourceURLs: ['/a/*'] }, { path: '/a' }, false],
    ['any path', { nonResourceURLs: ['*'] }, { path: '/a' }, true],
    ['paths are not resources', { nonResourceURLs: ['*'] }, { resource: 'pods' }, false],
  ];
  for (const [title, given, what, allowed] of cases) {
    it(`${allowed ? 'allows' : 'refuses'}: ${title}`, () =>
      assert.equal(ruleAllows(rule(given), asked(what)), allowed));
  }
});

interface BindingSaid {
  readonly subjects: JsonObject[];
  readonly role?: string;
  readonly namespace?: string;
}

function bound(
  index: RoleIndex,
  name: string,
  { subjects, role = `ClusterRole/${name}`, namespace }: BindingSaid,
): void {
  const [kind = '', roleName = ''] = role.split('/');
  const object = { metadata: { name, namespace }, subjects, roleRef: { kind, name: roleName } };
  index.set(namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', object);
}

const readPods = { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
const alice: User = { name: 'alice', uid: '', groups: ['dev', 'qa'], extra: {} };
const robot: User = { name: 'system:serviceaccount:ns:robot', uid: '', groups: [], extra: {} };
const getPods = { resource: 'pods', namespace: 'ns' };

describe('RbacAuthorizer', () => {
  const index = new RoleIndex();
  const rbac = new RbacAuthorizer(index);
  const decide = (user: User, what: Partial<AuthorizationAttributes>) => rbac.authorize(asked({ user, ...what }));

  it('lets system:masters do everything, without a reason', () => {
    const { allowed, reason } = decide({ ...nobody, groups: ['system:masters'] }, { resource: 'x', verb: 'y' });
    assert.deepEqual([allowed, reason], [true, '']);
  });

  it('refuses what no binding allows', () => assert.deepEqual(decide(alice, getPods), { allowed: false, reason: '' }));

  it('reports the missing role of a binding', () => {
    bound(index, 'b', { subjects: [{ kind: 'User', name: 'alice' }], role: 'Role/r', namespace: 'ns' });
    assert.equal(decide(alice, getPods).reason, 'RBAC: role.rbac.authorization.k8s.io "r" not found');
  });

  it('allows by a role in its namespace only, and reports the binding', () => {
    index.set('Role', { metadata: { name: 'r', namespace: 'ns' }, ...readPods });
    const { allowed, reason } = decide(alice, getPods);
    assert.deepEqual([allowed, reason], [true, 'RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "alice"']);
    assert.equal(decide(alice, { ...getPods, namespace: 'other' }).allowed, false);
    assert.equal(decide(alice, { ...getPods, namespace: '' }).allowed, false);
    assert.equal(decide(robot, getPods).allowed, false);
  });

  it('forgets a binding that changed or went', () => {
    bound(index, 'b', { subjects: [{ kind: 'Group', name: 'qa' }], role: 'Role/r', namespace: 'ns' });
    assert.match(decide(alice, getPods).reason, /to Group "qa"$/);
    assert.equal(decide({ ...alice, groups: [] }, getPods).allowed, false);
    index.delete('RoleBinding', 'ns', 'b');
    assert.equal(decide(alice, getPods).allowed, false);
  });

  it('knows service accounts by their names; without a namespace one is of the namespace of its binding', () => {
    bound(index, 'sa', { subjects: [{ kind: 'ServiceAccount', name: 'robot' }], role: 'Role/r', namespace: 'ns' });
    assert.match(decide(robot, getPods).reason, /to ServiceAccount "robot\/ns"$/);
    index.delete('RoleBinding', 'ns', 'sa');
  });

  it('allows everywhere by a cluster role binding, until the role is gone', () => {
    index.set('ClusterRole', { metadata: { name: 'all' }, ...readPods });
    bound(index, 'all', { subjects: [{ kind: 'Group', name: 'dev' }] });
    assert.equal(decide(alice, { ...getPods, namespace: 'other' }).allowed, true);
    assert.equal(decide(alice, { ...getPods, namespace: '' }).allowed, true);
    assert.equal(rbac.rulesFor(alice, 'ns').rules.length, 1);
    index.delete('ClusterRole', '', 'all');
    assert.deepEqual(rbac.rulesFor(alice, 'ns').errors, ['clusterrole.rbac.authorization.k8s.io "all" not found']);
  });

  it('counts a binding once that names a user twice', () => {
    index.set('ClusterRole', { metadata: { name: 'all' }, ...readPods });
    bound(index, 'all', {
      subjects: [
        { kind: 'Group', name: 'dev' },
        { kind: 'User', name: 'alice' },
      ],
    });
    assert.equal(rbac.rulesFor(alice, '').rules.length, 1);
  });

  it('looks at the rules of a role once, however many bindings refer to it', () => {
    let looks = 0;
    const verbs = Object.assign(['get'], { includes: (verb: string) => verb !== '*' && looks++ < 0 });
    const rules = Array.from({ length: 1_000 }, () => ({ verbs, apiGroups: [''], resources: ['pods'] }));
    index.set('ClusterRole', { metadata: { name: 'long' }, rules });
    const subjects = [{ kind: 'User', name: 'eve' }];
    for (let at = 0; at < 30; at++) bound(index, `b${at}`, { subjects, role: 'ClusterRole/long' });
    const eve = { ...nobody, name: 'eve' };
    assert.equal(decide(eve, getPods).allowed, false);
    assert.equal(looks, 1_000);
    assert.equal(rbac.rulesFor(eve, '').rules.length, limits.repeatedRules);
  });
});
