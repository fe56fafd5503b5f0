// Tests of URLs: syntax, parts and equality.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readUrl, Url, urlFault } from './url.ts';

function url(text: string): Url {
  const read = readUrl(text);
  assert.ok(read instanceof Url, String(read));
  return read;
}

describe('url() in CEL', () => {
  for (const text of ['/', '*', 'http://h', 'mailto:a@b', 'https:://h', 'http://[::1]:80/', 'http://h/a#b', '/a%20b']) {
    it(`url() in CEL accepts ${text}`, () => assert.equal(urlFault(text), undefined));
  }

  const refused: Readonly<Record<string, string>> = {
    '': 'empty url',
    '../x': 'invalid URI for request',
    ':a': 'missing protocol scheme',
    'http://h\n': 'net/url: invalid control character in URL',
    '/%zz': 'invalid URL escape "%zz"',
    'http://h:a': 'invalid port ":a" after host',
    'http://h%41': 'invalid URL escape "%41"',
    'http://h h': 'invalid character " " in host name',
    'http://[::1': "missing ']' in host",
    'http://[1.2.3.4]': 'invalid IP-literal',
    'http://u r@h': 'net/url: invalid userinfo',
  };
  for (const [text, reason] of Object.entries(refused)) {
    it(`url() in CEL rejects ${JSON.stringify(text)}`, () =>
      assert.equal(urlFault(text)?.replace(/^parse ".*": /s, ''), reason));
  }
});

describe('a URL in CEL', () => {
  it('a URL in CEL has a scheme, a host with a port, a path and a query', () => {
    const read = url('HTTPS://user:pass@[fe80::1%25en0]:8443/a b/%2f?x=1&y=a+b&x=%C3%A9&z;=2&%zz#top');
    assert.equal(read.scheme, 'https');
    assert.equal(read.host, '[fe80::1%en0]:8443');
    assert.equal(read.hostname, 'fe80::1%en0');
    assert.equal(read.port, '8443');
    assert.equal(read.escapedPath, '/a%20b//');
    assert.deepEqual(
      [...read.query],
      [
        ['x', ['1', 'é']],
        ['y', ['a b']],
      ],
    );
  });

  it('a URL in CEL keeps escapes of the path that are not necessary', () => {
    assert.equal(url('/a%2fb/%41').escapedPath, '/a%2fb/%41');
    assert.equal(url('/é').escapedPath, '/%C3%A9');
  });

  it('a URL in CEL has no path and no host after a scheme without a slash', () => {
    const read = url('mailto:a@b?c=d');
    assert.deepEqual([read.host, read.escapedPath, [...read.query]], ['', '', [['c', ['d']]]]);
  });

  it('a URL in CEL equals a URL with the same text after escaping', () => {
    assert.ok(url('HTTP://h/é').equals(url('http://h/%C3%A9')));
    assert.ok(!url('http://h/%41').equals(url('http://h/A')));
    assert.ok(!url('http://h?').equals(url('http://h')));
  });

  it('a URL in CEL has no query parameters if there are too many', () => {
    assert.equal(url(`/?${'a&'.repeat(10_000)}`).query.size, 0);
    assert.equal(url(`/?${'a&'.repeat(9_999)}`).query.get('a')?.length, 9_999);
  });
});
