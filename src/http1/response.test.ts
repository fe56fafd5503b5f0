import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import type { RequestHead } from './request-head.ts';
import { responseBuffers, ServerResponse } from './response.ts';

/** A response on a connection whose client reads nothing before `read`. */
function slowResponse(request: Partial<RequestHead>) {
  const sent: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const socket = new Writable({
    write(piece: Buffer, _encoding, done) {
      waiting.push(() => {
        sent.push(Buffer.from(piece));
        done();
      });
    },
  });
  const owner = { socket, date: () => '', spares: responseBuffers(), mustClose: () => false, responded() {} };
  const head = { method: 'GET', isModern: true, keepsAlive: true, ...request };
  const response = new ServerResponse(owner as never, head as RequestHead);
  const read = async () => {
    for (; waiting.length > 0; await new Promise(setImmediate)) waiting.shift()!();
    return Buffer.concat(sent).toString('latin1');
  };
  return { response, read };
}

for (const size of [10, 64 * 1024, limits.responsePieceBytes, 2 * limits.responsePieceBytes]) {
  test(`a piece of ${size} bytes may be reused before it is sent`, async () => {
    for (const length of [undefined, 3 * size]) {
      const { response, read } = slowResponse({});
      response.begin(200, length === undefined ? {} : { 'content-length': length });
      const piece = Buffer.alloc(size);
      for (const letter of ['a', 'b', 'c']) response.write(piece.fill(letter));
      response.end();
      const text = await read();
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      const chunk = (letter: string) => {
        const content = letter.repeat(size);
        return length === undefined ? `${size.toString(16)}\r\n${content}\r\n` : content;
      };
      assert.ok(body === chunk('a') + chunk('b') + chunk('c') + (length === undefined ? '0\r\n\r\n' : ''));
    }
  });
}
