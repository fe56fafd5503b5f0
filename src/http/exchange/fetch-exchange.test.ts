import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { answerFetch } from './fetch-exchange.ts';
import { BodyAbortedError, type BodyWriter, type HttpExchange } from './transport.ts';

const ORIGIN = 'https://keelson.invalid';

function answer(handler: (exchange: HttpExchange) => void, path = '/', init: RequestInit = {}): Promise<Response> {
  const options = { handler, clock: new ManualClock(), bodyTimeoutMs: 1000 };
  return answerFetch(new Request(ORIGIN + path, init), options);
}

test('a Fetch request becomes an exchange, and its answer a Fetch response', async () => {
  let seen: HttpExchange | undefined;
  const response = await answer(
    (exchange) => {
      seen = exchange;
      exchange.respond(201, { 'content-type': 'text/plain', warning: ['299 - "a"', '299 - "b"'] }, 'made');
    },
    '/api/v1/pods?limit=1',
    { method: 'DELETE', headers: { Authorization: 'Bearer t' } },
  );
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('content-length'), '4');
  assert.equal(response.headers.get('warning'), '299 - "a", 299 - "b"');
  assert.equal(await response.text(), 'made');
  assert.deepEqual([seen?.method, seen?.target], ['DELETE', '/api/v1/pods?limit=1']);
  assert.equal(seen?.headers['authorization'], 'Bearer t');
  assert.throws(() => seen?.respond(200, {}, 'twice'), /already/);
});

test('the body of a Fetch request is read up to its limit', async () => {
  const echo = (exchange: HttpExchange) => {
    exchange.body(8).then(
      (body) => exchange.respond(200, {}, body),
      (error) => exchange.respond(413, {}, error.name),
    );
  };
  assert.equal(await (await answer(echo, '/', { method: 'POST', body: 'x'.repeat(8) })).text(), 'xxxxxxxx');
  assert.equal(await (await answer(echo, '/', { method: 'POST', body: 'x'.repeat(9) })).text(), 'BodyTooLargeError');
  assert.equal(await (await answer(echo)).text(), '');
});

test('the body of a Fetch request whose source fails is an error', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('half'));
      controller.error(new Error('lost'));
    },
  });
  const response = await answer(
    (exchange) => {
      exchange.body(100).catch((error) => exchange.respond(400, {}, error.name));
    },
    '/',
    { method: 'POST', body, duplex: 'half' } as RequestInit,
  );
  assert.equal(await response.text(), 'BodyAbortedError');
});

test('a Fetch response to HEAD and with status 204 has no body', async () => {
  const head = await answer((exchange) => exchange.respond(200, {}, 'four'), '/', { method: 'HEAD' });
  assert.deepEqual([head.headers.get('content-length'), await head.text()], ['4', '']);
  const empty = await answer((exchange) => exchange.respond(204, {}, undefined));
  assert.equal(empty.body, null);
});

test('a streamed Fetch response holds its writer back until it is read', async () => {
  let writer!: BodyWriter;
  const response = await answer((exchange) => {
    writer = exchange.stream(200, {});
  });
  assert.equal(writer.write(Buffer.from('begun')), true);
  assert.equal(writer.bufferedBytes, 5);
  const piece = Buffer.alloc(100_000, 'x');
  assert.equal(writer.write(piece), false);
  let resumed = 0;
  writer.onDrain(() => resumed++);
  const drained = writer.drained();
  const reader = response.body!.getReader();
  const first = (await reader.read()).value!;
  assert.equal(Buffer.from(first).toString(), 'begun');
  const second = (await reader.read()).value!;
  second.fill(0);
  assert.equal(piece[0], 'x'.charCodeAt(0), 'the reader has a copy');
  await drained;
  assert.equal(resumed, 1);
  writer.end(Buffer.from('!'));
  assert.equal(Buffer.from((await reader.read()).value!).toString(), '!');
  assert.equal((await reader.read()).done, true);
  assert.equal(writer.closed, true);
});

test('a streamed Fetch response that is aborted fails its reader', async () => {
  const response = await answer((exchange) => {
    const writer = exchange.stream(200, {});
    writer.write(Buffer.from('half'));
    writer.destroy();
  });
  await assert.rejects(response.text(), BodyAbortedError);
});

test('a reader that cancels a Fetch response ends the exchange', async () => {
  let exchange!: HttpExchange;
  let writer!: BodyWriter;
  const response = await answer((each) => {
    exchange = each;
    writer = each.stream(200, {});
  });
  await response.body!.cancel();
  assert.equal(exchange.signal.aborted, true);
  assert.equal(writer.closed, true);
  assert.equal(writer.write(Buffer.from('x')), false);
  await assert.rejects(writer.drained(), BodyAbortedError);
});

test('an aborted Fetch request rejects before its response and is aborted after it', async () => {
  const before = new AbortController();
  let exchange!: HttpExchange;
  const never = answer(
    (each) => {
      exchange = each;
    },
    '/',
    { signal: before.signal },
  );
  before.abort(new Error('changed my mind'));
  await assert.rejects(never, /changed my mind/);
  assert.equal(exchange.signal.aborted, true);
  await assert.rejects(
    answer(() => assert.fail('too late'), '/', { signal: AbortSignal.abort() }),
    /abort/,
  );

  const after = new AbortController();
  let writer!: BodyWriter;
  const response = await answer(
    (each) => {
      writer = each.stream(200, {});
    },
    '/',
    { signal: after.signal },
  );
  after.abort();
  assert.equal(writer.closed, true);
  await assert.rejects(response.text());
});
