// Random workloads, and sequences of changes to them. The same seed gives the same requests.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { autoscalers } from './autoscalers.ts';
import { budgets, quotas } from './budgets.ts';
import { resourceClaims } from './devices.ts';
import { cronJobs, jobs } from './jobs.ts';
import { nodeChanges } from './node-changes.ts';
import { pods } from './pods.ts';
import { handmade, services } from './services.ts';
import { type Chooser, chooserOf, created, deletion, patched, removed, type Sequence, type Step } from './step.ts';
import { claims, claimTemplates, ephemeralVolumes, growingClaims } from './storage.ts';
import { template } from './templates.ts';

const EXTENT = [0, 1, 2, 3, 5];

function deployments(choose: Chooser): Step[] {
  const labels = { app: 'd' };
  const strategy = choose<object | undefined>(
    undefined,
    { type: 'Recreate' },
    {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: choose<unknown>(1, '50%'), maxUnavailable: choose<unknown>(0, 1, '34%') },
    },
  );
  const spec = {
    ...{ replicas: choose(...EXTENT), selector: { matchLabels: labels }, template: template(choose, labels) },
    ...(strategy === undefined ? {} : { strategy }),
    ...choose({}, { minReadySeconds: 1 }, { revisionHistoryLimit: choose(0, 1, 2) }, { paused: true }),
  };
  const path = 'apis/apps/v1/NS/deployments';
  const change = (): Step => {
    const patch = choose<object>(
      { spec: { replicas: choose(...EXTENT) } },
      { spec: { template: template(choose, labels) } },
      { spec: { paused: choose(true, false) } },
      { metadata: { annotations: { note: choose('a', 'b') } } },
      { spec: { replicas: choose(...EXTENT), template: template(choose, labels) } },
    );
    return patched(`${path}/d`, patch);
  };
  // Of two templates that follow each other at once, the first may or may not become a revision.
  const begun = choose(
    [created(path, { name: 'd' }, { spec })],
    [
      created(path, { name: 'd' }, { spec }, { waits: false }),
      patched(`${path}/d`, { spec: { replicas: choose(...EXTENT) } }),
    ],
  );
  return [
    ...begun,
    ...Array.from({ length: choose(1, 2, 3, 4) }, change),
    ...choose<Step[]>([], [], [deletion(choose, `${path}/d`)]),
  ];
}

/** A rollout whose new pods never become ready, and what is done about it. */
function stuckRollouts(choose: Chooser): Step[] {
  const labels = { app: 'd' };
  const path = 'apis/apps/v1/NS/deployments';
  const good = template(choose, labels);
  const bad = { metadata: { annotations: { 'keelson.dev/never-ready': 'true' } } };
  const healed = { metadata: { annotations: { 'keelson.dev/never-ready': null } } };
  const rollingUpdate = { maxSurge: choose(0, 1, 2), maxUnavailable: choose<unknown>(1, '50%') };
  const spec = {
    replicas: choose(2, 4),
    selector: { matchLabels: labels },
    template: good,
    progressDeadlineSeconds: 3,
  };
  const late = { quietMs: 5_000 };
  return [
    created(path, { name: 'd' }, { spec: { ...spec, strategy: { type: 'RollingUpdate', rollingUpdate } } }),
    patched(`${path}/d`, { spec: { template: bad } }, late),
    choose(
      patched(`${path}/d`, { spec: { template: healed } }, late),
      patched(`${path}/d`, { spec: { replicas: choose(1, 3, 6) } }, late),
      patched(`${path}/d`, { spec: { paused: true } }, late),
    ),
    ...choose<Step[]>([], [patched(`${path}/d`, { spec: { paused: false, template: healed } }, late)]),
  ];
}

function statefulSets(choose: Chooser): Step[] {
  const labels = { app: 's' };
  const path = 'apis/apps/v1/NS/statefulsets';
  const policy = () => choose('Retain', 'Delete');
  const spec = {
    ...{ replicas: choose(0, 1, 2, 3), serviceName: 's', selector: { matchLabels: labels } },
    template: template(choose, labels),
    ...choose<object>({}, {}, claimTemplates(choose)),
    ...choose({}, { persistentVolumeClaimRetentionPolicy: { whenDeleted: policy(), whenScaled: policy() } }),
    ...choose({}, { podManagementPolicy: 'Parallel' }, { ordinals: { start: 3 } }, { minReadySeconds: 1 }),
    ...choose({}, { revisionHistoryLimit: choose(0, 1) }),
    ...choose(
      {},
      { updateStrategy: { type: 'OnDelete' } },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: choose(0, 1, 2) } } },
    ),
  };
  const change = () =>
    patched(
      `${path}/s`,
      choose<object>(
        { spec: { replicas: choose(0, 1, 2, 4) } },
        { spec: { template: template(choose, labels) } },
        { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: choose(0, 1) } } } },
      ),
    );
  const lost = () => removed(`api/v1/NS/pods/s-${choose(0, 1, 3)}`);
  return [
    created(path, { name: 's' }, { spec }),
    ...Array.from({ length: choose(1, 2, 3) }, () => choose(change(), change(), lost())),
    ...choose<Step[]>([], [deletion(choose, `${path}/s`)]),
  ];
}

function daemonSets(choose: Chooser): Step[] {
  const labels = { app: 'x' };
  const path = 'apis/apps/v1/NS/daemonsets';
  const selector = choose<object>({}, { nodeSelector: { 'kubernetes.io/hostname': choose('node-1', 'node-9') } });
  const rollingUpdate = choose<object>(
    { maxUnavailable: 1 },
    { maxUnavailable: '67%' },
    { maxSurge: 1, maxUnavailable: 0 },
  );
  const spec = {
    ...{ selector: { matchLabels: labels }, template: template(choose, labels, selector) },
    updateStrategy: choose<object>({ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate }),
    ...choose({}, { minReadySeconds: 1 }, { revisionHistoryLimit: 1 }),
  };
  const change = () =>
    patched(
      `${path}/x`,
      choose<object>(
        { spec: { template: template(choose, labels, selector) } },
        { spec: { template: template(choose, labels, selector) } },
        { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate } } },
      ),
    );
  return [
    created(path, { name: 'x' }, { spec }),
    ...Array.from({ length: choose(0, 1, 2, 3) }, change),
    ...choose<Step[]>([], [deletion(choose, `${path}/x`)]),
  ];
}

function replicationControllers(choose: Chooser): Step[] {
  const path = 'api/v1/NS/replicationcontrollers';
  const spec = { replicas: choose(0, 1, 3), selector: { app: 'r' }, template: template(choose, { app: 'r' }) };
  return [created(path, { name: 'r' }, { spec }), patched(`${path}/r`, { spec: { replicas: choose(0, 2, 4) } })];
}

/** A ReplicaSet that adopts pods that were there before it, and gives up those whose labels change. */
function replicaSets(choose: Chooser): Step[] {
  const path = 'apis/apps/v1/NS/replicasets';
  const labels = { app: 'r' };
  // Which pods go first depends on how many share a node.
  const onOneNode = { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } };
  const pod = (name: string) =>
    created('api/v1/NS/pods', { name, labels }, { spec: template(choose, labels, onOneNode).spec });
  const spec = {
    ...{
      replicas: choose(0, 1, 2, 4),
      selector: { matchLabels: labels },
      template: template(choose, labels, onOneNode),
    },
    ...choose({}, { minReadySeconds: 1 }),
  };
  const change = () =>
    choose(
      patched(`${path}/r`, { spec: { replicas: choose(0, 2, 3) } }),
      patched('api/v1/NS/pods/one', { metadata: { labels: { app: 'other' } } }),
      removed('api/v1/NS/pods/one', { gracePeriodSeconds: choose(0, 1) }),
      deletion(choose, `${path}/r`),
    );
  const before = choose<Step[]>([], [pod('one')], [pod('one'), pod('two')]);
  return [...before, created(path, { name: 'r' }, { spec }), ...Array.from({ length: choose(1, 2, 3) }, change)];
}

const WORKLOADS: readonly ((choose: Chooser) => Step[])[] = [
  ...[deployments, deployments, deployments, stuckRollouts, statefulSets, statefulSets, daemonSets, daemonSets],
  ...[jobs, jobs, jobs, cronJobs, replicationControllers, replicaSets, pods, pods, autoscalers],
  ...[claims, claims, growingClaims, ephemeralVolumes, resourceClaims],
];

/** A sequence, beginning with the services and budgets that count its pods. */
export function sequence(random: SeededRandom): Sequence {
  const choose = chooserOf(random);
  if (random.chance(8)) return { steps: nodeChanges(choose), isAlone: true };
  const workload = choose(...WORKLOADS);
  const around = [services, handmade, budgets, quotas].flatMap((make) => choose<Step[]>([], make(choose)));
  return { steps: [...around, ...workload(choose)], isAlone: false };
}
