import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import type { PortForward } from '../api/console-answers.ts';
import { systemClock } from '../server/system-clock.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { Cluster } from './cluster.ts';
import { readContexts } from './contexts.ts';
import { forwardsRequest } from './forwards-request.ts';
import { PortForwards } from './port-forwards.ts';

const POD = {
  metadata: { name: 'web', annotations: { 'keelson.dev/answer': 'hello' } },
  spec: { containers: [{ name: 'web', image: 'web', ports: [{ containerPort: 8080 }] }] },
};

describe('forwarded ports of the console', () => {
  let server: TestServer;
  let cluster: Cluster;
  let forwards: PortForwards;
  before(async () => {
    server = await startTestServer({ listen: true, nodes: 1 });
    const pods = '/api/v1/namespaces/default/pods';
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    assert.equal((await server.request('POST', pods, POD)).status, 201);
    await server.cluster.settled();
    const contexts = await readContexts(['/c'], () => server.kubeconfigText);
    cluster = new Cluster(contexts.access(contexts.current));
    forwards = new PortForwards(() => cluster, systemClock);
  });
  after(async () => {
    forwards?.close();
    cluster?.close();
    await server?.close();
  });

  const asked = { namespace: 'default', pod: 'web', port: 8080, localPort: 0 };
  const ask = (method: string, path = '/console/forwards', body: unknown = undefined) =>
    forwardsRequest(forwards, { method, path, body: body === undefined ? '' : JSON.stringify(body) });

  test('a forwarded port answers as the port of the pod, until it is stopped', async () => {
    const [{ id, localPort }] = (await ask('POST', undefined, asked)) as [PortForward];
    for (const _ of [1, 2]) {
      const answer = await fetch(`http://127.0.0.1:${localPort}/`);
      assert.deepEqual([answer.status, await answer.text()], [200, 'hello']);
    }
    assert.deepEqual(await ask('DELETE', `/console/forwards/${id}`), []);
    await assert.rejects(fetch(`http://127.0.0.1:${localPort}/`));
  });

  test('a port that the pod does not listen to closes connections, and the reason is listed', async () => {
    const { id, localPort } = await forwards.start({ ...asked, port: 9999 });
    const socket = connect(localPort, '127.0.0.1').resume();
    await new Promise((resolve) => socket.once('close', resolve).once('error', () => {}));
    await until('a reason', () => forwards.list().find((each) => each.id === id)?.fault !== '');
    assert.match(forwards.list().find((each) => each.id === id)?.fault ?? '', /connection refused/);
    forwards.stop(id);
  });

  test('a pod that does not exist is told as the server tells it', async () => {
    const { id, localPort } = await forwards.start({ ...asked, pod: 'none' });
    const socket = connect(localPort, '127.0.0.1').resume();
    await new Promise((resolve) => socket.once('close', resolve).once('error', () => {}));
    await until('a reason', () => forwards.list().find((each) => each.id === id)?.fault !== '');
    assert.equal(forwards.list().find((each) => each.id === id)?.fault, 'pods "none" not found');
    forwards.stop(id);
  });

  test('a port of this machine that is taken is refused, and so is a request that names no port', async () => {
    const open = await forwards.start(asked);
    assert.deepEqual(await ask('POST', undefined, { ...asked, localPort: open.localPort }), {
      status: 409,
      message: `port ${open.localPort} of this machine is in use`,
    });
    for (const wrong of [{ ...asked, port: 0 }, { ...asked, pod: 3 }, {}, []]) {
      assert.partialDeepStrictEqual(await ask('POST', undefined, wrong), { status: 400 });
    }
    assert.partialDeepStrictEqual(await ask('DELETE', '/console/forwards/99'), { status: 404 });
    assert.partialDeepStrictEqual(await ask('PUT'), { status: 405 });
    forwards.close();
    assert.deepEqual(await ask('GET'), []);
  });
});
