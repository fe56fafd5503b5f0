// Writable subresources: binding, eviction, ephemeral containers, resize, tokens, approval, finalization and scale,
// with bodies that are valid or nearly valid.

import { isObject } from '../../../src/api/is-object.ts';
import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import { collectionOf, nameIn, withOwnName } from '../objects.ts';
import { withDuplicates } from '../texts.ts';

const steps = 5;

export const subresources: Area = {
  name: 'subresources',
  async run(given) {
    const { session, random, bodies } = given;
    const subject = random.pick(subjects);
    const kind = bodies.kinds.find(({ key }) => key === subject.key)!;
    const body = random.chance(70) || subject.body === undefined ? random.pick(kind.manifests) : subject.body;
    const path = collectionOf(kind);
    const made = await session.ask({ method: 'POST', path, body: withOwnName(kind, body), capture });
    const name = nameIn(made.body);
    if (made.status !== 201 || name === undefined) return;
    for (let left = steps; left > 0; left--) {
      await session.ask(next(given, { kind, path: `${path}/{name}`, subresources: subject.subresources }));
    }
  },
};

const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid', name: 'metadata.name' };
const container = { name: 'debug', image: 'busybox', targetContainerName: 'web', stdin: true, tty: true };
const simplePod = {
  metadata: { name: 'simple' },
  spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }] },
};

interface Subject {
  readonly key: string;
  readonly body?: Body;
  /** By subresource, bodies that may be valid. */
  readonly subresources: Readonly<Record<string, readonly Body[]>>;
}

const scale = {
  scale: [
    {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: '{name}', namespace: '{ns}' },
      spec: { replicas: 2 },
    },
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: '{name}', resourceVersion: '{rv}' }, spec: {} },
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: '{name}', uid: '{uid}' }, spec: { replicas: 0 } },
    { kind: 'Scale', metadata: { name: 'other' }, spec: { replicas: -1 } },
  ],
};

const subjects: readonly Subject[] = [
  {
    key: '/v1/pods',
    body: simplePod,
    subresources: {
      binding: [
        { apiVersion: 'v1', kind: 'Binding', metadata: { name: '{name}' }, target: { kind: 'Node', name: 'node-1' } },
        { metadata: { name: '{name}', annotations: { a: 'b' }, labels: { zone: 'a' } }, target: { name: 'node-2' } },
        { metadata: { name: '{name}', uid: '{uid}' }, target: { kind: 'Pod', name: 'node-2', namespace: 'x' } },
      ],
      eviction: [
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: '{name}' } },
        { metadata: { name: '{name}' }, deleteOptions: { gracePeriodSeconds: 0, dryRun: ['All'] } },
        { metadata: { name: '{name}' }, deleteOptions: { preconditions: { uid: '{uid}', resourceVersion: '1' } } },
      ],
      ephemeralcontainers: [
        { spec: { ephemeralContainers: [container] } },
        { spec: { ephemeralContainers: [{ ...container, ports: [{ containerPort: 1 }], resources: {} }] } },
      ],
      resize: [
        { spec: { containers: [{ name: 'web', resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } }] } },
        { spec: { containers: [{ name: 'web', resources: { requests: { memory: '1Gi' } } }] } },
        { spec: { containers: [{ name: 'web', image: 'other' }] } },
      ],
      status: [
        {
          status: {
            phase: 'Running',
            podIP: '10.1.2.3',
            podIPs: [{ ip: '10.1.2.3' }],
            conditions: [{ type: 'Ready', status: 'True' }],
          },
        },
        {
          status: {
            containerStatuses: [
              { name: 'web', ready: true, restartCount: 1, image: 'a', imageID: 'b', state: { running: {} } },
            ],
          },
        },
        { status: { phase: 'Failed', reason: 'Evicted', message: 'm', observedGeneration: 1, qosClass: 'Guaranteed' } },
      ],
    },
  },
  { key: 'apps/v1/deployments', subresources: scale },
  { key: 'apps/v1/statefulsets', subresources: scale },
  { key: 'apps/v1/replicasets', subresources: scale },
  { key: '/v1/replicationcontrollers', subresources: scale },
  {
    key: '/v1/serviceaccounts',
    subresources: {
      token: [
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { audiences: ['a'], expirationSeconds: 600 },
        },
        { spec: {} },
        {
          spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'absent', uid: 'x' }, expirationSeconds: 599 },
        },
        { spec: { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'absent' }, audiences: [] } },
      ],
    },
  },
  {
    key: '/v1/namespaces',
    subresources: {
      finalize: [
        { metadata: { name: '{name}' }, spec: { finalizers: ['kubernetes', 'example.com/hold'] } },
        { metadata: { name: '{name}', resourceVersion: '{rv}' }, spec: { finalizers: [] } },
        { metadata: { name: '{name}', uid: 'x' } },
      ],
      status: [
        { status: { phase: 'Terminating' } },
        {
          status: {
            conditions: [{ type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'r', message: 'm' }],
          },
        },
      ],
    },
  },
  {
    key: 'certificates.k8s.io/v1/certificatesigningrequests',
    subresources: {
      approval: [
        { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] } },
        {
          status: {
            conditions: [
              { type: 'Denied', status: 'True' },
              { type: 'Approved', status: 'True' },
            ],
          },
        },
        { status: { conditions: [{ type: 'Failed', status: 'False', lastUpdateTime: '2026-01-02T03:04:05Z' }] } },
      ],
      status: [{ status: { certificate: 'YQ==' } }, { status: { conditions: [{ type: 'Failed', status: 'True' }] } }],
    },
  },
  {
    key: 'policy/v1/poddisruptionbudgets',
    subresources: {
      status: [
        {
          status: {
            disruptionsAllowed: 1,
            currentHealthy: 2,
            desiredHealthy: 1,
            expectedPods: 2,
            observedGeneration: 1,
            disruptedPods: { a: '2026-01-02T03:04:05Z' },
          },
        },
      ],
    },
  },
  {
    key: 'batch/v1/jobs',
    subresources: {
      status: [
        {
          status: {
            active: 1,
            startTime: '2026-01-02T03:04:05Z',
            ready: 0,
            terminating: 0,
            uncountedTerminatedPods: {},
          },
        },
        {
          status: {
            succeeded: 1,
            completionTime: '2026-01-02T03:05:05Z',
            startTime: '2026-01-02T03:04:05Z',
            conditions: [
              { type: 'SuccessCriteriaMet', status: 'True' },
              { type: 'Complete', status: 'True' },
            ],
          },
        },
        {
          status: {
            completedIndexes: '0,2-3',
            failedIndexes: '1',
            failed: 2,
            uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] },
          },
        },
      ],
    },
  },
  {
    key: '/v1/nodes',
    subresources: {
      status: [
        {
          status: {
            conditions: [
              { type: 'Ready', status: 'False' },
              { type: 'DiskPressure', status: 'True' },
            ],
          },
        },
        {
          status: {
            capacity: { cpu: '8', 'example.com/gpu': '1' },
            allocatable: { cpu: '7' },
            addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
          },
        },
      ],
    },
  },
  {
    key: '/v1/services',
    subresources: {
      status: [
        {
          status: {
            loadBalancer: {
              ingress: [
                { ip: '203.0.113.9', ipMode: 'VIP' },
                { hostname: 'lb.example.com', ports: [{ port: 80, protocol: 'TCP' }] },
              ],
            },
          },
        },
        {
          status: {
            conditions: [
              { type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-02T03:04:05Z' },
            ],
          },
        },
      ],
    },
  },
];

interface Target {
  readonly kind: Kind;
  readonly path: string;
  readonly subresources: Subject['subresources'];
}

function next(given: Case, { kind, path, subresources: bodies }: Target): RequestStep {
  const { random } = given;
  const name = random.pick(Object.keys(bodies));
  const at = `${path}/${name}`;
  const query = {
    ...(random.chance(15) && { dryRun: 'All' }),
    ...(random.chance(20) && { fieldValidation: random.pick(['Strict', 'Warn', 'Ignore']) }),
    ...(random.chance(20) && { fieldManager: random.pick(['kubelet', 'scheduler']) }),
  };
  if (random.chance(8)) return { method: 'GET', path: at, query };
  const right = random.pick(bodies[name]!);
  const body = random.chance(50) ? wrongly(given, kind, right) : right;
  const isPosted = ['binding', 'eviction', 'token'].includes(name);
  if (isPosted) {
    return { method: 'POST', path: at, query, body: random.chance(5) ? withDuplicates(body, random) : body };
  }
  const form = random.below(10);
  const whole = name === 'scale' ? body : named(kind, body);
  if (form < 3) return { method: 'PUT', path: at, query, body: whole };
  if (form < 7) return { method: 'PATCH', path: at, query, body, headers: random.pick([merge, strategic, strategic]) };
  const force: Readonly<Record<string, string>> = random.chance(50) ? { force: 'true' } : {};
  const identity = name === 'scale' ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : {};
  const applied = { ...query, fieldManager: random.pick(['kubelet', 'operator']), ...force };
  return { method: 'PATCH', path: at, query: applied, body: { ...identity, ...whole }, headers: apply };
}

function named(kind: Kind, body: Body): Body {
  const metadata = { name: '{name}', ...(body['metadata'] as Body) };
  return { apiVersion: kind.apiVersion, kind: kind.definition.kind, ...body, metadata };
}

/** Mutated by its own type if it has the kind's fields; otherwise fields are added, removed or replaced. */
function wrongly({ random, bodies }: Case, kind: Kind, body: Body): Body {
  if (body['spec'] !== undefined || body['status'] !== undefined) {
    return mutatedBody(kind.version.schema, body, { bodies, random, changes: 2 });
  }
  return oddly(body, random);
}

function oddly(body: Body, random: SeededRandom): Body {
  const key = random.pick([...Object.keys(body), 'unknown', 'metadata', 'kind', 'apiVersion']);
  const inner = body[key];
  if (isObject(inner) && random.chance(60)) {
    return { ...body, [key]: oddly(inner as Body, random) };
  }
  return { ...body, [key]: random.pick<unknown>([undefined, null, 'x', '', 1, {}, [], true, 'Node']) };
}

const apply = { 'content-type': 'application/apply-patch+yaml' };
const merge = { 'content-type': 'application/merge-patch+json' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
