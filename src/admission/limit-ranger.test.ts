import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { builtinResources } from '../resources/builtin/resources.ts';
import { startTestServer } from '../testing.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { limitBounds, limitDefaults } from './limit-ranger.ts';
import type { ObjectLookup } from './object-lookup.ts';

function lookup(limitRanges: readonly ApiObject[]): ObjectLookup {
  return {
    find: async () => undefined,
    all: async ({ resource }, namespace) =>
      limitRanges.filter(({ metadata }) => resource === 'limitranges' && metadata.namespace === namespace),
  };
}

function limitRange(...limits: JsonObject[]): ApiObject {
  return { metadata: { name: 'l', namespace: 'n' }, spec: { limits } };
}

function pod(spec: JsonObject, metadata: ApiObject['metadata'] = {}): ApiObject {
  return { metadata: { name: 'a', ...metadata }, spec };
}

function container(name: string, resources: JsonObject = {}): JsonObject {
  return { name, resources };
}

type Asked = Partial<Pick<AdmissionRequest, 'operation' | 'previous'>> & { subresource?: string; resource?: string };

async function admit(plugin: AdmissionPlugin, object: ApiObject, asked: Asked = {}): Promise<ApiObject> {
  const { resource = 'pods', operation = 'create', subresource = '', previous } = asked;
  const definition = builtinResources.find((each) => each.resource === resource);
  const request = { definition, namespace: 'n', name: '', subresource, warnings: [] };
  await plugin.admit({ request, operation, object, previous, dryRun: false } as unknown as AdmissionRequest);
  return object;
}

describe('the defaults of a LimitRange', () => {
  const defaults = limitRange({
    type: 'Container',
    default: { memory: '256Mi', cpu: '500m' },
    defaultRequest: { cpu: '100m' },
  });
  const plugin = limitDefaults({ objects: lookup([defaults]) });

  it('defaults of a LimitRange are set in containers and init containers, and listed in an annotation', async () => {
    const set = { requests: { cpu: '200m' }, limits: { cpu: '200m', memory: '1Gi' } };
    const given = { containers: [container('app'), container('set', set)], initContainers: [container('init')] };
    const { spec, metadata } = await admit(plugin, pod(structuredClone(given)));
    const filled = { requests: { cpu: '100m' }, limits: { cpu: '500m', memory: '256Mi' } };
    assert.deepEqual(spec, {
      containers: [container('app', filled), container('set', set)],
      initContainers: [container('init', filled)],
    });
    assert.equal(
      metadata.annotations?.['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: cpu request for container app; cpu, memory limit for container app; ' +
        'cpu request for init container init; cpu, memory limit for init container init',
    );
  });

  it('defaults of a LimitRange are set in containers and not in the resources of the pod', async () => {
    const whole = { requests: { cpu: '1' }, limits: { cpu: '2' } };
    const range = limitRange({ type: 'Container', default: { memory: '200Mi' }, defaultRequest: { memory: '100Mi' } });
    const ranger = limitDefaults({ objects: lookup([range]) });
    const { spec } = await admit(ranger, pod({ containers: [container('app')], resources: whole }));
    const filled = { requests: { memory: '100Mi' }, limits: { memory: '200Mi' } };
    assert.deepEqual(spec, { containers: [container('app', filled)], resources: whole });
  });

  it('a pod whose containers have all requests and limits gets no annotation of LimitRanger', async () => {
    const sizes = { requests: { cpu: '1' }, limits: { cpu: '1', memory: '1Gi' } };
    const { metadata } = await admit(plugin, pod({ containers: [container('app', sizes)] }));
    assert.equal(metadata.annotations, undefined);
  });

  it('defaults of a LimitRange do not apply to updates, subresources and other namespaces', async () => {
    const bare = () => pod({ containers: [container('app')] });
    assert.deepEqual(await admit(plugin, bare(), { operation: 'update', previous: bare() }), bare());
    assert.deepEqual(await admit(plugin, bare(), { subresource: 'eviction' }), bare());
    const elsewhere = { ...defaults, metadata: { name: 'l', namespace: 'other' } };
    assert.deepEqual(await admit(limitDefaults({ objects: lookup([elsewhere]) }), bare()), bare());
  });

  it('defaults of a LimitRange apply to a resize without an annotation, unless the pod is being deleted', async () => {
    const bare = (metadata = {}) => pod({ containers: [container('app')] }, metadata);
    const resize = { operation: 'update', subresource: 'resize' } as const;
    const resized = await admit(plugin, bare(), { ...resize, previous: bare() });
    const filled = { requests: { cpu: '100m' }, limits: { cpu: '500m', memory: '256Mi' } };
    assert.deepEqual(resized, pod({ containers: [container('app', filled)] }));
    const leaving = bare({ deletionTimestamp: '2026-01-01T00:00:00Z' });
    assert.deepEqual(await admit(plugin, bare(), { ...resize, previous: leaving }), bare());
  });
});

describe('the bounds of a LimitRange', () => {
  const bounds = (...ranges: ApiObject[]) => limitBounds({ objects: lookup(ranges), podLevelResources: true });
  const refuses = (plugin: AdmissionPlugin, object: ApiObject, why: string, asked: Asked = {}) =>
    assert.rejects(admit(plugin, object, asked), {
      code: 403,
      message: `${asked.resource ?? 'pods'} "a" is forbidden: ${why}`,
    });

  const ofContainers: readonly [string, JsonObject, JsonObject, string | undefined][] = [
    [
      'a request below its minimum',
      { min: { cpu: '100m' } },
      { requests: { cpu: '50m' } },
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'a limit below its minimum',
      { min: { cpu: '1' } },
      { requests: { cpu: '1' }, limits: { cpu: '0' } },
      'minimum cpu usage per Container is 1, but limit is 0',
    ],
    [
      'a container without a request if it has a minimum',
      { min: { cpu: '1' } },
      {},
      'minimum cpu usage per Container is 1.  No request is specified',
    ],
    [
      'a limit above its maximum',
      { max: { memory: '1Gi' } },
      { limits: { memory: '1025Mi' } },
      'maximum memory usage per Container is 1Gi, but limit is 1025Mi',
    ],
    [
      'a request above its maximum',
      { max: { cpu: '1' } },
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      'maximum cpu usage per Container is 1, but request is 2',
    ],
    [
      'a container without a limit if it has a maximum',
      { max: { cpu: '1' } },
      { requests: { cpu: '1' } },
      'maximum cpu usage per Container is 1.  No limit is specified',
    ],
    [
      'a limit beyond its maximum ratio to the request',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '300m' }, limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333',
    ],
    [
      'a container without a request if it has a maximum ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '0' }, limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'a container without a limit if it has a maximum ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
    [
      'requests and limits equal to its bounds',
      { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1000m' }, limits: { cpu: '2' } },
      undefined,
    ],
  ];
  for (const [title, item, resources, why] of ofContainers) {
    it(`a LimitRange for containers ${why === undefined ? 'allows' : 'forbids'} ${title}`, async () => {
      const plugin = bounds(limitRange({ type: 'Container', ...item }));
      for (const list of ['containers', 'initContainers']) {
        const asked = pod({ [list]: [container('app', resources)] });
        if (why === undefined) await admit(plugin, asked);
        else await refuses(plugin, asked, why);
      }
    });
  }

  it('a pod that violates several bounds of a LimitRange is forbidden with all of them, each once', () =>
    refuses(
      bounds(limitRange({ type: 'Container', max: { memory: '1Gi', cpu: '1' } })),
      pod({ containers: [container('a'), container('b')] }),
      '[maximum cpu usage per Container is 1.  No limit is specified, maximum memory usage per Container is 1Gi.  No limit is specified]',
    ));

  it('a LimitRange for pods sums up containers and sidecars, and takes init containers one by one', async () => {
    const plugin = bounds(limitRange({ type: 'Pod', max: { cpu: '1' } }));
    const half = { limits: { cpu: '500m' } };
    const two = [container('a', half), container('b', half)];
    await admit(plugin, pod({ containers: two, initContainers: [container('i', half)] }));
    const sidecar = { ...container('i', half), restartPolicy: 'Always' };
    const why = 'maximum cpu usage per Pod is 1, but limit is 1500m';
    await refuses(plugin, pod({ containers: two, initContainers: [sidecar] }), why);
  });

  it('a LimitRange for pods uses the resources of the pod if the feature PodLevelResources is on', async () => {
    const range = limitRange({ type: 'Pod', max: { cpu: '1' } });
    const asked = pod({ containers: [container('a')], resources: { limits: { cpu: '3' } } });
    await refuses(bounds(range), asked, 'maximum cpu usage per Pod is 1, but limit is 3');
    const without = limitBounds({ objects: lookup([range]), podLevelResources: false });
    await refuses(without, asked, 'maximum cpu usage per Pod is 1.  No limit is specified');
  });

  it('the bounds of a LimitRange apply to creates and resizes of pods that are not being deleted', async () => {
    const plugin = bounds(limitRange({ type: 'Container', max: { cpu: '1' } }));
    const large = pod({ containers: [container('a', { limits: { cpu: '2' } })] });
    const leaving = { ...large, metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    await admit(plugin, large, { operation: 'update', previous: large });
    const resize = { operation: 'update', subresource: 'resize' } as const;
    await refuses(plugin, large, 'maximum cpu usage per Container is 1, but limit is 2', {
      ...resize,
      previous: large,
    });
    await admit(plugin, large, { ...resize, previous: leaving });
  });

  it('a LimitRange for PersistentVolumeClaims bounds their storage on create and update', async () => {
    const plugin = bounds(
      limitRange({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } }),
    );
    const claim = (storage: string) => pod({ resources: { requests: { storage } } });
    const asked = { resource: 'persistentvolumeclaims' };
    await admit(plugin, claim('3Gi'), asked);
    const [least, most] = [
      'minimum storage usage per PersistentVolumeClaim is 2Gi',
      'maximum storage usage per PersistentVolumeClaim is 4Gi',
    ];
    await refuses(plugin, claim('1Gi'), `${least}, but request is 1Gi`, asked);
    const update = { ...asked, operation: 'update', previous: claim('3Gi') } as const;
    await refuses(plugin, claim('5Gi'), `${most}, but request is 5Gi`, update);
    await refuses(plugin, pod({}), `[${least}.  No request is specified, ${most}.  No request is specified]`, asked);
    await admit(plugin, claim('5Gi'), { ...update, subresource: 'status' });
  });
});

describe('a LimitRange with thousands of resource names', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a.b/${at}`, '2']));
  const containers = (count: number) => Array.from({ length: count }, (_, at) => container(`c${at}`));

  it('defaults of a LimitRange that exceed the size of a stored object are answered with 413', async () => {
    const ranges = lookup([limitRange({ type: 'Container', default: names(5_000) })]);
    const plugin = limitDefaults({ objects: ranges });
    const asked = pod({ containers: containers(1_000) });
    await assert.rejects(admit(plugin, asked), { code: 413 });
    assert.ok(JSON.stringify(asked).length < 4 * limits.storedObjectBytes);
  });

  it('the message about violations of a LimitRange is limited', async () => {
    const ranges = lookup([limitRange({ type: 'Container', min: names(5_000) })]);
    const plugin = limitBounds({ objects: ranges, podLevelResources: false });
    await assert.rejects(admit(plugin, pod({ containers: containers(1_000) })), ({ message }: Error) => {
      assert.match(message, /further violations are left out]$/);
      return message.length < 2 * limits.fieldErrorCharacters;
    });
  });
});

describe('pod-level resources beside the defaults of a LimitRange', () => {
  const filled = { limits: { cpu: '500m' }, requests: { cpu: '100m' } };
  const cases: readonly (readonly [given: JsonObject, stored: JsonObject])[] = [
    [{ limits: { cpu: '2' } }, { limits: { cpu: '2' }, requests: { cpu: '2' } }],
    [{}, {}],
    [
      { requests: { cpu: '1' }, limits: { cpu: '2' } },
      { limits: { cpu: '2' }, requests: { cpu: '1' } },
    ],
    [{ limits: { memory: '1Gi' } }, { limits: { memory: '1Gi' }, requests: { memory: '1Gi', cpu: '100m' } }],
  ];

  it('pod-level requests are defaulted from the limits of the pod and the requests of its containers', async () => {
    await using server = await startTestServer();
    const namespace = '/api/v1/namespaces/default';
    const spec = { limits: [{ type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '100m' } }] };
    await server.request('POST', `${namespace}/limitranges`, { metadata: { name: 'l' }, spec });
    const create = async (name: string, resources: JsonObject) => {
      const containers = [{ name: 'c', image: 'i' }];
      return await server.request('POST', `${namespace}/pods`, { metadata: { name }, spec: { resources, containers } });
    };
    for (const [index, [given, stored]] of cases.entries()) {
      const { status, body } = await create(`p${index}`, given);
      assert.equal(status, 201, JSON.stringify(body));
      const made = body as { spec: { resources: JsonObject; containers: { resources: JsonObject }[] } };
      assert.deepEqual(made.spec.resources, stored);
      assert.equal(JSON.stringify(made.spec.containers[0]?.resources), JSON.stringify(filled));
    }
    const refused = await create('less', { requests: { cpu: '50m' } });
    assert.equal(refused.status, 422);
    assert.match(
      JSON.stringify(refused.body),
      /spec.resources.requests\[cpu\]: Invalid value: \\"50m\\": must be greater than or equal to aggregate container requests of 100m/,
    );
  });
});
