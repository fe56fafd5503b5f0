import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { emulationOf, RELEASES } from '../lifecycle/version.ts';
import { createCatalog } from './catalog.ts';
import { humanDuration } from './duration.ts';
import { cellAt, DEFAULT_TABLE, labels, selector, since, some } from './table.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 10);
const CREATED = '2026-01-01T00:00:00Z';
const AGE = '10m';

const catalog = createCatalog();
const allOf37 = createCatalog({ emulation: emulationOf(37, RELEASES.at(-1)), runtimeConfig: { 'api/all': 'true' } });

function row(group: string, resource: string, object: JsonObject, of = catalog): unknown[] {
  const definition = of.find(group, resource);
  assert.ok(definition);
  const metadata = { name: 'x', creationTimestamp: CREATED, ...(object['metadata'] as JsonObject | undefined) };
  const { cells } = definition.table ?? DEFAULT_TABLE;
  return cells({ ...object, metadata } as ApiObject).map((cell) => cellAt(cell, NOW));
}

describe('ages and durations in tables', () => {
  const second = 1000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  const spans: [durationMs: number, text: string][] = [
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [119 * second + 999, '119s'],
    [120 * second, '2m'],
    [9 * minute + 59 * second, '9m59s'],
    [10 * minute + 59 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 5 * minute, '7h5m'],
    [8 * hour + 5 * minute, '8h'],
    [47 * hour, '47h'],
    [48 * hour, '2d'],
    [50 * hour, '2d2h'],
    [8 * day + 5 * hour, '8d'],
    [729 * day, '729d'],
    [2 * 365 * day, '2y'],
    [3 * 365 * day + 10 * day, '3y10d'],
    [8 * 365 * day + 10 * day, '8y'],
  ];
  for (const [durationMs, text] of spans)
    test(`a duration of ${durationMs} ms is shown as ${text}`, () => assert.equal(humanDuration(durationMs), text));
});

describe('cells of tables', () => {
  test('cells of tables show selectors in the order of their keys', () => {
    const found = selector({
      matchLabels: { tier: 'front', app: 'web' },
      matchExpressions: [
        { key: 'zone', operator: 'NotIn', values: ['b', 'a'] },
        { key: 'b', operator: 'Exists' },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'env', operator: 'In', values: ['prod'] },
      ],
    });
    assert.equal(found, 'app=web,b,!c,env in (prod),tier=front,zone notin (a,b)');
    assert.equal(selector({}), '<none>');
  });

  test('cells of tables show labels, lists and times', () => {
    assert.equal(labels({ b: '2', a: '1' }), 'a=1,b=2');
    assert.equal(labels(undefined), '<none>');
    assert.equal(some(['a', 'b', 'c']), 'a,b,c');
    assert.equal(some(['a', 'b', 'c', 'd', 'e']), 'a,b,c + 2 more...');
    assert.equal(cellAt(since(null), NOW), '<unknown>');
    assert.equal(cellAt(since('2026-01-01T00:09:00.123456Z'), NOW), '59s');
  });
});

const container = (facts: JsonObject): JsonObject => ({ name: 'a', restartCount: 0, ready: false, ...facts });
const running = container({ ready: true, state: { running: {} } });

function pod(status: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): unknown[] {
  return row('', 'pods', { metadata, spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec }, status });
}

const reasons: [name: string, status: JsonObject, ready: string, reason: string][] = [
  ['the phase', { phase: 'Running', containerStatuses: [running, running] }, '2/2', 'Running'],
  ['the reason of the pod', { phase: 'Failed', reason: 'Evicted' }, '0/2', 'Evicted'],
  [
    'the waiting reason of the first container',
    {
      phase: 'Running',
      containerStatuses: [
        container({ state: { waiting: { reason: 'CrashLoopBackOff' } } }),
        container({ state: { waiting: { reason: 'ErrImagePull' } } }),
      ],
    },
    '0/2',
    'CrashLoopBackOff',
  ],
  [
    'an exit code',
    { phase: 'Running', containerStatuses: [container({ state: { terminated: { exitCode: 2 } } })] },
    '0/2',
    'ExitCode:2',
  ],
  [
    'a signal',
    { phase: 'Running', containerStatuses: [container({ state: { terminated: { exitCode: 137, signal: 9 } } })] },
    '0/2',
    'Signal:9',
  ],
  [
    'a completed container, and a running one that is not ready',
    {
      phase: 'Running',
      containerStatuses: [container({ state: { terminated: { exitCode: 0, reason: 'Completed' } } }), running],
    },
    '1/2',
    'NotReady',
  ],
  [
    'a completed container, and a running one that is ready',
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [container({ state: { terminated: { exitCode: 0, reason: 'Completed' } } }), running],
    },
    '1/2',
    'Running',
  ],
  [
    'a scheduling gate',
    {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    },
    '0/2',
    'SchedulingGated',
  ],
];
describe('the Table of pods', () => {
  test('the Table of pods shows a new pod without a status', () => {
    assert.deepEqual(pod({ phase: 'Pending' }), [
      'x',
      '0/2',
      'Pending',
      '0',
      AGE,
      '<none>',
      '<none>',
      '<none>',
      '<none>',
    ]);
  });

  for (const [name, status, ready, reason] of reasons) {
    test(`the Table of pods shows the status: ${name}`, () =>
      assert.deepEqual(pod(status).slice(1, 3), [ready, reason]));
  }

  const initContainers: [state: JsonObject, reason: string][] = [
    [{ terminated: { exitCode: 3 } }, 'Init:ExitCode:3'],
    [{ terminated: { exitCode: 1, reason: 'Error' } }, 'Init:Error'],
    [{ terminated: { exitCode: 1, signal: 15 } }, 'Init:Signal:15'],
    [{ waiting: { reason: 'CrashLoopBackOff' } }, 'Init:CrashLoopBackOff'],
    [{ waiting: { reason: 'PodInitializing' } }, 'Init:1/3'],
    [{ running: {} }, 'Init:1/3'],
  ];
  for (const [state, reason] of initContainers) {
    test(`the Table of pods shows the status of an init container: ${reason}`, () => {
      const through = container({ state: { terminated: { exitCode: 0 } } });
      const cells = pod(
        { phase: 'Pending', initContainerStatuses: [through, container({ state, restartCount: 2 })] },
        { initContainers: [{ name: 'i' }, { name: 'j' }, { name: 'k' }] },
      );
      assert.deepEqual(cells.slice(1, 4), ['0/2', reason, '2']);
    });
  }
});

describe('the Table of running pods', () => {
  test('the Table of running pods counts a sidecar among the containers, with its restarts', () => {
    const cells = pod(
      {
        phase: 'Running',
        initContainerStatuses: [
          { name: 'once', restartCount: 7, state: { terminated: { exitCode: 0 } } },
          { name: 'side', restartCount: 1, started: true, ready: true, state: { running: {} } },
        ],
        containerStatuses: [running, running],
      },
      { initContainers: [{ name: 'once' }, { name: 'side', restartPolicy: 'Always' }] },
    );
    assert.deepEqual(cells.slice(1, 4), ['3/3', 'Running', '1']);
  });

  test('the Table of running pods shows the sum of restarts with the time of the last one', () => {
    const ended = (finishedAt: string) => ({ terminated: { exitCode: 1, finishedAt } });
    const cells = pod({
      phase: 'Running',
      containerStatuses: [
        { ...running, restartCount: 3, lastState: ended('2026-01-01T00:05:00Z') },
        { ...running, restartCount: 2, lastState: ended('2026-01-01T00:01:00Z') },
      ],
    });
    assert.equal(cells[3], '5 (5m ago)');
  });

  test('the Table of running pods shows Terminating for a deleted pod', () => {
    const deleted = { deletionTimestamp: CREATED };
    assert.equal(pod({ phase: 'Running' }, {}, deleted)[2], 'Terminating');
    assert.equal(pod({ phase: 'Succeeded' }, {}, deleted)[2], 'Succeeded');
    assert.equal(pod({ phase: 'Running', reason: 'NodeLost' }, {}, deleted)[2], 'Unknown');
  });

  test('the Table of running pods shows the node, the IP and the readiness gates', () => {
    const cells = pod(
      {
        phase: 'Running',
        podIP: '10.9.8.7',
        podIPs: [{ ip: '10.9.8.7' }],
        nominatedNodeName: 'other',
        conditions: [{ type: 'a', status: 'True' }],
      },
      { nodeName: 'n1', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
    );
    assert.deepEqual(cells.slice(5), ['10.9.8.7', 'n1', 'other', '1/2']);
  });

  test('the Table of running pods has a condition in the row of a finished pod', () => {
    const conditions = catalog.find('', 'pods')?.table?.conditions;
    assert.equal(conditions?.({ metadata: {}, status: { phase: 'Running' } }), undefined);
    assert.equal(conditions?.({ metadata: {}, status: { phase: 'Failed' } })?.[0]?.['reason'], 'Failed');
  });
});

const PODS = {
  spec: {
    containers: [
      { name: 'web', image: 'nginx:1.27' },
      { name: 'log', image: 'fluentd:1.16' },
    ],
  },
};

const rows: [name: string, group: string, resource: string, object: JsonObject, cells: Json[]][] = [
  [
    'show a Deployment',
    'apps',
    'deployments',
    {
      spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: PODS },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    ['x', '1/3', 2, 1, AGE, 'web,log', 'nginx:1.27,fluentd:1.16', 'app=web'],
  ],
  [
    'show a Job without completions',
    'batch',
    'jobs',
    { spec: { parallelism: 2, template: PODS }, status: { succeeded: 1, startTime: CREATED } },
    ['x', 'Running', '1/1 of 2', '10m', AGE, 'web,log', 'nginx:1.27,fluentd:1.16', '<none>'],
  ],
  [
    'show a completed Job',
    'batch',
    'jobs',
    {
      metadata: { deletionTimestamp: CREATED },
      spec: { completions: 1, template: PODS },
      status: {
        succeeded: 1,
        startTime: CREATED,
        completionTime: '2026-01-01T00:00:05Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    ['x', 'Complete', '1/1', '5s', AGE, 'web,log', 'nginx:1.27,fluentd:1.16', '<none>'],
  ],
  [
    'show a Service of type LoadBalancer',
    '',
    'services',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIPs: ['10.0.0.9'],
        externalIPs: ['192.0.2.7'],
        ports: [
          { port: 80, nodePort: 30000, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
      status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }, { ip: '192.0.2.1' }] } },
    },
    ['x', 'LoadBalancer', '10.0.0.9', '192.0.2.1,lb.example.com,192.0.2.7', '80:30000/TCP,53/UDP', AGE, '<none>'],
  ],
  [
    'show a Node',
    '',
    'nodes',
    {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' } },
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    },
    [
      'x',
      'NotReady,SchedulingDisabled',
      'edge,worker',
      AGE,
      '',
      '<none>',
      '<none>',
      '<unknown>',
      '<unknown>',
      '<unknown>',
    ],
  ],
  [
    'show an Event that is a series',
    '',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{web}' },
      type: 'Normal',
      reason: 'Pulled',
      message: ' there\n',
      eventTime: '2026-01-01T00:01:00.500000Z',
      reportingComponent: 'kubelet',
      series: { count: 4, lastObservedTime: '2026-01-01T00:09:00.000000Z' },
    },
    ['60s', 'Normal', 'Pulled', 'pod/p', 'spec.containers{web}', 'kubelet', 'there', '8m59s', 4, 'x'],
  ],
  [
    'show Endpoints',
    '',
    'endpoints',
    {
      subsets: [
        { addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }] },
        { addresses: [{ ip: '192.0.2.3' }, { ip: '192.0.2.4' }] },
      ],
    },
    ['x', '192.0.2.1:80,[2001:db8::1]:80,192.0.2.3 + 1 more...', AGE],
  ],
  [
    'show an Ingress with more hosts than fit',
    'networking.k8s.io',
    'ingresses',
    { spec: { tls: [{}], rules: [{ host: 'a' }, { host: 'b' }, { host: 'c' }, { host: 'd' }] } },
    ['x', '<none>', 'a,b,c + 1 more...', '', '80, 443', AGE],
  ],
  [
    'show a ResourceQuota',
    '',
    'resourcequotas',
    {
      status: {
        hard: { 'requests.cpu': '2', pods: '10', 'limits.cpu': '4' },
        used: { pods: '3', 'limits.cpu': '1500m' },
      },
    },
    ['x', 'pods: 3/10, requests.cpu: 0/2', 'limits.cpu: 1500m/4', AGE],
  ],
  [
    'show a HorizontalPodAutoscaler',
    'autoscaling',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 60 } } },
          { type: 'External', external: { target: { averageValue: '30' } } },
          { type: 'Pods', pods: { target: { averageValue: '100' } } },
        ],
      },
      status: {
        currentReplicas: 3,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 41 } } }],
      },
    },
    ['x', 'Deployment/web', 'cpu: 41%/60%, <unknown>/30 (avg) + 1 more...', '2', 9, 3, AGE],
  ],
  [
    'show the default StorageClass',
    'storage.k8s.io',
    'storageclasses',
    { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }, provisioner: 'p' },
    ['x (default)', 'p', 'Delete', 'Immediate', false, AGE],
  ],
  [
    'show a signed CertificateSigningRequest',
    'certificates.k8s.io',
    'certificatesigningrequests',
    {
      spec: { signerName: 's', username: 'alice', expirationSeconds: 3600 },
      status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'AA==' },
    },
    ['x', AGE, 's', 'alice', '60m', 'Approved,Issued'],
  ],
  ['show name and age of a kind without columns', '', 'limitranges', {}, ['x', CREATED]],
];

describe('rows of tables', () => {
  for (const [name, group, resource, object, cells] of rows) {
    test(`rows of tables ${name}`, () => assert.deepEqual(row(group, resource, object), cells));
  }

  test('rows of tables show the annotations that a PodCertificateRequest asks for from 1.35 on', () => {
    const spec = { podName: 'p', serviceAccountName: 'a', nodeName: 'n', signerName: 's' };
    const cells = (object: JsonObject) => row('certificates.k8s.io', 'podcertificaterequests', object, allOf37);
    assert.deepEqual(cells({ spec }), ['x', 'p', 'a', 'n', 's', 'Pending', '<none>']);
    const unverifiedUserAnnotations = { 'b/c': '2', 'a/b': '1' };
    assert.equal(cells({ spec: { ...spec, unverifiedUserAnnotations } })[6], 'a/b=1,b/c=2');
  });

  test('rows of tables show the state of a StorageVersionMigration from 1.35 on', () => {
    const cells = (object: JsonObject) =>
      row('storagemigration.k8s.io', 'storageversionmigrations', object, allOf37).slice(1);
    const spec = { resource: { group: 'apps', resource: 'deployments' } };
    const conditions = ['Failed', 'Succeeded'].map((type) => ({ type, status: type === 'Failed' ? 'True' : 'False' }));
    assert.deepEqual(cells({ spec }), ['deployments.apps', 'Unknown']);
    assert.deepEqual(cells({ spec: { resource: { resource: 'pods' } } }), ['pods', 'Unknown']);
    assert.deepEqual(cells({ spec, status: { conditions } }), ['deployments.apps', 'Failed']);
  });

  test('rows of tables have as many cells as columns, except for the additional age of an IPAddress', () => {
    for (const { kind, table = DEFAULT_TABLE } of createCatalog({ runtimeConfig: { 'api/all': 'true' } }).definitions) {
      const cells = table.cells({ metadata: { name: 'x' } }).length;
      assert.equal(cells, table.columns.length + (kind === 'IPAddress' ? 1 : 0), kind);
    }
  });
});
