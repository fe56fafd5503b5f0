import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { listAt, textAt } from '../resources/value.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';

function schema(name: string, level: string): JsonObject {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence: 5000 },
  };
}

const LEVEL: JsonObject = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'late' },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
};

async function read(server: TestServer, name: string): Promise<ApiObject> {
  return (await server.request('GET', `${SCHEMAS}/${name}`)).body as ApiObject;
}

/** Waits until the schema's only condition says so. */
async function says(server: TestServer, name: string, status: string): Promise<JsonObject> {
  let condition: JsonObject = {};
  await until(`${name} says ${status}`, async () => {
    condition = (listAt(await read(server, name), 'status', 'conditions')[0] ?? {}) as JsonObject;
    return textAt(condition, 'status') === status;
  });
  return condition;
}

test('the condition Dangling of a FlowSchema tells whether its priority level exists, and follows it', async () => {
  await using server = await startTestServer();
  await server.request('POST', SCHEMAS, schema('mine', 'late'));
  const { lastTransitionTime, ...missing } = await says(server, 'mine', 'True');
  assert.match(String(lastTransitionTime), /^\d{4}-.*Z$/);
  assert.deepEqual(missing, {
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message:
      'This FlowSchema references the PriorityLevelConfiguration object named "late" but there is no such object',
  });
  await server.request('POST', LEVELS, LEVEL);
  const found = await says(server, 'mine', 'False');
  assert.deepEqual(
    [found['reason'], found['message']],
    ['Found', 'This FlowSchema references the PriorityLevelConfiguration object named "late" and it exists'],
  );
  await server.request('DELETE', `${LEVELS}/late`);
  await says(server, 'mine', 'True');
  await server.patch(`${SCHEMAS}/mine`, { spec: { priorityLevelConfiguration: { name: 'exempt' } } });
  await says(server, 'mine', 'False');
  const [manager] = listAt(await read(server, 'mine'), 'metadata', 'managedFields').filter(
    (each) => textAt(each, 'operation') === 'Apply',
  );
  assert.deepEqual(
    [textAt(manager, 'manager'), textAt(manager, 'subresource')],
    ['api-priority-and-fairness-config-consumer-v1', 'status'],
  );
});

test('the default FlowSchemas have their status from the start, and it is not written again', async () => {
  await using server = await startTestServer();
  const before = await read(server, 'exempt');
  assert.equal(textAt(listAt(before, 'status', 'conditions')[0], 'status'), 'False');
  await server.request('POST', SCHEMAS, schema('mine', 'late'));
  await says(server, 'mine', 'True');
  assert.equal((await read(server, 'exempt')).metadata.resourceVersion, before.metadata.resourceVersion);
});

test('conditions of a FlowSchema by other writers stay', async () => {
  await using server = await startTestServer();
  await server.request('POST', SCHEMAS, schema('mine', 'late'));
  await says(server, 'mine', 'True');
  const conditions = [{ type: 'Odd', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  await server.patch(`${SCHEMAS}/mine/status`, { status: { conditions } });
  await until('both are there', async () => listAt(await read(server, 'mine'), 'status', 'conditions').length === 2);
});
