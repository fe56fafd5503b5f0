import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { test } from 'node:test';
import { ask, Listening } from '../../../test/listening.ts';
import { BodyAbortedError, type BodyWriter, type HttpExchange } from './transport.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('an HTTP/2 request reaches the handler, and its response the client', async () => {
  let seen: HttpExchange | undefined;
  await using server = await Listening.start({
    handler: (exchange) => {
      seen = exchange;
      exchange.respond(201, JSON_TYPE, Buffer.from('{"a":1}'));
    },
  });
  const session = await server.http2();
  const answer = await ask(session, { ':path': '/api/v1/pods?limit=1', ':method': 'DELETE', 'x-one': ['a', 'b'] });
  assert.equal(answer.status, 201);
  assert.equal(answer.body, '{"a":1}');
  assert.equal(answer.headers['content-length'], '7');
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(seen?.method, 'DELETE');
  assert.equal(seen?.target, '/api/v1/pods?limit=1');
  assert.equal(seen?.protocol, 'HTTP/2.0');
  assert.equal(seen?.remoteAddress, '127.0.0.1');
  assert.equal(seen?.headers['x-one'], 'a');
  assert.deepEqual(seen?.headerValues?.('x-one'), ['a', 'b']);
  assert.equal(seen?.peerCertificate, undefined);
  assert.equal(seen?.responded, true);
});

test('an HTTP/2 body is read whole, even if it is empty', async () => {
  await using server = await Listening.start({
    handler: async (exchange) => {
      const body = await exchange.body(3_000_000);
      exchange.respond(200, {}, `${body.length}:${body.subarray(-3)}`);
    },
  });
  const session = await server.http2();
  assert.equal((await ask(session, { ':method': 'POST' }, `${'x'.repeat(2_500_000)}end`)).body, '2500003:end');
  assert.equal((await ask(session, { ':method': 'POST' }, '')).body, '0:');
  assert.equal((await ask(session, {})).body, '0:');
});

test('an HTTP/2 body of the maximum size is accepted, and one byte more is 413, declared or not', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.body(100_000).then(
        (body) => exchange.respond(200, {}, String(body.length)),
        (error) => exchange.respond(413, {}, error.name),
      );
    },
  });
  const session = await server.http2();
  assert.equal((await ask(session, { ':method': 'POST' }, 'x'.repeat(100_000))).body, '100000');
  const long = 'x'.repeat(5_000_000);
  assert.equal((await ask(session, { ':method': 'POST' }, long)).body, 'BodyTooLargeError');
  const declared = await ask(session, { ':method': 'POST', 'content-length': long.length }, long);
  assert.deepEqual([declared.status, declared.body], [413, 'BodyTooLargeError']);
  assert.equal((await ask(session, { ':method': 'POST' }, 'fine')).body, '4', 'the connection goes on');
});

test('HTTP/2 bodies that are too large give their bytes back to the window of the connection', async () => {
  await using server = await Listening.start({
    limits: { connectionWindowBytes: 200_000, streamWindowBytes: 150_000 },
    handler: (exchange) => {
      exchange.body(100_000).then(
        (body) => exchange.respond(200, {}, String(body.length)),
        () => exchange.respond(413, {}, undefined),
      );
    },
  });
  const session = await server.http2();
  for (let count = 0; count < 100; count++) {
    assert.equal((await ask(session, { ':method': 'POST' }, 'x'.repeat(140_000))).status, 413);
  }
  assert.equal((await ask(session, { ':method': 'POST' }, 'x'.repeat(90_000))).body, '90000');
});

test('an HTTP/2 upload that its client aborts is an error', async () => {
  for (const contentLength of [undefined, 1000]) {
    const failed = Promise.withResolvers<unknown>();
    const arrived = Promise.withResolvers<void>();
    await using server = await Listening.start({
      handler: (exchange) => {
        exchange.body(5000).then(failed.resolve, failed.resolve);
        arrived.resolve();
      },
    });
    const session = await server.http2();
    const stream = session.request({
      ':method': 'POST',
      ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
    });
    stream.on('error', () => {});
    stream.write('x'.repeat(500));
    await arrived.promise;
    stream.destroy();
    assert.ok((await failed.promise) instanceof BodyAbortedError);
  }
});

test('an HTTP/2 upload whose connection dies is an error', async () => {
  const failed = Promise.withResolvers<unknown>();
  const arrived = Promise.withResolvers<void>();
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.body(5000).then(failed.resolve, failed.resolve);
      arrived.resolve();
    },
  });
  const session = await server.http2();
  session
    .request({ ':method': 'POST' })
    .on('error', () => {})
    .write('x');
  await arrived.promise;
  session.destroy();
  assert.ok((await failed.promise) instanceof BodyAbortedError);
});

test('an HTTP/2 body that takes too long is given up', async () => {
  await using server = await Listening.start({
    limits: { bodyTimeoutMs: 20 },
    handler: (exchange) => {
      exchange.body(5000).catch((error) => exchange.respond(408, {}, error.message));
    },
  });
  const stream = (await server.http2()).request({ ':method': 'POST' });
  stream.write('x');
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 408);
});

test('HTTP/2 responses to HEAD and to statuses without a body keep a known length', async () => {
  await using server = await Listening.start({
    handler: (exchange) =>
      exchange.respond(exchange.target === '/204' ? 204 : 200, {}, exchange.target === '/204' ? undefined : 'four'),
  });
  const session = await server.http2();
  const head = await ask(session, { ':method': 'HEAD' });
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '4']);
  const empty = await ask(session, { ':path': '/204' });
  assert.deepEqual([empty.status, empty.body, empty.headers['content-length']], [204, '', undefined]);
});

test('100 Continue in HTTP/2 is sent when the body is read, and not when it would be rejected', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.body(10).then(
        (body) => exchange.respond(200, {}, body),
        () => exchange.respond(413, {}, undefined),
      );
    },
  });
  const session = await server.http2();
  const stream = session.request({ ':method': 'POST', expect: '100-continue' });
  await once(stream, 'continue');
  stream.end('body');
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 200);
  const refused = session.request({ ':method': 'POST', expect: '100-continue', 'content-length': 11 });
  refused.on('continue', () => assert.fail('nobody wants this body')).on('error', () => {});
  const [refusal] = await once(refused, 'response');
  assert.equal(refusal[':status'], 413);
});

test('an HTTP/2 response to a client that has gone is ignored', async () => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<HttpExchange>();
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.signal.addEventListener('abort', () => left.resolve(exchange));
      arrived.resolve();
    },
  });
  const session = await server.http2();
  const stream = session.request({});
  stream.on('error', () => {});
  await arrived.promise;
  stream.close(constants.NGHTTP2_CANCEL);
  const exchange = await left.promise;
  assert.equal(exchange.signal.aborted, true);
  exchange.respond(200, {}, 'late');
  assert.equal(exchange.responded, true);
  assert.throws(() => exchange.respond(200, {}, 'twice'), /already/);
});

test('an HTTP/2 stream opened for a client that has gone is closed from the start', async () => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<HttpExchange>();
  await using server = await Listening.start({
    handler: (exchange) => {
      exchange.signal.addEventListener('abort', () => left.resolve(exchange));
      arrived.resolve();
    },
  });
  const stream = (await server.http2()).request({});
  stream.on('error', () => {});
  await arrived.promise;
  stream.close(constants.NGHTTP2_CANCEL);
  const writer = (await left.promise).stream(200, {});
  assert.equal(writer.closed, true);
  assert.equal(writer.write(Buffer.from('x')), false);
  await assert.rejects(writer.drained(), BodyAbortedError);
});

test('an HTTP/2 client that does not read holds the writer back until it reads', async () => {
  const opened = Promise.withResolvers<BodyWriter>();
  await using server = await Listening.start({
    handler: (exchange) => opened.resolve(exchange.stream(200, JSON_TYPE)),
  });
  const stream = (await server.http2()).request({});
  await once(stream, 'response');
  const writer = await opened.promise;
  const piece = Buffer.alloc(64 * 1024, 'x');
  let written = 0;
  do written += piece.length;
  while (written < 64 * 1024 * 1024 && (writer.write(piece) || writer.bufferedBytes < 4 * 1024 * 1024));
  assert.ok(writer.bufferedBytes >= 4 * 1024 * 1024, 'what the client has not taken is counted');
  let resumed = 0;
  writer.onDrain(() => resumed++);
  const drained = writer.drained();
  let received = 0;
  stream.on('data', (chunk) => {
    received += chunk.length;
  });
  await drained;
  assert.equal(resumed, 1);
  assert.equal(writer.bufferedBytes, 0);
  writer.end(Buffer.from('!'));
  assert.equal(writer.closed, true);
  await once(stream, 'end');
  assert.equal(received, written + 1);
});

test('an aborted HTTP/2 response ends with an error, not as if it were complete', async () => {
  await using server = await Listening.start({
    handler: (exchange) => {
      const writer = exchange.stream(200, {});
      writer.write(Buffer.from('half'));
      writer.destroy();
    },
  });
  await assert.rejects(ask(await server.http2(), {}), /NGHTTP2_INTERNAL_ERROR/);
});

test('an HTTP/2 client that cancels wakes a writer that waits for it', async () => {
  const opened = Promise.withResolvers<BodyWriter>();
  await using server = await Listening.start({ handler: (exchange) => opened.resolve(exchange.stream(200, {})) });
  const stream = (await server.http2()).request({});
  stream.on('error', () => {});
  await once(stream, 'response');
  const writer = await opened.promise;
  while (writer.write(Buffer.alloc(64 * 1024)));
  const drained = writer.drained();
  stream.close(constants.NGHTTP2_CANCEL);
  await assert.rejects(drained, BodyAbortedError);
  assert.equal(writer.closed, true);
});

test('CONNECT in HTTP/2 is a request without a path', async () => {
  await using server = await Listening.start({
    handler: (exchange) => exchange.respond(exchange.target === '' ? 404 : 500, {}, undefined),
  });
  const stream = (await server.http2()).request({ ':method': 'CONNECT', ':authority': 'example.com:443' });
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 404);
});

test('OPTIONS * in HTTP/2 is answered by the listener', async () => {
  await using server = await Listening.start({ handler: () => assert.fail('not for the handler') });
  const { status, headers } = await ask(await server.http2(), { ':method': 'OPTIONS', ':path': '*' });
  assert.deepEqual([status, headers['content-length']], [200, '0']);
});
