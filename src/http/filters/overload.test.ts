// One client floods a server over real sockets with ten times what its level takes; others are all answered. How fast they
// are is measured by `npm run bench -- --only overload`, where the flood comes from a process of its own.

import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect } from 'node:http2';
import { test } from 'node:test';
import { startTestServer } from '../../testing.ts';

const NODE = { name: 'system:node:n1', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} };
const FLOOD = { name: 'flood', uid: '', groups: ['system:authenticated'], extra: {} };
const CALM = { name: 'calm', uid: '', groups: ['system:authenticated'], extra: {} };
const USERS = new Map([NODE, FLOOD, CALM].map((user) => [user.name, user]));

/** Seats of the server; the level of the two clients has about a seventh of them. */
const SEATS = 28;
const FLOODING = 10 * SEATS;
const ROUNDS = 40;

function ask(client: ClientHttp2Session, token: string, path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'PATCH';
    const headers = { ':method': method, ':path': path, authorization: `Bearer ${token}` };
    const stream = client.request({ ...headers, 'content-type': 'application/merge-patch+json' });
    let status = 0;
    stream.on('response', (head) => {
      status = Number(head[':status']);
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(status));
    stream.resume();
    stream.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test('in a flood of lists, gets of other users, leases and probes never fail', async (context) => {
  const server = await startTestServer(
    { listen: true, maxRequestsInFlight: SEATS, maxMutatingRequestsInFlight: 0 },
    {
      tokens: [
        { permanent: true, authenticateToken: (token) => USERS.get(token) },
        {
          permanent: true,
          authenticateToken: (token) =>
            token === 'root' ? { name: 'root', uid: '', groups: ['system:masters'], extra: {} } : undefined,
        },
      ],
    },
  );
  const clients: ClientHttp2Session[] = [];
  const dial = () => {
    const client = connect(server.url, { rejectUnauthorized: false });
    clients.push(client);
    return client;
  };
  context.after(async () => {
    for (const client of clients) client.destroy();
    await server.close();
  });
  const admin = async (path: string, body: object) => {
    const headers = { authorization: 'Bearer root', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const { status } = await server.fetch(new Request(`https://localhost${path}`, init));
    assert.equal(status, 201, path);
  };
  const maps = '/api/v1/namespaces/default/configmaps';
  for (let index = 0; index < 50; index++) {
    await admin(maps, { metadata: { name: `m${index}` }, data: { x: 'x'.repeat(2000) } });
  }
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'n1' }, spec: {} };
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  await admin(leases, lease);
  await admin('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'view' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [...USERS.keys()].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
  });
  const flooding = dial();
  const statuses = new Map<number, number>();
  let flooded = true;
  const flood = Promise.all(
    Array.from({ length: FLOODING }, async () => {
      while (flooded) {
        const status = await ask(flooding, 'flood', maps);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const [calm, node, probe] = [dial(), dial(), dial()];
  for (let round = 0; round < ROUNDS; round++) {
    assert.equal(await ask(calm, 'calm', `${maps}/m1`), 200);
    assert.equal(await ask(node, NODE.name, `${leases}/n1`, lease), 200);
    assert.equal(await ask(probe, 'calm', '/livez'), 200);
  }
  flooded = false;
  await flood;
  assert.ok((statuses.get(200) ?? 0) > 0, `the flood was served: ${JSON.stringify([...statuses])}`);
});
