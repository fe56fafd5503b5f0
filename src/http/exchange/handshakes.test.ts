import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { clientHello } from '../../../test/client-hello.ts';
import { certificates, Listening, type ListeningOptions, readAll, realClock } from '../../../test/listening.ts';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { type Log, silentLog } from '../../base/log.ts';

const WAITING = 'keelson_tls_handshakes_waiting';
const IN_PROGRESS = 'keelson_tls_handshakes_in_progress';
const BEGUN = 'keelson_tls_handshakes_begun_total';
const ERRORS = 'apiserver_tls_handshake_errors_total';
const dropped = (reason: string) => `keelson_tls_handshakes_dropped_total{reason="${reason}"}`;
const ended = (result: string) => `keelson_tls_handshakes_ended_total{result="${result}"}`;

/** A fatal alert of TLS. */
const UNKNOWN_CA = Buffer.from([21, 3, 3, 0, 2, 2, 48]);

function start(options: Partial<ListeningOptions> = {}): Promise<Listening> {
  return Listening.start({ handler: (exchange) => exchange.respond(200, {}, 'x'), ...options });
}

/** A TCP connection whose client has sent these bytes. */
async function client(server: Listening, bytes: Buffer | string = ''): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

/** Unlike `once`, it minds no error before. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function reached(server: Listening, name: string, value: number): Promise<void> {
  await until(`${name} is ${value}`, () => server.metric(name) === value);
}

/** A server whose only slot is taken by a client that does not reply, as its clock stands still. */
async function busy(options: Partial<ListeningOptions> = {}) {
  const hello = await clientHello({});
  const clock = new ManualClock(Date.now());
  const server = await start({ clock, ...options, limits: { handshakesAtOnce: 1, ...options.limits } });
  const first = await client(server, hello);
  await reached(server, IN_PROGRESS, 1);
  return { hello, clock, server, first };
}

test('no TLS handshake is computed for clients that close or half-close their connection before their turn', async () => {
  const { hello, server: made, first } = await busy();
  await using server = made;
  const [leaving, ending, aborting] = [
    await client(server, hello),
    await client(server, hello),
    await client(server, hello),
  ];
  const silent = await client(server);
  await reached(server, WAITING, 4);
  leaving.destroy();
  ending.end();
  aborting.resetAndDestroy();
  silent.end();
  await reached(server, dropped('closed'), 4);
  first.destroy();
  await reached(server, ended('closed'), 1);
  assert.equal(server.metric(WAITING), 0);
  assert.equal(server.metric(BEGUN), 1);
  assert.equal(server.metric(ERRORS), 5);
  (await server.tls()).destroy();
  assert.equal(server.metric(BEGUN), 2);
});

test('no TLS handshake is computed for clients that have gone when the server reads their ClientHello', async () => {
  const hello = await clientHello({});
  await using server = await start();
  for (let count = 1; count <= 20; count++) {
    const socket = await client(server);
    await reached(server, WAITING, 1);
    socket.write(hello);
    socket.destroy();
    await reached(server, dropped('closed'), count);
  }
  assert.equal(server.metric(BEGUN), 0);
});

test('TLS handshakes in progress are limited, and all clients are served in the end', async () => {
  await using server = await start({ limits: { handshakesAtOnce: 3 } });
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, server.metric(IN_PROGRESS));
  }, 0);
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = await server.tls({ cert: certificates.adminCertPem, key: certificates.adminKeyPem });
      most = Math.max(most, server.metric(IN_PROGRESS));
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.match(await readAll(socket), /x$/);
    }),
  );
  clearInterval(watch);
  assert.ok(most <= 3, `${most} in progress`);
  assert.equal(server.metric(ended('succeeded')), 40);
  assert.equal(server.metric(ERRORS), 0);
});

test('one TLS handshake begins per round of the event loop, so that others have their turn', async () => {
  const hello = await clientHello({});
  await using server = await start();
  const parts = await Promise.all(Array.from({ length: 12 }, () => client(server, hello.subarray(0, -1))));
  await reached(server, WAITING, 12);
  for (const each of parts) each.write(hello.subarray(-1));
  for (let before = 0; before < 12; ) {
    await nextRound();
    const begun = server.metric(BEGUN);
    assert.ok(begun - before <= 1, `${begun - before} at once`);
    before = begun;
  }
});

test('a client that sends its ClientHello in pieces holds no handshake slot until it is complete', async () => {
  await using server = await start({ limits: { handshakesAtOnce: 1 } });
  const hello = await clientHello({});
  const slow = await client(server, hello.subarray(0, 3));
  await reached(server, WAITING, 1);
  (await server.tls()).destroy();
  slow.write(hello.subarray(3, 100));
  (await server.tls()).destroy();
  slow.write(hello.subarray(100));
  await reached(server, IN_PROGRESS, 1);
});

test('a client that does not reply holds its handshake slot for a short time', async () => {
  const { clock, server: made } = await busy({ limits: { handshakeReplyMs: 100 } });
  await using server = made;
  const next = server.tls();
  await reached(server, WAITING, 1);
  await nextRound();
  await nextRound();
  assert.equal(server.metric(WAITING), 1);
  clock.advance(100);
  await next;
  await reached(server, ended('succeeded'), 1);
  assert.equal(server.metric(IN_PROGRESS), 1);
});

test('TLS handshakes begin in order, and the newest first once one has waited for long', async () => {
  for (const { waitMs, order } of [
    { waitMs: 900, order: 'abc' },
    { waitMs: 1_100, order: 'cba' },
  ]) {
    const { clock, server: made, first } = await busy({ limits: { handshakeReplyMs: 60_000 } });
    await using server = made;
    let served = '';
    const all = [];
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      all.push(server.tls().then(() => (served += name)));
      await reached(server, WAITING, index + 1);
      // A round of its own for its first message.
      for (let rounds = 0; rounds < 5; rounds++) await nextRound();
    }
    clock.advance(waitMs);
    first.destroy();
    await Promise.all(all);
    assert.equal(served, order);
  }
});

test('a client that waits longer than the handshake timeout is closed, and nothing is computed for it', async () => {
  const { hello, clock, server: made, first } = await busy({ limits: { handshakeReplyMs: 60_000 } });
  await using server = made;
  const waiting = await client(server, hello);
  const silent = await client(server);
  await reached(server, WAITING, 2);
  const over = [first, waiting, silent].map(closing);
  clock.advance(10_000);
  await Promise.all(over);
  assert.equal(server.metric(dropped('timeout')), 2);
  assert.equal(server.metric(ended('timeout')), 1);
  assert.equal(server.metric(BEGUN), 1);
});

test('clients that wait for their handshake are limited in number: the oldest is closed', async () => {
  const { hello, server: made } = await busy({ limits: { waitingHandshakes: 2 } });
  await using server = made;
  const oldest = await client(server, hello);
  const over = closing(oldest);
  await reached(server, WAITING, 1);
  await client(server, hello);
  await reached(server, WAITING, 2);
  await client(server, hello);
  await over;
  assert.equal(server.metric(dropped('too_many')), 1);
  assert.equal(server.metric(WAITING), 2);
});

test('clients that wait for their handshake are limited in bytes: the oldest is closed', async () => {
  const { length } = await clientHello({});
  const { hello, server: made } = await busy({ limits: { waitingHandshakeBytes: 2 * length } });
  await using server = made;
  const over = closing(await client(server, hello));
  await client(server, hello);
  await reached(server, WAITING, 2);
  await client(server, hello);
  await over;
  assert.equal(server.metric(dropped('too_many')), 1);
});

test('a client that sends too much before its handshake is closed', async () => {
  const { hello, server: made } = await busy({ limits: { clientHelloBytes: 4_096 } });
  await using server = made;
  const talker = await client(server, hello);
  await reached(server, WAITING, 1);
  const over = closing(talker);
  talker.write('x'.repeat(5_000));
  await over;
  assert.equal(server.metric(dropped('too_long')), 1);
});

test('a drain closes the connections whose TLS handshake has not begun', async () => {
  const { hello, server: made, first } = await busy();
  await using server = made;
  const waiting = await client(server, hello);
  await reached(server, WAITING, 1);
  const over = closing(waiting);
  const drained = server.listener.drain(60_000);
  await over;
  assert.equal(server.metric(dropped('shutdown')), 1);
  first.destroy();
  await drained;
});

test('a client that goes right after its ClientHello costs its connection only, whatever names are served', async () => {
  const named = [{ cert: certificates.servingCertPem, key: certificates.servingKeyPem, names: ['one.example'] }];
  const hello = await clientHello({ requestOCSP: true });
  await using server = await start();
  const { servingCertPem: cert, servingKeyPem: key, caCertPem: ca } = certificates;
  server.listener.setTls({ cert, key, ca, named });
  for (let round = 1; round <= 20; round++) {
    const gone = await client(server, hello);
    while (server.metric(BEGUN) < round) await nextRound();
    gone.destroy();
    await reached(server, ended('closed'), round);
  }
});

test('failed TLS handshakes are counted by reason', async () => {
  await using server = await start({ clock: realClock });
  const hello = await clientHello({});
  const refusing = await client(server, hello);
  await reached(server, IN_PROGRESS, 1);
  refusing.write(UNKNOWN_CA);
  await reached(server, ended('refused'), 1);
  await closing(await client(server, 'GET / HTTP/1.1\r\n\r\n'));
  await reached(server, ended('plain_http'), 1);
  await closing(await client(server, 'SSH-2.0-OpenSSH_9.0\r\n'));
  await reached(server, ended('protocol'), 1);
  (await client(server, hello)).resetAndDestroy();
  await until('a reset is counted', () => server.metric(ended('closed')) + server.metric(dropped('closed')) === 1);
  assert.equal(server.metric(ERRORS), 4);
});

test('a connection that is closed before its TLS handshake is logged like a failed one', async () => {
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, debug: (_source, message, fields) => lines.push([message, fields]) };
  await using server = await start({ log });
  (await client(server)).end();
  await reached(server, dropped('closed'), 1);
  assert.deepEqual(lines, [['TLS handshake failed', { error: 'closed', remoteAddress: '127.0.0.1' }]]);
});

test('a TLS session is not resumed after the client CAs have changed', async () => {
  await using server = await start();
  const first = await server.tls({ cert: certificates.adminCertPem, key: certificates.adminKeyPem });
  const ticket = once(first, 'session');
  first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [session] = await ticket;
  const resumed = async () => (await server.tls({ session })).isSessionReused();
  assert.equal(await resumed(), true);
  const { servingCertPem: cert, servingKeyPem: key, caCertPem: ca } = certificates;
  server.listener.setTls({ cert, key, ca: `${ca}\n${ca}` });
  assert.equal(await resumed(), false);
});
