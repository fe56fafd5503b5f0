import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Listening, readAll, readUntil } from '../../../test/listening.ts';
import { type HttpExchange, MalformedBodyError } from './transport.ts';

async function send(server: Listening, text: string): Promise<string> {
  const socket = await server.tls();
  socket.write(text, 'latin1');
  return readAll(socket);
}

/** The lines of a head, apart from the date. */
function lines(text: string): string[] {
  return text.split('\r\n').filter((line) => !line.startsWith('Date: '));
}

function ignore(exchange: HttpExchange): void {
  exchange.respond(200, { 'x-b': '1', 'content-type': 'text/plain', 'x-a': ['2', '3'] }, 'yes');
}

test('HTTP/1.1 headers are spelled and sorted as by Go, followed by those of the server', async () => {
  await using server = await Listening.start({ handler: ignore });
  const text = await send(server, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.deepEqual(lines(text), [
    'HTTP/1.1 200 OK',
    'Content-Type: text/plain',
    'X-A: 2',
    'X-A: 3',
    'X-B: 1',
    'Content-Length: 3',
    'Connection: close',
    '',
    'yes',
  ]);
});

test('HTTP/1.0 is answered in its version, without chunks', async () => {
  const body = 'x'.repeat(5000);
  await using server = await Listening.start({ handler: (exchange) => exchange.respond(200, {}, body) });
  const text = await send(server, 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  assert.deepEqual(lines(text), ['HTTP/1.0 200 OK', '', body]);
});

test('malformed HTTP/1.1 requests are answered in plain text, and nothing after them is served', async () => {
  await using server = await Listening.start({ handler: () => assert.fail('not for the handler') });
  const cases: [request: string, status: string, body?: string][] = [
    ['GET / HTTP/1.1\r\n\r\n', '400 Bad Request: missing required Host header'],
    ['GET / HTTP/3.7\r\nHost: a\r\n\r\n', '505 HTTP Version Not Supported: unsupported protocol version'],
    [
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n',
      '501 Not Implemented',
      'Unsupported transfer encoding',
    ],
    ['\r\n', '400 Bad Request'],
  ];
  for (const [request, status, body = status] of cases) {
    const text = await send(server, `${request}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    const head = [`HTTP/1.1 ${status}`, 'Content-Type: text/plain; charset=utf-8', 'Connection: close'];
    assert.deepEqual(lines(text), [...head, '', body]);
  }
});

test('bare line feeds end lines, and a line end may follow the body of a POST', async () => {
  await using server = await Listening.start({ handler: ignore });
  const post = 'POST / HTTP/1.1\nHost: a\nContent-Length: 1\n\nx\r\n';
  const text = await send(server, `${post}GET / HTTP/1.1\nHost: a\nConnection: close\n\n`);
  assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.match(await send(server, `GET / HTTP/1.1\nHost: a\n\n\r\n`), /HTTP\/1\.1 400 Bad Request/);
});

test('OPTIONS * and unknown expectations do not reach the handler', async () => {
  await using server = await Listening.start({ handler: () => assert.fail('not for the handler') });
  const options = await send(server, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.deepEqual(lines(options), ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: close', '', '']);
  const expects = await send(server, 'GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n');
  assert.deepEqual(lines(expects), [
    'HTTP/1.1 417 Expectation Failed',
    'Connection: close',
    'Content-Length: 0',
    '',
    '',
  ]);
});

test('a body with malformed chunks is reported, and ends the connection', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.body(100).catch((error) => {
        assert.ok(error instanceof MalformedBodyError);
        exchange.respond(500, {}, error.message);
      });
    },
  });
  const text = await send(
    server,
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nGET / HTTP/1.1\r\n\r\n',
  );
  assert.match(text, /^HTTP\/1\.1 500 [\s\S]*\r\nConnection: close\r\n\r\ninvalid byte in chunk length$/);
});

test('a large body that the handler does not read ends the connection, a small one does not', async () => {
  await using server = await Listening.start({ handler: ignore });
  for (const [bytes, served] of [
    [262_143, 2],
    [262_144, 1],
  ] as const) {
    const body = 'x'.repeat(bytes);
    const next = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const text = await send(server, `GET / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${body}${next}`);
    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, served);
  }
});

test('a client that has ended its side gets its response', async () => {
  await using server = await Listening.start({ handler: (exchange) => setImmediate(ignore, exchange) });
  const halfOpen = { ALPNProtocols: ['http/1.1'], allowHalfOpen: true };
  const socket = await server.tls(halfOpen);
  socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.match(await readUntil(socket, 'yes'), /^HTTP\/1\.1 200 OK/);
  const cut = await server.tls(halfOpen);
  cut.end('GET / HTTP/1.1\r\nHost: a');
  assert.match(await readAll(cut), /^HTTP\/1\.1 400 Bad Request/);
});

test('a client that sends HTTP without TLS is told so', async () => {
  await using server = await Listening.start({ handler: ignore });
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('error', () => {}).on('data', (bytes) => (text += bytes));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'close');
  assert.equal(text, 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
});
