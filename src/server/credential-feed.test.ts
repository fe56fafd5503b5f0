import assert from 'node:assert/strict';
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { strangers } from '../../test/listening.ts';
import { until } from '../../test/until.ts';
import { ManualClock, type Timer } from '../base/clock.ts';
import { startTestServer } from '../testing.ts';

const DAY_MS = 86_400_000;

/** A clock that may leave out what would have happened in between. */
class LeapingClock extends ManualClock {
  #leaptMs = 0;

  override now(): number {
    return super.now() + this.#leaptMs;
  }

  leap(durationMs: number): void {
    this.#leaptMs += durationMs;
    this.advance(5_000);
  }
}

async function serving(server: { url: string }): Promise<{ socket: TLSSocket; certificate: X509Certificate }> {
  const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return { socket, certificate: socket.getPeerX509Certificate()! };
}

/** Whom the server takes the owner of a certificate for: a status of 403 is that of a user without rights. */
async function statusWith(
  server: { url: string },
  client: { adminCertPem: string; adminKeyPem: string },
): Promise<string> {
  const { adminCertPem: cert, adminKeyPem: key } = client;
  const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false, cert, key });
  socket.end('GET /api/v1/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of socket) text += piece;
  return text.slice(9, 12);
}

test('certificates and CAs that are replaced on disk apply to the next connections', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const [first, second] = [strangers(['localhost']), strangers(['example.com'])];
  const place = async (made: typeof first) => {
    await writeFile(file('tls.key'), made.servingKeyPem);
    await writeFile(file('tls.crt'), made.servingCertPem);
    await writeFile(file('ca.crt'), made.caCertPem);
  };
  await place(first);
  const clock = new ManualClock(Date.now());
  await using server = await startTestServer(
    { listen: true, tlsCertFile: file('tls.crt'), tlsPrivateKeyFile: file('tls.key'), clientCaFile: file('ca.crt') },
    { clock },
  );
  const before = await serving(server);
  assert.ok(before.certificate.checkHost('localhost'));
  assert.deepEqual([await statusWith(server, first), await statusWith(server, second)], ['200', '401']);

  // Half of a pair is not taken.
  await writeFile(file('tls.crt'), second.servingCertPem);
  clock.advance(5_000);
  assert.ok((await serving(server)).certificate.checkHost('localhost'));

  await place(second);
  clock.advance(3_000);
  assert.ok((await serving(server)).certificate.checkHost('example.com'));
  assert.deepEqual([await statusWith(server, first), await statusWith(server, second)], ['401', '200']);
  assert.match(server.kubeconfigText, new RegExp(Buffer.from(second.servingCertPem).toString('base64')));

  // The connection from before goes on.
  before.socket.end('GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of before.socket) text += piece;
  assert.match(text, /^HTTP\/1\.1 200 /);
});

/** Counts timers of less than a second. */
class CountingClock extends ManualClock {
  short = 0;

  override after(delayMs: number, wake: () => void): Timer {
    if (delayMs === 250) this.short += 1;
    return super.after(delayMs, wake);
  }
}

test('a certificate that is replaced on disk is used after a few seconds without further changes', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  context.after(() => rm(folder, { recursive: true }));
  const [tlsCertFile, tlsPrivateKeyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const place = async (made: ReturnType<typeof strangers>) => {
    await writeFile(tlsPrivateKeyFile, made.servingKeyPem);
    await writeFile(tlsCertFile, made.servingCertPem);
  };
  await place(strangers(['localhost']));
  const clock = new CountingClock(Date.now());
  await using server = await startTestServer({ listen: true, tlsCertFile, tlsPrivateKeyFile }, { clock });
  clock.advance(5_000);
  const before = clock.short;
  await place(strangers(['example.com']));
  await until('there is notice', () => clock.short > before);
  clock.advance(2_000);
  assert.ok((await serving(server)).certificate.checkHost('localhost'));
  clock.advance(500);
  assert.ok((await serving(server)).certificate.checkHost('example.com'));
});

for (const ephemeral of [false, true]) {
  const where = ephemeral ? 'in memory' : 'in its data folder';
  test(`the server's own certificates ${where} are renewed before they expire`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'feed-'));
    context.after(() => rm(folder, { recursive: true }));
    const clock = new LeapingClock(Date.now());
    await using server = await startTestServer({ listen: true, dataDir: folder }, { clock, ephemeral });
    const { certificate } = await serving(server);
    const kubeconfig = server.kubeconfigText;
    clock.leap(30 * DAY_MS);
    assert.equal((await serving(server)).certificate.fingerprint256, certificate.fingerprint256);
    clock.leap(310 * DAY_MS);
    const renewed = (await serving(server)).certificate;
    assert.notEqual(renewed.fingerprint256, certificate.fingerprint256);
    assert.ok(renewed.validToDate.getTime() > clock.now() + 300 * DAY_MS);
    assert.notEqual(server.kubeconfigText, kubeconfig);
  });
}
