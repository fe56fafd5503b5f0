// Fuzzing of real sockets with what no proper client would send: garbage in place of TLS, of HTTP/1.1 and of HTTP/2,
// heads and bodies cut short, connections half closed or reset. The server goes on serving, logs no error and lets go
// of every socket.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { mutateBytes, noise } from './mutate.ts';
import { fuzzRun } from './run-options.ts';
import { CountingClock, ErrorLog } from './watched-environment.ts';

type Attack = (target: Target, random: SeededRandom) => Promise<void>;

interface Target {
  readonly port: number;
  readonly token: string;
}

test('no connection harms the server, whatever bytes it sends', { timeout: 3_600_000 }, async (context) => {
  const { seed, rounds } = fuzzRun(320);
  context.diagnostic(`seed ${seed}, ${rounds} connections`);
  const socketsBefore = openSockets();
  const clock = new CountingClock();
  const log = new ErrorLog();
  const server = await startTestServer({ listen: true }, { clock, log });
  try {
    const target = { port: Number(new URL(server.url).port), token: server.token };
    const random = new SeededRandom(seed);
    const together = 8;
    for (let round = 0; round < rounds; round += together) {
      // Each has randomness of its own, so that its bytes do not hang on who was faster.
      const seeds = Array.from({ length: together }, () => random.below(2 ** 32));
      await Promise.all(seeds.map((each) => attack(target, new SeededRandom(each))));
      await serves(server);
    }
    assert.deepEqual(log.errors, []);
    await clock.letGo();
  } finally {
    await server.close();
  }
  await until('every socket is closed', () => openSockets() <= socketsBefore);
});

function attack(target: Target, random: SeededRandom): Promise<void> {
  return random.pick(attacks)(target, random);
}

/** A proper client on a connection of its own is served. */
async function serves(server: TestServer): Promise<void> {
  const socket = connectTls({ port: Number(new URL(server.url).port), rejectUnauthorized: false });
  socket.end('GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of socket.setEncoding('utf8')) text += piece;
  assert.match(text, /^HTTP\/1\.1 200 /);
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /^T(CP|LS)(Socket|Wrap|Server)?/.test(name)).length;
}

const attacks: readonly Attack[] = [
  async ({ port }, random) => leave(await plain(port), noise(random, random.below(400)), random),
  async ({ port }, random) => leave(await plain(port), mutateBytes(clientHello, random), random),
  async ({ port }, random) => leave(await plain(port), Buffer.alloc(0), random),
  async (target, random) => leave(await secure(target.port, 'http/1.1'), http1Bytes(target, random), random),
  async (target, random) =>
    leave(await secure(target.port, 'http/1.1'), mutateBytes(http1Bytes(target, random), random), random),
  async ({ port }, random) => leave(await secure(port, 'h2'), noise(random, random.below(300)), random),
  async ({ port }, random) => leave(await secure(port, 'h2'), http2Bytes(random), random),
  async ({ port }, random) => leave(await secure(port, 'h2'), mutateBytes(http2Bytes(random), random), random),
];

/** A TLS record of a handshake that goes no further than its first fields. */
const clientHello = Buffer.from(`160301002e0100002a0303${'5a'.repeat(32)}000002130101000000`, 'hex');

interface Connection {
  /** What is written to. */
  readonly socket: Socket;
  /** What lies below TLS; the same without it. */
  readonly tcp: Socket;
}

async function plain(port: number): Promise<Connection> {
  const tcp = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(tcp, 'connect');
  return { socket: tcp, tcp };
}

async function secure(port: number, protocol: string): Promise<Connection> {
  const { tcp } = await plain(port);
  const socket = connectTls({ socket: tcp, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  await once(socket, 'secureConnect');
  return { socket, tcp };
}

/** Sends the bytes and goes, in one of the ways in which clients go. */
async function leave({ socket, tcp }: Connection, bytes: Buffer, random: SeededRandom): Promise<void> {
  const closed = new Promise<void>((resolve) => tcp.once('close', () => resolve()));
  tcp.on('error', () => {});
  socket.on('error', () => {}).resume();
  const way = random.below(4);
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(bytes.length === 0 ? Buffer.from('\0') : bytes, () => resolve());
  });
  if (way === 0) socket.destroy();
  else if (way === 1) tcp.resetAndDestroy();
  else if (way === 2) socket.end();
  // Half closed, a server that still has something to say says it; a client has patience for the first of it only.
  if (way >= 2) {
    await Promise.race([closed, once(socket, 'data').catch(() => {}), new Promise((wake) => setTimeout(wake, 100))]);
    socket.destroy();
  }
  await closed;
}

const objects = '/api/v1/namespaces/default/configmaps';

function http1Bytes({ token }: Target, random: SeededRandom): Buffer {
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"x-"}}';
  const upgrade = head('GET /api/v1/namespaces/default/pods/x/exec', 'Connection: Upgrade', 'Upgrade: SPDY/3.1');
  const watchUpgrade = head(
    `GET ${objects}?watch=1`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Origin: x',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  );
  const texts = [
    head(`GET ${objects}`),
    head(`GET ${objects}`) + head(`GET ${objects}?watch=1`) + head('GET /version'),
    head(`GET ${objects}?watch=1`),
    head(`POST ${objects}`, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body,
    head(`POST ${objects}`, 'Content-Type: application/json', 'Content-Length: 99999') + body,
    head(`POST ${objects}`, 'Content-Length: 99999999999'),
    head(`POST ${objects}`, 'Content-Length: -1'),
    head(`POST ${objects}`, 'Content-Length: 1', 'Content-Length: 2'),
    `${head(`POST ${objects}`, 'Transfer-Encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`,
    `${head(`POST ${objects}`, 'Transfer-Encoding: chunked')}5\r\n{"a":\r\n`,
    head(`POST ${objects}`, 'Transfer-Encoding: chunked', 'Content-Length: 3'),
    head(`POST ${objects}`, 'Expect: 100-continue', 'Content-Length: 70'),
    head(
      `GET ${objects}?watch=1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Origin: x',
      'Sec-WebSocket-Version: 13',
    ),
    watchUpgrade,
    upgrade,
    head('GET /version') + upgrade,
    upgrade + upgrade,
    head(`GET ${objects}?watch=1`) + upgrade + head('GET /version'),
    head(`POST ${objects}`, 'Content-Length: 10') + upgrade,
    head('GET /version') + head('CONNECT example.com:443'),
    head('GET /version') + watchUpgrade,
    head('GET /version').repeat(5) + watchUpgrade + head('GET /version'),
    `${watchUpgrade}\x81\xff\0\0\0\x7f\xff\xff\xff\xff`,
    head('GET /version').repeat(500),
    head('CONNECT example.com:443'),
    head('GET http://other.example.com/version'),
    head('GET *'),
    head(`GET /${'x'.repeat(70_000)}`),
    head('GET /version', ...Array.from({ length: 300 }, (_, index) => `X-${index}: y`)),
    head('GET /version', 'X-Bad\0: y'),
    head('GET /version', ' folded: y'),
    'GET /version HTTP/9.9\r\n\r\n',
    'GET /version\r\n\r\n',
    '\r\n\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ];
  return Buffer.from(random.pick(texts), 'latin1');
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** The preface, settings, and then frames of which one field or another is not as it should be. */
function http2Bytes(random: SeededRandom): Buffer {
  const frames = Array.from({ length: 1 + random.below(6) }, () => {
    const payload = random.chance(50) ? headerBlock : noise(random, random.below(40));
    const type = random.chance(60) ? 1 : random.below(12);
    const flags = random.chance(60) ? 0x05 : random.below(256);
    return frame({ type, flags, stream: random.pick([0, 1, 1, 3, 5, 2, 0x7fffffff]), payload });
  });
  return Buffer.concat([preface, frame({ type: 4, flags: 0, stream: 0, payload: Buffer.alloc(0) }), ...frames]);
}

/** GET, https, / and an authority, from the static table. */
const headerBlock = Buffer.from([0x82, 0x87, 0x84, 0x41, 0x01, 0x78]);

function frame({
  type,
  flags,
  stream,
  payload,
}: {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
