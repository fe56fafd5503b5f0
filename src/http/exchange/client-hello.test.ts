import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { clientHello } from '../../../test/client-hello.ts';
import { readClientHello } from './client-hello.ts';

/** The same message in records of `size` bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const body = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, body.length >> 8, body.length & 255]), body);
  }
  return Buffer.concat(records);
}

/** How many bytes are asked for while the client's bytes come one by one. */
function questions(bytes: Buffer): number[] {
  const asked: number[] = [];
  for (let length = 1; length <= bytes.length; length++) {
    const { needed } = readClientHello(bytes.subarray(0, length));
    if (asked.at(-1) !== needed) asked.push(needed);
  }
  return asked;
}

test('a ClientHello is complete with the last byte of its record', async () => {
  const hello = await clientHello({ servername: 'one.example' });
  assert.deepEqual(questions(hello), [5, hello.length]);
});

test('a ClientHello in several records is complete with the last one', async () => {
  const hello = await clientHello({});
  for (const size of [1, 3, 100]) {
    const split = inRecords(hello, size);
    assert.equal(readClientHello(split.subarray(0, -1)).needed, split.length);
    assert.equal(readClientHello(split).needed, split.length);
  }
});

test('a ClientHello names the server that it asks for', async () => {
  const hello = await clientHello({ servername: 'one.example' });
  assert.equal(readClientHello(hello).serverName, 'one.example');
  assert.equal(readClientHello(inRecords(hello, 50)).serverName, 'one.example');
  assert.equal(readClientHello(await clientHello({})).serverName, undefined);
});

test('whatever is not a TLS handshake is complete at once', () => {
  for (const text of ['GET / HTTP/1.1\r\n', '\x80\x2e\x01\x00\x02', '\x16\x03\x01\x00\x00', '\x16\x03\x01\xff\xff'])
    assert.equal(readClientHello(Buffer.from(text, 'latin1')).needed, Buffer.byteLength(text, 'latin1'));
});

test('a damaged ClientHello has no server name or another, and never an error', async () => {
  const hello = await clientHello({ servername: 'one.example' });
  for (let at = 5; at < hello.length; at++) {
    const damaged = Buffer.from(hello);
    damaged[at] = damaged[at]! ^ 0xff;
    assert.doesNotThrow(() => readClientHello(damaged));
  }
});

test('a ClientHello says whether its client speaks TLS 1.3', async () => {
  assert.equal(readClientHello(await clientHello({ servername: 'one.example' })).isTls13, true);
  assert.equal(readClientHello(await clientHello({ maxVersion: 'TLSv1.2' })).isTls13, undefined);
});
