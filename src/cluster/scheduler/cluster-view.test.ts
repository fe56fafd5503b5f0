import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNode, makePod } from '../../../test/scheduling-objects.ts';
import { ManualClock } from '../../base/clock.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Follower, Informed } from '../informer.ts';
import { ClusterView } from './cluster-view.ts';
import { Nominations } from './nominations.ts';
import { SchedulingQueue } from './queue.ts';
import { Snapshot } from './snapshot.ts';

/** A view of a cluster, in which a test makes the changes. */
async function open() {
  const clock = new ManualClock();
  const parts = {
    snapshot: new Snapshot(),
    queue: new SchedulingQueue(clock, () => {}),
    nominations: new Nominations(),
  };
  const view = new ClusterView(parts);
  const followers = new Map<string, Follower<Informed>>();
  const informers = {
    serves: (group: string) => group === '',
    open: async (_group: string, resource: string) => ({
      follow: (follower: Follower<Informed>) => {
        followers.set(resource, follower);
        return () => followers.delete(resource);
      },
    }),
  };
  await view.open({ informers } as unknown as Pick<ClusterContext, 'informers'>);
  return { ...parts, view, clock, followers, pods: followers.get('pods')!, nodes: followers.get('nodes')! };
}

const waiting = (name: string, options: Parameters<typeof makePod>[1] = {}): Pod =>
  makePod(name, { ...options, spec: { schedulerName: 'default-scheduler', ...options.spec } });

test('changes of the cluster wait while the scheduler decides', async () => {
  const { view, snapshot, queue, nodes, pods } = await open();
  view.hold();
  nodes.changed(makeNode('one'), undefined);
  pods.changed(waiting('p'), undefined);
  assert.deepEqual([snapshot.nodes.length, queue.size], [0, 0]);
  view.release();
  assert.deepEqual([snapshot.nodes.length, queue.size], [1, 1]);
});

test('a pod leaves the queue when it has a node, and its node when it has ended', async () => {
  const { snapshot, queue, nodes, pods } = await open();
  nodes.changed(makeNode('one'), undefined);
  pods.changed(waiting('p'), undefined);
  const bound = waiting('p', { spec: { nodeName: 'one' } });
  pods.changed(bound, waiting('p'));
  assert.deepEqual([queue.size, snapshot.pod('p')?.name], [0, 'p']);
  pods.changed(waiting('p', { spec: { nodeName: 'one' }, status: { phase: 'Succeeded' } }), bound);
  assert.equal(snapshot.pod('p'), undefined);
});

test('pods of other schedulers and pods that are being deleted are not queued', async () => {
  const { queue, pods } = await open();
  pods.changed(makePod('foreign', { spec: { schedulerName: 'other' } }), undefined);
  const pod = waiting('leaving');
  pods.changed({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }, undefined);
  assert.equal(queue.size, 0);
});

test('a node that a pod was nominated for is kept until the nomination is withdrawn', async () => {
  const { nominations, pods } = await open();
  const nominated = waiting('p', { status: { nominatedNodeName: 'one' } });
  pods.changed(nominated, undefined);
  assert.equal(nominations.nodeOf('p'), 'one');
  pods.changed(waiting('p'), nominated);
  assert.equal(nominations.nodeOf('p'), undefined);
});

test('a claim that changes wakes the pods that wait for it, one that is removed does not', async () => {
  const { queue, clock, followers, pods } = await open();
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  pods.changed(waiting('p', { spec: { volumes } }), undefined);
  queue.rejected(queue.take()!, new Set(['VolumeBinding']));
  const claims = followers.get('persistentvolumeclaims')!;
  const claim = { metadata: { namespace: 'default', name: 'data' } };
  claims.removed!(claim);
  clock.advance(5_000);
  assert.equal(queue.take(), undefined);
  claims.changed(claim, claim);
  assert.equal(queue.take()?.info.name, 'p');
});
