import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { ManualClock } from '../base/clock.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const ANNOTATION = 'apf.kubernetes.io/autoupdate-spec';

async function read(server: TestServer, path: string): Promise<ApiObject | undefined> {
  const { status, body } = await server.request('GET', path);
  return status === 200 ? (body as ApiObject) : undefined;
}

/** A server whose objects have been looked at once, and a clock that makes them be looked at again. */
async function start() {
  const clock = new ManualClock();
  const server = await startTestServer({}, { clock });
  await server.request('DELETE', `${LEVELS}/system`);
  const round = async (what: string, isDone: () => Promise<boolean>) => {
    await until(what, async () => {
      clock.advance(60_000);
      return isDone();
    });
  };
  await round('the first look', async () => (await read(server, `${LEVELS}/system`)) !== undefined);
  return { server, round };
}

const precedence = (schema: ApiObject | undefined) => (schema?.['spec'] as JsonObject)?.['matchingPrecedence'];

test('mandatory and suggested FlowSchemas are created again after their deletion', async () => {
  const { server, round } = await start();
  await using _ = server;
  await server.request('DELETE', `${SCHEMAS}/service-accounts`);
  await server.request('DELETE', `${SCHEMAS}/catch-all`);
  let made: ApiObject | undefined;
  await round('both are there', async () => {
    made = await read(server, `${SCHEMAS}/service-accounts`);
    return made !== undefined && (await read(server, `${SCHEMAS}/catch-all`)) !== undefined;
  });
  assert.deepEqual(made?.metadata.annotations, { [ANNOTATION]: 'true' });
  assert.equal(made?.metadata.generation, 1);
  const managers = made?.metadata.managedFields as JsonObject[];
  assert.ok(managers.some(({ manager }) => manager === 'api-priority-and-fairness-config-producer-v1'));
});

test('a suggested FlowSchema is restored while its annotation autoupdate-spec is true', async () => {
  const { server, round } = await start();
  await using _ = server;
  await server.patch(`${SCHEMAS}/service-accounts`, { spec: { matchingPrecedence: 8000 } });
  await server.patch(`${SCHEMAS}/kube-scheduler`, {
    metadata: { annotations: { [ANNOTATION]: 'false' } },
    spec: { matchingPrecedence: 8001 },
  });
  await round('it is put right', async () => precedence(await read(server, `${SCHEMAS}/service-accounts`)) === 9000);
  assert.equal(precedence(await read(server, `${SCHEMAS}/kube-scheduler`)), 8001);
});

test('a suggested FlowSchema that was changed without an annotation gets autoupdate-spec=false', async () => {
  const { server, round } = await start();
  await using _ = server;
  await server.patch(`${SCHEMAS}/service-accounts`, {
    metadata: { annotations: { [ANNOTATION]: 'perhaps' } },
    spec: { matchingPrecedence: 8000 },
  });
  await server.patch(`${SCHEMAS}/system-nodes`, { metadata: { annotations: { [ANNOTATION]: null } } });
  const annotation = async (name: string) =>
    (await read(server, `${SCHEMAS}/${name}`))?.metadata.annotations?.[ANNOTATION];
  await round('the annotations say so', async () => (await annotation('service-accounts')) === 'false');
  await round('the other as well', async () => (await annotation('system-nodes')) === 'true');
  assert.equal(precedence(await read(server, `${SCHEMAS}/service-accounts`)), 8000);
});

test('the shares of the mandatory priority level exempt may be changed by users', async () => {
  const { server, round } = await start();
  await using _ = server;
  const exempt = { nominalConcurrencyShares: 3, lendablePercent: 10 };
  await server.patch(`${LEVELS}/exempt`, {
    metadata: { annotations: { [ANNOTATION]: 'false' } },
    spec: { exempt },
  });
  const annotation = async () => (await read(server, `${LEVELS}/exempt`))?.metadata.annotations?.[ANNOTATION];
  await round('its annotation is put right', async () => (await annotation()) === 'true');
  assert.deepEqual((await read(server, `${LEVELS}/exempt`))?.['spec'], { type: 'Exempt', exempt });
});

test('objects with autoupdate-spec=true that belong to no release are deleted, others stay', async () => {
  const { server, round } = await start();
  await using _ = server;
  const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
  const metadata = (name: string, value: string) => ({ name, annotations: { [ANNOTATION]: value } });
  await server.request('POST', LEVELS, { metadata: metadata('old', 'true'), spec });
  await server.request('POST', LEVELS, { metadata: metadata('mine', 'false'), spec });
  await round('it is gone', async () => (await read(server, `${LEVELS}/old`)) === undefined);
  assert.notEqual(await read(server, `${LEVELS}/mine`), undefined);
});

test('without priority and fairness FlowSchemas get no status', async () => {
  await using server = await startTestServer({ enablePriorityAndFairness: false });
  assert.deepEqual((await read(server, `${SCHEMAS}/exempt`))?.['status'] ?? {}, {});
});
