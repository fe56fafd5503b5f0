import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { silentLog } from '../base/log.ts';
import { systemClock } from '../server/system-clock.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../testing.ts';
import type { ControllerContext } from './controller.ts';
import { IdentityLease } from './identity-lease.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

interface Lease {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly holderIdentity: string; readonly renewTime: string; readonly leaseDurationSeconds: number };
}

async function leasesOf(server: TestServer): Promise<readonly Lease[]> {
  const { body } = await server.request(
    'GET',
    `${LEASES}?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver`,
  );
  return (body as { items: readonly Lease[] }).items;
}

test('a server with a data folder keeps an identity Lease, which it renews', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-lease-'));
  try {
    const clock = new TestClock(systemClock);
    const options: TestServerOptions = { store: 'embedded', dataDir };
    await using server = await startTestServer(options, { clock, ephemeral: false });
    await until('there is a Lease', async () => (await leasesOf(server)).length === 1);
    const [lease] = await leasesOf(server);
    assert.deepEqual(lease!.metadata.labels, {
      'apiserver.kubernetes.io/identity': 'kube-apiserver',
      'kubernetes.io/hostname': hostname(),
    });
    assert.equal(lease!.spec.leaseDurationSeconds, 3600);
    assert.ok(lease!.spec.holderIdentity.startsWith(`${lease!.metadata.name}_`));
    await until('it is renewed', async () => {
      clock.advance(limits.identityLeaseRenewMs);
      return (await leasesOf(server))[0]!.spec.renewTime > lease!.spec.renewTime;
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('a server that is closed while its identity Lease is created logs nothing and does not try again', async () => {
  const warnings: string[] = [];
  let attempts = 0;
  const closed = () => {
    attempts++;
    void lease.stop();
    throw new Error('the store is closed');
  };
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const context = { log, clock: new ManualClock(), catalog: { find: closed } } as unknown as ControllerContext;
  const lease = new IdentityLease(context, { hostname: 'one', uuid: '1' });
  await lease.start();
  assert.deepEqual({ warnings, attempts }, { warnings: [], attempts: 1 });
});

test('a server in memory creates no identity Lease', async () => {
  await using server = await startTestServer();
  await server.request('GET', LEASES);
  server.clock?.advance('1h');
  assert.deepEqual(await leasesOf(server), []);
});
