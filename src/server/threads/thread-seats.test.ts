import assert from 'node:assert/strict';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { test } from 'node:test';
import { ManyConnections } from '../../../test/many-connections.ts';
import { startThreadedServer } from '../../../test/threaded-server.ts';
import { until } from '../../../test/until.ts';

/** So many that each thread has some. */
const CONNECTIONS = 16;
const NAMESPACES = '/api/v1/namespaces';

test('the limit of writes in flight holds for all serving threads together if priority and fairness is disabled', async () => {
  const limits = { enablePriorityAndFairness: false, maxMutatingRequestsInFlight: 3 };
  const server = await startThreadedServer(2, { controllers: '', ...limits });
  const connections = new ManyConnections(server, CONNECTIONS);
  const strangers = Array.from({ length: CONNECTIONS }, () => {
    return new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  });
  /** What anonymous writes are answered on each connection. */
  const answers = async () => {
    const all = await Promise.all(strangers.map((agent) => connections.ask(agent, 'POST', NAMESPACES, {})));
    return [...new Set(all.map(({ status }) => status))];
  };
  const held: ClientRequest[] = [];
  try {
    for (const agent of connections.agents.slice(0, 3)) {
      const headers = { 'content-type': 'application/json' };
      const write = request(`${server.url}${NAMESPACES}`, { agent, method: 'POST', headers });
      write.on('error', () => {});
      write.flushHeaders();
      held.push(write);
    }
    await until('the writes are in flight', async () => {
      const { text } = await connections.ask(connections.agents.at(-1)!, 'GET', '/metrics');
      return text.includes('apiserver_current_inflight_requests{request_kind="mutating"} 3\n');
    });
    assert.deepEqual(await answers(), [429]);
    held.pop()?.destroy();
    await until('one write is admitted again', async () => {
      return (await connections.ask(strangers[0]!, 'POST', NAMESPACES, {})).status === 403;
    });
  } finally {
    for (const write of held) write.destroy();
    for (const agent of strangers) agent.destroy();
    connections.close();
    await server.close();
  }
});
