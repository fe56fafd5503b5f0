import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startTestServer } from '../../testing.ts';
import { metricsFormat, prefersGzip } from './metrics-page.ts';

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

test('metrics are in protobuf for scrapers that prefer it, and in text for others', () => {
  const message = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily';
  const delimited = `${message};encoding=delimited`;
  const served = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
  const text = 'text/plain; version=0.0.4; charset=utf-8';
  for (const [accept, contentType] of [
    [delimited, `${served}; escaping=underscores`],
    [`text/plain;q=0.5,${delimited};q=0.6;escaping=allow-utf-8`, `${served}; escaping=allow-utf-8`],
    [`${delimited};q=0.5, text/plain;version=0.0.4`, `${text}; escaping=underscores`],
    [`text/plain;version=1.0.0;escaping=dots, ${delimited};q=0.5`, `${served}; escaping=dots`],
    ['application/openmetrics-text;version=1.0.0;escaping=allow-utf-8,*/*;q=0.1', `${text}; escaping=allow-utf-8`],
    [`${message};encoding=text`, `${text}; escaping=underscores`],
    ['application/vnd.google.protobuf', `${text}; escaping=underscores`],
    ['text/plain;escaping=odd', `${text}; escaping=underscores`],
    ['', `${text}; escaping=underscores`],
  ] as const) {
    assert.equal(metricsFormat(accept).contentType, contentType, accept);
  }
});

test('durations of requests have native histograms in releases whose gate is on', async () => {
  for (const [kubernetesVersion, hasNative] of [
    ['1.34', false],
    ['1.37', true],
  ] as const) {
    await using server = await startTestServer({ kubernetesVersion });
    const scrape = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';
    const ask = (path: string, accept: string) => {
      const headers = { accept, authorization: `Bearer ${server.token}` };
      return server.fetch(new Request(`https://localhost${path}`, { headers }));
    };
    await (await ask('/api/v1/namespaces', 'application/json')).text();
    // A request is counted once its response is sent.
    await setImmediate();
    const response = await ask('/metrics', scrape);
    assert.match(response.headers.get('content-type') ?? '', /^application\/vnd\.google\.protobuf; /);
    const page = Buffer.from(await response.arrayBuffer());
    assert.ok(page.includes('apiserver_request_duration_seconds'));
    const threshold = Buffer.alloc(9, 0x31);
    threshold.writeDoubleLE(2 ** -128, 1);
    assert.equal(page.includes(threshold), hasNative, kubernetesVersion);
  }
});
