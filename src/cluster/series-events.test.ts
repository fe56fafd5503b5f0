import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../test/pod-runner.ts';
import type { Event } from '../resources/builtin/events/v1-objects.ts';
import { startTestServer } from '../testing.ts';

test('an event that is repeated is a series, which is written at its second time and at its end', async () => {
  await using server = await startTestServer({ controllers: '*,kube-scheduler' });
  await server.cluster.settled();
  const containers = [{ name: 'c', image: 'nginx' }];
  const pod = { metadata: { name: 'p' }, spec: { containers, nodeSelector: { none: 'such' } } };
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'one' } });
  await server.request('POST', '/api/v1/namespaces/default/pods', pod);
  await server.cluster.settled();
  const counts: number[] = [];
  for (let minutes = 5; minutes <= 35; minutes += 5) {
    await server.clock?.advance('5m1s');
    await server.cluster.settled();
    const events = await items<Event>(server, '/apis/events.k8s.io/v1/namespaces/default/events');
    counts.push(Math.max(...events.map(({ series }) => series?.count ?? 1)));
  }
  // It is tried every five minutes; the first event was about the pod before its condition was written.
  assert.deepEqual(counts.slice(0, 3), [1, 2, 2]);
  assert.ok(counts.at(-1)! > 2, `a long series is written now and then: ${counts}`);
});
