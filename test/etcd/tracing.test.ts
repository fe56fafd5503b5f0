// The spans of etcd in the trace of a request.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { startCollector } from '../trace-collector.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const program = findEtcd();

describe('the trace of a request', { skip: program === undefined ? NO_ETCD : false, timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-tracing-'));
  let etcd: EtcdProcess;
  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
  });
  after(async () => {
    await etcd.stop();
    rmSync(folder, { recursive: true });
  });

  it('the trace of a request has spans for etcd calls, within those of the operations', async () => {
    using collector = await startCollector();
    const tracingConfigFile = join(folder, 'tracing.yaml');
    const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';
    writeFileSync(tracingConfigFile, `${head}endpoint: 127.0.0.1:${collector.port}\n`);
    const server = await startTestServer({ etcdServers: [etcd.url], controllers: '', tracingConfigFile });
    const send = async (method: string, path: string, body?: string) => {
      const headers = {
        ...{ authorization: `Bearer ${server.token}`, traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
        'content-type': 'application/merge-patch+json',
      };
      if (method === 'POST') headers['content-type'] = 'application/json';
      const init = body === undefined ? { method, headers } : { method, headers, body };
      const answer = await server.fetch(new Request(`https://localhost/api/v1/nodes${path}`, init));
      await answer.text();
      return answer.status;
    };
    assert.equal(await send('POST', '', '{"metadata":{"name":"a"}}'), 201);
    assert.equal(await send('GET', '/a'), 200);
    assert.equal(await send('GET', '?limit=5'), 200);
    assert.equal(await send('PATCH', '/a', '{"metadata":{"labels":{"a":"b"}}}'), 200);
    assert.equal(await send('DELETE', '/a'), 200);
    await server.close();
    const named = (name: string) => collector.spans.filter((span) => span.name === name);
    const only = (name: string) => {
      const [span, ...others] = named(name);
      assert.ok(span, name);
      assert.equal(others.length, 0, name);
      return span;
    };
    const childOf = (parent: string, name: string) => {
      const { spanId } = only(parent);
      return named(name).find(({ parentId }) => parentId === spanId);
    };
    const create = only('Create etcd3');
    assert.equal(create.parentId, only('Create').spanId);
    const { key, type, resource } = create.attributes;
    assert.deepEqual([key, type, resource], ['/minions/a', '*core.Node', 'nodes']);
    assert.deepEqual(create.events, [
      ...['About to Encode', 'Encode succeeded', 'TransformToStorage succeeded'],
      ...['Txn call succeeded', 'decode succeeded'],
    ]);
    const call = childOf('Create etcd3', 'etcdserverpb.KV/Txn');
    assert.equal(call?.attributes['rpc.system'], 'grpc');
    assert.equal(call?.attributes['rpc.method'], 'Txn');
    assert.deepEqual(call?.events, ['message', 'message']);
    const get = only('cacher.Get');
    assert.deepEqual(get.events, ['About to Get from underlying storage']);
    assert.deepEqual([get.attributes['key'], get.attributes['resource-version']], ['/minions/a', '']);
    assert.ok(childOf('cacher.Get', 'etcdserverpb.KV/Range'));
    assert.ok(childOf('List', 'etcdserverpb.KV/Range'));
    assert.deepEqual(only('GuaranteedUpdate etcd3').events, [
      ...['initial value restored', 'About to Encode', 'Encode succeeded', 'TransformToStorage succeeded'],
      ...['Transaction prepared', 'Txn call completed', 'Transaction committed', 'decode succeeded'],
    ]);
    assert.ok(childOf('GuaranteedUpdate etcd3', 'etcdserverpb.KV/Txn'));
    assert.ok(childOf('Delete', 'etcdserverpb.KV/Txn'));
  });
});
