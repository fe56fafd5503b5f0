import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { FLAG, FRAME } from '../src/http2/protocol.ts';
import { FrameReader, frame, headerBlock, statusOf, windowUpdate } from './http2-frames.ts';

test('frames are read as they were written, wherever the connection cuts them', () => {
  const bytes = Buffer.concat([
    frame({ type: FRAME.settings, flags: 0, stream: 0 }, Buffer.alloc(0)),
    frame({ type: FRAME.headers, flags: FLAG.endHeaders, stream: 1 }, Buffer.from([0x88])),
    frame({ type: FRAME.data, flags: 0, stream: 1 }, Buffer.from('one ')),
    windowUpdate(0, 100),
    frame({ type: FRAME.data, flags: FLAG.endStream, stream: 1 }, Buffer.from('two')),
  ]);
  for (let size = 1; size <= bytes.length; size++) {
    const frames: string[] = [];
    let body = '';
    let ends = 0;
    const reader = new FrameReader({
      data: (_, piece, last) => {
        body += piece.toString();
        if (last) ends++;
      },
      frame: ({ type, stream }, payload) => frames.push(`${type} ${stream} ${payload.toString('hex')}`),
    });
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    assert.deepEqual(frames, ['4 0 ', '1 1 88', '8 0 00000064'], `in pieces of ${size}`);
    assert.equal(body, 'one two');
    assert.equal(ends, 1);
  }
});

test('statuses are read in every form that HPACK has for them without a table', () => {
  const cases: [block: string, status: number][] = [
    ['88', 200],
    ['208d', 404],
    ['4803323031', 201],
    ['48821003', 201],
    // The examples of RFC 7541, C.6.
    ['48826402', 302],
    ['4883640eff', 307],
    ['0883680fff', 409],
  ];
  for (const [block, status] of cases) assert.equal(statusOf(Buffer.from(block, 'hex')), status, block);
});

test('a header block is literal, its lengths in as many bytes as they need', () => {
  const head = { method: 'GET', authority: 'a', token: 't', contentType: undefined, contentLength: 0 };
  const path = `/${'x'.repeat(299)}`;
  const block = headerBlock({ ...head, path }).toString('latin1');
  assert.ok(block.startsWith(`\x82\x87\x04\x7f\xad\x01${path}\x01\x01a`));
  assert.ok(block.includes('\x0f\x08\x08Bearer t'));
});
