// The comparison of caches with etcd, and the servers that make none.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';
import { limits } from '../../src/base/limits.ts';
import { startTestServer, type TestServerOptions } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';
import { realClock } from './real-clock.ts';

const METRIC = 'apiserver_storage_consistency_checks_total';

/** A server, and what its page of metrics says about comparisons after each period. */
async function started(t: TestContext, options: TestServerOptions) {
  const due: (() => void)[] = [];
  const clock: Clock = {
    now: () => realClock.now(),
    after(delayMs, wake) {
      // Others have this period, too: history expires.
      if (delayMs !== limits.consistencyCheckMs) return realClock.after(delayMs, wake);
      due.push(wake);
      return { cancel: () => void due.splice(due.indexOf(wake), 1) };
    },
  };
  const server = await startTestServer({ controllers: '', ...options }, { clock });
  t.after(() => server.close());
  const page = async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    return await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  };
  return {
    server,
    page,
    /** Lets a period pass. @returns whether anybody waited for it */
    period: () => {
      const timers = due.splice(0);
      for (const wake of timers) wake();
      return timers.length > 0;
    },
    checks: async () => (await page()).split('\n').filter((line) => line.startsWith(METRIC)),
  };
}

const program = findEtcd();

describe('caches of a server on etcd', { skip: program === undefined ? NO_ETCD : false, timeout: 120_000 }, () => {
  let etcd: EtcdProcess;
  const onEtcd = () => ({ etcdServers: [etcd.url], etcdCompactionIntervalMs: 0 });

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
  });
  after(() => etcd?.stop());

  it('caches of a server on etcd are compared with it in each period, except for events, which kube-apiserver does not cache', async (t) => {
    const { server, page, period, checks } = await started(t, onEtcd());
    const other = await startTestServer({ controllers: '', ...onEtcd() });
    t.after(() => other.close());
    for (const name of ['a', 'b', 'c']) {
      const answer = await other.request('POST', '/api/v1/namespaces/default/secrets', { metadata: { name } });
      assert.equal(answer.status, 201);
    }
    await server.request('DELETE', '/api/v1/namespaces/default/secrets/b');
    await until('all caches are open', async () =>
      (await page()).includes('apiserver_resource_objects{group="",resource="podtemplates"} 0'),
    );
    const line = (group: string, resource: string, count: number) =>
      `${METRIC}{group="${group}",resource="${resource}",status="success"} ${count}`;
    for (const count of [1, 2]) {
      assert.deepEqual((await checks()).includes(line('', 'secrets', count)), false);
      await until('the round before has ended', period);
      await until('all caches are compared', async () => {
        const found = await checks();
        return [line('', 'secrets', count), line('apps', 'deployments', count)].every((each) => found.includes(each));
      });
    }
    for (const each of await checks()) {
      assert.match(each, /status="success"/);
      assert.doesNotMatch(each, /resource="events"/);
    }
  });

  it('caches of a server on etcd are not compared if the feature gate is off', async (t) => {
    const { server, period, checks } = await started(t, {
      ...onEtcd(),
      featureGates: { DetectCacheInconsistency: false },
    });
    await server.request('GET', '/api/v1/secrets');
    period();
    await sleep(100);
    assert.deepEqual(await checks(), []);
  });
});

describe('caches of a server without etcd', () => {
  it('caches of a server without etcd are not compared with its store', async (t) => {
    const { server, period, checks } = await started(t, {});
    await server.request('GET', '/api/v1/secrets');
    period();
    await sleep(100);
    assert.deepEqual(await checks(), []);
  });
});
