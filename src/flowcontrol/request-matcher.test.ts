import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowNonResourceRule, FlowResourceRule, FlowSubject } from './configuration.ts';
import type { FlowRequest } from './flow-request.ts';
import { requestMatcher } from './request-matcher.ts';

const GET_PODS: FlowRequest = {
  user: { name: 'alice', groups: ['dev', 'system:authenticated'] },
  verb: 'get',
  isResource: true,
  path: '/api/v1/namespaces/default/pods/x',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'x',
};

const EVERYBODY: FlowSubject = { kind: 'User', user: { name: '*' } };

function matches(request: Partial<FlowRequest>, subject: FlowSubject, rule: Partial<FlowResourceRule> = {}): boolean {
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
  const rules = [{ subjects: [subject], resourceRules: [{ ...everything, ...rule }] }];
  return requestMatcher({ priorityLevelConfiguration: { name: 'x' }, matchingPrecedence: 1, rules })({
    ...GET_PODS,
    ...request,
  });
}

test('subjects of a FlowSchema are users, groups and service accounts, by name or all of them', () => {
  const robot = { user: { name: 'system:serviceaccount:ci:robot', groups: [] } };
  const cases: [FlowSubject, Partial<FlowRequest>, boolean][] = [
    [{ kind: 'User', user: { name: 'alice' } }, {}, true],
    [{ kind: 'User', user: { name: 'bob' } }, {}, false],
    [EVERYBODY, {}, true],
    [{ kind: 'Group', group: { name: 'dev' } }, {}, true],
    [{ kind: 'Group', group: { name: 'ops' } }, {}, false],
    [{ kind: 'Group', group: { name: '*' } }, robot, true],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'ci', name: 'robot' } }, robot, true],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'ci', name: '*' } }, robot, true],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'c', name: '*' } }, robot, false],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'ci', name: '*' } }, {}, false],
  ];
  for (const [subject, request, expected] of cases) {
    assert.equal(matches(request, subject), expected, `${JSON.stringify(subject)} and ${request.user?.name}`);
  }
});

test('a resource rule of a FlowSchema does not include subresources, and needs clusterScope for those', () => {
  const cases: [Partial<FlowResourceRule>, Partial<FlowRequest>, boolean][] = [
    [{ resources: ['pods'] }, {}, true],
    [{ resources: ['pods'] }, { subresource: 'status' }, false],
    [{ resources: ['pods/status'] }, { subresource: 'status' }, true],
    [{ resources: ['pods/status'] }, {}, false],
    [{ namespaces: ['other'] }, {}, false],
    [{ namespaces: ['other', 'default'] }, {}, true],
    [{ clusterScope: false }, { namespace: '' }, false],
    [{ namespaces: [] }, { namespace: '' }, true],
    [{ apiGroups: ['apps'] }, {}, false],
    [{ verbs: ['list', 'get'] }, {}, true],
    // Only alone does the asterisk stand for all.
    [{ verbs: ['list', '*'] }, {}, false],
  ];
  for (const [rule, request, expected] of cases) {
    assert.equal(matches(request, EVERYBODY, rule), expected, JSON.stringify([rule, request]));
  }
});

test('a path of a FlowSchema includes itself and those below it, one with an asterisk only those below', () => {
  const covers = (url: string, path: string) => {
    const nonResourceRules: FlowNonResourceRule[] = [{ verbs: ['get'], nonResourceURLs: [url] }];
    const rules = [{ subjects: [EVERYBODY], nonResourceRules }];
    const matcher = requestMatcher({ priorityLevelConfiguration: { name: 'x' }, matchingPrecedence: 1, rules });
    return matcher({ ...GET_PODS, isResource: false, path });
  };
  const cases: [string, string, boolean][] = [
    ['/two', '/two', true],
    ['/two', '/two/x', true],
    ['/two', '/twos', false],
    ['/one/*', '/one/', true],
    ['/one/*', '/one', false],
    ['*', '/anything', true],
  ];
  for (const [url, path, expected] of cases) assert.equal(covers(url, path), expected, `${url} and ${path}`);
});
