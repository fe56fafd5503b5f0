import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../api/errors.ts';
import type { AuthorizationAttributes } from '../../auth/authz/authorizer.ts';
import type { Impersonation } from '../../auth/impersonation.ts';
import type { User } from '../../auth/user.ts';
import { startTestServer } from '../../testing.ts';
import { ImpersonationModes, namelessUserText } from './constrained-impersonation.ts';

const alice: User = { name: 'alice', uid: '', groups: [], extra: {} };
const agent: User = {
  ...alice,
  name: 'system:serviceaccount:kube-system:agent',
  extra: { 'authentication.kubernetes.io/node-name': ['n1'], 'authentication.kubernetes.io/pod-name': ['p'] },
};
const listPods = (user: User): AuthorizationAttributes => ({
  ...{ user, verb: 'list', isResourceRequest: true, path: '/api/v1/pods' },
  ...{ group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' },
});
const as = (userName: string, more: Partial<Impersonation> = {}): Impersonation => ({
  ...{ userName, groups: [], uid: '', extra: {} },
  ...more,
});

/** Modes whose authorizer allows the given rights (`verb resource/subresource name`) and keeps what it was asked. */
function modesWith(...rights: readonly string[]) {
  const asked: string[] = [];
  const authorize = ({ verb, resource, subresource, name, namespace }: AuthorizationAttributes) => {
    const what = subresource === '' ? resource : `${resource}/${subresource}`;
    const right = [verb, what, ...(namespace === '' ? [] : [namespace]), ...(name === '' ? [] : [name])].join(' ');
    asked.push(right);
    return { allowed: rights.includes(right), reason: '' };
  };
  return { asked, modes: new ImpersonationModes({ authorize }, () => {}) };
}

async function refusalOf(asked: Impersonation, ...rights: readonly string[]): Promise<string> {
  try {
    await modesWith(...rights).modes.become({ asked, attributes: listPods(alice) });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.message;
  }
  throw new Error('the impersonation was allowed');
}

test('a user with the constrained rights for a request impersonates in that request only', async () => {
  const { modes } = modesWith('impersonate-on:user-info:list pods', 'impersonate:user-info users bob');
  const { user, mode, constraint } = await modes.become({ asked: as('bob'), attributes: listPods(alice) });
  assert.deepEqual(user, { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} });
  assert.equal(mode, 'user-info');
  assert.equal(constraint, 'impersonate:user-info');
  const get = { ...listPods(alice), verb: 'get', name: 'p' };
  await assert.rejects(modes.become({ asked: as('bob'), attributes: get }), /cannot impersonate-on:user-info:get/);
});

test('the unconstrained right to impersonate still applies to every request', async () => {
  const { modes } = modesWith('impersonate users bob', 'impersonate groups system:masters');
  const asked = as('bob', { groups: ['system:masters'] });
  const { user, mode, constraint } = await modes.become({ asked, attributes: listPods(alice) });
  assert.deepEqual(user.groups, ['system:masters', 'system:authenticated']);
  assert.equal(mode, 'legacy');
  assert.equal(constraint, '');
});

test('a rejected impersonation names the constrained right first', async () => {
  assert.equal(
    await refusalOf(as('bob')),
    'pods is forbidden: User "alice" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
  );
  assert.match(await refusalOf(as('system:serviceaccount:a:b')), /cannot impersonate-on:serviceaccount:list/);
  assert.match(await refusalOf(as('system:node:n1')), /cannot impersonate-on:arbitrary-node:list/);
  assert.match(await refusalOf(as('system:node:n1', { groups: ['a'] })), /cannot impersonate resource "users"/);
});

test('the impersonation mode that succeeded last is tried first', async () => {
  const { asked, modes } = modesWith('impersonate users bob');
  await modes.become({ asked: as('bob'), attributes: listPods(alice) });
  await modes.become({ asked: as('bob'), attributes: listPods(alice) });
  assert.deepEqual(asked, ['impersonate-on:user-info:list pods', 'impersonate users bob', 'impersonate users bob']);
});

test('a service account of a node impersonates that node with the right on associated nodes', async () => {
  const { modes } = modesWith('impersonate-on:associated-node:list pods', 'impersonate:associated-node nodes *');
  const attributes = listPods(agent);
  const { user, mode } = await modes.become({ asked: as('system:node:n1'), attributes });
  assert.deepEqual(user.groups, ['system:nodes', 'system:authenticated']);
  assert.equal(mode, 'associated-node');
  await assert.rejects(modes.become({ asked: as('system:node:n2'), attributes }), /impersonate-on:arbitrary-node/);
});

test('constrained impersonation gives nobody the group system:masters, nor groups and attributes without a name', async () => {
  const rights = ['impersonate-on:user-info:list pods', 'impersonate:user-info users bob'];
  const refused = (more: Partial<Impersonation>) => refusalOf(as('bob', more), ...rights);
  assert.match(
    await refused({ groups: ['system:masters'] }),
    /: impersonating the system:masters group is not allowed$/,
  );
  assert.match(await refused({ groups: [''] }), /: impersonating the empty string group is not allowed$/);
  assert.match(await refused({ extra: { scopes: ['x'] } }), /: impersonating an invalid key in extra is not allowed: /);
  assert.match(await refused({ extra: { 'a.io/x': [''] } }), /the empty string value in extra is not allowed$/);
});

test('one right to all groups allows many impersonated groups', async () => {
  const { asked, modes } = modesWith(
    ...['impersonate-on:user-info:list pods', 'impersonate:user-info users bob', 'impersonate:user-info groups *'],
  );
  await modes.become({ asked: as('bob', { groups: ['a', 'b', 'c', 'd'] }), attributes: listPods(alice) });
  assert.equal(asked.length, 3);
});

test('impersonated groups without a user are reported as Go formats them', () => {
  assert.equal(
    namelessUserText(as('', { groups: ['dev'], extra: { b: ['2'], a: ['1'] } })),
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string{"a":[]string{"1"}, "b":[]string{"2"}}} without impersonating a user name',
  );
});

test('rejections of impersonation have X-Content-Type-Options: nosniff', async () => {
  await using server = await startTestServer({ controllers: '', kubernetesVersion: '1.37' });
  const get = async (headers: Record<string, string>) => {
    const authorization = `Bearer ${server.token}`;
    const request = new Request('https://localhost/api/v1/pods', { headers: { authorization, ...headers } });
    const response = await server.fetch(request);
    await response.text();
    return `${response.status} ${response.headers.get('x-content-type-options')}`;
  };
  assert.equal(await get({ 'impersonate-group': 'dev' }), '400 nosniff');
  assert.equal(await get({ authorization: '', 'impersonate-user': 'bob' }), '403 nosniff');
});
