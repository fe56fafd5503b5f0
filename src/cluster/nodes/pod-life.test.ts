import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod, PodSpec } from '../../resources/builtin/core/pod/objects.ts';
import { noDelays } from './delays.ts';
import { livePod } from './pod-life.ts';
import { newPodRun } from './pod-run.ts';
import { podScript } from './pod-script.ts';
import { podStatus } from './pod-status.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** A pod on a node, whose time the test moves. */
class LivingPod {
  nowMs = START_MS;
  pod: Pod;
  readonly events: string[] = [];
  readonly run = newPodRun('uid', START_MS);
  nextMs = Number.POSITIVE_INFINITY;
  missing: string | undefined;
  #ids = 0;

  constructor(spec: PodSpec, annotations: Record<string, string> = {}) {
    const containers = (spec.containers ?? []).map(withDefaults);
    const metadata = { name: 'p', namespace: 'ns', uid: 'uid', generation: 1, annotations };
    this.pod = {
      metadata,
      spec: { ...spec, containers, initContainers: (spec.initContainers ?? []).map(withDefaults) },
    };
  }

  /** Lives until a time after the start, and says in short what its status is. */
  at(seconds: number): string {
    const endMs = START_MS + seconds * 1000;
    this.#live();
    while (this.nextMs <= endMs) {
      this.nowMs = this.nextMs;
      this.#live();
    }
    this.nowMs = endMs;
    this.#live();
    return this.text;
  }

  get text(): string {
    const { phase, containerStatuses = [], initContainerStatuses = [], reason } = this.pod.status ?? {};
    const parts = [...initContainerStatuses, ...containerStatuses].map(({ name, state = {}, restartCount, ready }) => {
      const { waiting, running, terminated } = state;
      const what =
        waiting?.reason ?? (running !== undefined ? 'running' : `${terminated?.reason} ${terminated?.exitCode}`);
      return `${name}: ${what}${ready === true ? ' ready' : ''}${restartCount === 0 ? '' : ` ${restartCount}x`}`;
    });
    return `${phase}${reason === undefined ? '' : ` ${reason}`}; ${parts.join(', ')}`;
  }

  condition(type: string): string {
    const found = this.pod.status?.conditions?.find((each) => each.type === type);
    return [found?.status, found?.reason, found?.message].filter((each) => each !== undefined).join(' ');
  }

  setImage(image: string): void {
    const containers = (this.pod.spec?.containers ?? []).map((each) => ({ ...each, image }));
    this.pod = { ...this.pod, spec: { ...this.pod.spec, containers } };
  }

  delete(graceSeconds: number): void {
    this.pod = {
      ...this.pod,
      metadata: { ...this.pod.metadata, deletionTimestamp: 'now', deletionGracePeriodSeconds: graceSeconds },
    };
  }

  #note(type: string, text: string): void {
    this.events.push(`${type} ${text}`);
  }

  #live(): void {
    const images = new Set<string>(['present:1']);
    this.nextMs = livePod(this.run, {
      pod: this.pod,
      script: podScript(this.pod),
      nowMs: this.nowMs,
      delays: noDelays,
      images,
      orders: this.run.orders,
      newId: () => `${this.#ids++}`,
      missingConfig: () => this.missing,
      missingVolumes: () => [],
      tell: (about, reason, message) => this.#note('Normal', `${reason} {${about?.name ?? ''}}: ${message}`),
      warn: (about, reason, message) => this.#note('Warning', `${reason} {${about?.name ?? ''}}: ${message}`),
    });
    const status = podStatus(this.pod, this.run, { nowMs: this.nowMs, minor: 34, hostAddress: '10.199.0.1' });
    this.pod = { ...this.pod, status };
  }
}

function withDefaults(container: Container): Container {
  return { image: 'app:1', imagePullPolicy: 'IfNotPresent', ...container };
}

test('a pod runs and is ready, with the events of a kubelet', () => {
  const pod = new LivingPod({ containers: [{ name: 'a' }, { name: 'b', image: 'present:1' }] });
  assert.equal(pod.at(0), 'Running; a: running ready, b: running ready');
  assert.deepEqual(pod.events, [
    'Normal Pulling {a}: Pulling image "app:1"',
    'Normal Pulled {a}: Successfully pulled image "app:1" in 0s (0s including waiting). Image size: 139154809 bytes.',
    'Normal Created {a}: Created container: a',
    'Normal Started {a}: Started container a',
    'Normal Pulled {b}: Container image "present:1" already present on machine',
    'Normal Created {b}: Created container: b',
    'Normal Started {b}: Started container b',
  ]);
  assert.deepEqual(
    pod.pod.status?.conditions?.map(
      ({ type, status, observedGeneration }) => `${type} ${status} ${observedGeneration}`,
    ),
    ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => `${type} True 1`,
    ),
  );
});

test('init containers of a pod run in order, and sidecars start before those that follow', () => {
  const pod = new LivingPod({
    restartPolicy: 'Always',
    initContainers: [
      { name: 'one', command: ['sleep', '2'] },
      { name: 'side', restartPolicy: 'Always' },
      { name: 'two', command: ['sleep', '3'] },
    ],
    containers: [{ name: 'main' }],
  });
  const waiting = 'PodInitializing';
  assert.equal(pod.at(1), `Pending; one: running, side: ${waiting}, two: ${waiting}, main: ${waiting}`);
  assert.equal(
    pod.condition('Initialized'),
    'False ContainersNotInitialized containers with incomplete status: [one side two]',
  );
  assert.equal(pod.at(2), `Pending; one: Completed 0 ready, side: running ready, two: running, main: ${waiting}`);
  assert.equal(pod.condition('Ready'), 'False ContainersNotReady containers with unready status: [main]');
  assert.equal(
    pod.at(5),
    'Running; one: Completed 0 ready, side: running ready, two: Completed 0 ready, main: running ready',
  );
});

test('a failed init container fails a pod that is never restarted', () => {
  const pod = new LivingPod({
    restartPolicy: 'Never',
    initContainers: [{ name: 'init', command: ['sh', '-c', 'exit 7'] }],
    containers: [{ name: 'main' }],
  });
  assert.equal(pod.at(0), 'Failed; init: Error 7, main: PodInitializing');
  assert.equal(pod.condition('PodReadyToStartContainers'), 'False');
});

test('a pod succeeds when its containers have ended well, and its sidecars are stopped', () => {
  const pod = new LivingPod({
    restartPolicy: 'Never',
    initContainers: [{ name: 'side', restartPolicy: 'Always' }],
    containers: [{ name: 'main', command: ['sleep', '10'] }],
  });
  assert.equal(pod.at(9), 'Running; side: running ready, main: running ready');
  assert.equal(pod.at(10), 'Succeeded; side: Completed 0, main: Completed 0');
  assert.equal(pod.condition('Ready'), 'False PodCompleted');
  assert.equal(pod.condition('Initialized'), 'True PodCompleted');
  assert.equal(pod.events.at(-1), 'Normal Killing {side}: Stopping container side');
});

test('a container that crashes is restarted at once, then after delays that double', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/exit-code': '2' });
  assert.equal(pod.at(0), 'Running; main: CrashLoopBackOff 1x');
  const { waiting } = pod.pod.status?.containerStatuses?.[0]?.state ?? {};
  assert.equal(waiting?.message, 'back-off 10s restarting failed container=main pod=p_ns(uid)');
  assert.equal(pod.pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 2);
  assert.equal(pod.at(9.9), 'Running; main: CrashLoopBackOff 1x');
  assert.equal(pod.at(10), 'Running; main: CrashLoopBackOff 2x');
  assert.equal(pod.at(29), 'Running; main: CrashLoopBackOff 2x');
  assert.equal(pod.at(10 + 20 + 40 + 80 + 160 + 300), 'Running; main: CrashLoopBackOff 7x');
  assert.match(pod.pod.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '', /^back-off 5m0s /);
});

test('the back-off of a container ends when it has run for long', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/crash-after': '11m' });
  assert.equal(pod.at(11 * 60), 'Running; main: running ready 1x');
  assert.equal(pod.at(22 * 60), 'Running; main: running ready 2x');
});

test('a container that is restarted on failure ends with success', () => {
  const pod = new LivingPod(
    { restartPolicy: 'OnFailure', containers: [{ name: 'main' }, { name: 'other', command: ['true'] }] },
    { 'keelson.dev/oom-killed-after.main': '5s' },
  );
  assert.equal(pod.at(4), 'Running; main: running ready, other: Completed 0');
  assert.equal(pod.at(5), 'Running; main: running ready 1x, other: Completed 0');
  assert.equal(pod.at(10), 'Running; main: CrashLoopBackOff 1x, other: Completed 0');
  const { terminated } = pod.pod.status?.containerStatuses?.[0]?.lastState ?? {};
  assert.deepEqual([terminated?.reason, terminated?.exitCode], ['OOMKilled', 137]);
});

test('an image that cannot be pulled is tried again after delays that double', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/fail-to-pull': 'true' });
  assert.equal(pod.at(0), 'Pending; main: ImagePullBackOff');
  const pulls = () => pod.events.filter((event) => event.includes(' Pulling ')).length;
  pod.at(29.9);
  assert.equal(pulls(), 2);
  pod.at(30);
  assert.equal(pulls(), 3);
  assert.equal(pod.events.filter((event) => event === 'Warning Failed {main}: Error: ImagePullBackOff').length, 3);
  const reasons = pod.events.slice(0, 5).map((event) => event.split(' ')[1]);
  assert.deepEqual(reasons, ['Pulling', 'Failed', 'Failed', 'BackOff', 'Failed']);
});

test('a container whose image has no valid name starts once it is given another one', () => {
  const pod = new LivingPod({ containers: [{ name: 'main', image: 'no/such:Tag:1' }] });
  assert.equal(pod.at(0), 'Pending; main: InvalidImageName');
  const parsed = `couldn't parse image name "no/such:Tag:1": invalid reference format`;
  assert.deepEqual(pod.events, [
    `Warning InspectFailed {main}: Failed to apply default image tag "no/such:Tag:1": ${parsed}`,
    'Warning Failed {main}: Error: InvalidImageName',
  ]);
  pod.setImage('valid:1');
  assert.equal(pod.at(1), 'Running; main: running ready');
});

test('a container that waits after crashes starts at once with another image', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/crash-after': '5s' });
  assert.equal(pod.at(11), 'Running; main: CrashLoopBackOff 1x');
  pod.setImage('other:1');
  assert.equal(pod.at(11), 'Running; main: running ready 2x');
});

test('a container whose ConfigMap is missing waits for it', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] });
  pod.missing = 'configmap "settings" not found';
  assert.equal(pod.at(0), 'Pending; main: CreateContainerConfigError');
  assert.equal(pod.pod.status?.containerStatuses?.[0]?.state?.waiting?.message, 'configmap "settings" not found');
  pod.missing = undefined;
  assert.equal(pod.at(60), 'Running; main: running ready');
});

test('a pod that has been active for longer than its deadline fails', () => {
  const pod = new LivingPod({ activeDeadlineSeconds: 30, containers: [{ name: 'main' }] });
  assert.equal(pod.at(29), 'Running; main: running ready');
  assert.equal(pod.at(30), 'Failed DeadlineExceeded; main: Completed 0');
  assert.equal(pod.pod.status?.message, 'Pod was active on the node longer than the specified deadline');
});

test('a deleted pod stops when its preStop hooks have ended, its sidecars last', () => {
  const pod = new LivingPod({
    initContainers: [{ name: 'side', restartPolicy: 'Always' }],
    containers: [{ name: 'main', lifecycle: { preStop: { sleep: { seconds: 5 } } } }],
  });
  pod.at(1);
  pod.delete(30);
  assert.equal(pod.at(5), 'Running; side: running ready, main: running ready');
  assert.equal(pod.at(6), 'Succeeded; side: Completed 0, main: Completed 0');
  assert.equal(pod.condition('PodReadyToStartContainers'), 'False');
});

test('a container that does not stop in time is killed', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/stop-after': '1m' });
  pod.at(1);
  pod.delete(30);
  assert.equal(pod.at(30), 'Running; main: running ready');
  assert.equal(pod.at(31), 'Failed; main: Error 137');
});

test('a deleted pod that never ran fails, as its containers cannot be found', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/fail-to-pull': 'true' });
  pod.at(1);
  pod.delete(30);
  assert.equal(pod.at(1), 'Failed; main: ContainerStatusUnknown 137');
});

test('a container whose image is changed is restarted with the new one', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] });
  pod.at(1);
  const containers = pod.pod.spec?.containers?.map((each) => ({ ...each, image: 'app:2' })) ?? [];
  pod.pod = { ...pod.pod, spec: { ...pod.pod.spec, containers } };
  assert.equal(pod.at(2), 'Running; main: running ready 1x');
  assert.equal(pod.pod.status?.containerStatuses?.[0]?.image, 'docker.io/library/app:2');
  assert.ok(pod.events.includes('Normal Killing {main}: Container main definition changed, will be restarted'));
});

test('a pod with a readiness gate is ready when others say so', () => {
  const pod = new LivingPod({
    readinessGates: [{ conditionType: 'example.com/gate' }],
    containers: [{ name: 'main' }],
  });
  pod.at(0);
  assert.equal(
    pod.condition('Ready'),
    'False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/gate" does not exist.',
  );
  const conditions = [...(pod.pod.status?.conditions ?? []), { type: 'example.com/gate', status: 'True' }];
  pod.pod = { ...pod.pod, status: { ...pod.pod.status, conditions } };
  pod.at(1);
  assert.equal(pod.condition('Ready'), 'True');
});

test('a container becomes ready after the time that its annotation says', () => {
  const pod = new LivingPod({ containers: [{ name: 'main' }] }, { 'keelson.dev/ready-after': '8s' });
  assert.equal(pod.at(7), 'Running; main: running');
  assert.equal(pod.at(8), 'Running; main: running ready');
});

/** A container with a probe that may fail twice, with 5 seconds in between. */
const probed = (kind: 'livenessProbe' | 'startupProbe', probe: object = {}): Container => ({
  ...{ name: 'a', image: 'present:1' },
  [kind]: { httpGet: { path: '/', port: 80 }, periodSeconds: 5, failureThreshold: 2, ...probe },
});
const unhealthy = (events: readonly string[]) => events.filter((text) => /Unhealthy|Killing|BackOff/.test(text));

test('a container whose liveness probe fails as often as its threshold is killed and restarted', () => {
  const spec = { containers: [probed('livenessProbe')], restartPolicy: 'Always' };
  const living = new LivingPod(spec, { 'keelson.dev/liveness-fails-after': '30s' });
  assert.equal(living.at(34), 'Running; a: running ready');
  assert.equal(living.at(35), 'Running; a: running ready 1x');
  const failed = 'Warning Unhealthy {a}: Liveness probe failed: HTTP probe failed with statuscode: 500';
  const killed = 'Normal Killing {a}: Container a failed liveness probe, will be restarted';
  assert.deepEqual(unhealthy(living.events), [failed, failed, killed]);
  // The second time there is a back-off.
  assert.equal(living.at(70), 'Running; a: CrashLoopBackOff 1x');
});

test('a container whose liveness probe fails is not restarted in a pod that never is', () => {
  const spec = { containers: [probed('livenessProbe')], restartPolicy: 'Never' };
  const living = new LivingPod(spec, { 'keelson.dev/liveness-fails-after.a': '10s' });
  assert.equal(living.at(15), 'Failed; a: Error 143');
  assert.equal(unhealthy(living.events).at(-1), 'Normal Killing {a}: Container a failed liveness probe');
});

test('a container whose startup probe fails never starts, and is killed again and again', () => {
  const spec = { containers: [probed('startupProbe', { initialDelaySeconds: 3 })], restartPolicy: 'Always' };
  const living = new LivingPod(spec, { 'keelson.dev/startup-fails': 'true' });
  assert.equal(living.at(7), 'Running; a: running');
  assert.equal(living.pod.status?.containerStatuses?.[0]?.started, false);
  assert.equal(living.at(8), 'Running; a: running 1x');
  const killed = 'Normal Killing {a}: Container a failed startup probe, will be restarted';
  assert.equal(unhealthy(living.events).at(-1), killed);
});

test('a probe whose command fails makes its container unready, or kills it', () => {
  const exec = { command: ['sh', '-c', 'exit 1'] };
  const living = new LivingPod({
    containers: [
      { name: 'a', image: 'present:1', readinessProbe: { exec: { command: ['/bin/false'] } } },
      { name: 'b', image: 'present:1', readinessProbe: { exec: { command: ['cat', '/ready'] } } },
      { name: 'c', image: 'present:1', livenessProbe: { exec, periodSeconds: 1, failureThreshold: 1 } },
    ],
  });
  assert.equal(living.at(0), 'Running; a: running, b: running ready, c: CrashLoopBackOff 1x');
});
