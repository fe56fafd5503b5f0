// A kubelet for tests of controllers, which need pods that run: it reports every pod as ready.

import assert from 'node:assert/strict';
import type { TestServer } from '../src/testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
/** Rounds after which pods that still come are a fault. */
const ROUNDS = 40;

interface PodItem {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: { readonly phase: string };
}

/** The objects in a list. */
export async function items<T>(server: TestServer, path: string): Promise<T[]> {
  return ((await server.request('GET', path)).body as { items: T[] }).items;
}

/**
 * Reports all pods as ready, one after the other, and ends those that are being deleted, until no more come.
 * @returns the names of the pods in the order in which they ran
 */
export async function runPods(server: TestServer): Promise<string[]> {
  const ran: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await server.cluster.settled();
    const pods = await items<PodItem>(server, PODS);
    const deleted = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    for (const { metadata } of deleted) await server.request('DELETE', `${PODS}/${metadata.name}?gracePeriodSeconds=0`);
    const waiting = pods.filter((pod) => pod.status.phase === 'Pending' && !deleted.includes(pod));
    if (waiting.length === 0 && deleted.length === 0) return ran;
    for (const { metadata } of waiting) {
      ran.push(metadata.name);
      const lastTransitionTime = new Date(server.clock!.now()).toISOString();
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
      const path = `${PODS}/${metadata.name}/status`;
      const { status } = await server.patch(path, { status: { phase: 'Running', conditions } });
      assert.equal(status, 200);
    }
  }
  assert.fail('the pods never settle');
}
