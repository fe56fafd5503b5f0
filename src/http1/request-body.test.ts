import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { RequestBody } from './request-body.ts';
import { HeadReader, type RequestHead } from './request-head.ts';

function chunkedBody(): { body: RequestBody; socket: PassThrough } {
  const reader = new HeadReader();
  let head: RequestHead | undefined;
  for (const line of ['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '']) head = reader.line(line);
  const socket = new PassThrough();
  socket.resume();
  return { body: new RequestBody(socket, head as RequestHead), socket };
}

test('small pieces of a body that arrive before it is read are passed on as one', async () => {
  const { body } = chunkedBody();
  for (let index = 0; index < 10_000; index++) body.arrives(Buffer.from('x'));
  const pieces: Buffer[] = [];
  body.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => body.on('end', resolve));
  body.completes();
  await ended;
  assert.equal(Buffer.concat(pieces).length, 10_000);
  assert.ok(pieces.length <= 2, `${pieces.length} pieces`);
});

test('an HTTP/1.1 client is held back until its body is read', async () => {
  const { body, socket } = chunkedBody();
  for (let index = 0; index < 5; index++) body.arrives(Buffer.alloc(16 * 1024));
  assert.equal(socket.isPaused(), true);
  body.completes();
  assert.equal((await buffer(body)).length, 5 * 16 * 1024);
  assert.equal(socket.isPaused(), false);
});

test('an empty body ends, and one that is truncated fails', async () => {
  const empty = chunkedBody().body;
  empty.completes();
  assert.equal((await buffer(empty)).length, 0);
  const { body } = chunkedBody();
  body.arrives(Buffer.from('x'));
  body.cut();
  await assert.rejects(buffer(body), /unexpected EOF/);
});
