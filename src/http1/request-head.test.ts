import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from './refusal.ts';
import { HeadReader, type RequestHead } from './request-head.ts';

/** The head that the lines make, or the status of the refusal. */
function read(...lines: string[]): RequestHead | string {
  const reader = new HeadReader();
  try {
    for (const line of lines) {
      const head = reader.line(line);
      if (head !== undefined) return head;
    }
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
  return 'incomplete';
}

const GET = 'GET /a?b=c HTTP/1.1';

function head(...fields: string[]): RequestHead {
  const found = read(GET, 'Host: a', ...fields, '');
  if (typeof found === 'string') throw new Error(found);
  return found;
}

test('an HTTP/1.1 head has a method, a path, a version and fields', () => {
  const { method, path, version, headers, keepsAlive, body } = head(
    'X-One: 1',
    'x-one:2',
    'Connection: x',
    'connection: y',
  );
  assert.deepEqual(
    { method, path, version, keepsAlive, body },
    {
      ...{ method: 'GET', path: '/a?b=c', version: '1.1', keepsAlive: true, body: 0 },
    },
  );
  assert.deepEqual({ ...headers }, { host: 'a', 'x-one': '1', connection: 'x, y' });
});

test('malformed lines of an HTTP/1.1 head are rejected at once', () => {
  const lines = [
    '',
    'GET',
    'GET /',
    'GET / HTTP/1',
    'GET / http/1.1',
    'G@T / HTTP/1.1',
    'GET x HTTP/1.1',
    'GET /%zz HTTP/1.1',
  ];
  for (const line of [...lines, 'GET  / HTTP/1.1', 'GET / HTTP/1.1 '])
    assert.equal(read(line), '400 Bad Request', line);
  for (const line of ['no colon', ' indented: 1']) assert.equal(read(GET, line), '400 Bad Request', line);
  for (const line of ['a\tb: 1', ': 1', 'a(: 1', 'a: \x01', 'a: \x7f'])
    assert.equal(read(GET, line, 'b: 1'), '400 Bad Request', line);
});

test('errors of a whole HTTP/1.1 head are reported at its end', () => {
  const cases: [expected: string, ...lines: string[]][] = [
    ['400 Bad Request: missing required Host header', GET],
    ['400 Bad Request: malformed Host header', GET, 'Host: a b'],
    ['400 Bad Request', GET, 'Host: a', 'Host: a'],
    ['400 Bad Request: invalid header name', GET, 'Host: a', 'a b: 1'],
    ['505 HTTP Version Not Supported: unsupported protocol version', 'GET / HTTP/3.7', 'Host: a'],
    ['505 HTTP Version Not Supported: unsupported protocol version', 'GET / HTTP/0.9'],
    ['501 Not Implemented', GET, 'Host: a', 'Transfer-Encoding: gzip'],
    ['501 Not Implemented', GET, 'Host: a', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    ['400 Bad Request', GET, 'Host: a', 'Content-Length: -1'],
    ['400 Bad Request', GET, 'Host: a', 'Content-Length:'],
    ['400 Bad Request', GET, 'Host: a', 'Content-Length: 9223372036854775808'],
    ['400 Bad Request', GET, 'Host: a', 'Content-Length: 1', 'Content-Length: 2'],
    ['400 Bad Request', GET, 'Host: a', 'Transfer-Encoding: chunked', 'Trailer: x, Content-Length'],
  ];
  for (const [expected, ...lines] of cases) assert.equal(read(...lines, ''), expected, lines.join('|'));
});

test('a body is framed by Content-Length or by chunks, which take precedence', () => {
  assert.equal(head('Content-Length: 3', 'Content-Length: 3 ').body, 3);
  const chunked = head('Content-Length: 3', 'Transfer-Encoding: Chunked');
  assert.equal(chunked.body, 'chunked');
  assert.equal(chunked.headers['content-length'], undefined);
  const old = read('GET / HTTP/1.0', 'Transfer-Encoding: gzip', '') as RequestHead;
  assert.equal(old.body, 0, 'HTTP/1.0 has no transfer encodings');
});

test('folded header lines are joined by a space', () => {
  assert.equal(head('X: 1', '  2', '\t3 ').headers['x'], '1 2 3');
});

test('a connection is kept alive or closed as the client requests', () => {
  const keeps = (version: string, connection: string) =>
    (read(`GET / HTTP/${version}`, 'Host: a', `Connection: ${connection}`, '') as RequestHead).keepsAlive;
  assert.deepEqual(
    ['close', 'x, Close', 'foo close', 'keep-alive', ''].map((each) => keeps('1.1', each)),
    [...[false, false, false, true, true]],
  );
  assert.deepEqual(
    ['close', 'Keep-Alive', 'keep-alive, close', ''].map((each) => keeps('1.0', each)),
    [...[false, true, true, false]],
  );
});

test('a request target has a path, and in absolute form a host', () => {
  const target = (text: string, method = 'GET') => {
    const found = read(`${method} ${text} HTTP/1.1`, 'Host: a', '');
    return typeof found === 'string' ? found : [found.path, found.headers['host']];
  };
  assert.deepEqual(target('https://b:1/c?d'), ['/c?d', 'b:1']);
  assert.deepEqual(target('http://b'), ['', 'b']);
  assert.deepEqual(target('http:/c'), ['/c', 'a']);
  assert.deepEqual(target('mailto:x?y'), ['?y', 'a']);
  assert.deepEqual(target('//b/c'), ['//b/c', 'a']);
  assert.deepEqual(target('*'), ['*', 'a']);
  assert.deepEqual(target('b:443', 'CONNECT'), ['', 'b:443']);
  for (const bad of ['1x:a', ':x', 'http://b:x/', 'http://b c/', 'http://[::1/', 'http://b/%zz', '/\x7f']) {
    assert.match(String(target(bad)), /^400/, bad);
  }
});

test('header values with many digits or list items are parsed in linear time', () => {
  const zeros = '0'.repeat(100_000);
  assert.equal(head(`Content-Length: ${zeros}7`).body, 7);
  assert.equal(read(GET, 'Host: a', `Content-Length: 1${zeros}`, ''), '400 Bad Request');
  assert.equal(read(GET, 'Host: a', 'Content-Length: 9223372036854775808', ''), '400 Bad Request');
  const many = 'x,'.repeat(100_000);
  assert.equal(head(`Connection: ${many}x`).keepsAlive, true);
  for (const option of ['close', ' Close\t']) assert.equal(head(`Connection: ${many}${option},x`).keepsAlive, false);
  const chunked = 'Transfer-Encoding: chunked';
  assert.equal(head(chunked, `Trailer: ${many}x-trailer`).body, 'chunked');
  assert.equal(read(GET, 'Host: a', chunked, `Trailer: ${many} Trailer ,x`, ''), '400 Bad Request');
});
