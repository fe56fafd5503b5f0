// The replayer itself, against a server in this process: it must see what differs, and must not wait for ever.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { reasonToRunAlone } from './alone.ts';
import { Client } from './client.ts';
import { replay } from './replay.ts';
import type { Scenario, Step } from './scenario.ts';
import { type ConformanceServer, startConformanceServer } from './server.ts';

suite('the replay of a conversation', () => {
  let started: ConformanceServer;
  let client: Client;

  before(async () => {
    started = await startConformanceServer();
    client = new Client(started.target);
  });

  after(async () => {
    client[Symbol.dispose]();
    await started[Symbol.asyncDispose]();
  });

  const run = async (...steps: Step[]) =>
    (await replay(client, scenarioOf(steps), { patience: 0.01 })).problems.map((line) => line.replaceAll(/\{.*/g, '…'));

  const made = { method: 'POST', path: '/api/v1/namespaces/{ns}/configmaps' };
  const body = { metadata: { name: 'a-{u}' }, data: { long: '{fill:3:ab}' } };

  test('the replay of a conversation accepts equal answers with variables in their places', async () => {
    const only = ['status', 'body.metadata.name', 'body.data', 'body.metadata.namespace'];
    const expect = { status: 201, body: { metadata: { name: 'a-<u>', namespace: '<ns>' }, data: { long: 'ababab' } } };
    const read: Step = { path: '/api/v1/namespaces/{ns}/configmaps/{name}', only: ['status'], expect: { status: 200 } };
    assert.deepEqual(await run({ ...made, body, only, expect, capture: { name: 'metadata.name' } }, read), []);
  });

  test('the replay of a conversation reports a difference, and ends with another status', async () => {
    const path = '/api/v1/namespaces/{ns}';
    const wrong: Step = { path, only: ['body.kind', 'status'], expect: { status: 200, body: { kind: 'Space' } } };
    const missing: Step = { path: `${path}/configmaps/none`, only: ['status'], expect: { status: 200 } };
    const places = ['step 1', 'step 2', 'step 3'].map((step) => `${step} /api/v1/namespaces/…`);
    assert.deepEqual(await run(wrong, wrong, missing, wrong), places);
  });

  test('the replay of a conversation reports a poll and a watch that time out', async () => {
    const poll: Step = { do: 'poll', path: '/version', until: { at: 'major', equals: '9' }, timeoutMs: 100 };
    assert.equal((await run(poll)).length, 1);
    const watch: Step = { do: 'watch', as: 'w', path: '/api/v1/namespaces/{ns}/secrets', record: false };
    const collect: Step = { do: 'collect', from: 'w', until: { count: 1 }, timeoutMs: 100 };
    assert.equal((await run(watch, collect)).length, 1);
  });

  test('the replay of a conversation collects events as they arrive', async () => {
    const query = { fieldSelector: 'metadata.name=a-{u}' };
    const watch: Step = { do: 'watch', as: 'w', path: '/api/v1/namespaces/{ns}/configmaps', query };
    const deletion: Step = { method: 'DELETE', path: '/api/v1/namespaces/{ns}/configmaps/a-{u}', record: false };
    const collect = { do: 'collect', from: 'w', until: { type: 'DELETED' }, types: true, timeoutMs: 500_000 } as const;
    const expect = { events: ['ADDED', 'DELETED'] };
    assert.deepEqual(await run(watch, { ...made, body, record: false }, deletion, { ...collect, expect }), []);
  });
});

test('the replay of conversations runs scenarios that change shared objects alone', () => {
  const reasonFor = (step: Step) => reasonToRunAlone(scenarioOf([step]));
  const storageClass = (annotations: object) => ({ metadata: { name: 's-{u}', annotations } });
  const post = { method: 'POST', path: '/apis/storage.k8s.io/v1/storageclasses' };
  assert.equal(reasonFor({ ...post, body: storageClass({}) }), undefined);
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  assert.equal(reasonFor({ ...post, body: storageClass(isDefault) }), 'changes what others get by default');
  assert.equal(reasonFor({ path: '/openapi/v2' }), 'reads a document about all of the server');
  assert.equal(reasonFor({ path: '/api/v1/namespaces/{ns}/pods' }), undefined);
});

function scenarioOf(steps: readonly Step[]): Scenario {
  return { id: 'test/one', title: '', steps };
}
