import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Server } from '../../src/server/server.ts';
import { ManyConnections } from '../many-connections.ts';
import { startThreadedServer } from '../threaded-server.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';

const program = findEtcd();
const CONNECTIONS = 12;
const MAPS = '/api/v1/namespaces/default/configmaps';

suite('several serving threads on etcd', { skip: program === undefined ? NO_ETCD : false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-etcd-threads-'));
  let etcd: EtcdProcess;
  let server: Server;
  let connections: ManyConnections;

  before(async () => {
    etcd = await startEtcd({ program: program! });
    server = await startThreadedServer(2, { etcdServers: [etcd.url], controllers: '', dataDir: folder });
    connections = new ManyConnections(server, CONNECTIONS);
  });

  after(async () => {
    connections?.close();
    await server?.close();
    await etcd?.stop();
    rmSync(folder, { recursive: true });
  });

  test('several serving threads on etcd read what any of them has written', async () => {
    for (const [index, agent] of connections.agents.slice(0, 4).entries()) {
      const made = await connections.ask(agent, 'POST', MAPS, { metadata: { name: `m${index}` } });
      assert.equal(made.status, 201, made.text);
      for (const got of await connections.everywhere('GET', `${MAPS}/m${index}`)) {
        assert.equal(got.body.metadata?.resourceVersion, made.body.metadata.resourceVersion, got.text);
      }
    }
  });

  test('several serving threads on etcd apply concurrent updates of one object one after another', async () => {
    const [first] = connections.agents;
    await connections.ask(first!, 'POST', MAPS, { metadata: { name: 'counter' }, data: { count: '0' } });
    await Promise.all(
      connections.agents.map(async (agent) => {
        for (;;) {
          const object = (await connections.ask(agent, 'GET', `${MAPS}/counter`)).body;
          object.data.count = String(Number(object.data.count) + 1);
          const { status } = await connections.ask(agent, 'PUT', `${MAPS}/counter`, object);
          if (status === 200) return;
          assert.equal(status, 409);
        }
      }),
    );
    assert.equal((await connections.ask(first!, 'GET', `${MAPS}/counter`)).body.data.count, String(CONNECTIONS));
  });

  test('several serving threads on etcd send the writes of all to every watch, in order', async () => {
    const { body: list } = await connections.ask(connections.agents[0]!, 'GET', MAPS);
    const path = `${MAPS}?watch=1&timeoutSeconds=2&resourceVersion=${list.metadata.resourceVersion}`;
    const watches = connections.everywhere('GET', path);
    const versions: string[] = [];
    for (let index = 0; index < 4; index++) {
      const agent = new Agent({ ...connections.agents[0]!.options, maxSockets: 1 });
      const made = await connections.ask(agent, 'POST', MAPS, { metadata: { name: `watched-${index}` } });
      versions.push(made.body.metadata.resourceVersion);
      agent.destroy();
    }
    for (const { text } of await watches) {
      const events = text.trim().split('\n');
      assert.deepEqual(
        events.map((line) => JSON.parse(line).object.metadata.resourceVersion),
        versions,
      );
    }
  });
});
