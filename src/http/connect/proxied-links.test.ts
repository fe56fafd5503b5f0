import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountedLink } from './proxied-links.ts';

const mount = { path: '/api/v1/namespaces/a/pods/b/proxy', backend: '10.0.0.1:80', client: 'client.example:99' };

test("an absolute path in a proxied page leads below the proxy, on the backend and on the client's host", () => {
  const cases: [string, string][] = [
    ['/', `${mount.path}/`],
    ['/x/../y/?q=1#f', `${mount.path}/y/?q=1#f`],
    ['/a b/é', `${mount.path}/a%20b/%C3%A9`],
    ['http://10.0.0.1:80/x', `${mount.path}/x`],
    ['//10.0.0.1:80/x', `${mount.path}/x`],
    ['http://client.example:99/x', `http://client.example:99${mount.path}/x`],
    ['//client.example:99/x', `//client.example:99${mount.path}/x`],
    [`${mount.path}/x`, `${mount.path}/x`],
  ];
  for (const [link, expected] of cases) assert.equal(mountedLink(link, mount), expected);
});

test('relative links and links to other hosts in a proxied page are kept', () => {
  for (const link of ['', 'x', '../x', '?q=1', '#f', 'mailto:a@b', 'http://other.example/x', 'http://10.0.0.1:80']) {
    assert.equal(mountedLink(link, mount), link);
  }
});

test('an invalid URL in a proxied page is an error in the words of Go', () => {
  assert.deepEqual(mountedLink('/%zz', mount), new Error('parse "/%zz": invalid URL escape "%zz"'));
});
