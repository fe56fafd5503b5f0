import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Field, requestFields } from '../../test/http2-client.ts';
import { areTrailers, readRequestHead } from './request-head.ts';

function head(fields: readonly Field[]) {
  return readRequestHead(fields.map(([name, value]) => ({ name, value, valid: true })));
}

const [method, scheme, path, authority] = requestFields as [Field, Field, Field, Field];

test('an HTTP/2 request is its method, its path and its headers', () => {
  const read = head([...requestFields, ['accept', 'a'], ['cookie', 'b'], ['accept', 'c'], ['cookie', 'd']]);
  assert.equal(read?.method, 'GET');
  assert.equal(read?.path, '/');
  assert.deepEqual({ ...read?.headers }, { accept: 'a', cookie: 'b; d', host: 'x' });
  assert.equal(read?.fields.length, 4);
  assert.equal(read?.contentLength, undefined);
});

test('malformed HTTP/2 requests are distinguished from valid ones', () => {
  const wrong: Record<string, readonly Field[]> = {
    'no fields': [],
    'no method': [scheme, path, authority],
    'no scheme': [method, path, authority],
    'no path': [method, scheme, authority],
    'a scheme other than those of HTTP': [method, [':scheme', 'ftp'], path, authority],
    'an authority with a user': [method, scheme, path, [':authority', 'u@x']],
    'a path with a broken escape': [method, scheme, [':path', '/%zz'], authority],
    'an empty path': [method, scheme, [':path', ''], authority],
    'a path that is none': [method, scheme, [':path', 'x'], authority],
    'an empty method': [[':method', ''], scheme, path, authority],
    'a method that is not a token': [[':method', 'GE T'], scheme, path, authority],
    'a pseudo field twice': [...requestFields, method],
    'an empty pseudo field twice': [method, scheme, path, [':authority', ''], [':authority', '']],
    'an unknown pseudo field': [...requestFields, [':x', 'y']],
    'a pseudo field of answers': [...requestFields, [':status', '200']],
    'extended CONNECT, which we do not offer': [...requestFields, [':protocol', 'websocket']],
    'a pseudo field after a field': [method, scheme, ['a', 'b'], path, authority],
    'CONNECT with a path': [[':method', 'CONNECT'], path, authority],
    'CONNECT with a scheme': [[':method', 'CONNECT'], scheme, authority],
    'CONNECT without an authority': [[':method', 'CONNECT']],
    'te other than trailers': [...requestFields, ['te', 'gzip']],
    'two lengths': [...requestFields, ['content-length', '1'], ['content-length', '2']],
    'a negative length': [...requestFields, ['content-length', '-1']],
    'a length that is not a number': [...requestFields, ['content-length', '1x']],
    'an empty length': [...requestFields, ['content-length', '']],
    'a length larger than numbers are exact': [...requestFields, ['content-length', '9'.repeat(16)]],
  };
  for (const name of ['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']) {
    wrong[name] = [...requestFields, [name, 'x']];
  }
  for (const [what, fields] of Object.entries(wrong)) assert.equal(head(fields), undefined, what);
});

test('an HTTP/2 request with a field of invalid characters is malformed, wherever the field is', () => {
  for (let index = 0; index < 5; index++) {
    const fields = [...requestFields, ['a', 'b'] as const].map(([name, value], at) => ({
      name,
      value,
      valid: at !== index,
    }));
    assert.equal(readRequestHead(fields), undefined);
  }
});

test('unusual HTTP/2 requests are valid', () => {
  const right: Record<string, readonly Field[]> = {
    'OPTIONS of *': [[':method', 'OPTIONS'], scheme, [':path', '*'], authority],
    CONNECT: [[':method', 'CONNECT'], authority],
    'a host for an authority': [method, scheme, path, ['host', 'x']],
    'te: trailers': [...requestFields, ['te', 'trailers']],
    'the same length twice': [...requestFields, ['content-length', '7'], ['content-length', '7']],
    'an unknown method': [[':method', 'BREW'], scheme, path, authority],
    'GET of *': [method, scheme, [':path', '*'], authority],
    'a path in absolute form': [method, scheme, [':path', 'http://a/b'], authority],
    'no authority and no host': [method, scheme, path],
  };
  for (const [what, fields] of Object.entries(right)) assert.notEqual(head(fields), undefined, what);
  assert.equal(head(right['the same length twice']!)?.contentLength, 7);
});

test('the first value of a repeated HTTP/2 header with a single value counts', () => {
  const read = head([
    ...requestFields,
    ['authorization', 'a'],
    ['authorization', 'b'],
    ['content-type', 'c'],
    ['content-type', 'd'],
  ]);
  assert.equal(read?.headers['authorization'], 'a');
  assert.equal(read?.headers['content-type'], 'c');
});

test('the pseudo-header :authority replaces Host', () => {
  assert.equal(head([...requestFields, ['host', 'other']])?.headers['host'], 'x');
});

test('HTTP/2 headers inherit nothing from JavaScript objects', () => {
  const prototype = '__proto__';
  const headers = head([...requestFields, [prototype, 'a']])?.headers;
  assert.equal(headers?.[prototype], 'a');
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) assert.equal(headers?.[name], undefined);
});

test('HTTP/2 trailers have no pseudo-headers and no connection headers', () => {
  const are = (...fields: Field[]) =>
    areTrailers(fields.map(([name, value]) => ({ name, value, valid: name !== 'A' })));
  assert.equal(are(), true);
  assert.equal(are(['x-sum', '1']), true);
  assert.equal(are([':path', '/']), false);
  assert.equal(are(['connection', 'close']), false);
  assert.equal(are(['A', 'b']), false);
});
