import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { clientHello } from '../../../test/client-hello.ts';
import { certificates, Listening, readAll } from '../../../test/listening.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { declareHandshakeMetrics } from '../../lifecycle/handshake-metrics.ts';
import { MetricRegistry } from '../../lifecycle/metrics.ts';
import { Handshakes } from './handshakes.ts';

/** A connection whose client has sent these bytes, and that notes whether it is read below TLS. */
class Connection extends PassThrough {
  isRead = true;
  readonly _handle = {
    readStop: () => {
      this.isRead = false;
    },
    readStart: () => {
      this.isRead = true;
    },
  };

  constructor(bytes: Buffer) {
    super();
    this.on('error', () => {}).write(bytes);
  }
}

/** A queue of handshakes in which some wait. */
async function waiting(count: number, client: ConnectionOptions = {}) {
  const clock = new ManualClock();
  const registry = new MetricRegistry();
  const rounds: (() => void)[] = [];
  const begun: Connection[] = [];
  const closed: string[] = [];
  const handshakes = new Handshakes({
    ...{ clock, limits, metrics: declareHandshakeMetrics(registry) },
    nextRound: (run) => rounds.push(run),
    begin: (socket) => begun.push(socket as unknown as Connection),
    closing: (_, reason) => closed.push(reason),
  });
  const hello = await clientHello(client);
  for (let each = 0; each < count; each++) handshakes.add(new Connection(hello) as unknown as Socket);
  await nextRound();
  const round = async () => {
    rounds.shift()?.();
    await nextRound();
  };
  const begins = async (wanted: number) => {
    for (let tries = 0; begun.length < wanted && tries < 100; tries++) await round();
    assert.equal(begun.length, wanted);
  };
  const held = () => Number(/^keelson_tls_handshakes_held (.*)$/m.exec(registry.text())?.[1]);
  return { clock, begun, closed, handshakes, rounds, round, begins, held };
}

suite('a TLS handshake that the server has answered', () => {
  test('a handshake goes on after the answer while the server keeps up with new ones', async () => {
    const { begun, begins, held } = await waiting(2);
    await begins(2);
    assert.deepEqual(
      begun.map(({ isRead }) => isRead),
      [true, true],
    );
    assert.equal(held(), 0);
  });

  test('a handshake goes on after the answer once the others, which have waited too long, have been answered', async () => {
    const { clock, begun, begins, held, rounds, round } = await waiting(3);
    clock.advance(limits.patientHandshakeMs + 1);
    await begins(2);
    assert.deepEqual([begun[0]!.isRead, begun[1]!.isRead, held()], [false, false, 2]);
    while (rounds.length > 0) await round();
    assert.deepEqual([begun.length, ...begun.map(({ isRead }) => isRead)], [3, true, true, true]);
    assert.equal(held(), 0);
  });

  test('a handshake of TLS 1.2 always goes on, because its client waits for more than one answer', async () => {
    const { clock, begun, begins } = await waiting(2, { maxVersion: 'TLSv1.2' });
    clock.advance(limits.patientHandshakeMs + 1);
    await begins(1);
    assert.equal(begun[0]!.isRead, true);
  });

  test('a handshake waits after the answer for a limited time, which does not count as that of its client', async () => {
    const { clock, begun, begins, closed } = await waiting(2);
    clock.advance(limits.patientHandshakeMs + 1);
    await begins(1);
    clock.advance(limits.heldConnectionMs);
    assert.equal(begun[0]!.isRead, true);
    assert.equal(begun[0]!.destroyed, false);
    // The one that has not begun.
    assert.deepEqual(closed, ['timeout']);
    clock.advance(limits.tlsHandshakeTimeoutMs);
    assert.deepEqual(closed, ['timeout', 'timeout']);
    assert.equal(begun[0]!.destroyed, true);
  });

  test('a handshake that ends while it waits after the answer is forgotten', async () => {
    const { clock, begun, begins, held } = await waiting(2);
    clock.advance(limits.patientHandshakeMs + 1);
    await begins(1);
    begun[0]!.destroy();
    await nextRound();
    assert.equal(held(), 0);
    clock.advance(limits.heldConnectionMs);
    assert.equal(begun[0]!.isRead, false);
  });

  test('a client whose handshake waited after the answer is served', async () => {
    // No handshake is early enough.
    await using server = await Listening.start({
      handler: (exchange) => exchange.respond(200, {}, 'x'),
      limits: { patientHandshakeMs: -1 },
    });
    const { adminCertPem: cert, adminKeyPem: key } = certificates;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => server.tls({ cert, key })));
    for (const socket of sockets) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.match(await readAll(socket), /x$/);
    }
    assert.equal(server.metric('keelson_tls_handshakes_ended_total{result="succeeded"}'), 8);
    assert.equal(server.metric('keelson_tls_handshakes_held'), 0);
  });
});
