import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerJson, register, startOtherApiServer, untilSays } from '../../test/api-server.ts';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const NAMESPACE = '/api/v1/namespaces/work';

async function condition(server: TestServer, type: string): Promise<JsonObject | undefined> {
  const { body } = await server.request('GET', NAMESPACE);
  const { conditions = [] } = (body as { status: { conditions?: JsonObject[] } }).status;
  return conditions.find((each) => each['type'] === type);
}

test('a deleted namespace waits for its content on aggregated servers, also while one of them is down', async () => {
  let things = ['one', 'two'];
  const verbs = ['list', 'delete', 'deletecollection'];
  const resource = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs };
  let isDown = true;
  await using other = await startOtherApiServer(({ method, url }, response) => {
    if (isDown) return answerJson(response, {}, 500);
    if (url === '/apis/x.io/v1') return answerJson(response, { resources: [resource] });
    if (url.split('?')[0] !== '/apis/x.io/v1/namespaces/work/things') return answerJson(response, {}, 404);
    if (method === 'DELETE') things = [];
    answerJson(response, { items: things.map((name) => ({ metadata: { name } })) });
  });
  await using server = await startTestServer();
  await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
  await register(server, other);
  await untilSays(server, 'FailedDiscoveryCheck');
  await server.request('DELETE', NAMESPACE);
  const type = 'NamespaceDeletionDiscoveryFailure';
  await until('it says so', async () => (await condition(server, type))?.['status'] === 'True');
  const { reason, message } = (await condition(server, type))!;
  assert.equal(reason, 'DiscoveryFailed');
  const incomplete =
    'unable to retrieve the complete list of server APIs: x.io/v1: stale GroupVersion discovery: x.io/v1';
  assert.equal(message, `Discovery failed for some groups, 1 failing: ${incomplete}`);
  isDown = false;
  await untilSays(server, 'Passed');
  await until('it is gone', async () => (await server.request('GET', NAMESPACE)).status === 404);
  assert.deepEqual(things, []);
});
