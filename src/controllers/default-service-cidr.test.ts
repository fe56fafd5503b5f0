import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { silentLog, startServer } from '../server/server.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const RANGES = '/apis/networking.k8s.io/v1/servicecidrs';
const SERVICES = '/api/v1/namespaces/default/services';

async function read(server: TestServer, path: string): Promise<JsonObject> {
  return (await server.request('GET', path)).body as JsonObject;
}

const folder = mkdtempSync(join(tmpdir(), 'keelson-cidr-'));
after(() => rmSync(folder, { recursive: true }));

suite('a cluster with a default ServiceCIDR', () => {
  test('a cluster with a default ServiceCIDR creates the default ServiceCIDR again when it was deleted, and sets it Ready', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/24' });
    const { metadata } = (await read(server, `${RANGES}/kubernetes`)) as unknown as ApiObject;
    await server.request('DELETE', `${RANGES}/kubernetes`);
    const next = await until('there is another', async () => {
      const found = (await read(server, `${RANGES}/kubernetes`)) as unknown as ApiObject;
      const isReady = JSON.stringify(found.status ?? null).includes('"status":"True"');
      return found.metadata.uid !== metadata.uid && isReady ? found : undefined;
    });
    assert.deepEqual(next.spec, { cidrs: ['10.9.0.0/24'] });
  });

  test('a cluster with a default ServiceCIDR gives services no addresses of the default ServiceCIDR while that is being deleted', async () => {
    await using server = await startTestServer({ serviceClusterIpRange: '10.9.0.0/24', controllers: '' });
    const other = { metadata: { name: 'other' }, spec: { cidrs: ['10.10.0.0/24'] } };
    assert.equal((await server.request('POST', RANGES, other)).status, 201);
    const conditions = [
      { type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    await server.patch(`${RANGES}/other/status`, { status: { conditions } });
    await server.patch(`${RANGES}/kubernetes`, { metadata: { finalizers: ['example.com/hold'] } });
    await server.request('DELETE', `${RANGES}/kubernetes`);
    for (const name of ['a', 'b', 'c']) {
      const { body } = await server.request('POST', SERVICES, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
      assert.match(String(((body as JsonObject)['spec'] as JsonObject)['clusterIP']), /^10\.10\.0\./);
    }
  });

  test('a cluster with a default ServiceCIDR extends the default ServiceCIDR when a single-stack cluster becomes dual-stack', async () => {
    const dataDir = mkdtempSync(join(folder, 'dual-'));
    for (const serviceClusterIpRange of ['10.9.0.0/24', '10.9.0.0/24,fd00:9::/112']) {
      await using server = await restart(dataDir, serviceClusterIpRange);
      const wanted = serviceClusterIpRange.split(',');
      await until(`the ranges are ${wanted}`, async () => {
        const { spec } = await server.get(`${RANGES}/kubernetes`);
        return isDeepStrictEqual(spec, { cidrs: wanted });
      });
    }
  });

  test('a cluster with a default ServiceCIDR keeps a default ServiceCIDR with other ranges than its own, and reports it by an Event', async () => {
    const dataDir = mkdtempSync(join(folder, 'other-'));
    await (await restart(dataDir, '10.9.0.0/24'))[Symbol.asyncDispose]();
    await using server = await restart(dataDir, '10.8.0.0/24');
    const [event] = await until('there is an event', async () => {
      const { items } = (await server.get('/api/v1/namespaces/default/events')) as { items: JsonObject[] };
      return items.length > 0 ? items : undefined;
    });
    assert.equal(event?.['reason'], 'KubernetesDefaultServiceCIDRInconsistent');
    const message =
      'The default ServiceCIDR [10.9.0.0/24] does not match the controller flag configurations [10.8.0.0/24]';
    assert.equal(event?.['message'], message);
    assert.deepEqual((await server.get(`${RANGES}/kubernetes`))['spec'], { cidrs: ['10.9.0.0/24'] });
  });
});

const administrator: TokenAuthenticator = {
  permanent: true,
  authenticateToken: () => ({ name: 'admin', groups: ['system:masters'], uid: '', extra: {} }),
};

/** A server on a data folder that earlier ones may have used. */
async function restart(dataDir: string, serviceClusterIpRange: string) {
  const options = { dataDir, securePort: 0, serviceClusterIpRange };
  const server = await startServer(options, { log: silentLog, tokens: [administrator] });
  const headers = { authorization: 'Bearer x' };
  return {
    get: async (path: string) =>
      (await (await server.fetch(new Request(`https://localhost${path}`, { headers }))).json()) as JsonObject,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
