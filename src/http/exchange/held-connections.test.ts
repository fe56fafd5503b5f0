import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { clientHello } from '../../../test/client-hello.ts';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { declareHandshakeMetrics } from '../../lifecycle/handshake-metrics.ts';
import { MetricRegistry } from '../../lifecycle/metrics.ts';
import { Handshakes } from './handshakes.ts';

/** A connection whose client has sent these bytes. */
function connection(bytes: Buffer | string): PassThrough {
  const stream = new PassThrough();
  stream.on('error', () => {}).write(bytes);
  return stream;
}

/** A queue in which one handshake has waited for too long, with a connection whose handshake has succeeded. */
async function pressed() {
  const clock = new ManualClock();
  const registry = new MetricRegistry();
  const metrics = declareHandshakeMetrics(registry);
  const rounds: (() => void)[] = [];
  const begun: Socket[] = [];
  const handshakes = new Handshakes({
    ...{ clock, limits, metrics },
    nextRound: (run) => rounds.push(run),
    begin: (socket) => begun.push(socket),
    closing: () => {},
  });
  handshakes.add(connection(await clientHello({})) as unknown as Socket);
  await nextRound();
  clock.advance(limits.patientHandshakeMs + 1);
  const served: string[] = [];
  const established = connection('GET / HTTP/1.1\r\n\r\n');
  handshakes.serve(established as unknown as TLSSocket, () => {
    served.push(String(established.read()));
  });
  await nextRound();
  const round = async () => {
    rounds.shift()?.();
    await nextRound();
  };
  const metric = (name: string) =>
    Number(new RegExp(`^keelson_tls_connections_${name} (.*)$`, 'm').exec(registry.text())?.[1]);
  return { clock, metric, rounds, begun, handshakes, served, established, round };
}

suite('a connection whose TLS handshake has succeeded', () => {
  test('a connection is served at once after its TLS handshake while the server keeps up', async () => {
    const { handshakes } = await pressed();
    const quiet = new Handshakes({
      ...{ clock: new ManualClock(), limits, metrics: declareHandshakeMetrics(new MetricRegistry()) },
      ...{ nextRound: () => {}, begin: () => {}, closing: () => {} },
    });
    let isServed = false;
    quiet.serve(connection('') as unknown as TLSSocket, () => {
      isServed = true;
    });
    assert.ok(isServed);
    handshakes.close();
  });

  test('a connection is served after its TLS handshake once the handshakes that have waited too long have begun', async () => {
    const { begun, served, round, rounds, metric } = await pressed();
    assert.deepEqual(served, []);
    assert.equal(metric('held'), 1);
    while (begun.length === 0) await round();
    assert.deepEqual(served, []);
    while (rounds.length > 0) await round();
    assert.deepEqual(served, ['GET / HTTP/1.1\r\n\r\n']);
    assert.equal(metric('held'), 0);
  });

  test('a connection waits to be served after its TLS handshake for a limited time', async () => {
    const { clock, served } = await pressed();
    clock.advance(limits.heldConnectionMs);
    assert.deepEqual(served, ['GET / HTTP/1.1\r\n\r\n']);
  });

  test('a connection is never served if its client has gone while it waited after its TLS handshake', async () => {
    const { clock, established, served, metric } = await pressed();
    established.end();
    await nextRound();
    await nextRound();
    assert.equal(established.destroyed, true);
    assert.equal(metric('gone_total'), 1);
    assert.equal(metric('held'), 0);
    clock.advance(limits.heldConnectionMs);
    assert.deepEqual(served, []);
  });

  test('a connection that waits to be served is read up to a limit', async () => {
    const { established, served, clock } = await pressed();
    const pieces = limits.heldConnectionBytes / 1024;
    for (let piece = 0; piece < 2 * pieces; piece++) {
      established.write(Buffer.alloc(1024));
      await nextRound();
    }
    assert.ok(established.writableLength + established.readableLength > 0);
    clock.advance(limits.heldConnectionMs);
    assert.equal(served.length, 1);
  });
});
