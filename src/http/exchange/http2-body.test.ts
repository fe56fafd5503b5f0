import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { frames } from '../../../test/http2-client.ts';
import { Serving } from '../../../test/http2-session.ts';
import { BodyStream } from './http2-body.ts';

test('DATA frames of one byte each are one piece for a reader that comes late', async () => {
  await using serving = await Serving.start();
  const { client } = serving;
  client.send(frames.post(1), ...Array.from({ length: 5_000 }, () => frames.data(1, 'x')));
  const stream = await serving.stream();
  const body = new BodyStream(stream);
  client.send(...Array.from({ length: 5_000 }, () => frames.data(1, 'y')));
  await client.settled();
  const pieces: Buffer[] = [];
  body.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => body.on('end', resolve));
  client.send(frames.lastData(1, 'z'));
  await ended;
  assert.equal(Buffer.concat(pieces).toString(), `${'x'.repeat(5_000)}${'y'.repeat(5_000)}z`);
  assert.ok(pieces.length < 10, `${pieces.length} pieces`);
});
