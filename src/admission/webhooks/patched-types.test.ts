import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configure, create, named, QUIET } from '../../../test/admission-webhooks.ts';
import { until } from '../../../test/until.ts';
import { patching, startWebhook, type WebhookServer } from '../../../test/webhook-server.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const GROUP = 'example.com';
const THINGS = `/apis/${GROUP}/v1/things`;

/** Defines a custom resource of two versions, and sends its creations to the webhook. */
async function define(server: TestServer, webhook: WebhookServer): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const names = { plural: 'things', kind: 'Thing' };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${GROUP}` },
    spec: { group: GROUP, scope: 'Cluster', names, versions },
  });
  await until('the resource is served', async () => (await server.request('GET', THINGS)).status === 200);
  const rules = [{ apiGroups: [GROUP], apiVersions: ['*'], operations: ['CREATE'], resources: ['things'] }];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
}

test('a webhook may change the version of a custom resource, but not its kind or group', async () => {
  await using server = await startTestServer();
  let patch: JsonObject = {};
  await using webhook = await startWebhook((seen) => patching(seen, patch));
  await define(server, webhook);
  const answerTo = async (changed: JsonObject) => {
    patch = changed;
    const object = { apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'a' } };
    const { status, body } = await server.request('POST', `${THINGS}?dryRun=All`, object);
    return [status, (body as JsonObject)['message'] ?? (body as JsonObject)['apiVersion']];
  };
  const version = (value: string) => ({ op: 'replace', path: '/apiVersion', value });
  const unsuitable = `is unstructured and is not suitable for converting to "${GROUP}/v1"`;
  assert.deepEqual(await answerTo(version(`${GROUP}/v2`)), [201, `${GROUP}/v1`]);
  assert.deepEqual(await answerTo(version(`${GROUP}/v3`)), [
    500,
    `request to convert CR from an invalid group/version: ${GROUP}/v3`,
  ]);
  assert.deepEqual(await answerTo(version('v2')), [500, `/v2, Kind=Thing ${unsuitable}`]);
  assert.deepEqual(await answerTo({ op: 'remove', path: '/apiVersion' }), [500, `/, Kind=Thing ${unsuitable}`]);
  const [status, message] = await answerTo({ op: 'remove', path: '/kind' });
  assert.equal(status, 500);
  assert.match(String(message), /^Internal error occurred: Object 'Kind' is missing in '\{"apiVersion":/);
  assert.deepEqual(await answerTo({ op: 'replace', path: '/kind', value: 'Other' }), [
    422,
    `Other.${GROUP} "a" is invalid: kind: Invalid value: "Other": must be Thing`,
  ]);
});

test('a built-in object that a webhook gives another kind is read as that kind', async () => {
  await using server = await startTestServer(QUIET);
  let value = 'Secret';
  await using webhook = await startWebhook((seen) => patching(seen, { op: 'replace', path: '/kind', value }));
  await configure(server, 'mutating', [{ at: webhook }]);
  const { status, body } = await create(server, named('a', { x: 'y' }));
  assert.deepEqual([status, body.message], [500, 'Internal error occurred: illegal base64 data at input byte 0']);
  value = 'Pod';
  const { body: other } = await create(server, named('a', { x: 'y' }));
  assert.equal(other.message, 'converting (v1.Pod) to (core.ConfigMap): unknown conversion');
});
