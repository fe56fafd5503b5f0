import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../../testing.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const PODS = '/api/v1/namespaces/default/pods';

interface PodItem {
  metadata: { name: string; annotations?: Record<string, string>; finalizers?: string[] };
  spec: { hostname?: string };
  status: { phase: string };
}

interface JobItem {
  status: Record<string, unknown> & {
    conditions?: { type: string; status: string; reason: string; message: string }[];
  };
}

/** A server with the Job controller; the test is the kubelet. */
async function start(spec: object): Promise<TestServer> {
  const server = await startTestServer({ controllers: '*,job-controller' });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'work' }, spec: { template, ...spec } };
  const { status, body } = await server.request('POST', JOBS, job);
  assert.equal(status, 201, JSON.stringify(body));
  await server.cluster.settled();
  return server;
}

async function pods(server: TestServer, phase = 'Pending'): Promise<PodItem[]> {
  const { items } = (await server.request('GET', PODS)).body as { items: PodItem[] };
  return items.filter(({ status }) => status.phase === phase);
}

async function job(server: TestServer): Promise<JobItem> {
  return (await server.request('GET', `${JOBS}/work`)).body as JobItem;
}

async function end(server: TestServer, { metadata: { name } }: PodItem, exitCode: number): Promise<void> {
  const finishedAt = new Date(server.clock!.now()).toISOString();
  const containerStatuses = [
    {
      name: 'main',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, finishedAt } },
    },
  ];
  const status = { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses };
  assert.equal((await server.patch(`${PODS}/${name}/status`, { status })).status, 200);
  await server.cluster.settled();
}

function conditions({ status }: JobItem): string[] {
  return (status.conditions ?? []).map(({ type, status: state, reason }) => `${type}=${state} ${reason}`);
}

test('a Job is complete when as many pods have succeeded as it asks for', async () => {
  await using server = await start({ completions: 3, parallelism: 2 });
  for (let count = 3; count > 0; count--) {
    const running = await pods(server);
    assert.equal(running.length, Math.min(2, count));
    await end(server, running[0]!, 0);
  }
  const done = await job(server);
  assert.deepEqual(conditions(done), [
    'SuccessCriteriaMet=True CompletionsReached',
    'Complete=True CompletionsReached',
  ]);
  const { succeeded, ready, terminating, active, uncountedTerminatedPods } = done.status;
  assert.deepEqual(
    { succeeded, ready, terminating, active, uncountedTerminatedPods },
    { succeeded: 3, ready: 0, terminating: 0, active: undefined, uncountedTerminatedPods: {} },
  );
  const ended = await pods(server, 'Succeeded');
  assert.deepEqual(
    ended.map(({ metadata }) => metadata.finalizers),
    [undefined, undefined, undefined],
  );
});

test('failed pods are replaced after a back-off, until the limit of a Job is reached', async () => {
  await using server = await start({ backoffLimit: 1 });
  await end(server, (await pods(server))[0]!, 3);
  assert.deepEqual(await pods(server), [], 'the replacement has not waited');
  server.clock!.advance('10s');
  await server.cluster.settled();
  await end(server, (await pods(server))[0]!, 3);
  const failed = await job(server);
  assert.deepEqual(conditions(failed), ['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded']);
  assert.equal(failed.status['failed'], 2);
});

test('an Indexed Job has one pod for each index, and tells which have completed', async () => {
  await using server = await start({ completions: 4, parallelism: 4, completionMode: 'Indexed' });
  const running = await pods(server);
  assert.deepEqual(running.map(({ spec }) => spec.hostname).sort(), ['work-0', 'work-1', 'work-2', 'work-3']);
  for (const index of ['0', '2', '3']) {
    const pod = running.find(
      ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'] === index,
    );
    await end(server, pod!, 0);
  }
  const { completedIndexes, succeeded, active } = (await job(server)).status;
  assert.deepEqual({ completedIndexes, succeeded, active }, { completedIndexes: '0,2,3', succeeded: 3, active: 1 });
});

test('an exit code that a podFailurePolicy names fails the Job at once', async () => {
  const onExitCodes = { operator: 'In', values: [42] };
  await using server = await start({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } });
  const [pod] = await pods(server);
  await end(server, pod!, 42);
  const failed = await job(server);
  assert.deepEqual(conditions(failed), ['FailureTarget=True PodFailurePolicy', 'Failed=True PodFailurePolicy']);
  assert.equal(
    failed.status.conditions?.[1]?.message,
    `Container main for pod default/${pod!.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
  );
});

test('a suspended Job has no pods until it is resumed', async () => {
  await using server = await start({ suspend: true });
  assert.deepEqual(await pods(server), []);
  assert.deepEqual(conditions(await job(server)), ['Suspended=True JobSuspended']);
  await server.patch(`${JOBS}/work`, { spec: { suspend: false } });
  await server.cluster.settled();
  assert.equal((await pods(server)).length, 1);
  assert.deepEqual(conditions(await job(server)), ['Suspended=False JobResumed']);
});

test('a Job that is active for longer than its deadline fails', async () => {
  await using server = await start({ activeDeadlineSeconds: 60 });
  server.clock!.advance('61s');
  await server.cluster.settled();
  assert.deepEqual(conditions(await job(server)), [
    'FailureTarget=True DeadlineExceeded',
    'Failed=True DeadlineExceeded',
  ]);
  assert.deepEqual(await pods(server), []);
});
