import assert from 'node:assert/strict';
import { test } from 'node:test';
import { items } from '../../../test/pod-runner.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';

interface JobItem {
  metadata: { name: string };
  status: { conditions?: { type: string }[] };
}

async function start(spec: object): Promise<TestServer> {
  const server = await startTestServer({ controllers: '*,cronjob-controller' });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  const body = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template } }, ...spec },
  };
  const created = await server.request('POST', CRON_JOBS, body);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  await server.cluster.settled();
  return server;
}

/** Lets hours pass, and what they bring happen. */
async function pass(server: TestServer, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    server.clock!.advance('1h');
    await server.cluster.settled();
  }
}

async function complete(server: TestServer, name: string): Promise<void> {
  const now = new Date(server.clock!.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }));
  const status = { startTime: now, completionTime: now, succeeded: 1, conditions };
  const answer = await server.patch(`${JOBS}/${name}/status`, { status });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await server.cluster.settled();
}

test('a CronJob starts a Job each time its schedule comes due', async () => {
  await using server = await start({});
  assert.deepEqual(await items(server, JOBS), []);
  await pass(server, 3);
  const jobs = await items<JobItem>(server, JOBS);
  assert.equal(jobs.length, 3);
  const { body } = await server.request('GET', `${CRON_JOBS}/report`);
  const { active } = (body as { status: { active: { name: string }[] } }).status;
  assert.deepEqual(active.map(({ name }) => name).sort(), jobs.map(({ metadata }) => metadata.name).sort());
});

test('with the concurrency policy Forbid, no Job is started while another one runs', async () => {
  await using server = await start({ concurrencyPolicy: 'Forbid' });
  await pass(server, 3);
  assert.equal((await items(server, JOBS)).length, 1);
});

test('with the concurrency policy Replace, the Job that runs gives way to the next one', async () => {
  await using server = await start({ concurrencyPolicy: 'Replace' });
  await pass(server, 1);
  const [first] = await items<JobItem>(server, JOBS);
  await pass(server, 1);
  const jobs = await items<JobItem>(server, JOBS);
  assert.equal(jobs.length, 1);
  assert.notEqual(jobs[0]?.metadata.name, first?.metadata.name);
});

test('a CronJob keeps as many successful Jobs as its history limit says', async () => {
  await using server = await start({ successfulJobsHistoryLimit: 2 });
  const names: string[] = [];
  for (let count = 0; count < 4; count++) {
    await pass(server, 1);
    const running = (await items<JobItem>(server, JOBS)).find(({ status }) => status.conditions === undefined);
    names.push(running!.metadata.name);
    await complete(server, running!.metadata.name);
  }
  const kept = (await items<JobItem>(server, JOBS)).map(({ metadata }) => metadata.name);
  assert.deepEqual(kept.sort(), names.slice(-2).sort());
});

test('a suspended CronJob starts nothing', async () => {
  await using server = await start({ suspend: true });
  await pass(server, 2);
  assert.deepEqual(await items(server, JOBS), []);
});
