import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './facts.ts';

const named = (members: object, metadata: object = {}) => ({
  metadata: { name: 'web', namespace: 'shop', uid: 'web', resourceVersion: '1', ...metadata },
  ...members,
});
const shown = (kind: string, object: ReturnType<typeof named>) =>
  Object.fromEntries(
    factsOf(kind, object).map(({ label, text, time = '', tone = '' }) => [
      label,
      `${text}${time}${tone && ` (${tone})`}`,
    ]),
  );

test('the summary of a pod has its phase, the reason of a failure, its node and its service account', () => {
  const status = { phase: 'Failed', reason: 'Evicted', message: 'low on memory', podIPs: [{ ip: '10.1.0.7' }] };
  assert.deepEqual(shown('/pods', named({ spec: { nodeName: 'node-1', serviceAccountName: 'runner' }, status })), {
    Phase: 'Failed (bad)',
    Reason: 'Evicted: low on memory (bad)',
    Node: 'node-1',
    IP: '10.1.0.7',
    'Service account': 'runner',
  });
  const [, , node] = factsOf('/pods', named({ spec: { nodeName: 'node-1' }, status }));
  assert.deepEqual(node?.to, { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'node-1' });
});

test('the summary of a running pod that is not ready is not healthy', () => {
  const pod = (ready: string) =>
    named({ status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } });
  assert.equal(shown('/pods', pod('True'))['Phase'], 'Running (good)');
  assert.equal(shown('/pods', pod('False'))['Phase'], 'Running (warn)');
});

test('the summary of a Deployment has its replicas, its strategy and its selector', () => {
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: 0 };
  const facts = shown(
    'apps/deployments',
    named(
      {
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: 'web' } },
          strategy: { type: 'RollingUpdate', rollingUpdate },
        },
        status: { readyReplicas: 2, updatedReplicas: 3, observedGeneration: 4 },
      },
      { generation: 5, annotations: { 'deployment.kubernetes.io/revision': '7' } },
    ),
  );
  assert.deepEqual(facts, {
    Replicas: '2 of 3 ready, 3 up to date (warn)',
    Controller: 'has not seen the last change (warn)',
    Strategy: 'RollingUpdate, 25% surge, 0 unavailable',
    Revision: '7',
    Selector: 'app=web',
  });
});

test('the summary of a workload scaled to zero is healthy', () => {
  const facts = shown('apps/statefulsets', named({ spec: { replicas: 0 }, status: {} }));
  assert.equal(facts['Replicas'], '0 of 0 ready, 0 up to date');
});

test('the summary of a Service has its addresses, ports and selector', () => {
  const ports = [
    { name: 'http', port: 80, targetPort: 8080, nodePort: 30080, protocol: 'TCP' },
    { port: 53, protocol: 'UDP' },
  ];
  const spec = { type: 'NodePort', clusterIPs: ['10.0.0.5'], ports, selector: { app: 'web' }, sessionAffinity: 'None' };
  assert.deepEqual(shown('/services', named({ spec })), {
    Type: 'NodePort',
    'Cluster IP': '10.0.0.5',
    Ports: 'http 80 → 8080/TCP node port 30080, 53/UDP',
    Selector: 'app=web',
  });
});

test('the summary of a node has its taints, roles and allocatable resources', () => {
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  const node = named(
    { spec: { unschedulable: true, taints }, status: { allocatable: { cpu: '4', pods: '110' } } },
    { labels: { 'node-role.kubernetes.io/control-plane': '' } },
  );
  assert.deepEqual(shown('/nodes', node), {
    Scheduling: 'disabled (cordoned) (warn)',
    Roles: 'control-plane',
    Taints: 'gpu=yes:NoSchedule',
    'Allocatable cpu': '4',
    'Allocatable pods': '110',
  });
});

test('the summary of an Ingress has a rule for each path', () => {
  const paths = [{ path: '/cart', backend: { service: { name: 'cart', port: { name: 'http' } } } }];
  const spec = { rules: [{ host: 'shop.example', http: { paths } }], tls: [{ hosts: ['shop.example'] }] };
  assert.deepEqual(shown('networking.k8s.io/ingresses', named({ spec })), {
    Rules: 'shop.example/cart → cart:http',
    TLS: 'shop.example',
  });
});

test('the summary of a CronJob has its schedule, that of a Job its pods and times', () => {
  const cron = shown(
    'batch/cronjobs',
    named({ spec: { schedule: '0 4 * * *', timeZone: 'Europe/Berlin', suspend: true } }),
  );
  assert.deepEqual(cron, { Schedule: '0 4 * * * Europe/Berlin', Suspended: 'yes (warn)', 'Active Jobs': '0' });
  const status = { failed: 1, startTime: '2026-01-05T08:00:00Z' };
  assert.deepEqual(shown('batch/jobs', named({ spec: { backoffLimit: 0 }, status })), {
    Pods: '1 failed (warn)',
    Completions: 'any',
    Retries: '0',
    Started: '2026-01-05T08:00:00Z',
  });
});

test('the summary of other kinds is empty', () => {
  assert.deepEqual(factsOf('example.com/widgets', named({ spec: { replicas: 3 } })), []);
  assert.deepEqual(factsOf('constructor', named({})), []);
});
