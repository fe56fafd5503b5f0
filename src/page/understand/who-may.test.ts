import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { type AccessQuestion, type RbacObjects, whoMay } from './who-may.ts';

const role = (name: string, rules: JsonObject[], namespace?: string): ApiObject =>
  ({ metadata: { name, ...(namespace && { namespace }) }, rules }) as unknown as ApiObject;
const binding = (name: string, roleRef: string, subjects: JsonObject[], namespace?: string): ApiObject => {
  const [kind, of] = roleRef.split('/');
  return { metadata: { name, ...(namespace && { namespace }) }, roleRef: { kind, name: of }, subjects } as never;
};
const user = (name: string) => ({ kind: 'User', name });
const group = (name: string) => ({ kind: 'Group', name });
const account = (name: string, namespace?: string) => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace && { namespace }),
});

const objects: RbacObjects = {
  clusterRoles: [
    role('all', [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]),
    role('view', [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] }]),
    role('scaler', [{ verbs: ['update'], apiGroups: ['apps'], resources: ['*/scale'] }]),
    role('health', [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz*'] }]),
  ],
  roles: [role('one', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['web'] }], 'shop')],
  clusterRoleBindings: [
    binding('masters', 'ClusterRole/all', [group('admins')]),
    binding('scaling', 'ClusterRole/scaler', [account('hpa', 'kube-system')]),
    binding('health', 'ClusterRole/health', [group('system:unauthenticated')]),
    binding('gone', 'ClusterRole/missing', [user('ghost')]),
  ],
  roleBindings: [
    binding('viewers', 'ClusterRole/view', [user('ann'), account('bot')], 'shop'),
    binding('one', 'Role/one', [user('ben')], 'shop'),
    binding('elsewhere', 'ClusterRole/view', [user('eve')], 'bank'),
  ],
};

const asked: AccessQuestion = {
  ...{ verb: 'get', isResourceRequest: true, path: '', group: '', resource: 'pods', subresource: '', name: '' },
  ...{ namespace: '', isNamespaced: true },
};
const names = (question: Partial<AccessQuestion>) =>
  whoMay({ ...asked, ...question }, objects).permissions.map(
    ({ subject, within, names: only }) =>
      `${subject.name}${within === '' ? '' : ` in ${within}`}${only.length > 0 ? ` for ${only}` : ''}`,
  );

test('who-can in a namespace includes ClusterRoleBindings and its own RoleBindings', () => {
  assert.deepEqual(names({ namespace: 'shop' }), ['admins', 'bot in shop', 'ann in shop', 'ben in shop for web']);
  assert.deepEqual(names({ namespace: 'bank' }), ['admins', 'eve in bank']);
});

test('who-can in all namespaces includes subjects allowed in one, with its name', () => {
  assert.deepEqual(names({}), ['admins', 'bot in shop', 'ann in shop', 'eve in bank', 'ben in shop for web']);
});

test('who-can for a named object includes rules for that name and those for all names', () => {
  assert.deepEqual(names({ namespace: 'shop', name: 'web' }), ['admins', 'bot in shop', 'ann in shop', 'ben in shop']);
  assert.deepEqual(names({ namespace: 'shop', name: 'other' }), ['admins', 'bot in shop', 'ann in shop']);
});

test('who-can for subresources includes rules by name, by * and by */scale, not those for pods', () => {
  assert.deepEqual(names({ subresource: 'log', namespace: 'bank' }), ['admins', 'eve in bank']);
  assert.deepEqual(names({ subresource: 'exec', namespace: 'bank' }), ['admins']);
  const scale = { verb: 'update', group: 'apps', resource: 'deployments' };
  assert.deepEqual(names({ ...scale, subresource: 'scale' }), ['admins', 'hpa']);
  assert.deepEqual(names(scale), ['admins']);
});

test('who-can for cluster-scoped resources includes ClusterRoleBindings only', () => {
  assert.deepEqual(names({ isNamespaced: false }), ['admins']);
});

test('who-can for non-resource paths includes ClusterRoleBindings only, for whole paths or prefixes', () => {
  const path = (text: string) =>
    names({ isResourceRequest: false, isNamespaced: false, path: text, group: '', resource: '' });
  assert.deepEqual(path('/readyz/etcd'), ['admins', 'system:unauthenticated']);
  assert.deepEqual(path('/healthz/etcd'), ['admins']);
});

test('who-can names the binding and the rule, and a service account without a namespace is that of the binding', () => {
  const { permissions } = whoMay({ ...asked, namespace: 'shop' }, objects);
  const bot = permissions.find(({ subject }) => subject.name === 'bot');
  assert.deepEqual(bot?.subject, { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' });
  assert.equal(bot.binding.name, 'viewers');
  assert.deepEqual(bot.rule.resources, ['pods', 'pods/log']);
});

test('who-can reports a binding to a missing role, which grants nothing', () => {
  assert.deepEqual(
    whoMay(asked, objects).dangling.map(({ name }) => name),
    ['gone'],
  );
});
