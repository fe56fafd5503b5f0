import assert from 'node:assert/strict';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { created } from '../../../test/created.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing.ts';
import type { Stage } from './stage-objects.ts';

const PODS = '/api/v1/namespaces/default/pods';
const STAGES = '/apis/kwok.x-k8s.io/v1alpha1/stages';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

type Spec = Partial<NonNullable<Stage['spec']>>;

/** A Stage of pods by default. Its template is indented like the code around it. */
function stage(name: string, spec: Spec) {
  const { statusTemplate = '', ...rest } = spec.next ?? {};
  const next = statusTemplate === '' ? rest : { ...rest, statusTemplate: statusTemplate.replace(/^ {8}/gm, '') };
  const own = { resourceRef: { apiGroup: 'v1', kind: 'Pod' }, selector: {} };
  return { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage', metadata: { name }, spec: { ...own, ...spec, next } };
}

function when(
  ...conditions: (readonly [key: string, operator: string, ...values: string[]])[]
): Stage['spec'] & object {
  const matchExpressions = conditions.map(([key, operator, ...values]) => ({
    ...{ key, operator },
    ...(values.length === 0 ? {} : { values }),
  }));
  return { selector: { matchExpressions } };
}

const LIVES = ['.metadata.deletionTimestamp', 'DoesNotExist'] as const;
const condition = (type: string) => `.status.conditions.[] | select( .type == "${type}" ) | .status`;

/** The general life of a pod: it is created, becomes ready, completes if a Job owns it, and goes when it is deleted. */
const GENERAL = [
  stage('create', {
    ...when(LIVES, ['.status.podIP', 'DoesNotExist']),
    delay: { durationMilliseconds: 1_000, durationFrom: { expressionFrom: '.metadata.annotations["test/create"]' } },
    next: {
      event: { type: 'Normal', reason: 'Made', message: 'made by a Stage' },
      finalizers: { add: [{ value: 'test/kept' }] },
      statusTemplate: `
        {{ $now := Now }}
        conditions:
        - { type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }} }
        - { type: Ready, status: "False", lastTransitionTime: {{ $now | Quote }} }
        containerStatuses:
        {{ range .spec.containers }}
        - { name: {{ .name | Quote }}, image: {{ .image | Quote }}, state: { waiting: { reason: ContainerCreating } } }
        {{ end }}
        hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
        podIP: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace | Quote }}
        phase: Pending`,
    },
  }),
  stage('ready', {
    ...when(LIVES, ['.status.phase', 'In', 'Pending'], [condition('Initialized'), 'In', 'True']),
    delay: { durationMilliseconds: 2_000 },
    next: {
      statusTemplate: `
        {{ $now := Now }}
        conditions:
        - { type: Ready, status: "True", lastTransitionTime: {{ $now | Quote }} }
        containerStatuses:
        {{ range $index, $container := .spec.containers }}
        {{ $before := index $.status.containerStatuses $index }}
        - name: {{ $container.name | Quote }}
          image: {{ $before.image | Quote }}
          ready: true
          state: { running: { startedAt: {{ $now | Quote }} } }
        {{ end }}
        phase: Running
        startTime: {{ $now | Quote }}`,
    },
  }),
  stage('complete', {
    ...when(LIVES, ['.status.phase', 'In', 'Running'], ['.metadata.ownerReferences.[].kind', 'In', 'Job']),
    delay: { durationMilliseconds: 5_000 },
    next: {
      statusTemplate: `
        containerStatuses:
        {{ range .spec.containers }}
        - name: {{ .name | Quote }}
          state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ Now | Quote }}, finishedAt: {{ Now | Quote }} } }
        {{ end }}
        phase: Succeeded`,
    },
  }),
  stage('let-go', {
    ...when(['.metadata.deletionTimestamp', 'Exists'], ['.metadata.finalizers', 'Exists']),
    delay: { durationMilliseconds: 3_000 },
    next: { finalizers: { remove: [{ value: 'test/kept' }] } },
  }),
  stage('delete', {
    ...when(['.metadata.deletionTimestamp', 'Exists'], ['.metadata.finalizers | length', 'In', '0']),
    next: { delete: true },
  }),
];

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer({ nodes: 1, seed: 1, ...options });
  await server.cluster.settled();
  return server;
}

async function get<T>(server: TestServer, path: string): Promise<T> {
  return (await server.request('GET', path)).body as T;
}

function pod(name: string, metadata: object = {}) {
  return { metadata: { name, ...metadata }, spec: { containers: [{ name: 'main', image: 'app:1' }] } };
}

async function podsOf(server: TestServer): Promise<Pod[]> {
  return (await get<{ items: Pod[] }>(server, PODS)).items;
}

/** The events about objects of a kind, of KWOK. */
async function eventsOf(server: TestServer, kind: string): Promise<string[]> {
  interface Event {
    readonly involvedObject: { readonly kind: string; readonly name: string };
    readonly type: string;
    readonly reason: string;
    readonly message: string;
    readonly source: { readonly component: string };
  }
  const { items } = await get<{ items: Event[] }>(server, '/api/v1/events');
  return items
    .filter(({ involvedObject, source }) => involvedObject.kind === kind && source.component === 'kwok_controller')
    .map(({ involvedObject, type, reason, message }) => `${involvedObject.name} ${type} ${reason}: ${message}`);
}

test('Stages of KWOK create pods, make them ready and complete those of Jobs, each after its delay', async () => {
  await using server = await start({ stages: GENERAL });
  const template = { metadata: { labels: { app: 'web' } }, spec: pod('web').spec };
  const web = { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template } };
  await created(server, '/apis/apps/v1/namespaces/default/deployments', web);
  await server.cluster.settled();
  assert.deepEqual(new Set((await podsOf(server)).map(({ status }) => status?.podIP)), new Set([undefined]));
  await server.clock?.advance('1s');
  const made = await podsOf(server);
  assert.deepEqual(made.map(({ status }) => status?.podIP).sort(), ['10.200.0.2', '10.200.0.3']);
  assert.deepEqual(made[0]?.metadata.finalizers, ['test/kept']);
  assert.ok(made.every(({ status }) => status?.hostIP === '10.199.0.1' && status.phase === 'Pending'));
  await server.clock?.advance('2s');
  const deployment = '/apis/apps/v1/namespaces/default/deployments/web';
  assert.equal((await get<{ status: { readyReplicas: number } }>(server, deployment)).status.readyReplicas, 2);

  const job = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] };
  await created(server, '/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'job' },
    spec: { template: { spec: job } },
  });
  await server.clock?.advance('10s');
  const done = await get<{ status: { succeeded: number } }>(server, '/apis/batch/v1/namespaces/default/jobs/job');
  assert.equal(done.status.succeeded, 1);
  const events = (await eventsOf(server, 'Pod')).map((event) => event.replace(/^(\w+)-\S+/, '$1'));
  assert.deepEqual(events, ['job Normal Made: made by a Stage', ...Array(2).fill('web Normal Made: made by a Stage')]);
});

test('a Stage of KWOK takes its delay from an annotation of the pod', async () => {
  await using server = await start({ stages: GENERAL });
  await created(server, PODS, pod('slow', { annotations: { 'test/create': '1m' } }));
  await server.clock?.advance('59s');
  assert.equal((await podsOf(server))[0]?.status?.podIP, undefined);
  await server.clock?.advance('1s');
  assert.equal((await podsOf(server))[0]?.status?.podIP, '10.200.0.2');
});

test('a pod that Stages of KWOK drive goes when a Stage has removed its finalizer', async () => {
  await using server = await start({ stages: GENERAL });
  await created(server, PODS, pod('web'));
  await server.clock?.advance('5s');
  await server.request('DELETE', `${PODS}/web`);
  await server.clock?.advance('2s');
  assert.equal((await podsOf(server)).length, 1);
  await server.clock?.advance('1s');
  assert.deepEqual(await podsOf(server), []);
});

test('a Stage of KWOK with the greater weight makes containers fail, of pods with its label alone', async () => {
  const chaos = stage('chaos', {
    ...when(['.metadata.labels["test/fails"]', 'In', 'true'], ['.status.phase', 'In', 'Running']),
    weight: 10_000,
    delay: { durationMilliseconds: 1_000 },
    next: {
      statusTemplate: `
        {{ $annotations := or .metadata.annotations dict }}
        {{ $code := or ( index $annotations "test/exit-code" ) 1 }}
        conditions:
        - { type: Ready, status: "False" }
        containerStatuses:
        {{ range .spec.containers }}
        - name: {{ .name | Quote }}
          ready: false
          state:
            terminated: { exitCode: {{ $code }}, reason: Broken, startedAt: {{ Now | Quote }}, finishedAt: {{ Now | Quote }} }
        {{ end }}
        phase: Failed`,
    },
  });
  const other = stage('other', {
    ...when(['.status.phase', 'In', 'Running']),
    next: { statusTemplate: 'message: fine' },
  });
  await using server = await start({ stages: [...GENERAL, chaos, other] });
  await created(server, PODS, pod('bad', { labels: { 'test/fails': 'true' }, annotations: { 'test/exit-code': '9' } }));
  await created(server, PODS, pod('good'));
  await server.clock?.advance('20s');
  const [bad, good] = await podsOf(server);
  assert.equal(bad?.status?.phase, 'Failed');
  const { exitCode, reason } = bad.status.containerStatuses?.[0]?.state?.terminated ?? {};
  assert.deepEqual([exitCode, reason], [9, 'Broken']);
  assert.deepEqual([good?.status?.phase, good?.status?.message], ['Running', 'fine']);
});

test('Stages of KWOK drive custom resources, which may be defined later', async () => {
  const grow = stage('grow', {
    resourceRef: { apiGroup: 'example.com/v1', kind: 'Widget' },
    selector: { matchExpressions: [{ cel: { expression: '!has(self.status) || self.status.size < self.spec.size' } }] },
    delay: { durationMilliseconds: 1_000 },
    next: {
      event: { type: 'Warning', reason: 'Growing', message: 'not there yet' },
      patches: [
        {
          subresource: 'status',
          root: 'status',
          template: 'size: {{ add1 ( or ( .status | default dict ).size 0 ) }}',
        },
        {
          type: 'json',
          template: '[{ op: add, path: /metadata/annotations, value: { grown: {{ Now | Quote }} } }]',
          impersonation: { username: 'gardener' },
        },
      ],
    },
  });
  await using server = await start({ stages: [grow] });
  const sizes = { type: 'object', properties: { size: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: sizes, status: sizes } } };
  const definition = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' } },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
  await created(server, DEFINITIONS, definition);
  await server.cluster.settled();
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 3 } };
  await created(server, widgets, widget);
  await server.clock?.advance('2s');
  interface Widget {
    readonly metadata: { readonly annotations: object; readonly managedFields: object[] };
    readonly status: { readonly size: number };
  }
  assert.equal((await get<Widget>(server, `${widgets}/a`)).status.size, 2);
  await server.clock?.advance('1m');
  const { metadata, status } = await get<Widget>(server, `${widgets}/a`);
  assert.equal(status.size, 3);
  assert.deepEqual(metadata.annotations, { grown: '2026-01-01T00:00:03Z' });
  assert.deepEqual(await eventsOf(server, 'Widget'), ['a Warning Growing: not there yet']);
  await server.request('DELETE', `${DEFINITIONS}/widgets.example.com`);
  await server.cluster.settled();
  await created(server, DEFINITIONS, definition);
  await server.cluster.settled();
  await created(server, widgets, { ...widget, metadata: { name: 'b' } });
  await server.clock?.advance('1s');
  assert.equal((await get<Widget>(server, `${widgets}/b`)).status.size, 1);
});

test('Stages of KWOK drive the status of nodes, whose leases are renewed as ever', async () => {
  const nodes = { resourceRef: { kind: 'Node' } };
  const initialize = stage('initialize', {
    ...nodes,
    ...when([condition('Ready'), 'NotIn', 'True']),
    next: {
      statusTemplate: `
        conditions:
        {{ range NodeConditions }}
        - type: {{ .type }}
          status: {{ .status | Quote }}
          reason: {{ .reason }}
          message: {{ .message | Quote }}
          lastHeartbeatTime: {{ Now | Quote }}
          lastTransitionTime: {{ Now | Quote }}
        {{ end }}
        addresses:
        {{ with .status.addresses }}
        {{ YAML . 1 }}
        {{ end }}
        nodeInfo:
          kubeletVersion: {{ printf "kwok-%s" Version }}
        phase: Running`,
    },
  });
  const beat = stage('beat', {
    ...nodes,
    ...when(['.status.phase', 'In', 'Running']),
    delay: { durationMilliseconds: 20_000 },
    next: { statusTemplate: 'conditions:\n- { type: Ready, lastHeartbeatTime: {{ Now | Quote }} }' },
    immediateNextStage: true,
  });
  await using server = await start({ stages: [initialize, beat] });
  const read = () => get<Node>(server, '/api/v1/nodes/node-1');
  const beats = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;
  const before = await read();
  assert.equal(before.status?.phase, 'Running');
  assert.match(before.status.nodeInfo?.kubeletVersion ?? '', /^kwok-\d/);
  assert.deepEqual(before.status.conditions?.map(({ type }) => type).at(-1), 'NetworkUnavailable');
  assert.equal(before.spec?.taints, undefined);
  await server.clock?.advance('1m');
  assert.equal(beats(await read()), '2026-01-01T00:01:00Z');
  const lease = await get<Lease>(server, `${LEASES}/node-1`);
  assert.ok(Date.parse(lease.spec?.renewTime ?? '') >= Date.UTC(2026, 0, 1, 0, 0, 50));
  server.cluster.nodes.stop('node-1');
  await server.clock?.advance('5m');
  assert.equal(beats(await read()), '2026-01-01T00:01:00Z');
});

test('a broken Stage of KWOK is reported and left out, and pods live as they do without it', async () => {
  const broken = [
    stage('no-jq', when(['.status |', 'Exists'])),
    stage('no-template', { next: { statusTemplate: '{{ unknown }}' } }),
  ];
  await using server = await start({ stages: broken });
  await created(server, PODS, pod('web'));
  await server.cluster.settled();
  assert.equal((await podsOf(server))[0]?.status?.phase, 'Running');
  assert.deepEqual((await eventsOf(server, 'Stage')).sort(), [
    'no-jq Warning InvalidStage: The Stage is left out: the expression ends unexpectedly',
    'no-template Warning InvalidStage: The Stage is left out: line 1: function "unknown" not defined',
  ]);
});

test('a Stage of KWOK that fails on a pod is reported, and others go on', async () => {
  const forbidden = stage('forbidden', {
    ...when(['.metadata.name', 'In', 'bad']),
    weight: 1,
    next: { statusTemplate: '{{ fail "not today" }}' },
  });
  await using server = await start({ stages: [...GENERAL, forbidden] });
  await created(server, PODS, pod('bad'));
  await created(server, PODS, pod('good'));
  await server.clock?.advance('5s');
  assert.deepEqual(await eventsOf(server, 'Stage'), [
    'forbidden Warning StageFailed: Pod default/bad: error calling fail: not today',
  ]);
  assert.deepEqual(
    (await podsOf(server)).map(({ status }) => status?.phase),
    ['Pending', 'Running'],
  );
});

test('Stages of KWOK that are created later take over, and pods live by themselves again when they are gone', async () => {
  await using server = await start({ stages: [stage('unused', { resourceRef: { kind: 'ConfigMap' } })] });
  await created(server, PODS, pod('before'));
  await server.cluster.settled();
  const mark = stage('mark', {
    ...when(LIVES),
    next: { statusTemplate: 'message: {{ .metadata.name | upper | Quote }}' },
  });
  await created(server, STAGES, mark);
  await created(server, PODS, pod('after'));
  await server.cluster.settled();
  const texts = async () => (await podsOf(server)).map(({ status }) => `${status?.phase} ${status?.message}`);
  assert.deepEqual(await texts(), ['Pending AFTER', 'Running BEFORE']);
  assert.throws(() => server.cluster.pods.fail('default', 'after'), /pod default\/after is driven by Stages/);
  await server.request('DELETE', `${STAGES}/mark`);
  await server.cluster.settled();
  assert.deepEqual(
    (await podsOf(server)).map(({ status }) => status?.phase),
    ['Running', 'Running'],
  );
});

test('a definition of Stages that a client brings is followed', async () => {
  await using from = await start({ stages: GENERAL });
  const { spec } = await get<{ spec: object }>(from, `${DEFINITIONS}/stages.kwok.x-k8s.io`);
  await using server = await start({});
  await created(server, DEFINITIONS, { metadata: { name: 'stages.kwok.x-k8s.io' }, spec });
  await server.cluster.settled();
  for (const each of GENERAL) await created(server, STAGES, each);
  await created(server, PODS, pod('web'));
  await server.cluster.settled();
  assert.equal((await podsOf(server))[0]?.status?.podIP, undefined);
  await server.clock?.advance('3s');
  assert.equal((await podsOf(server))[0]?.status?.phase, 'Running');
  await server.request('DELETE', `${DEFINITIONS}/stages.kwok.x-k8s.io`);
  await server.cluster.settled();
  await created(server, PODS, pod('own'));
  await server.cluster.settled();
  assert.equal((await podsOf(server)).find(({ metadata }) => metadata.name === 'own')?.status?.phase, 'Running');
});

test('a Stage of KWOK that selects what it makes never keeps a server busy', async () => {
  const endless = stage('endless', {
    next: { patches: [{ template: 'metadata: { annotations: { n: {{ uuidv4 }} } }' }] },
  });
  await using server = await start({ stages: [endless] });
  await created(server, PODS, pod('web'));
  await server.cluster.settled();
  const { metadata } = (await podsOf(server))[0] ?? {};
  await server.clock?.advance('1s');
  assert.notEqual((await podsOf(server))[0]?.metadata.resourceVersion, metadata?.resourceVersion);
});

test('the log of a pod that Stages of KWOK drive is derived from its status', async () => {
  await using server = await start({ stages: GENERAL });
  await created(server, PODS, pod('web'));
  await server.clock?.advance('5s');
  const { status, body } = await server.request('GET', `${PODS}/web/log`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(String(body), /main/);
});

test('Stages of KWOK are read from files and folders, without what else is there', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'stages-'));
  const write = (name: string, ...objects: object[]) =>
    writeFileSync(join(folder.path, name), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  write('general.yaml', { apiVersion: 'config.kwok.x-k8s.io/v1alpha1', kind: 'KwokConfiguration' }, ...GENERAL);
  write('kustomization.yaml', { resources: ['general.yaml'] });
  await using server = await start({ stages: [folder.path, stage('more', { weight: 0 })] });
  const { items } = await get<{ items: Stage[] }>(server, STAGES);
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['complete', 'create', 'delete', 'let-go', 'more', 'ready'],
  );
  write('other.json', pod('web'));
  await assert.rejects(
    start({ stages: [join(folder.path, 'other.json')] }),
    /other\.json: no Stage of kwok\.x-k8s\.io/,
  );
  await assert.rejects(start({ stages: [pod('web')] }), /is not a Stage of kwok\.x-k8s\.io\/v1alpha1/);
  await assert.rejects(start({ nodes: 0, stages: GENERAL }), /stages/);
});
