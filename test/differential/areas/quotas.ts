// Resource quotas and limit ranges: namespaces with some of each, and pods, claims, services and other objects that are
// counted, defaulted, resized and rejected there. No controller recounts: usage is what admission has written.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';

const writes = 10;
/** The reference learns of quotas and limit ranges by its own watches. */
const heardMs = 250;
const core = '/api/v1/namespaces/n-{u}';
const merge = { 'content-type': 'application/merge-patch+json' };

export const quotas: Area = {
  name: 'quotas',
  async run(given) {
    const { session, random } = given;
    await session.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'n-{u}' } } });
    await session.ask({ method: 'POST', path: `${core}/serviceaccounts`, body: { metadata: { name: 'default' } } });
    const names = ['q', 'r'].slice(0, random.pick([0, 1, 1, 1, 2]));
    for (const name of names) await makeQuota(given, name);
    // If there are several, the reference checks them in random order.
    for (const name of ['l'].slice(0, random.pick([0, 1]))) {
      const body = { metadata: { name }, spec: { limits: limitItems(random) } };
      await session.ask({ method: 'POST', path: `${core}/limitranges`, body });
    }
    await sleep(heardMs);
    const made: Made = new Map();
    for (let left = writes; left > 0; left--) {
      await session.ask(next(random, made));
      if (names.length > 0 && random.chance(60)) await session.ask({ path: `${core}/resourcequotas` });
    }
  },
};

/** The number of objects created of a resource: their names form a sequence. */
type Made = Map<string, number>;

async function makeQuota({ session, random }: Case, name: string): Promise<void> {
  const hard = hardOf(random);
  const spec = { hard, ...scopesOf(random) };
  const body = { metadata: { name }, spec };
  const made = await session.ask({ method: 'POST', path: `${core}/resourcequotas`, body });
  if (made.status !== 201) return;
  const names = Object.keys(hard);
  const counted = random.chance(92) ? names : names.slice(1);
  const used = Object.fromEntries(counted.map((each) => [each, '0']));
  const path = `${core}/resourcequotas/${name}/status`;
  await session.ask({ method: 'PATCH', path, headers: merge, body: { status: { hard, used } } });
}

const amounts = ['0', '1', '2', '3', '1500m', '100m', '1Gi', '64Mi', '5', '10'];

function hardOf(random: SeededRandom): Record<string, string> {
  const names = Array.from({ length: 1 + random.below(5) }, () => random.pick(countable));
  return Object.fromEntries(names.map((each) => [each, random.pick(amounts)]));
}

const countable = [
  ...['pods', 'count/pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'],
  ...['pods', 'requests.cpu', 'limits.memory', 'requests.ephemeral-storage', 'limits.ephemeral-storage'],
  ...['ephemeral-storage', 'hugepages-2Mi', 'requests.hugepages-2Mi', 'requests.example.com/gpu', 'example.com/gpu'],
  ...['services', 'services.nodeports', 'services.loadbalancers', 'count/services', 'configmaps', 'count/configmaps'],
  ...['secrets', 'count/secrets', 'replicationcontrollers', 'count/replicationcontrollers', 'resourcequotas'],
  ...['persistentvolumeclaims', 'requests.storage', 'count/persistentvolumeclaims'],
  ...['fast.storageclass.storage.k8s.io/requests.storage', 'fast.storageclass.storage.k8s.io/persistentvolumeclaims'],
  ...[
    'count/deployments.apps',
    'count/jobs.batch',
    'count/leases.coordination.k8s.io',
    'count/ingresses.networking.k8s.io',
  ],
  ...[
    'count/resourceclaims.resource.k8s.io',
    'gold.deviceclass.resource.k8s.io/devices',
    'count/events',
    'limits.example.com/gpu',
  ],
];

const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

function scopesOf(random: SeededRandom): Body {
  if (random.chance(45)) return {};
  if (random.chance(40)) return { scopes: Array.from({ length: 1 + random.below(2) }, () => random.pick(scopes)) };
  const requirement = (): Body => {
    const scopeName = random.pick([...scopes, 'PriorityClass', 'PriorityClass', 'VolumeAttributesClass', 'x']);
    const operator = random.pick(['In', 'NotIn', 'Exists', 'Exists', 'DoesNotExist', 'x']);
    const values = random.pick<unknown>([undefined, ['system-node-critical'], ['system-cluster-critical', 'gold'], []]);
    return { scopeName, operator, ...(values !== undefined && { values }) };
  };
  return { scopeSelector: { matchExpressions: Array.from({ length: 1 + random.below(2) }, requirement) } };
}

function limitItems(random: SeededRandom): Body[] {
  const types = random.pick([
    ['Container'],
    ['Pod'],
    ['PersistentVolumeClaim'],
    ['Container', 'Pod'],
    ['Container', 'PersistentVolumeClaim'],
  ]);
  return types.map((type) => {
    const names =
      type === 'PersistentVolumeClaim'
        ? ['storage']
        : ['cpu', 'memory', 'cpu', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu'];
    const list = (values: readonly string[]): Record<string, string> => {
      return Object.fromEntries(
        Array.from({ length: 1 + random.below(2) }, () => [random.pick(names), random.pick(values)]),
      );
    };
    return {
      type,
      ...(random.chance(50) && { min: list(['100m', '10m', '1', '16Mi']) }),
      ...(random.chance(50) && { max: list(['2', '1', '500m', '1Gi', '2Gi']) }),
      ...(type === 'Container' && random.chance(60) && { default: list(['500m', '1', '256Mi']) }),
      ...(type === 'Container' && random.chance(60) && { defaultRequest: list(['100m', '200m', '128Mi']) }),
      ...(type !== 'PersistentVolumeClaim' &&
        random.chance(30) && { maxLimitRequestRatio: list(['2', '1', '4', '1.5']) }),
    };
  });
}

function next(random: SeededRandom, made: Made): RequestStep {
  const kind = random.below(100);
  if (kind < 34) return create(random, made, { resource: 'pods', path: `${core}/pods`, body: pod(random) });
  if (kind < 46) return changedPod(random, made);
  if (kind < 54) return create(random, made, { resource: 'services', path: `${core}/services`, body: service(random) });
  if (kind < 60)
    return changed(random, made, { resource: 'services', path: `${core}/services`, patch: service(random) });
  const claims = { resource: 'persistentvolumeclaims', path: `${core}/persistentvolumeclaims` };
  if (kind < 68) return create(random, made, { ...claims, body: claim(random) });
  if (kind < 72) return changed(random, made, { ...claims, patch: claim(random) });
  if (kind < 78) return deviceClaim(random, made);
  if (kind < 92) {
    const plain = random.pick(plainKinds);
    return create(random, made, plain);
  }
  const resource = random.pick(['pods', 'services', 'configmaps', 'secrets']);
  return {
    method: 'DELETE',
    path: `${core}/${resource}/${nameOf(random, made, resource)}`,
    query: { gracePeriodSeconds: '0' },
  };
}

const jobTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
const labelled = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };

const plainKinds: readonly Creation[] = [
  { resource: 'configmaps', path: `${core}/configmaps`, body: {} },
  { resource: 'secrets', path: `${core}/secrets`, body: {} },
  { resource: 'events', path: `${core}/events`, body: { involvedObject: { namespace: 'n-{u}' } } },
  {
    resource: 'replicationcontrollers',
    path: `${core}/replicationcontrollers`,
    body: { spec: { selector: { a: 'b' }, template: labelled } },
  },
  {
    resource: 'resourcequotas',
    path: `${core}/resourcequotas`,
    body: { spec: { hard: { pods: '1' }, scopes: ['CrossNamespacePodAffinity'] } },
  },
  {
    resource: 'deployments',
    path: '/apis/apps/v1/namespaces/n-{u}/deployments',
    body: { spec: { selector: { matchLabels: { a: 'b' } }, template: labelled } },
  },
  { resource: 'jobs', path: '/apis/batch/v1/namespaces/n-{u}/jobs', body: { spec: { template: jobTemplate } } },
  { resource: 'leases', path: '/apis/coordination.k8s.io/v1/namespaces/n-{u}/leases', body: {} },
  {
    resource: 'ingresses',
    path: '/apis/networking.k8s.io/v1/namespaces/n-{u}/ingresses',
    body: { spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } } },
  },
];

interface Creation {
  readonly resource: string;
  readonly path: string;
  readonly body: Body;
}

function create(random: SeededRandom, made: Made, { resource, path, body }: Creation): RequestStep {
  const count = (made.get(resource) ?? 0) + 1;
  made.set(resource, count);
  const query: Readonly<Record<string, string>> = random.chance(8) ? { dryRun: 'All' } : {};
  return { method: 'POST', path, query, body: { ...body, metadata: { name: `${resource.slice(0, 3)}${count}` } } };
}

function nameOf(random: SeededRandom, made: Made, resource: string): string {
  return `${resource.slice(0, 3)}${1 + random.below(Math.max(1, made.get(resource) ?? 0))}`;
}

function changed(random: SeededRandom, made: Made, what: { resource: string; path: string; patch: Body }): RequestStep {
  const path = `${what.path}/${nameOf(random, made, what.resource)}`;
  return { method: 'PATCH', path, headers: merge, body: what.patch };
}

function changedPod(random: SeededRandom, made: Made): RequestStep {
  const path = `${core}/pods/${nameOf(random, made, 'pods')}`;
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const kind = random.below(10);
  if (kind < 3) {
    const body = { spec: { activeDeadlineSeconds: random.pick([1, 30, 100, null]) } };
    return { method: 'PATCH', path, headers: merge, body };
  }
  if (kind < 5) {
    const phase = random.pick(['Running', 'Succeeded', 'Failed']);
    const containerStatuses = [
      {
        name: 'a',
        image: 'b',
        imageID: 'c',
        ready: true,
        restartCount: 0,
        resources: resources(random),
        allocatedResources: { cpu: random.pick(amounts) },
      },
    ];
    const status = { phase, ...(random.chance(50) && { containerStatuses }) };
    return { method: 'PATCH', path: `${path}/status`, headers: strategic, body: { status } };
  }
  const body = { spec: { containers: [{ name: random.pick(['a', 'a', 'b']), resources: resources(random) }] } };
  return { method: 'PATCH', path: kind < 9 ? `${path}/resize` : path, headers: strategic, body };
}

function resources(random: SeededRandom): Body {
  const list = (): Body => {
    const names = ['cpu', 'memory', 'cpu', 'memory', 'cpu', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu'];
    return Object.fromEntries(
      Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).map((name) => [
        name,
        random.pick(sizes[name]!),
      ]),
    );
  };
  const limits = list();
  if (random.chance(35)) return { requests: limits, limits };
  return { ...(random.chance(70) && { requests: list() }), ...(random.chance(60) && { limits }) };
}

const sizes: Readonly<Record<string, readonly string[]>> = {
  cpu: ['100m', '250m', '1', '2', '1500m', '0'],
  memory: ['64Mi', '128Mi', '1Gi', '1', '100M'],
  'ephemeral-storage': ['1Gi', '100Mi'],
  'hugepages-2Mi': ['2Mi', '4Mi', '64Mi'],
  'example.com/gpu': ['1', '2'],
};

function pod(random: SeededRandom): Body {
  const container = (name: string): Body => ({
    name,
    image: 'b',
    ...(random.chance(75) && { resources: resources(random) }),
  });
  const init = (name: string): Body => ({ ...container(name), ...(random.chance(40) && { restartPolicy: 'Always' }) });
  const term = {
    topologyKey: 'zone',
    labelSelector: { matchLabels: { a: 'b' } },
    ...random.pick<Body>([
      {},
      { namespaces: ['x'] },
      { namespaceSelector: {} },
      { namespaceSelector: { matchLabels: { a: 'b' } } },
      { namespaces: [] },
    ]),
  };
  const affinity = {
    [random.pick(['podAffinity', 'podAntiAffinity'])]: random.chance(50)
      ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
      : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
  };
  return {
    spec: {
      containers: ['a', 'b'].slice(0, random.pick([1, 1, 2])).map(container),
      ...(random.chance(25) && { initContainers: ['i', 'j'].slice(0, random.pick([1, 2])).map(init) }),
      ...(random.chance(20) && { activeDeadlineSeconds: random.pick([1, 600]) }),
      ...(random.chance(20) && {
        priorityClassName: random.pick(['system-node-critical', 'system-cluster-critical', 'absent']),
      }),
      ...(random.chance(20) && { affinity }),
      ...(random.chance(15) && { resources: resources(random) }),
    },
  };
}

function service(random: SeededRandom): Body {
  const type = random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ].slice(0, random.pick([1, 2]));
  if (type === 'ExternalName') return { spec: { type, externalName: 'a.example.com' } };
  return {
    spec: {
      type,
      ports,
      ...(type === 'LoadBalancer' && random.chance(40) && { allocateLoadBalancerNodePorts: false }),
    },
  };
}

function claim(random: SeededRandom): Body {
  const storage = random.pick(['1Gi', '2Gi', '1', '500m', '5']);
  return {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage }, ...(random.chance(10) && { limits: { storage: '3Gi' } }) },
      ...(random.chance(50) && { storageClassName: random.pick(['fast', 'slow', '']) }),
      ...(random.chance(25) && { volumeAttributesClassName: random.pick(['gold', 'tin']) }),
    },
  };
}

function deviceClaim(random: SeededRandom, made: Made): RequestStep {
  const one = (): Body => ({
    deviceClassName: random.pick(['gold', 'tin']),
    ...random.pick<Body>([{}, { count: 2 }, { allocationMode: 'All' }]),
  });
  const request = random.chance(70)
    ? { name: 'a', exactly: one() }
    : {
        name: 'a',
        firstAvailable: [
          { name: 'x', ...one() },
          { name: 'y', ...one() },
        ],
      };
  const path = '/apis/resource.k8s.io/v1/namespaces/n-{u}/resourceclaims';
  return create(random, made, {
    resource: 'resourceclaims',
    path,
    body: { spec: { devices: { requests: [request] } } },
  });
}
