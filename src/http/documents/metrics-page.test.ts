import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing.ts';
import { prefersGzip } from './metrics-page.ts';

test('gzip is preferred to no encoding if its quality is higher', () => {
  for (const accepted of ['gzip', 'deflate, gzip', 'deflate,gzip;q=0.5', 'identity;q=0.1, gzip', 'gzip, ,']) {
    assert.equal(prefersGzip(accepted), true, accepted);
  }
  for (const accepted of ['', '*', 'identity', 'GZIP', 'gzip;q=0', 'gzip, identity', 'x-gzip', 'br;x=1, gzip']) {
    assert.equal(prefersGzip(accepted), false, accepted);
  }
});

test('metrics are compressed for scrapers that accept it', async () => {
  await using server = await startTestServer();
  for (const path of ['/metrics', '/metrics/slis']) {
    const ask = (accepted: string) => {
      const headers = { authorization: `Bearer ${server.token}`, 'accept-encoding': accepted };
      return server.fetch(new Request(`https://localhost${path}`, { headers }));
    };
    assert.equal((await ask('identity')).headers.get('content-encoding'), null);
    const packed = await ask('gzip;q=1.0');
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.deepEqual([...new Uint8Array(await packed.arrayBuffer()).subarray(0, 2)], [0x1f, 0x8b]);
  }
});
