// API servers that say that they are there and then hang, or lie: nothing but what concerns them waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { answerJson, type OtherApiServer, register, startOtherApiServer, untilSays } from '../api-server.ts';
import { created } from '../created.ts';
import { until } from '../until.ts';

const THING = {
  name: 'things',
  singularName: 'thing',
  namespaced: true,
  kind: 'Thing',
  verbs: ['list', 'watch', 'delete'],
};
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** Says what it has, and answers nothing else. */
const HANGING: OtherApiServer['answer'] = ({ url }, response) => {
  if (url === '/apis') answerJson(response, {}, 404);
  else if (url === '/apis/x.io/v1') answerJson(response, { groupVersion: 'x.io/v1', resources: [THING] });
};

async function isGone(server: TestServer, path: string): Promise<void> {
  await until(`${path} is gone`, async () => (await server.request('GET', path)).status === 404);
}

/** An owner and what it owns; the owner goes, and with it the other. */
async function collects(server: TestServer): Promise<void> {
  const { metadata } = await created(server, CONFIG_MAPS, { metadata: { generateName: 'owner-' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid }];
  const owned = (await created(server, CONFIG_MAPS, { metadata: { generateName: 'owned-', ownerReferences } })).metadata
    .name;
  await server.request('DELETE', `${CONFIG_MAPS}/${metadata.name}`);
  await isGone(server, `${CONFIG_MAPS}/${owned}`);
}

/** Several that belong to things of the other server, which does not say whether these are there. */
async function ownedByThings(server: TestServer, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const ownerReferences = [{ apiVersion: 'x.io/v1', kind: 'Thing', name: `t${index}`, uid: `u${index}` }];
    await created(server, CONFIG_MAPS, { metadata: { name: `of-a-thing-${index}`, ownerReferences } });
  }
}

test('garbage collection continues beside an aggregated server that hangs', async () => {
  await using other = await startOtherApiServer(HANGING);
  await using server = await startTestServer();
  await register(server, other);
  await untilSays(server, 'Passed');
  await until('its things are asked for', () => other.asked.some(({ url }) => url.includes('things')));
  await ownedByThings(server, 100);
  await until('their owners are asked for', () => other.asked.some(({ url }) => /things\/t\d+$/.test(url)));
  await collects(server);
  assert.equal((await server.request('GET', `${CONFIG_MAPS}/of-a-thing-0`)).status, 200);
});

test('a deleted namespace reports that an aggregated server hangs, and is deleted when it responds', async () => {
  await using other = await startOtherApiServer(HANGING);
  await using server = await startTestServer();
  await register(server, other);
  await untilSays(server, 'Passed');
  await until('its things are asked for', () => other.asked.some(({ url }) => url.includes('things')));
  await created(server, '/api/v1/namespaces', { metadata: { name: 'work' } });
  await created(server, '/api/v1/namespaces/work/configmaps', { metadata: { name: 'in-work' } });
  await server.request('DELETE', '/api/v1/namespaces/work');
  await isGone(server, '/api/v1/namespaces/work/configmaps/in-work');
  const failure = await until('it says so', async () => {
    const { body } = await server.request('GET', '/api/v1/namespaces/work');
    const { conditions = [] } = (body as { status: { conditions?: Record<string, string>[] } }).status;
    return conditions.find((each) => each['status'] === 'True');
  });
  assert.equal(failure['type'], 'NamespaceDeletionContentFailure');
  assert.match(
    failure['message']!,
    /^Failed to delete all resource types, 1 remaining: Get ".*context deadline exceeded/,
  );
  other.answer = (asked, response, request) => {
    if (asked.url.includes('things')) return answerJson(response, { metadata: {}, items: [] });
    HANGING(asked, response, request);
  };
  await isGone(server, '/api/v1/namespaces/work');
});

test('false objects of an aggregated server do not affect those of the main server', async () => {
  let uid = '';
  let lies = 0;
  await using other = await startOtherApiServer((asked, response, request) => {
    if (!asked.url.includes('things')) return HANGING(asked, response, request);
    lies++;
    const metadata = {
      name: 'x',
      namespace: 'default',
      uid,
      ownerReferences: [{ uid: 'gone', kind: 7 }, 3, null],
      finalizers: 'no',
    };
    if (!asked.url.includes('watch='))
      return answerJson(response, { metadata: { resourceVersion: '1' }, items: [{ metadata }, 5, null] });
    const events = [{ type: 'ADDED', object: { metadata } }, { type: 'DELETED', object: { metadata } }, { type: 7 }];
    response.writeHead(200).end(`${events.map((each) => JSON.stringify(each)).join('\n')}\nno JSON\n[]\n`);
  });
  await using server = await startTestServer();
  uid = (await created(server, CONFIG_MAPS, { metadata: { name: 'ours' } })).metadata.uid!;
  await register(server, other);
  await untilSays(server, 'Passed');
  await until('it has lied', () => lies > 3);
  await collects(server);
  assert.equal((await server.request('GET', `${CONFIG_MAPS}/ours`)).status, 200);
});
