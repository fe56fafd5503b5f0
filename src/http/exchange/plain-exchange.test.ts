import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerPlain } from './plain-exchange.ts';
import type { HttpExchange } from './transport.ts';

const request = { method: 'POST', target: '/api?x=1', headers: { accept: 'text/plain' }, body: Buffer.from('sent') };

test('a plain exchange returns a response in one piece or in several as a whole', async () => {
  const handlers: ((exchange: HttpExchange) => void)[] = [
    (exchange) => exchange.respond(201, { 'x-a': 'b' }, 'answered'),
    (exchange) => {
      const writer = exchange.stream(201, { 'x-a': 'b' });
      const piece = Buffer.from('answ');
      writer.write(piece);
      piece.write('ered');
      writer.end(piece);
    },
  ];
  for (const handler of handlers) {
    const { status, headers, body } = await answerPlain(request, handler);
    assert.deepEqual(
      { status, headers, body: body.toString() },
      { status: 201, headers: { 'x-a': 'b' }, body: 'answered' },
    );
  }
});

test('the handler of a plain exchange gets the method, target, headers and body of the request', async () => {
  const { body } = await answerPlain(request, async (exchange) => {
    const { method, target, headers } = exchange;
    assert.deepEqual({ method, target, headers }, { method: 'POST', target: '/api?x=1', headers: request.headers });
    await assert.rejects(exchange.body(3), { name: 'BodyTooLargeError' });
    exchange.respond(200, {}, await exchange.body(4));
  });
  assert.equal(body.toString(), 'sent');
});

test('the body of a plain response to HEAD is empty', async () => {
  const { body } = await answerPlain({ ...request, method: 'HEAD' }, (exchange) => exchange.respond(200, {}, 'text'));
  assert.equal(body.length, 0);
});

test('a plain exchange is over once its response is complete', async () => {
  const over: string[] = [];
  await answerPlain(request, (exchange) => {
    exchange.whenOver(() => over.push('called'));
    const writer = exchange.stream(200, {});
    assert.equal(exchange.over, false);
    writer.end();
    assert.equal(exchange.over, true);
    assert.throws(() => exchange.respond(200, {}, ''), /answered already/);
  });
  assert.deepEqual(over, ['called']);
});

test('a plain response that is aborted rejects', async () => {
  for (const broken of [
    (exchange: HttpExchange) => exchange.destroy(),
    (exchange: HttpExchange) => exchange.stream(200, {}).destroy(),
  ]) {
    await assert.rejects(answerPlain(request, broken), { name: 'BodyAbortedError' });
  }
});
