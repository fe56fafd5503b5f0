import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containersOf } from './containers.ts';

/** A pod with one container in a state. */
const podIn = (status: object, container: object = {}) => ({
  spec: { containers: [{ name: 'web', image: 'web:1', ...container }] },
  status: { containerStatuses: [{ name: 'web', restartCount: 0, ...status }] },
});
const one = (status: object, container: object = {}) => containersOf(podIn(status, container))[0]!;

test('a container that is running is healthy if it is ready', () => {
  const running = { running: { startedAt: '2026-01-05T08:00:00Z' } };
  const { state, tone, since } = one({ state: running, ready: true });
  assert.deepEqual([state, tone, since], ['Running', 'good', '2026-01-05T08:00:00Z']);
  const unready = one({ state: running, ready: false });
  assert.deepEqual([unready.tone, unready.message], ['warn', 'not ready']);
});

test('a waiting container has the reason and the message of the kubelet', () => {
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 40s' };
  const terminated = { reason: 'OOMKilled', exitCode: 137, finishedAt: '2026-01-05T08:01:00Z' };
  const found = one({ state: { waiting }, lastState: { terminated }, restartCount: 6 });
  assert.deepEqual(
    [found.state, found.tone, found.message, found.restarts, found.lastEnd, found.lastEndTime],
    ['CrashLoopBackOff', 'bad', 'back-off 40s', 6, 'OOMKilled, exit code 137', '2026-01-05T08:01:00Z'],
  );
  assert.equal(one({ state: { waiting: { reason: 'ContainerCreating' } } }).tone, 'warn');
});

test('a container that has ended has its exit code or signal, unless it succeeded', () => {
  const failed = one({ state: { terminated: { reason: 'Error', exitCode: 3 } } });
  assert.deepEqual([failed.state, failed.tone, failed.message], ['Error', 'bad', 'exit code 3']);
  assert.equal(one({ state: { terminated: { exitCode: 0, signal: 9 } } }).message, 'signal 9');
  const done = one({ state: { terminated: { reason: 'Completed', exitCode: 0 } } });
  assert.deepEqual([done.state, done.tone, done.message], ['Completed', '', '']);
});

test('init containers, sidecars and ephemeral containers are distinguished, in the order of their start', () => {
  const spec = {
    initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }],
    containers: [{ name: 'web' }],
    ephemeralContainers: [{ name: 'debug' }],
  };
  assert.deepEqual(
    containersOf({ spec }).map(({ name, role }) => [name, role]),
    [
      ['migrate', 'init'],
      ['proxy', 'sidecar'],
      ['web', ''],
      ['debug', 'ephemeral'],
    ],
  );
});

test('a container of a template has image, ports and resources, and no state', () => {
  const resources = { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi', 'x/gpu': 1 } };
  const ports = [
    { name: 'http', containerPort: 8080 },
    { containerPort: 53, protocol: 'UDP' },
  ];
  const [found] = containersOf({ spec: { containers: [{ name: 'web', image: 'web:1', ports, resources }] } });
  assert.deepEqual(found?.ports, ['http 8080/TCP', '53/UDP']);
  assert.deepEqual(found?.resources, ['cpu 100m – 1', 'memory 1Gi', 'x/gpu 0 – 1']);
  assert.deepEqual([found?.image, found?.state], ['web:1', '']);
});
