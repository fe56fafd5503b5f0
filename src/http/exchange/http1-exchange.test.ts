import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { ErrorLog } from '../../../test/fuzz/watched-environment.ts';
import { Listening, readAll, readUntil } from '../../../test/listening.ts';
import { until } from '../../../test/until.ts';
import { BodyAbortedError, type BodyWriter, type HttpExchange } from './transport.ts';

/** Answers with what it was asked. */
function echo(exchange: HttpExchange): void {
  exchange.body(1000).then(
    (body) => exchange.respond(200, { 'x-target': exchange.target }, `${exchange.method} ${body}`),
    (error) => exchange.respond(413, {}, error.name),
  );
}

async function send(server: Listening, text: string): Promise<string> {
  const socket = await server.tls();
  socket.write(text);
  return readAll(socket);
}

const CLOSING = 'Host: a\r\nConnection: close\r\n';

test('HTTP/1.1 requests are answered with status, headers and length', async () => {
  let seen: HttpExchange | undefined;
  await using server = await Listening.start({
    handler: (exchange) => {
      seen = exchange;
      exchange.respond(201, { 'content-type': 'text/plain', warning: ['299 - "a"', '299 - "b"'] }, 'four');
    },
  });
  const answer = await send(server, `GET /a?b=c HTTP/1.1\r\n${CLOSING}X-One: a\r\nX-One: b\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 201 Created\r\n/);
  assert.match(answer, /\r\nContent-Length: 4\r\n/);
  assert.match(answer, /\r\nWarning: 299 - "a"\r\nWarning: 299 - "b"\r\n/);
  assert.match(answer, /\r\n\r\nfour$/);
  assert.deepEqual([seen?.method, seen?.target, seen?.protocol], ['GET', '/a?b=c', 'HTTP/1.1']);
  assert.equal(seen?.headers['x-one'], 'a');
  assert.deepEqual(seen?.headerValues?.('x-one'), ['a', 'b']);
  assert.equal(seen?.remoteAddress, '127.0.0.1');
});

test('a client without ALPN gets HTTP/1.1', async () => {
  await using server = await Listening.start({ handler: echo });
  const socket = await server.tls({ ALPNProtocols: [] });
  socket.write(`GET / HTTP/1.1\r\n${CLOSING}\r\n`);
  assert.match(await readAll(socket), /^HTTP\/1\.1 200 /);
});

test('pipelined HTTP/1.1 requests are answered in order', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      const answer = () => exchange.respond(200, {}, `<${exchange.target}>`);
      if (exchange.target === '/1') setImmediate(answer);
      else answer();
    },
  });
  const text = await send(
    server,
    `GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\n${CLOSING}\r\n`,
  );
  assert.deepEqual(text.match(/<.*?>/g), ['</1>', '</2>', '</3>']);
});

test('HTTP/1.1 responses up to 2,048 bytes have a Content-Length, longer ones are chunked', async () => {
  await using server = await Listening.start({
    handler: (exchange) => exchange.respond(200, {}, 'x'.repeat(Number(exchange.target.slice(1)))),
  });
  const head = async (method: string, bytes: number) =>
    (await send(server, `${method} /${bytes} HTTP/1.1\r\n${CLOSING}\r\n`)).split('\r\n\r\n', 1)[0] ?? '';
  for (const method of ['GET', 'HEAD']) assert.match(await head(method, 2048), /\r\nContent-Length: 2048/);
  const long = await head('GET', 2049);
  assert.match(long, /\r\ntransfer-encoding: chunked/i);
  for (const answer of [long, await head('HEAD', 2049), await head('HEAD', 0)]) {
    assert.doesNotMatch(answer, /content-length/i);
  }
});

test('an HTTP/1.1 response to HEAD has the length and no body, 204 neither', async () => {
  await using server = await Listening.start({
    handler: (exchange) =>
      exchange.respond(exchange.method === 'HEAD' ? 200 : 204, {}, exchange.method === 'HEAD' ? 'four' : undefined),
  });
  const head = await send(server, `HEAD / HTTP/1.1\r\n${CLOSING}\r\n`);
  assert.match(head, /Content-Length: 4\r\n/);
  assert.match(head, /\r\n\r\n$/);
  assert.doesNotMatch(await send(server, `GET / HTTP/1.1\r\n${CLOSING}\r\n`), /content-length/i);
});

test('an HTTP/1.1 target in absolute form is reduced to its path, and an invalid one is 400', async () => {
  await using server = await Listening.start({ handler: echo });
  const whole = await send(server, `GET https://a:6443/api?x=1 HTTP/1.1\r\n${CLOSING}\r\n`);
  assert.match(whole, /X-Target: \/api\?x=1\r\n/);
  assert.match(await send(server, `GET http://a?x=1 HTTP/1.1\r\n${CLOSING}\r\n`), /X-Target: \?x=1\r\n/);
  assert.match(await send(server, `GET nowhere HTTP/1.1\r\nHost: a\r\n\r\n`), /^HTTP\/1\.1 400 /);
});

test('bytes that are not HTTP are 400', async () => {
  await using server = await Listening.start({ handler: () => assert.fail('not for the handler') });
  assert.match(await send(server, 'hello there\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

test('CONNECT in HTTP/1.1 is a request without a path', async () => {
  await using server = await Listening.start({
    handler: (exchange) => exchange.respond(404, {}, `<${exchange.target}>`),
  });
  assert.match(await send(server, `CONNECT a:443 HTTP/1.1\r\n${CLOSING}\r\n`), /^HTTP\/1\.1 404 [\s\S]*<>$/);
});

test('too many headers, or too many bytes of them, are 431', async () => {
  await using server = await Listening.start({ handler: echo, limits: { headerFields: 10, headerBytes: 1000 } });
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `x-${at}: 1\r\n`).join('');
  assert.match(await send(server, `GET / HTTP/1.1\r\n${CLOSING}${fields(8)}\r\n`), /^HTTP\/1\.1 200 /);
  assert.match(await send(server, `GET / HTTP/1.1\r\n${CLOSING}${fields(9)}\r\n`), /^HTTP\/1\.1 431 /);
  assert.match(await send(server, `GET / HTTP/1.1\r\n${CLOSING}x: ${'y'.repeat(6000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
});

test('an HTTP/1.1 connection whose request head does not come in time is closed without a response', async () => {
  await using server = await Listening.start({ handler: echo, limits: { headTimeoutMs: 50 } });
  assert.equal(await send(server, 'GET / HTTP/1.1\r\nHost:'), '');
});

test('HTTP/1.1 request bodies have a length or are chunked', async () => {
  await using server = await Listening.start({ handler: echo });
  assert.match(await send(server, `POST / HTTP/1.1\r\n${CLOSING}Content-Length: 4\r\n\r\nbody`), /POST body$/);
  const chunked = `PUT / HTTP/1.1\r\n${CLOSING}Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n`;
  assert.match(await send(server, chunked), /PUT body$/);
});

test('a body that is too large is answered while it is sent, and the connection is closed if it does not end', async () => {
  await using server = await Listening.start({ handler: echo, limits: { lingerMs: 30 } });
  for (const length of ['Content-Length: 50000', 'Transfer-Encoding: chunked']) {
    const socket = await server.tls();
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n7d0\r\n${'x'.repeat(2000)}`);
    const answer = await readAll(socket);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /BodyTooLargeError$/);
  }
});

test('an HTTP/1.1 connection goes on after a rejected body that ends', async () => {
  await using server = await Listening.start({ handler: echo });
  const answers = await send(
    server,
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2000)}GET /next HTTP/1.1\r\n${CLOSING}\r\n`,
  );
  assert.match(answers, /^HTTP\/1\.1 413 [\s\S]*X-Target: \/next\r\n/);
});

test('an HTTP/1.1 upload whose connection dies is an error', async () => {
  const failed = Promise.withResolvers<unknown>();
  const arrived = Promise.withResolvers<void>();
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.body(1000).then(failed.resolve, failed.resolve);
      arrived.resolve();
    },
  });
  const socket = await server.tls();
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
  await arrived.promise;
  socket.destroy();
  assert.ok((await failed.promise) instanceof BodyAbortedError);
});

test('100 Continue is sent for a body that is read, and a rejected one closes the connection', async () => {
  await using server = await Listening.start({ handler: echo });
  const socket = await server.tls();
  socket.write(`POST / HTTP/1.1\r\n${CLOSING}Content-Length: 4\r\nExpect: 100-continue\r\n\r\n`);
  assert.equal(await readUntil(socket, '\r\n\r\n'), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('body');
  assert.match(await readAll(socket), /^HTTP\/1\.1 200 [\s\S]*POST body$/);
  const refused = await send(
    server,
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\nExpect: 100-continue\r\n\r\n',
  );
  assert.match(refused, /^HTTP\/1\.1 413 [\s\S]*connection: close\r\n/i);
});

test('a streamed HTTP/1.1 response begins at once, waits for a slow client and ends', async () => {
  const opened = Promise.withResolvers<BodyWriter>();
  await using server = await Listening.start({ handler: (exchange) => opened.resolve(exchange.stream(200, {})) });
  const socket = await server.tls();
  socket.write(`GET / HTTP/1.1\r\n${CLOSING}\r\n`);
  assert.match(await readUntil(socket, '\r\n\r\n'), /transfer-encoding: chunked/i);
  const writer = await opened.promise;
  const piece = Buffer.alloc(64 * 1024, 'x');
  let written = 0;
  do written += piece.length;
  while (written < 128 * 1024 * 1024 && (writer.write(piece) || writer.bufferedBytes < 4 * 1024 * 1024));
  assert.ok(writer.bufferedBytes >= 4 * 1024 * 1024, 'what the client has not taken is counted');
  let resumed = 0;
  writer.onDrain(() => resumed++);
  const drained = writer.drained();
  const rest = readAll(socket);
  await drained;
  assert.equal(resumed, 1);
  writer.end(Buffer.from('!'));
  const body = (await rest).replace(/[0-9a-f]+\r\n|\r\n/g, '');
  assert.equal(body.length, written + 1);
});

test('an aborted HTTP/1.1 response ends without its last chunk', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      const writer = exchange.stream(200, {});
      writer.write(Buffer.from('half'));
      setImmediate(() => writer.destroy());
    },
  });
  const socket = await server.tls();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  assert.doesNotMatch(text, /\r\n0\r\n\r\n$/);
});

test('the signal reports that the client has disconnected, and a response after that is ignored', async () => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<HttpExchange>();
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.signal.addEventListener('abort', () => left.resolve(exchange));
      arrived.resolve();
    },
  });
  const socket = await server.tls();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await arrived.promise;
  socket.destroy();
  const exchange = await left.promise;
  exchange.respond(200, {}, 'late');
  assert.equal(exchange.responded, true);
});

async function upgradeRequest(server: Listening, protocol: string, more = ''): Promise<TLSSocket> {
  const socket = await server.tls();
  socket.write(`POST /exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`);
  return socket;
}

test('an HTTP/1.1 upgrade passes on the raw socket in both directions', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      const { socket, head } = exchange.upgrade!();
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n<${head}>`);
      socket.on('data', (chunk) => socket.end(`[${chunk}]`));
    },
  });
  const socket = await upgradeRequest(server, 'SPDY/3.1');
  assert.match(await readUntil(socket, '>'), /^HTTP\/1\.1 101 [\s\S]*<>$/);
  socket.write('raw');
  assert.equal(await readAll(socket), '[raw]');
});

test('an HTTP/1.1 upgrade that the handler does not want gets an ordinary response', async () => {
  let offered: boolean | undefined;
  await using server = await Listening.start({
    handler: (exchange) => {
      offered = exchange.upgrade !== undefined;
      exchange.respond(403, { 'content-type': 'text/plain' }, 'no');
    },
  });
  const refused = await upgradeRequest(server, 'websocket', 'Connection: close\r\n');
  assert.match(await readAll(refused), /^HTTP\/1\.1 403 [\s\S]*\r\n\r\nno$/);
  assert.equal(offered, true);
  offered = undefined;
  const other = await upgradeRequest(server, 'h3', 'Content-Length: 0\r\n');
  assert.match(await readUntil(other, /no$/), /^HTTP\/1\.1 403 /);
  assert.equal(offered, true);
});

test('a pipelined request is served when those before it have been answered', async () => {
  const exchanges: HttpExchange[] = [];
  await using server = await Listening.start({ handler: (exchange) => exchanges.push(exchange) });
  const socket = await server.tls();
  socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('the first request has come', () => exchanges.length > 0);
  exchanges[0]?.respond(200, {}, 'one');
  await until('the second request is served', () => exchanges.length > 1);
  exchanges[1]?.respond(200, {}, 'two');
  assert.match(await readUntil(socket, 'two'), /one[\s\S]*two/);
});

test('a pipelined upgrade waits until the requests before it have been answered', async () => {
  const log = new ErrorLog();
  const exchanges: HttpExchange[] = [];
  await using server = await Listening.start({ log, handler: (exchange) => exchanges.push(exchange) });
  const socket = await server.tls();
  socket.write(`GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n${UPGRADE}\r\nearly`);
  await until('the first request has come', () => exchanges.length > 0);
  exchanges[0]?.respond(200, {}, 'one');
  await until('the second request is served', () => exchanges.length > 1);
  const { socket: raw, head } = exchanges[1]!.upgrade!();
  assert.equal(head.toString(), 'early');
  raw.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  assert.match(await readAll(socket), /^HTTP\/1\.1 200 OK[\s\S]*one[\s\S]*HTTP\/1\.1 101/);
  assert.deepEqual(log.errors, []);
});

test('a connection whose upgrade is refused serves the requests that follow', async () => {
  await using server = await Listening.start({
    handler: (exchange) => exchange.respond(exchange.upgrade === undefined ? 200 : 403, {}, `<${exchange.target}>`),
  });
  const socket = await server.tls();
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  socket.write(get('/1') + get('/2', UPGRADE) + get('/3'));
  const first = await readUntil(socket, '</3>');
  assert.match(first, /200 OK[\s\S]*<\/1>HTTP\/1\.1 403[\s\S]*<\/2>HTTP\/1\.1 200[\s\S]*<\/3>$/);
  assert.doesNotMatch(first, /connection: close/i);
  for (const round of [4, 6]) {
    socket.write(get(`/${round}`, UPGRADE));
    assert.match(await readUntil(socket, `</${round}>`), /^HTTP\/1\.1 403 /);
    socket.write(get(`/${round + 1}`));
    assert.match(await readUntil(socket, `</${round + 1}>`), /^HTTP\/1\.1 200 /);
  }
  socket.end();
  await once(socket, 'close');
  // Nothing counts as open any more.
  await server.listener.drain(10_000);
});

test('a refused upgrade with Connection: close ends its connection, and the response says so', async () => {
  await using server = await Listening.start({ handler: (exchange) => exchange.respond(403, {}, 'no') });
  const text = await send(server, `GET / HTTP/1.1\r\nHost: a\r\n${UPGRADE}Connection: close\r\n\r\nabc`);
  assert.match(text, /^HTTP\/1\.1 403 [\s\S]*connection: close[\s\S]*no$/i);
});

test('pipelined requests that wait when the connection closes are never served', async () => {
  const exchanges: HttpExchange[] = [];
  await using server = await Listening.start({
    limits: { lingerMs: 20 },
    handler: (exchange) => exchanges.push(exchange),
  });
  const socket = await server.tls();
  socket.write(
    `GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n${UPGRADE}\r\n`,
  );
  await until('the first request has come', () => exchanges.length > 0);
  const { signal } = exchanges[0]!;
  socket.destroy();
  await until('the first request is aborted', () => signal.aborted);
  assert.equal(exchanges.length, 1);
  // Nothing counts as open any more.
  await server.listener.drain(10_000);
});

test('a client that pipelines far ahead is not read further until it has its responses', async () => {
  const exchanges: HttpExchange[] = [];
  await using server = await Listening.start({
    limits: { aheadBytes: 100 },
    handler: (exchange) => exchanges.push(exchange),
  });
  const socket = await server.tls();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50));
  for (let count = 1; count <= 50; count++) {
    await until('the next request is served', () => exchanges.length === count);
    exchanges[count - 1]?.respond(200, {}, String(count));
  }
  await readUntil(socket, '50');
});

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n';

test('the Connection header of a response is sent where it differs from the default of its HTTP version', async () => {
  await using server = await Listening.start({ handler: (exchange) => exchange.respond(200, {}, 'yes') });
  const cases: [version: string, asked: string, said: string | undefined][] = [
    ['1.1', '', undefined],
    ['1.1', 'Connection: keep-alive\r\n', undefined],
    ['1.1', 'Connection: Close\r\n', 'close'],
    ['1.1', 'Connection: keep-alive, close\r\n', 'close'],
    ['1.0', '', undefined],
    ['1.0', 'Connection: keep-alive\r\n', 'keep-alive'],
  ];
  for (const [version, asked, said] of cases) {
    const socket = await server.tls();
    socket.write(`GET / HTTP/${version}\r\nHost: a\r\n${asked}\r\n`);
    const text = await readUntil(socket, 'yes');
    assert.equal(/^connection: (\S+)\r$/im.exec(text)?.[1], said, `${version} ${asked}`);
    socket.destroy();
  }
});
