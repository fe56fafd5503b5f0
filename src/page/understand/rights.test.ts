import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathsOf, rightsOf } from './rights.ts';

test('RBAC rules on the same resource are merged into one line, with verbs in the usual order', () => {
  const rights = rightsOf([
    { verbs: ['watch', 'get'], apiGroups: [''], resources: ['pods', 'services'] },
    { verbs: ['bind', 'create', 'get'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['web'] },
    { verbs: ['get', '*'], apiGroups: ['*'], resources: ['*'] },
  ]);
  assert.deepEqual(
    rights.map(({ group, resource, names, verbs }) => [group, resource, names, verbs]),
    [
      ['*', '*', [], ['*']],
      ['', 'pods', [], ['get', 'watch', 'create', 'bind']],
      ['', 'pods', ['web'], ['get']],
      ['', 'services', [], ['get', 'watch']],
    ],
  );
});

test('each non-resource path is listed once', () => {
  assert.deepEqual(
    pathsOf([
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*'] },
      { verbs: ['post', 'get'], nonResourceURLs: ['/healthz'] },
    ]),
    [
      { path: '/api/*', verbs: ['get'] },
      { path: '/healthz', verbs: ['get', 'post'] },
    ],
  );
});
