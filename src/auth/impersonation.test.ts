import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ImpersonationError, impersonatedUser, impersonationChecks, readImpersonation } from './impersonation.ts';
import { anonymousUser } from './user.ts';

type Headers = Readonly<Record<string, readonly string[]>>;

function read(headers: Headers) {
  return readImpersonation(Object.keys(headers), (name) => headers[name] ?? []);
}

function become(headers: Headers) {
  const asked = read(headers);
  assert.ok(asked !== undefined);
  return { user: impersonatedUser(asked), checks: impersonationChecks(anonymousUser, asked) };
}

describe('impersonation', () => {
  it('a request without the header Impersonate-User is not impersonated', () => {
    assert.equal(read({}), undefined);
    assert.equal(read({ 'impersonate-user': [''] }), undefined);
  });

  for (const header of ['impersonate-group', 'impersonate-uid', 'impersonate-extra-a']) {
    it(`the header ${header} without Impersonate-User is an error`, () =>
      assert.throws(() => read({ [header]: ['x'] }), ImpersonationError));
  }

  it('impersonation requires a permission for each user, group, UID and extra value', () => {
    const { user, checks } = become({
      'impersonate-user': ['zoe'],
      'impersonate-group': ['a', 'b, c'],
      'impersonate-uid': ['7'],
      'impersonate-extra-acme.com%2fscope': ['x'],
    });
    assert.deepEqual(user, {
      name: 'zoe',
      uid: '7',
      groups: ['a', 'b, c', 'system:authenticated'],
      extra: { 'acme.com/scope': ['x'] },
    });
    const asked = checks.map(({ verb, group, version, resource, subresource, name }) =>
      [verb, group, version, resource, subresource, name].join(' '),
    );
    assert.deepEqual(asked, [
      'impersonate   users  zoe',
      'impersonate   groups  a',
      'impersonate   groups  b, c',
      'impersonate authentication.k8s.io v1 userextras acme.com/scope x',
      'impersonate authentication.k8s.io v1 uids  7',
    ]);
  });

  it('impersonation accepts extra attributes of any name, and joins keys that are escaped differently', () => {
    const { user, checks } = become({
      'impersonate-user': ['zoe'],
      'impersonate-extra-a%2fb': ['1'],
      'impersonate-extra-a%2Fb': ['2'],
      'impersonate-extra-__proto__': ['3'],
      'impersonate-extra-constructor': ['4'],
    });
    const expected = [
      ['a/b', ['1', '2']],
      ['__proto__', ['3']],
      ['constructor', ['4']],
    ];
    assert.deepEqual(Object.entries(user.extra), expected);
    assert.deepEqual(
      checks.slice(1).map(({ subresource, name }) => `${subresource}=${name}`),
      ['a/b=1', 'a/b=2', '__proto__=3', 'constructor=4'],
    );
  });

  it('impersonation of a service account requires a permission in its namespace, and adds its groups', () => {
    const { user, checks } = become({ 'impersonate-user': ['system:serviceaccount:ns:a'] });
    assert.deepEqual(user.groups, ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated']);
    assert.deepEqual([checks[0]?.resource, checks[0]?.namespace, checks[0]?.name], ['serviceaccounts', 'ns', 'a']);
  });

  const placed: [string, string, string[], string[]][] = [
    ['system:anonymous', 'system:anonymous', [], ['system:unauthenticated']],
    ['an unauthenticated user', 'zoe', ['system:unauthenticated'], ['system:unauthenticated']],
    ['an authenticated user', 'zoe', ['system:authenticated'], ['system:authenticated']],
  ];
  for (const [title, name, groups, expected] of placed) {
    it(`impersonation of ${title} gives the groups ${expected}`, () => {
      const { user } = become({ 'impersonate-user': [name], 'impersonate-group': groups });
      assert.deepEqual(user.groups, expected);
    });
  }
});
