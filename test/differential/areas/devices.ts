// Dynamic resource allocation: claims, templates, slices, classes and taint rules in all versions, the statuses of
// claims, and pods with claims, including all gated fields.

import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import { collectionOf, nameIn, withOwnName } from '../objects.ts';

const steps = 7;

export const devices: Area = {
  name: 'devices',
  async run(given) {
    const { session, random, bodies } = given;
    const kinds = bodies.kinds.filter(({ definition }) => Object.hasOwn(wholes, definition.kind));
    const ofClaims = kinds.filter(({ definition }) => definition.kind !== 'Pod');
    const kind = random.pick(random.chance(80) ? ofClaims : kinds.filter((each) => !ofClaims.includes(each)));
    const whole = withOwnName(
      kind,
      inVersion(kind, { metadata: { name: 'd' }, ...random.pick(wholes[kind.definition.kind]!) }),
    );
    const path = collectionOf(kind);
    const made = await session.ask({ method: 'POST', path, body: mutated(given, kind, whole), capture });
    const name = nameIn(made.body);
    if (made.status !== 201 || name === undefined) return;
    const same = kinds.filter(({ definition }) => definition === kind.definition);
    let current: Body = whole;
    for (let left = steps; left > 0; left--) {
      const { status, body, step } = await session.ask(next(given, same, current));
      if (status < 300 && step.method !== 'GET' && (body as Body)['kind'] === kind.definition.kind) {
        current = written(session.asTemplate(body as Body));
      }
    }
  },
};

const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid', name: 'metadata.name' };
const merge = { 'content-type': 'application/merge-patch+json' };

function written(object: Body): Body {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    ...metadata
  } = object['metadata'] as Body;
  return { ...object, metadata };
}

function mutated({ bodies, random }: Case, kind: Kind, body: Body): Body {
  if (random.chance(35)) return body;
  return mutatedBody(kind.version.schema, body, { bodies, random, changes: random.pick([1, 2, 3]) });
}

function next(given: Case, same: readonly Kind[], current: Body): RequestStep {
  const { random } = given;
  const kind = random.pick(same);
  const object = `${collectionOf(kind)}/{name}`;
  const choice = random.below(100);
  if (choice < 20) return { method: 'GET', path: object };
  const statuses = statusesOf[kind.definition.kind];
  if (statuses !== undefined && choice < 75) {
    const status = random.pick(statuses);
    const body = mutated(given, kind, inVersion(kind, { ...current, status }));
    if (random.chance(30)) {
      return { method: 'PATCH', path: `${object}/status`, headers: merge, body: { status: body['status'] } };
    }
    return { method: 'PUT', path: `${object}/status`, body };
  }
  const base = random.chance(50) ? current : { ...current, ...random.pick(wholes[kind.definition.kind]!) };
  return { method: 'PUT', path: object, body: mutated(given, kind, inVersion(kind, base)) };
}

/** Returns a body in the form of a version: the oldest has different fields. */
function inVersion({ definition, version, apiVersion }: Kind, body: Body): Body {
  const copy = structuredClone(body);
  const names = { apiVersion, kind: definition.kind };
  if (version.version !== 'v1beta1') return { ...copy, ...names };
  const spec = copy['spec'] as Body | undefined;
  const claim = (definition.kind === 'ResourceClaimTemplate' ? spec?.['spec'] : spec) as Body | undefined;
  const inner = claim?.['devices'];
  if (Array.isArray(inner)) (claim as Body)['devices'] = inner.map(basicDevice);
  else for (const request of ((inner as Body | undefined)?.['requests'] ?? []) as Body[]) flatten(request);
  return { ...copy, ...names };
}

function basicDevice(device: Body): Body {
  if (device['basic'] !== undefined) return device;
  const { name, ...basic } = device;
  return { name, basic };
}

function flatten(request: Body): void {
  const { exactly } = request;
  delete request['exactly'];
  if (typeof exactly === 'object') Object.assign(request, exactly);
}

const selectors = [{ cel: { expression: "device.driver == 'gpu.example.com'" } }];
const tolerations = [
  { key: 'example.com/broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
  { key: 'a', operator: 'Equal', value: 'b' },
];
const claims: readonly Body[] = [
  {
    devices: {
      requests: [
        {
          name: 'one',
          exactly: {
            deviceClassName: 'gpu.example.com',
            allocationMode: 'ExactCount',
            count: 2,
            selectors,
            tolerations,
            capacity: { requests: { memory: '10Gi', 'gpu.example.com/cores': '2' } },
          },
        },
        {
          name: 'any',
          firstAvailable: [
            {
              name: 'big',
              deviceClassName: 'big.example.com',
              count: 1,
              tolerations,
              capacity: { requests: { memory: '1Gi' } },
            },
            { name: 'small', deviceClassName: 'small.example.com', allocationMode: 'All', selectors },
          ],
        },
      ],
      constraints: [
        { requests: ['one'], matchAttribute: 'gpu.example.com/numa' },
        { requests: ['one', 'any/big'], distinctAttribute: 'gpu.example.com/card' },
      ],
      config: [{ requests: ['one'], opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
    },
  },
  { devices: { requests: [{ name: 'all', exactly: { deviceClassName: 'gpu.example.com', allocationMode: 'All' } }] } },
  { devices: { requests: [{ name: 'admin', exactly: { deviceClassName: 'gpu.example.com', adminAccess: true } }] } },
  { devices: { requests: [{ name: 'few', exactly: { deviceClassName: 'gpu.example.com' } }] } },
];

const range = { validRange: { min: '1Gi', max: '40Gi', step: '1Gi' }, default: '2Gi' };
const values = { validValues: ['1', '2', '4'], default: '1' };
const slicePool = { name: 'pool', generation: 1, resourceSliceCount: 1 };
const slices: readonly Body[] = [
  {
    driver: 'gpu.example.com',
    nodeName: 'node-1',
    pool: slicePool,
    devices: [
      {
        name: 'gpu-0',
        attributes: {
          type: { string: 'gpu' },
          numa: { int: 0 },
          ecc: { bool: true },
          driverVersion: { version: '1.2.3' },
        },
        capacity: { memory: { value: '80Gi', requestPolicy: range }, cores: { value: '4', requestPolicy: values } },
        allowMultipleAllocations: true,
        taints: [{ key: 'example.com/t', effect: 'NoSchedule', value: 'x', timeAdded: '2026-01-02T03:04:05Z' }],
        bindsToNode: true,
        bindingConditions: ['example.com/ready'],
        bindingFailureConditions: ['example.com/failed'],
      },
      { name: 'gpu-1', taints: [{ key: 'a', effect: 'NoExecute' }] },
    ],
  },
  {
    driver: 'gpu.example.com',
    pool: slicePool,
    perDeviceNodeSelection: true,
    sharedCounters: [
      { name: 'gpu-0', counters: { memory: { value: '80Gi' } } },
      { name: 'gpu-1', counters: { cores: { value: '8' } } },
    ],
    devices: [
      {
        name: 'part-0',
        nodeName: 'node-1',
        consumesCounters: [{ counterSet: 'gpu-0', counters: { memory: { value: '40Gi' } } }],
      },
      {
        name: 'part-1',
        allNodes: true,
        consumesCounters: [{ counterSet: 'gpu-1', counters: { cores: { value: '4' } } }],
      },
      {
        name: 'part-2',
        nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] },
      },
    ],
  },
  {
    driver: 'gpu.example.com',
    allNodes: true,
    pool: slicePool,
    devices: [{ name: 'plain', capacity: { memory: { value: '1Gi' } } }],
  },
];

const container = { name: 'a', image: 'b', resources: { claims: [{ name: 'gpu', request: 'one' }, { name: 'own' }] } };
const wholes: Readonly<Record<string, readonly Body[]>> = {
  DeviceClass: [
    {
      spec: {
        selectors,
        config: [{ opaque: { driver: 'gpu.example.com', parameters: { apiVersion: 'a/v1', kind: 'B' } } }],
        extendedResourceName: 'example.com/gpu',
      },
    },
    { spec: {} },
  ],
  ResourceClaim: claims.map((spec) => ({ spec })),
  ResourceClaimTemplate: claims.map((spec) => ({ spec: { metadata: { labels: { app: 'train' } }, spec } })),
  ResourceSlice: slices.map((spec) => ({ spec })),
  DeviceTaintRule: [
    {
      spec: {
        deviceSelector: {
          deviceClassName: 'gpu.example.com',
          driver: 'gpu.example.com',
          pool: 'node-1',
          device: 'gpu-0',
          selectors,
        },
        taint: { key: 'example.com/t', value: 'x', effect: 'NoExecute', timeAdded: '2026-01-02T03:04:05Z' },
      },
    },
    { spec: { taint: { key: 'a', effect: 'NoSchedule' } } },
  ],
  Pod: [
    {
      spec: {
        containers: [container],
        resourceClaims: [
          { name: 'gpu', resourceClaimName: 'gpu' },
          { name: 'own', resourceClaimTemplateName: 'gpu' },
        ],
      },
    },
    { spec: { containers: [{ ...container, resources: { limits: { 'example.com/gpu': '1' } } }] } },
  ],
};

const time = '2026-01-02T03:04:05Z';
const condition = { type: 'Ready', status: 'True', lastTransitionTime: time, reason: 'Fine', message: 'm' };
const result = { request: 'one', driver: 'gpu.example.com', pool: 'pool', device: 'gpu-0' };
const nodeSelector = {
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
};
const allocation = {
  devices: {
    results: [
      {
        ...result,
        adminAccess: false,
        tolerations,
        bindingConditions: ['example.com/ready'],
        bindingFailureConditions: ['example.com/failed'],
      },
      {
        ...result,
        device: 'gpu-1',
        shareID: '0d0c2f35-2a1b-4c43-9a2e-0a5a5a1c1b1d',
        consumedCapacity: { memory: '10Gi' },
      },
    ],
    config: [{ source: 'FromClaim', requests: ['one'], opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
  },
  nodeSelector,
  allocationTimestamp: time,
};
const reservedFor = [{ resource: 'pods', name: 'a', uid: 'u-1' }];
const statusesOf: Readonly<Record<string, readonly Body[]>> = {
  ResourceClaim: [
    { allocation, reservedFor },
    { allocation: { devices: { results: [{ ...result, request: 'all' }] } } },
    { allocation: { devices: { results: [{ ...result, request: 'any/big' }] }, nodeSelector } },
    {
      allocation,
      devices: [
        {
          driver: 'gpu.example.com',
          pool: 'pool',
          device: 'gpu-0',
          conditions: [condition],
          data: { a: 1 },
          networkData: { interfaceName: 'eth0', ips: ['10.0.0.1/24'], hardwareAddress: 'aa:bb' },
        },
        { driver: 'gpu.example.com', pool: 'pool', device: 'gpu-1', shareID: '0d0c2f35-2a1b-4c43-9a2e-0a5a5a1c1b1d' },
      ],
    },
    {},
  ],
  Pod: [
    { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'gpu' }, { name: 'own' }] },
    {
      extendedResourceClaimStatus: {
        resourceClaimName: 'made',
        requestMappings: [{ containerName: 'a', resourceName: 'example.com/gpu', requestName: 'one' }],
      },
    },
    {
      containerStatuses: [
        {
          ...{ name: 'a', image: 'b', imageID: 'c', ready: true, restartCount: 0 },
          allocatedResourcesStatus: [{ name: 'claim:gpu/one', resources: [{ resourceID: 'x', health: 'Healthy' }] }],
        },
      ],
    },
  ],
};
