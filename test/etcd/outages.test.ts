// What a server tells while its etcd is away: reads from memory of every resource, whether or not somebody asked for it
// before, health checks in kube-apiserver's words, and watches that begin nowhere.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';

/** Of all resources the one that nothing in the server looks at. */
const TEMPLATES = '/api/v1/podtemplates';

const program = findEtcd();

describe('a server whose etcd is unavailable', {
  skip: program === undefined ? NO_ETCD : false,
  timeout: 120_000,
}, () => {
  let etcd: EtcdProcess;
  let server: TestServer;
  const get = async (path: string): Promise<[status: number, text: string]> => {
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await server.fetch(new Request(`https://localhost${path}`, { headers }));
    return [answer.status, await answer.text()];
  };

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
    server = await startTestServer({ etcdServers: [etcd.url], controllers: '' });
    await until('all caches are open', async () => {
      const [, metrics] = await get('/metrics');
      return metrics.includes('apiserver_resource_objects{group="",resource="podtemplates"} 0');
    });
    await etcd.end('SIGKILL');
  });
  after(async () => {
    await server?.close();
    await etcd?.stop();
  });

  it('a server whose etcd is unavailable answers a list at resourceVersion 0 of a resource that nobody has read before', async () => {
    const [status, text] = await get(`${TEMPLATES}?resourceVersion=0`);
    assert.deepEqual([status, JSON.parse(text).items], [200, []]);
  });

  it('a server whose etcd is unavailable reports the timeout of its health check without details', async () => {
    const expected = 'internal server error: error getting data from etcd: context deadline exceeded\n';
    assert.deepEqual(await get('/healthz/etcd'), [500, expected]);
    assert.deepEqual(await get('/readyz/etcd-readiness'), [500, expected]);
    assert.match((await get('/readyz?exclude=etcd-readiness&exclude=etcd'))[1], /^ok$/);
  });

  it('a server whose etcd is unavailable ends a watch without a resourceVersion at its timeout', async () => {
    const [status, text] = await get(`${TEMPLATES}?watch=1&timeoutSeconds=1`);
    const { type, object } = JSON.parse(text);
    const { code, reason, message } = object;
    assert.deepEqual([status, type, code], [200, 'ERROR', 500]);
    assert.deepEqual([reason, message], ['InternalError', 'context deadline exceeded']);
  });
});
