import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { initContainersOf, mainContainersOf } from './container-kinds.ts';
import { containerPlan } from './container-plan.ts';
import { podScript } from './pod-script.ts';

function planOf(
  command: readonly string[],
  {
    restartPolicy = 'Never',
    annotations = {},
    owner = '',
    image = 'busybox',
  }: { restartPolicy?: string; annotations?: Record<string, string>; owner?: string; image?: string } = {},
) {
  const ownerReferences =
    owner === '' ? [] : [{ apiVersion: 'batch/v1', kind: owner, name: 'o', uid: 'u', controller: true }];
  const pod: Pod = {
    metadata: { name: 'p', annotations, ownerReferences },
    spec: { restartPolicy, containers: [{ name: 'c', image, command }], initContainers: [{ name: 'i', command }] },
  };
  const [container] = mainContainersOf(pod);
  const plan = containerPlan(pod, container!, podScript(pod).containers.get('c'));
  const init = containerPlan(pod, initContainersOf(pod)[0]!, podScript(pod).containers.get('i'));
  return { runMs: plan.runMs, code: plan.ending.exitCode, reason: plan.ending.reason, initMs: init.runMs };
}

test('a simulated container of a pod that is not restarted does what its command says', () => {
  const sh = (script: string) => ['sh', '-c', script];
  assert.deepEqual(planOf(sh('echo hello; exit 3')), { runMs: 0, code: 3, reason: 'Error', initMs: 0 });
  assert.equal(planOf(sh('test -e /data && true || exit 1')).code, 0);
  assert.equal(planOf(sh('false || exit 4')).code, 4);
  assert.equal(planOf(sh('false && exit 4')).code, 1);
  assert.equal(planOf(sh('echo one; exit 2; echo two')).code, 2);
  assert.equal(planOf(sh('if test -e /data; then exit 5; fi')).code, 0);
  assert.equal(planOf(sh('if test -e /data\n then\n exit 5\n else\n exit 6\n fi\n exit 7')).code, 7);
  assert.equal(planOf(['bash', '-ec', 'exit 8']).code, 8);
  assert.deepEqual(planOf(sh('sleep 5 && sleep 1m')).runMs, 65_000);
  assert.equal(planOf(['sleep', 'infinity']).runMs, undefined);
  assert.equal(planOf(['sleep', '3600']).runMs, 3_600_000);
  assert.equal(planOf(sh('while true; do sleep 1; done')).runMs, undefined);
  assert.equal(planOf(['/bin/false']).code, 1);
  assert.equal(planOf(['/bin/true']).code, 0);
  assert.equal(planOf([]).runMs, undefined);
  assert.equal(planOf([], { owner: 'Job' }).runMs, 0);
});

test('a simulated container of a pod that is always restarted runs for ever, its init containers do not', () => {
  const { runMs, initMs } = planOf(['sh', '-c', 'sleep 2; echo done'], { restartPolicy: 'Always' });
  assert.deepEqual([runMs, initMs], [undefined, 2000]);
});

test('a simulated container whose command fails by its own word fails, also if it is always restarted', () => {
  const { runMs, code } = planOf(['sh', '-c', 'sleep 2; exit 3'], { restartPolicy: 'Always' });
  assert.deepEqual([runMs, code], [2000, 3]);
  assert.equal(planOf(['false'], { restartPolicy: 'Always' }).code, 1);
  assert.equal(
    planOf(['sh', '-c', 'while true; do sleep 1; done; exit 3'], { restartPolicy: 'Always' }).runMs,
    undefined,
  );
});

test('annotations determine how a simulated container ends', () => {
  const planned = (annotations: Record<string, string>) => planOf([], { restartPolicy: 'Always', annotations });
  assert.deepEqual(planned({ 'keelson.dev/run-for': '30s' }), {
    runMs: 30_000,
    code: 0,
    reason: 'Completed',
    initMs: 0,
  });
  assert.deepEqual(planned({ 'keelson.dev/exit-code.c': '3' }), { runMs: 0, code: 3, reason: 'Error', initMs: 0 });
  assert.deepEqual(planned({ 'keelson.dev/crash-after': '5' }), { runMs: 5000, code: 1, reason: 'Error', initMs: 0 });
  assert.deepEqual(planned({ 'keelson.dev/oom-killed-after.c': '1m' }), {
    ...{ runMs: 60_000, code: 137, reason: 'OOMKilled', initMs: 0 },
  });
});

test('annotations that make no sense are reported and have no effect', () => {
  const annotations = { 'keelson.dev/exit-code': 'many', 'keelson.dev/run-for': '-3s', 'keelson.dev/constructor': 'x' };
  const { faults, containers } = podScript({ metadata: { annotations }, spec: { containers: [{ name: 'c' }] } });
  assert.deepEqual(faults, [
    'annotation keelson.dev/run-for has no effect: "-3s" is not a duration such as 30s',
    'annotation keelson.dev/exit-code has no effect: "many" is not a number from 0 to 255',
  ]);
  assert.equal(containers.get('c')?.exitCode, undefined);
});

test('a container with the pause image waits for ever, also in a Job', () => {
  assert.equal(planOf([], { owner: 'Job' }).runMs, 0);
  assert.equal(planOf([], { owner: 'Job', image: 'registry.k8s.io/pause:3.10' }).runMs, undefined);
});
