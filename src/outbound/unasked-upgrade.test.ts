import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RequestOptions, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { suite, test } from 'node:test';
import { rejectUnaskedUpgrade } from './unasked-upgrade.ts';

/** The error of a request that a server answers with these bytes. */
async function errorOf(head: string, options: RequestOptions = {}): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).write(head)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { promise, resolve } = Promise.withResolvers<string>();
  const outgoing = request({ host: '127.0.0.1', port, ...options }).on('error', () => {});
  const closed = once(outgoing, 'close');
  outgoing.on('response', (response) => {
    response.resume();
    resolve('a response');
  });
  rejectUnaskedUpgrade(outgoing, ({ message }) => resolve(message));
  outgoing.end();
  const message = await promise;
  await closed;
  server.close();
  return message;
}

suite('responses that switch protocols without a request', () => {
  test('a response 101 with an Upgrade header is rejected and its connection closed', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    assert.equal(await errorOf(head), 'backend tried to switch protocol "websocket" when "" was requested');
  });

  test('a response 101 without an Upgrade header is rejected and its connection closed', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
    assert.equal(await errorOf(head), 'backend tried to switch protocol "" when "" was requested');
  });

  test('other informational responses are followed by the response', async () => {
    const head = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    assert.equal(await errorOf(head), 'a response');
  });
});
