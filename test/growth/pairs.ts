// Requests whose time may grow with the product of two lists, or with the square of one that `lists.ts` cannot fill with
// something valid: each item of one is looked up in the other.

import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { type Growth, isSuperlinear, measured } from './growth.ts';

interface Pair {
  readonly path: string;
  /** The object, valid or not, with so many items. */
  readonly of: (count: number) => object;
  /** What it is before it is updated to that; created if absent. */
  readonly before?: (count: number) => object;
}

const many = <Item>(count: number, of: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => of(i));
const members = <Item>(count: number, of: (index: number) => Item): Record<string, Item> =>
  Object.fromEntries(many(count, (index) => [`k${index}`, of(index)]));

const PODS = '/api/v1/namespaces/default/pods';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ITEMS = '/apis/growth.example/v1/namespaces/default/items';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';

const pod = (spec: object, container: object = {}) => ({
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});

function definition(plural: string, spec: object): object {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    metadata: { name: `${plural}.growth.example` },
    spec: {
      ...{ group: 'growth.example', scope: 'Namespaced', names: { plural, kind: 'Item' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** A keyed list with a rule, and a list of values of an enumeration. */
const ITEMS_SCHEMA = {
  type: 'object',
  properties: {
    keyed: {
      ...{ type: 'array', maxItems: 20_000, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      items: {
        ...{ type: 'object', required: ['name'], properties: { name: { type: 'string' }, size: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 100' }],
      },
    },
    listed: {
      type: 'array',
      items: {
        ...{ type: 'object', properties: { a: { type: 'integer' } } },
        enum: many(8_000, (index) => ({ a: index })),
      },
    },
  },
};

const item = (spec: object) => ({ apiVersion: 'growth.example/v1', kind: 'Item', spec });
const keyed = (count: number, size: number) => item({ keyed: many(count, (index) => ({ name: `n${index}`, size })) });
const toleration = (index: number) => ({ key: `k${index}`, operator: 'Exists', effect: 'NoExecute' });

export const PAIRS: Readonly<Record<string, Pair>> = {
  'claims of a pod, and those that a container uses': {
    path: PODS,
    of: (count) =>
      pod(
        { resourceClaims: many(count, (index) => ({ name: `c${index}`, resourceClaimName: 'r' })) },
        { resources: { claims: many(count, (index) => ({ name: `c${index}` })) } },
      ),
  },
  'claims of a pod, and its containers': {
    path: PODS,
    of: (count) => ({
      spec: {
        resourceClaims: many(count, (index) => ({ name: `c${index}`, resourceClaimName: 'r' })),
        containers: many(count, (index) => ({
          ...{ name: `c${index}`, image: 'i', resources: { claims: [{ name: `c${index}` }] } },
        })),
      },
    }),
  },
  'mounts and devices of a container': {
    path: PODS,
    of: (count) =>
      pod(
        { volumes: [{ name: 'v', emptyDir: {} }] },
        {
          volumeMounts: many(count, (index) => ({ name: 'v', mountPath: `/m${index}` })),
          volumeDevices: many(count, (index) => ({ name: `d${index}`, devicePath: `/d${index}` })),
        },
      ),
  },
  'tolerations of a pod before and after': {
    path: PODS,
    before: (count) => pod({ tolerations: many(count, toleration) }),
    of: (count) =>
      pod({ tolerations: many(count, (index) => ({ ...toleration(count - index - 1), tolerationSeconds: 9 })) }),
  },
  'scopes and counted pages of a quota': {
    path: '/api/v1/namespaces/default/resourcequotas',
    of: (count) => ({
      spec: {
        hard: Object.fromEntries(many(count, (index) => [`hugepages-${index + 1}Mi`, '1'])),
        scopeSelector: { matchExpressions: many(count, () => ({ scopeName: 'BestEffort', operator: 'Exists' })) },
      },
    }),
  },
  'keys of a list, and required members of its items': {
    path: CRDS,
    of: (count) => {
      const keys = many(count, (index) => `k${index}`);
      return definition('keys', {
        ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys },
        items: { type: 'object', required: keys, properties: members(count, () => ({ type: 'string' })) },
      });
    },
  },
  'items of a keyed list before and after': {
    path: ITEMS,
    before: (count) => keyed(count, 1),
    of: (count) => keyed(count, 2),
  },
  'values and those that are allowed': {
    path: ITEMS,
    of: (count) => item({ listed: many(count, (index) => ({ a: 7_999 - (index % 1_000) })) }),
  },
  'topology keys of a driver': {
    path: '/apis/storage.k8s.io/v1/csinodes',
    of: (count) => ({ spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: many(6 * count, (i) => `k${i}`) }] } }),
  },
  'review versions of a webhook': {
    path: `${REGISTRATION}/validatingwebhookconfigurations`,
    of: (count) => ({
      webhooks: [
        {
          ...{ name: 'a.b.c', clientConfig: { url: 'https://a.b/' }, sideEffects: 'None' },
          admissionReviewVersions: ['v1', ...many(6 * count, (index) => `w${index}`)],
        },
      ],
    }),
  },
};

/** Returns the requests that grow faster than linearly. */
export async function superlinearPairs(matches: (name: string) => boolean): Promise<Growth[]> {
  await using server = await startTestServer();
  await server.request('POST', CRDS, definition('items', ITEMS_SCHEMA));
  await until('the definition is served', async () => {
    server.clock?.advance('1s');
    return (await server.request('GET', ITEMS)).status === 200;
  });
  const found: Growth[] = [];
  for (const [field, pair] of Object.entries(PAIRS).filter(([name]) => matches(name))) {
    const growth = { field, request: pair.before ? 'update' : 'create', ...(await measuredPair(server, pair)) };
    if (isSuperlinear(growth)) found.push(growth);
  }
  return found;
}

async function measuredPair(server: TestServer, { path, before, of }: Pair) {
  const named = (object: { readonly metadata?: object }, name: string) => ({
    ...object,
    metadata: { name, ...object.metadata },
  });
  const there = async (count: number) => {
    if (before !== undefined) await server.request('POST', path, named(before(count), `g${count}`));
  };
  return await measured(async (count) => {
    const object = named(of(count), `g${count}`);
    if (before === undefined) await server.request('POST', `${path}?dryRun=All`, object);
    else await server.request('PUT', `${path}/g${count}?dryRun=All`, object);
  }, there);
}
