import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import { forwardPorts } from './forwarded-ports.ts';

/** A client of a pod whose port 80 is open. */
function startForwarding() {
  const [client, socket] = duplexPair();
  const forwarding = forwardPorts(socket, (port) =>
    port === 80
      ? ({ method, target }) => ({ status: 200, contentType: 'text/plain', body: `${method} ${target}` })
      : undefined,
  );
  const connection = new SpdyConnection({ input: client, output: client, clock: new ManualClock() });
  void connection.read();
  let connections = 0;
  /** Opens the streams of a connection: its data stream, and what both bring until they end. */
  const connect = async (port: number) => {
    const requestID = String(connections++);
    const texts = { data: '', error: '' };
    const open = async (streamType: 'data' | 'error') => {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const receive = (piece: Buffer) => void (texts[streamType] += piece.toString());
      const stream = await connection.open({ streamType, port: String(port), requestID }, receive, resolve);
      return { stream, ended };
    };
    const error = await open('error');
    const data = await open('data');
    return { stream: data.stream, texts, ended: Promise.all([error.ended, data.ended]) };
  };
  return { connect, connection, forwarding };
}

test('an open port of a simulated pod answers over HTTP through a forwarded connection', async () => {
  const { connect, connection, forwarding } = startForwarding();
  const { stream, texts, ended } = await connect(80);
  stream.write(
    Buffer.from('GET /a HTTP/1.1\r\nhost: x\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
  );
  await ended;
  assert.match(texts.data, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(texts.data, /GET \/a\r\n.*GET \/b\r\n/s);
  assert.equal(texts.error, '');
  connection.close();
  await forwarding;
});

test('a connection to a closed port of a simulated pod is refused in its error stream', async () => {
  const { connect, connection, forwarding } = startForwarding();
  const { texts, ended } = await connect(81);
  await ended;
  assert.equal(texts.error, 'error forwarding port 81 to pod: dial tcp4 127.0.0.1:81: connect: connection refused');
  connection.close();
  await forwarding;
});

test('a client forwards a limited number of connections to a simulated pod', async () => {
  const { connect, connection, forwarding } = startForwarding();
  for (let count = 0; count < limits.forwardedConnections; count++) await connect(80);
  const { texts, ended } = await connect(80);
  await ended;
  assert.match(texts.error, /connection refused/);
  connection.close();
  await forwarding;
});
