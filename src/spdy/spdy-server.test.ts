import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createDeflate, createInflate } from 'node:zlib';
import { ManualClock } from '../base/clock.ts';
import { SpdyConnection } from './spdy-connection.ts';
import { spdyDictionary } from './spdy-dictionary.ts';
import { SpdyServer } from './spdy-server.ts';

/** A server that says hello in each stream, and ends it. */
function greeting() {
  const [client, socket] = duplexPair();
  const opened: string[] = [];
  const server = new SpdyServer(socket, {
    opened: (type, id) => {
      opened.push(type);
      void server.send(id, `hello ${type}`).then(() => server.end(id));
    },
    closed: () => opened.push('closed'),
  });
  return { client, opened, reading: server.read() };
}

test('a SPDY server serves a client that opens several streams', async () => {
  const { client, opened, reading } = greeting();
  const connection = new SpdyConnection({ input: client, output: client, clock: new ManualClock() });
  void connection.read();
  const texts: string[] = [];
  const ended = ['stdout', 'error'].map(async (streamType) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await connection.open({ streamType }, (data) => void texts.push(data.toString()), resolve);
    await promise;
  });
  await Promise.all(ended);
  assert.deepEqual(texts, ['hello stdout', 'hello error']);
  connection.close();
  await reading;
  assert.deepEqual(opened, ['stdout', 'error', 'closed']);
});

test('a SPDY server reads compressed headers, and its replies can be decompressed', async () => {
  const { client, opened } = greeting();
  const deflate = createDeflate({ dictionary: spdyDictionary() });
  const compressed: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => compressed.push(piece));
  const inflate = createInflate({ dictionary: spdyDictionary() });
  for (const [id, type] of [
    [1, 'error'],
    [3, 'stdout'],
  ] as const) {
    const text = Buffer.from(`....${'\0\0\0\n'}streamtype${'\0\0\0'}${String.fromCharCode(type.length)}${type}`);
    text.writeUInt32BE(1);
    deflate.write(text);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    await nextTurn();
    const block = Buffer.concat(compressed.splice(0));
    const frame = Buffer.alloc(18);
    frame.writeUInt32BE(0x8003_0001);
    frame.writeUInt32BE(10 + block.length, 4);
    frame.writeUInt32BE(id, 8);
    client.write(Buffer.concat([frame, block]));
    const reply = await new Promise<Buffer>((resolve) => client.once('data', resolve));
    assert.equal(reply.readUInt32BE(8), id);
    inflate.write(reply.subarray(12, 8 + (reply.readUInt32BE(4) & 0xff_ffff)));
    const headers = await new Promise<Buffer>((resolve) => inflate.once('data', resolve));
    assert.deepEqual([...headers], [0, 0, 0, 0]);
  }
  assert.deepEqual(opened, ['error', 'stdout']);
  client.destroy();
});
