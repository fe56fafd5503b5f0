import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { test } from 'node:test';
import { frames, preface } from '../../../test/http2-client.ts';
import { ask, certificates, Listening, readAll, readUntil, strangers } from '../../../test/listening.ts';
import { until } from '../../../test/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import type { BodyWriter, HttpExchange } from './transport.ts';

const { adminCertPem, adminKeyPem } = certificates;

/** Says whom it takes the client for. */
function whoAreYou(exchange: HttpExchange): void {
  const { peerCertificate, peerCertificateInvalid } = exchange;
  exchange.respond(200, {}, JSON.stringify({ peerCertificate, peerCertificateInvalid }));
}

async function identity(server: Listening, options: object): Promise<Record<string, unknown>> {
  const answer = await ask(await server.http2(options), {});
  return JSON.parse(answer.body);
}

test('a client certificate is requested, not required, and identifies the client', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const known = await identity(server, { cert: adminCertPem, key: adminKeyPem });
  const { fingerprint, notAfterMs, ...names } = known['peerCertificate'] as Record<string, unknown>;
  assert.deepEqual(names, { commonName: 'kubernetes-admin', organizations: ['system:masters'] });
  assert.match(String(fingerprint), /^[0-9a-f]{64}$/);
  assert.ok(Number(notAfterMs) > Date.now());
  assert.equal(known['peerCertificateInvalid'], false);
  assert.deepEqual(await identity(server, {}), { peerCertificateInvalid: false });
});

test('client certificates identify HTTP/1.1 clients, too', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const socket = await server.tls({ cert: adminCertPem, key: adminKeyPem });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.match(await readAll(socket), /"kubernetes-admin"/);
});

test('a client certificate of another CA, and a server certificate, are invalid', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const other = strangers(['localhost']);
  const invalid = { peerCertificateInvalid: true };
  assert.deepEqual(await identity(server, { cert: other.adminCertPem, key: other.adminKeyPem }), invalid);
  const serving = { cert: certificates.servingCertPem, key: certificates.servingKeyPem };
  assert.deepEqual(await identity(server, serving), invalid);
});

test('a client certificate that expires while its connection lives is invalid from then on', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await Listening.start({ handler: whoAreYou, clock });
  const session = await server.http2({ cert: adminCertPem, key: adminKeyPem });
  assert.match((await ask(session, {})).body, /kubernetes-admin/);
  const year = 366 * 86_400_000;
  clock.now = () => Date.now() + year;
  assert.equal((await ask(session, {})).body, '{"peerCertificateInvalid":true}');
});

test('without a client CA no client certificate is requested', async () => {
  await using server = await Listening.start({ handler: whoAreYou, clientCa: false });
  assert.deepEqual(await identity(server, { cert: adminCertPem, key: adminKeyPem }), { peerCertificateInvalid: false });
  assert.throws(
    () => server.listener.setTls({ cert: adminCertPem, key: adminKeyPem, ca: certificates.caCertPem }),
    /while it runs/,
  );
});

test('a resumed TLS session keeps its client certificate, or none', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  for (const credentials of [{ cert: adminCertPem, key: adminKeyPem }, {}]) {
    const first = await server.tls(credentials);
    const ticket = once(first, 'session');
    const ask1 = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    first.write(ask1);
    const before = await readUntil(first, /\}$/);
    const [session] = await ticket;
    const again = await server.tls({ ...credentials, session });
    assert.equal(again.isSessionReused(), true);
    again.write(ask1);
    const body = (text: string) => text.slice(text.indexOf('{'));
    assert.equal(body(await readUntil(again, /\}$/)), body(before));
  }
});

test('TLS 1.2 is accepted, 1.1 is not', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const socket = await server.tls({ maxVersion: 'TLSv1.2' });
  assert.equal(socket.getProtocol(), 'TLSv1.2');
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await assert.rejects(server.tls(old));
});

test('new serving certificates apply to new connections, and old connections go on', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const session = await server.http2();
  const next = strangers(['127.0.0.1']);
  server.listener.setTls({ cert: next.servingCertPem, key: next.servingKeyPem, ca: next.caCertPem });
  assert.equal((await ask(session, {})).status, 200);
  await assert.rejects(server.tls(), 'the old CA does not vouch for the new certificate');
  const renewed = { ca: next.caCertPem };
  assert.match(
    JSON.stringify(await identity(server, { ...renewed, cert: next.adminCertPem, key: next.adminKeyPem })),
    /kubernetes-admin/,
  );
  assert.deepEqual(await identity(server, { ...renewed, cert: adminCertPem, key: adminKeyPem }), {
    peerCertificateInvalid: true,
  });
});

test('a connection that is not TLS is closed, and others are served', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'close');
  assert.deepEqual(await identity(server, {}), { peerCertificateInvalid: false });
});

test('a connection without a TLS handshake is closed', async () => {
  await using server = await Listening.start({ handler: whoAreYou, limits: { tlsHandshakeTimeoutMs: 20 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  await once(socket, 'close');
});

test('idle HTTP/1.1 and HTTP/2 connections are closed, and one with an open stream is not', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await Listening.start({
    clock,
    handler: (exchange) => {
      if (exchange.target === '/watch') exchange.stream(200, {});
      else exchange.respond(200, {}, 'x');
    },
  });
  const idle = await server.http2();
  await ask(idle, {});
  const watching = await server.http2();
  const watch = watching.request({ ':path': '/watch' });
  watch.on('error', () => {});
  await once(watch, 'response');
  const old = await server.tls();
  old.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await readUntil(old, /x$/);
  const closed = Promise.all([once(idle, 'close'), readAll(old)]);
  clock.advance(200_000);
  await closed;
  assert.equal(watching.closed, false);
  assert.equal((await ask(watching, {})).status, 200);
});

test('an HTTP/2 client that does not end its side of an idle connection is disconnected', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await Listening.start({ clock, handler: whoAreYou });
  const halfOpen = { ALPNProtocols: ['h2'], allowHalfOpen: true };
  const socket = await server.tls(halfOpen);
  socket.write(Buffer.concat([preface, frames.settings()]));
  await once(socket, 'data');
  const ended = once(socket, 'end');
  clock.advance(100_000);
  await ended;
  clock.advance(100_000);
  // The clock stands still: this is over when no connection is left, and not before.
  await server.listener.drain(60_000);
});

test('too many headers, or too many bytes of them, reset the HTTP/2 stream and not the connection', async () => {
  await using server = await Listening.start({ handler: whoAreYou, limits: { headerFields: 20, headerBytes: 4096 } });
  const session = await server.http2();
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, '1']));
  assert.equal((await ask(session, fields(20))).status, 200);
  await assert.rejects(ask(session, fields(21)), /ENHANCE_YOUR_CALM/);
  await assert.rejects(ask(session, { x: 'y'.repeat(5000) }));
  assert.equal((await ask(session, {})).status, 200);
});

test('more HTTP/2 resets than node allows by default do not end the connection', async () => {
  await using server = await Listening.start({ handler: (exchange) => exchange.stream(200, {}) });
  const session = await server.http2();
  const watch = session.request({});
  await once(watch, 'response');
  for (let round = 0; round < 20; round++) {
    const streams = Array.from({ length: 100 }, () => session.request({}));
    await Promise.all(
      streams.map(async (stream) => {
        await once(stream, 'response');
        stream.close(constants.NGHTTP2_CANCEL);
      }),
    );
  }
  assert.equal(session.destroyed, false);
  watch.close();
});

test('a handler that throws ends its exchange and nothing else', async () => {
  const logged: string[] = [];
  await using server = await Listening.start({
    log: { ...silentLog, error: (message) => logged.push(message) },
    handler: (exchange) => {
      if (exchange.target === '/bad') throw new Error('a fault');
      exchange.respond(200, {}, 'fine');
    },
  });
  const session = await server.http2();
  await assert.rejects(ask(session, { ':path': '/bad' }), /INTERNAL_ERROR/);
  assert.equal((await ask(session, {})).body, 'fine');
  assert.deepEqual(logged, ['the request handler failed']);
});

test('listening on an address in use is rejected', async () => {
  await using server = await Listening.start({ handler: whoAreYou });
  await using second = await Listening.start({ handler: whoAreYou });
  await second.listener.close();
  await assert.rejects(second.listener.listen('127.0.0.1', server.port), { code: 'EADDRINUSE' });
});

test('draining lets open exchanges end, sends GOAWAY and accepts nothing more', async () => {
  const writers: BodyWriter[] = [];
  const late = Promise.withResolvers<HttpExchange>();
  await using server = await Listening.start({
    handler: (exchange) => {
      if (exchange.target === '/late') late.resolve(exchange);
      else writers.push(exchange.stream(200, {}));
    },
  });
  const session = await server.http2();
  const watch = session.request({});
  await once(watch, 'response');
  const idle = await server.http2();
  const old = await server.tls();
  old.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n');
  const exchange = await late.promise;
  const goodbye = Promise.all([once(session, 'goaway'), once(idle, 'close')]);
  const drained = server.listener.drain(60_000);
  await goodbye;
  await assert.rejects(server.tls());
  exchange.respond(200, {}, 'done');
  assert.match(await readAll(old), /connection: close\r\n[\s\S]*done$/i);
  writers[0]!.end(Buffer.from('whole'));
  let text = '';
  for await (const chunk of watch) text += chunk;
  assert.equal(text, 'whole');
  await drained;
});

test('exchanges that are open after the grace period are cut off', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await Listening.start({ clock, handler: (exchange) => exchange.stream(200, {}) });
  const session = await server.http2();
  const watch = session.request({});
  watch.on('error', () => {});
  await once(watch, 'response');
  const gone = once(session, 'close');
  const drained = server.listener.drain(5000);
  await once(session, 'goaway');
  assert.equal(watch.closed, false);
  clock.advance(5000);
  await drained;
  await gone;
});

test('closing cuts all connections off at once', async () => {
  await using server = await Listening.start({ handler: (exchange) => exchange.stream(200, {}) });
  const session = await server.http2();
  const watch = session.request({});
  watch.on('error', () => {});
  await once(watch, 'response');
  const gone = once(session, 'close');
  await server.listener.close();
  await gone;
  await server.listener.close();
});

test('unsent bytes are limited for each connection and in total: the slowest responses are aborted', async () => {
  const closed: string[] = [];
  await using server = await Listening.start({
    limits: { connectionUnsentBytes: 250_000, unsentBytes: 500_000 },
    handler: (exchange) => {
      exchange.whenOver(() => closed.push(exchange.target));
      exchange.respond(200, {}, Buffer.alloc(100_000));
    },
  });
  const open = async () => {
    const socket = await server.tls({ ALPNProtocols: ['h2'] });
    const client = connectHttp2('https://x', { createConnection: () => socket, settings: { initialWindowSize: 0 } });
    return client.on('error', () => {});
  };
  const ask = async (client: ClientHttp2Session, path: string) => {
    const stream = client.request({ ':path': path });
    await once(
      stream.on('error', () => {}),
      'response',
    );
  };
  const [one, two, three] = [await open(), await open(), await open()];
  for (const path of ['/1', '/2', '/3']) await ask(one, path);
  await until('the slowest of a connection is broken off', () => closed.join() === '/1');
  for (const path of ['/4', '/5']) await ask(two, path);
  await ask(three, '/6');
  assert.deepEqual(closed, ['/1']);
  await ask(three, '/7');
  await until('the slowest of all is broken off', () => closed.join() === '/1,/2');
  for (const each of [one, two, three]) each.destroy();
});

test('unsent bytes of HTTP/1.1 connections are limited, too', async () => {
  const closed: string[] = [];
  await using server = await Listening.start({
    limits: { unsentBytes: 50_000_000 },
    handler: (exchange) => {
      exchange.whenOver(() => closed.push(exchange.target));
      if (exchange.target === '/whole') exchange.respond(200, {}, Buffer.alloc(30_000_000));
      else exchange.stream(200, {}).write(Buffer.alloc(30_000_000));
    },
  });
  for (const path of ['/pieces', '/whole']) {
    const socket = await server.tls();
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  }
  await until('the first is broken off', () => closed.length > 0);
  assert.equal(closed.length, 1);
});

test('a drain does not wait for a client that reads nothing, over HTTP/2 and HTTP/1.1', async () => {
  const clock = new ManualClock(Date.now());
  const exchanges: HttpExchange[] = [];
  await using server = await Listening.start({ clock, handler: (exchange) => exchanges.push(exchange) });
  const h2 = await server.tls({ ALPNProtocols: ['h2'] });
  const client = connectHttp2('https://x', { createConnection: () => h2, settings: { initialWindowSize: 0 } });
  client.on('error', () => {});
  client.request({ ':path': '/1' }).on('error', () => {});
  const h1 = await server.tls();
  h1.pause();
  h1.write('GET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
  const silent = await server.tls({ ALPNProtocols: ['h2'], ...({ allowHalfOpen: true } as object) });
  silent.write(preface);
  silent.write(frames.settings());
  const worker = await server.tls();
  worker.write('GET /3 HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('all requests have come', () => exchanges.length === 3);
  for (const each of exchanges) {
    if (each.target === '/1') each.respond(200, {}, 'nobody reads this');
    if (each.target === '/2') each.respond(200, {}, Buffer.alloc(50_000_000));
  }
  const drained = server.listener.drain(60_000);
  const isCut = (target: string) => exchanges.find((each) => each.target === target)?.over === true;
  await until('the clients are cut', () => {
    clock.advance(1_000);
    return isCut('/1') && isCut('/2');
  });
  // One that is worked for is waited for.
  assert.equal(isCut('/3'), false);
  exchanges.find(({ target }) => target === '/3')?.respond(200, {}, 'done');
  assert.match(await readAll(worker), /done$/);
  let isDrained = false;
  void drained.then(() => {
    isDrained = true;
  });
  await until('a client that does not end its side is cut', () => {
    clock.advance(100);
    return isDrained;
  });
  assert.ok(clock.now() - Date.now() < 55_000);
});
