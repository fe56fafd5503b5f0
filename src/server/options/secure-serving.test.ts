import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { startTestServer } from '../../testing.ts';
import { InvalidOptionsError } from '../options.ts';

/** What a client with these bounds gets to speak; '' where it gets nothing. */
function spoken(port: number, bounds: object): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ ...{ port, host: '127.0.0.1', rejectUnauthorized: false }, ...bounds });
    socket.on('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.on('error', () => resolve(''));
  });
}

test('the minimum TLS version and the cipher suites are those of the flags', async () => {
  await using strict = await startTestServer({ listen: true, tlsMinVersion: 'VersionTLS13' });
  const { port } = new URL(strict.url);
  assert.equal(await spoken(Number(port), { maxVersion: 'TLSv1.2' }), '');
  assert.match(await spoken(Number(port), {}), /^TLSv1\.3 /);
  const suite = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384';
  await using chosen = await startTestServer({ listen: true, tlsCipherSuites: [suite] });
  const bounds = { maxVersion: 'TLSv1.2' };
  assert.equal(await spoken(Number(new URL(chosen.url).port), bounds), 'TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384');
  await using weak = await startTestServer({ listen: true, tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] });
  assert.equal(await spoken(Number(new URL(weak.url).port), bounds), '', 'it is accepted and never offered');
  const other = { ...bounds, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' };
  assert.equal(await spoken(Number(new URL(chosen.url).port), other), '');
});

test('unknown TLS versions and cipher suites are rejected', async () => {
  await assert.rejects(startTestServer({ tlsMinVersion: 'VersionTLS9' }), InvalidOptionsError);
  await assert.rejects(startTestServer({ tlsCipherSuites: ['X'] }), /Cipher suite X not supported or doesn't exist/);
});

test('key exchanges are those of the flag from 1.36 on', async () => {
  const options = { listen: true, kubernetesVersion: '1.36', tlsCurvePreferences: [24] };
  await using server = await startTestServer(options);
  const port = Number(new URL(server.url).port);
  assert.match(await spoken(port, { ecdhCurve: 'P-384' }), /^TLSv1\.3 /);
  assert.equal(await spoken(port, { ecdhCurve: 'X25519' }), '');
  const refused = (tlsCurvePreferences: readonly number[], kubernetesVersion = '1.36') =>
    startTestServer({ kubernetesVersion, tlsCurvePreferences });
  await assert.rejects(refused([0]), /curve preference 0 is out of range \(must be 1-65535\)/);
  await assert.rejects(refused([29, 29]), /duplicate curve preference 29/);
  await assert.rejects(refused([1]), /curve preference 1 is not supported by the current Go version/);
  await assert.rejects(refused([29], '1.35'), /--tls-curve-preferences needs --kubernetes-version=1\.36 or newer/);
});
