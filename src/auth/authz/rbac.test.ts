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

describe('RBAC rules', () => {
  const cases: [string, Partial<PolicyRule>, Partial<AuthorizationAttributes>, boolean][] = [
    ['a request for its resource', { resources: ['pods'] }, { resource: 'pods' }, true],
    ['a request for another resource', { resources: ['pods'] }, { resource: 'nodes' }, false],
    ['another verb', { resources: ['pods'] }, { resource: 'pods', verb: 'list' }, false],
    ['any verb with the verb *', { resources: ['pods'], verbs: ['*'] }, { resource: 'pods', verb: 'list' }, true],
    ['another API group', { resources: ['pods'] }, { resource: 'pods', group: 'apps' }, false],
    [
      'any API group with the group *',
      { resources: ['pods'], apiGroups: ['*'] },
      { resource: 'pods', group: 'apps' },
      true,
    ],
    ['a subresource of its resource', { resources: ['pods'] }, { resource: 'pods', subresource: 'log' }, false],
    ['a request for its subresource', { resources: ['pods/log'] }, { resource: 'pods', subresource: 'log' }, true],
    ['the resource of its subresource', { resources: ['pods/log'] }, { resource: 'pods' }, false],
    [
      'the subresource of the same name of another resource',
      { resources: ['xpods/log'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    [
      'a subresource of any resource with */log',
      { resources: ['*/log'] },
      { resource: 'pods', subresource: 'log' },
      true,
    ],
    [
      'another subresource of any resource with */log',
      { resources: ['*/log'] },
      { resource: 'pods', subresource: 'catalog' },
      false,
    ],
    [
      'the subresources of a resource with pods/*',
      { resources: ['pods/*'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    ['any resource and subresource with *', { resources: ['*'] }, { resource: 'pods', subresource: 'log' }, true],
    [
      'the object of its resourceNames',
      { resources: ['pods'], resourceNames: ['a'] },
      { resource: 'pods', name: 'a' },
      true,
    ],
    [
      'another object than that of its resourceNames',
      { resources: ['pods'], resourceNames: ['a'] },
      { resource: 'pods', name: 'b' },
      false,
    ],
    [
      'a request without a name if it has resourceNames',
      { resources: ['pods'], resourceNames: ['a'] },
      { resource: 'pods' },
      false,
    ],
    ['its non-resource URL', { nonResourceURLs: ['/metrics'] }, { path: '/metrics' }, true],
    ['a path below its non-resource URL', { nonResourceURLs: ['/metrics'] }, { path: '/metrics/a' }, false],
    ['a path that begins with its non-resource URL with *', { nonResourceURLs: ['/a/*'] }, { path: '/a/b/c' }, true],
    ['the non-resource URL itself before /*', { nonResourceURLs: ['/a/*'] }, { path: '/a' }, false],
    ['any path with *', { nonResourceURLs: ['*'] }, { path: '/a' }, true],
    ['a resource with the non-resource URL *', { nonResourceURLs: ['*'] }, { resource: 'pods' }, false],
  ];
  for (const [title, given, what, allowed] of cases) {
    it(`a rule ${allowed ? 'allows' : 'does not allow'} ${title}`, () =>
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

describe('the RBAC authorizer', () => {
  const index = new RoleIndex();
  const rbac = new RbacAuthorizer(index);
  const decide = (user: User, what: Partial<AuthorizationAttributes>) => rbac.authorize(asked({ user, ...what }));

  it('the group system:masters is allowed everything without a reason', () => {
    const { allowed, reason } = decide({ ...nobody, groups: ['system:masters'] }, { resource: 'x', verb: 'y' });
    assert.deepEqual([allowed, reason], [true, '']);
  });

  it('a request that no binding allows is refused', () =>
    assert.deepEqual(decide(alice, getPods), { allowed: false, reason: '' }));

  it('a refusal names the missing role of a binding', () => {
    bound(index, 'b', { subjects: [{ kind: 'User', name: 'alice' }], role: 'Role/r', namespace: 'ns' });
    assert.equal(decide(alice, getPods).reason, 'RBAC: role.rbac.authorization.k8s.io "r" not found');
  });

  it('a RoleBinding allows requests in its namespace only, and the reason names it', () => {
    index.set('Role', { metadata: { name: 'r', namespace: 'ns' }, ...readPods });
    const { allowed, reason } = decide(alice, getPods);
    assert.deepEqual([allowed, reason], [true, 'RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "alice"']);
    assert.equal(decide(alice, { ...getPods, namespace: 'other' }).allowed, false);
    assert.equal(decide(alice, { ...getPods, namespace: '' }).allowed, false);
    assert.equal(decide(robot, getPods).allowed, false);
  });

  it('a binding that is changed or deleted no longer allows what it did', () => {
    bound(index, 'b', { subjects: [{ kind: 'Group', name: 'qa' }], role: 'Role/r', namespace: 'ns' });
    assert.match(decide(alice, getPods).reason, /to Group "qa"$/);
    assert.equal(decide({ ...alice, groups: [] }, getPods).allowed, false);
    index.delete('RoleBinding', 'ns', 'b');
    assert.equal(decide(alice, getPods).allowed, false);
  });

  it('a subject of kind ServiceAccount without a namespace is an account in the namespace of the binding', () => {
    bound(index, 'sa', { subjects: [{ kind: 'ServiceAccount', name: 'robot' }], role: 'Role/r', namespace: 'ns' });
    assert.match(decide(robot, getPods).reason, /to ServiceAccount "robot\/ns"$/);
    index.delete('RoleBinding', 'ns', 'sa');
  });

  it('a ClusterRoleBinding allows requests in all namespaces until its role is deleted', () => {
    index.set('ClusterRole', { metadata: { name: 'all' }, ...readPods });
    bound(index, 'all', { subjects: [{ kind: 'Group', name: 'dev' }] });
    assert.equal(decide(alice, { ...getPods, namespace: 'other' }).allowed, true);
    assert.equal(decide(alice, { ...getPods, namespace: '' }).allowed, true);
    assert.equal(rbac.rulesFor(alice, 'ns').rules.length, 1);
    index.delete('ClusterRole', '', 'all');
    assert.deepEqual(rbac.rulesFor(alice, 'ns').errors, ['clusterrole.rbac.authorization.k8s.io "all" not found']);
  });

  it('a binding that names a user twice counts once in the rules of the user', () => {
    index.set('ClusterRole', { metadata: { name: 'all' }, ...readPods });
    bound(index, 'all', {
      subjects: [
        { kind: 'Group', name: 'dev' },
        { kind: 'User', name: 'alice' },
      ],
    });
    assert.equal(rbac.rulesFor(alice, '').rules.length, 1);
  });

  it('the rules of a role are evaluated once, however many bindings refer to it', () => {
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
