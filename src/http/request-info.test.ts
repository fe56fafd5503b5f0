import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestInfo } from './request-info.ts';

function placeOf(path: string) {
  const { namespace, resource, name, subresource } = requestInfo('GET', path, false);
  return [namespace, resource, name, subresource];
}

test('escapes in a path are resolved before it is split', () => {
  assert.deepEqual(placeOf('/api/v1/namespaces/a/pods/b%2Flog'), ['a', 'pods', 'b', 'log']);
  assert.deepEqual(placeOf('/api/v1/namespaces/%C3%A4/pods'), ['ä', 'pods', '', '']);
});

test('an escaped slash beside invalid UTF-8 does not hide the log subresource from authorization', () => {
  assert.deepEqual(placeOf('/api/v1/namespaces/a/pods/%ff%2Flog'), ['a', 'pods', '\ufffd', 'log']);
  assert.deepEqual(placeOf('/api/v1/namespaces/a/pods/b%2Flog/%ff'), ['a', 'pods', 'b', 'log']);
  assert.deepEqual(placeOf('/api/v1/n%61mespaces/a/pods/%c3%2Flog/ä'), ['a', 'pods', '\ufffd', 'log']);
});

test('the verbs of the deprecated watch and proxy paths are watch and proxy, whatever the method', () => {
  const asked = (method: string, path: string) => {
    const { verb, resource, namespace, name, subresource } = requestInfo(method, path, false);
    return [verb, resource, namespace, name, subresource];
  };
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    assert.deepEqual(asked(method, '/api/v1/watch/namespaces/a/pods'), ['watch', 'pods', 'a', '', '']);
    assert.deepEqual(asked(method, '/api/v1/proxy/nodes/x/y'), ['proxy', 'nodes', '', 'x', '']);
  }
  assert.deepEqual(asked('GET', '/api/v1/proxy'), ['list', 'proxy', '', '', '']);
});
