// Random workloads, and sequences of changes to them. The same seed gives the same requests.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import { resourceClaims } from './devices.ts';
import type { Side } from './sides.ts';
import type { Chooser, Step } from './step.ts';
import { claims, claimTemplates, ephemeralVolumes } from './storage.ts';

function chooserOf(random: SeededRandom): Chooser {
  return (...choices) => choices[random.below(choices.length)] as (typeof choices)[number];
}

function template(choose: Chooser, labels: object, spec: object = {}) {
  const resources = choose({}, { requests: { cpu: '100m' } });
  const probe = choose({}, { readinessProbe: { tcpSocket: { port: 80 } } });
  const ports = [{ name: 'http', containerPort: 8080 }];
  const containers = [{ name: 'main', image: choose('nginx:1', 'nginx:2', 'httpd'), resources, ports, ...probe }];
  return { metadata: { labels }, spec: { containers, terminationGracePeriodSeconds: choose(1, 5), ...spec } };
}

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
    return { method: 'PATCH', path: `${path}/d`, body: patch, waits: true };
  };
  return [
    { method: 'POST', path, body: { metadata: { name: 'd' }, spec }, waits: choose(true, false) },
    ...Array.from({ length: choose(1, 2, 3, 4) }, change),
    ...choose<Step[]>([], [], [deletion(choose, `${path}/d`)]),
  ];
}

function deletion(choose: Chooser, path: string): Step {
  const propagationPolicy = choose('Background', 'Foreground', 'Orphan');
  return { method: 'DELETE', path, body: { propagationPolicy }, waits: true };
}

function statefulSets(choose: Chooser): Step[] {
  const labels = { app: 's' };
  const path = 'apis/apps/v1/NS/statefulsets';
  const spec = {
    ...{
      replicas: choose(0, 1, 2, 3),
      serviceName: 's',
      selector: { matchLabels: labels },
      template: template(choose, labels),
    },
    ...choose<object>({}, {}, claimTemplates(choose)),
    ...choose({}, { podManagementPolicy: 'Parallel' }, { ordinals: { start: 3 } }, { minReadySeconds: 1 }),
    ...choose(
      {},
      { updateStrategy: { type: 'OnDelete' } },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: choose(0, 1, 2) } } },
    ),
  };
  const change = (): Step => ({
    method: 'PATCH',
    path: `${path}/s`,
    body: choose<object>({ spec: { replicas: choose(0, 1, 2, 4) } }, { spec: { template: template(choose, labels) } }),
    waits: true,
  });
  const lost: Step = { method: 'DELETE', path: `api/v1/NS/pods/s-${choose(0, 1, 3)}`, waits: true };
  return [
    { method: 'POST', path, body: { metadata: { name: 's' }, spec }, waits: true },
    ...Array.from({ length: choose(1, 2, 3) }, () => choose(change(), change(), lost)),
    ...choose<Step[]>([], [deletion(choose, `${path}/s`)]),
  ];
}

function daemonSets(choose: Chooser): Step[] {
  const labels = { app: 'x' };
  const path = 'apis/apps/v1/NS/daemonsets';
  const selector = choose<object>({}, { nodeSelector: { 'kubernetes.io/hostname': choose('node-1', 'node-9') } });
  const rollingUpdate = choose<object>({ maxUnavailable: 1 }, { maxSurge: 1, maxUnavailable: 0 });
  const spec = {
    ...{ selector: { matchLabels: labels }, template: template(choose, labels, selector) },
    updateStrategy: choose<object>({ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate }),
  };
  const change = (): Step => ({
    method: 'PATCH',
    path: `${path}/x`,
    body: { spec: { template: template(choose, labels, selector) } },
    waits: true,
  });
  return [
    { method: 'POST', path, body: { metadata: { name: 'x' }, spec }, waits: true },
    ...Array.from({ length: choose(0, 1, 2) }, change),
    ...choose<Step[]>([], [deletion(choose, `${path}/x`)]),
  ];
}

function jobs(choose: Chooser): Step[] {
  const path = 'apis/batch/v1/NS/jobs';
  const command = choose<string[]>(['true'], ['sh', '-c', 'exit 3'], ['sleep', '1'], ['sleep', '600']);
  const indexed = choose<object>({}, { completionMode: 'Indexed' });
  const policy = {
    rules: [{ action: choose('FailJob', 'Ignore', 'Count'), onExitCodes: { operator: 'In', values: [3] } }],
  };
  const spec = {
    ...{ completions: choose(1, 2, 4), parallelism: choose(1, 2, 3), backoffLimit: choose(0, 1), ...indexed },
    ...choose<object>({}, { suspend: true }, { activeDeadlineSeconds: 1 }, { podFailurePolicy: policy }),
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command }] } },
  };
  const change: Step = {
    method: 'PATCH',
    path: `${path}/j`,
    body: { spec: { suspend: choose(true, false) } },
    waits: true,
  };
  return [
    { method: 'POST', path, body: { metadata: { name: 'j' }, spec }, waits: true },
    ...choose<Step[]>(
      [],
      [change],
      [{ method: 'PATCH', path: `${path}/j`, body: { spec: { parallelism: choose(0, 2) } }, waits: true }],
    ),
    ...choose<Step[]>([], [deletion(choose, `${path}/j`)]),
  ];
}

function services(choose: Chooser): Step[] {
  const app = choose('d', 's', 'x');
  const ports = [{ name: 'http', port: 80, targetPort: choose<string | number>('http', 9090, 'none') }];
  const spec = {
    selector: { app },
    ports,
    ...choose<object>({}, { clusterIP: 'None' }, { publishNotReadyAddresses: true }),
    ...choose<object>({}, {}, { trafficDistribution: choose('PreferClose', 'PreferSameNode') }),
  };
  const annotations = choose<object>({}, {}, {}, { 'service.kubernetes.io/topology-mode': 'Auto' });
  return [
    {
      method: 'POST',
      path: 'api/v1/NS/services',
      body: { metadata: { name: 'v', labels: { of: app }, annotations }, spec },
      waits: true,
    },
  ];
}

/** A service without a selector, and addresses that are maintained by hand. */
function handmade(choose: Chooser): Step[] {
  const [first, second] = [{ ip: '10.9.0.1' }, { ip: '10.9.0.2', hostname: 'two' }];
  const [http, https] = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443, appProtocol: 'https' },
  ];
  const subsets = (): object[] =>
    choose<object[]>(
      [{ addresses: [first], notReadyAddresses: [second], ports: [http] }],
      [{ addresses: [first, second], ports: [http, https] }],
      [
        { addresses: [first], ports: [http] },
        { addresses: [second, { ip: 'fd00::9' }], ports: [https] },
      ],
      [{ addresses: [first] }],
      [],
    );
  const metadata = { name: 'h', labels: { by: 'hand' }, annotations: { note: 'a' } };
  const path = 'api/v1/NS/endpoints';
  const skip = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  const changes: Step[] = [
    { method: 'PATCH', path: `${path}/h`, body: { subsets: subsets() }, waits: true },
    { method: 'PATCH', path: `${path}/h`, body: { metadata: { annotations: { note: null } } }, waits: true },
    { method: 'PATCH', path: `${path}/h`, body: { metadata: { labels: skip } }, waits: true },
  ];
  return [
    { method: 'POST', path: 'api/v1/NS/services', body: { metadata, spec: { ports: [{ port: 80 }] } }, waits: false },
    { method: 'POST', path, body: { metadata, subsets: subsets() }, waits: true },
    choose(...changes),
  ];
}

function budgets(choose: Chooser): Step[] {
  const spec = {
    selector: { matchLabels: { app: choose('d', 's') } },
    ...choose<object>({ minAvailable: choose<unknown>(1, '50%') }, { maxUnavailable: 1 }),
  };
  return [
    {
      method: 'POST',
      path: 'apis/policy/v1/NS/poddisruptionbudgets',
      body: { metadata: { name: 'b' }, spec },
      waits: true,
    },
  ];
}

function quotas(choose: Chooser): Step[] {
  const hard = choose<object>(
    { pods: '20', 'requests.cpu': '3', 'count/replicasets.apps': '9' },
    { 'count/deployments.apps': '4', services: '3', 'services.nodeports': '1', persistentvolumeclaims: '2' },
    { secrets: '5', replicationcontrollers: '7', 'requests.storage': '3Gi', 'example.com/none': '1' },
  );
  const spec = { hard, ...choose<object>({}, {}, { scopes: ['NotTerminating'] }) };
  return [{ method: 'POST', path: 'api/v1/NS/resourcequotas', body: { metadata: { name: 'q' }, spec }, waits: true }];
}

function replicationControllers(choose: Chooser): Step[] {
  const path = 'api/v1/NS/replicationcontrollers';
  const spec = { replicas: choose(0, 1, 3), selector: { app: 'r' }, template: template(choose, { app: 'r' }) };
  const scale: Step = {
    method: 'PATCH',
    path: `${path}/r`,
    body: { spec: { replicas: choose(0, 2, 4) } },
    waits: true,
  };
  return [{ method: 'POST', path, body: { metadata: { name: 'r' }, spec }, waits: true }, scale];
}

/** A sequence, beginning with the services and budgets that count its pods. */
export function sequence(random: SeededRandom): readonly Step[] {
  const choose = chooserOf(random);
  const workload = choose(
    deployments,
    deployments,
    deployments,
    statefulSets,
    daemonSets,
    jobs,
    jobs,
    replicationControllers,
    claims,
    claims,
    ephemeralVolumes,
    resourceClaims,
  );
  const around = [services, handmade, budgets, quotas].flatMap((make) => choose<Step[]>([], make(choose)));
  return [...around, ...workload(choose)];
}

/** Sends a step to one side. @returns the status of the answer */
export async function take({ server }: Side, namespace: string, { method, path, body }: Step): Promise<number> {
  const named = path.replaceAll('$NS', namespace).replace('/NS/', `/namespaces/${namespace}/`);
  const filled = JSON.parse(JSON.stringify(body ?? null).replaceAll('$NS', namespace)) ?? undefined;
  const sent = method === 'PATCH' ? server.patch(`/${named}`, filled) : server.request(method, `/${named}`, filled);
  return (await sent).status;
}
