import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configure, QUIET } from '../../../test/admission-webhooks.ts';
import { respond, startWebhook } from '../../../test/webhook-server.ts';
import type { ApiObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods', 'pods/*'] }];

/** Pods that a webhook is asked about: what it saw of each request, one by one. */
async function observed() {
  const server = await startTestServer(QUIET);
  const webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  await configure(server, 'validating', [{ at: webhook, rules: RULES }]);
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await server.request('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  return {
    async does(method: string, path: string, body?: unknown) {
      webhook.seen.length = 0;
      const { status } = await server.request(method, PODS + path, body);
      assert.ok(status < 300, String(status));
      return webhook.seen.map(({ review: { request } }) => request);
    },
    create: (name: string, nodeName?: string) => {
      const containers = [{ name: 'c', image: 'i' }];
      return server.request('POST', PODS, { metadata: { name }, spec: { containers, nodeName } });
    },
    async [Symbol.asyncDispose]() {
      await webhook[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

type Seen = Awaited<ReturnType<Awaited<ReturnType<typeof observed>>['does']>>;

/** The grace period, and whether the pod had been marked. */
const periods = (seen: Seen) =>
  seen.map(({ options, oldObject }) => [
    (options as { gracePeriodSeconds?: number }).gracePeriodSeconds,
    (oldObject as unknown as ApiObject).metadata.deletionTimestamp !== undefined,
  ]);

test('a graceful deletion of a pod calls webhooks once with its grace period, and again only if that becomes shorter', async () => {
  await using pods = await observed();
  await pods.create('a', 'n');
  assert.deepEqual(periods(await pods.does('DELETE', '/a')), [[30, false]]);
  assert.deepEqual(periods(await pods.does('DELETE', '/a')), []);
  assert.deepEqual(periods(await pods.does('DELETE', '/a', { gracePeriodSeconds: 40 })), []);
  assert.deepEqual(periods(await pods.does('DELETE', '/a', { gracePeriodSeconds: 5 })), [[5, true]]);
  assert.deepEqual(periods(await pods.does('DELETE', '/a', { gracePeriodSeconds: 0 })), [
    [0, true],
    [0, true],
  ]);
});

test('an immediate deletion of a pod calls webhooks when it is marked and when it is removed', async () => {
  await using pods = await observed();
  await pods.create('a');
  assert.deepEqual(periods(await pods.does('DELETE', '/a')), [
    [0, false],
    [0, true],
  ]);
  await pods.create('b');
  assert.deepEqual(periods(await pods.does('DELETE', '/b?dryRun=All')), [[0, false]]);
});

test('a webhook sees a Binding with its managedFields', async () => {
  await using pods = await observed();
  await pods.create('a');
  const target = { kind: 'Node', name: 'n' };
  const [seen] = await pods.does('POST', '/a/binding', { metadata: { name: 'a' }, target });
  const binding = seen?.object as unknown as ApiObject | undefined;
  const managedFields = binding?.metadata.managedFields;
  assert.deepEqual(
    managedFields?.map(({ operation, subresource, fieldsV1 }) => [operation, subresource, Object.keys(fieldsV1 ?? {})]),
    [['Update', 'binding', ['f:target']]],
  );
});
