// Edge cases of HTTP: paths, methods, queries, media types, headers and encodings, valid and invalid.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';

const requests = 6;

export const http: Area = {
  name: 'http',
  async run(given) {
    const { session, random } = given;
    const made = random.pick(objects);
    const { status } = await session.ask({ method: 'POST', path: made.collection, body: made.body });
    if (status !== 201) return;
    for (let left = requests; left > 0; left--) await session.ask(next(given, made));
  },
};

interface Made {
  readonly collection: string;
  readonly body: { readonly metadata: { readonly name: string } & Record<string, unknown> } & Record<string, unknown>;
}

const ns = '/api/v1/namespaces/{ns}';
const objects: readonly Made[] = [
  { collection: `${ns}/configmaps`, body: { metadata: { name: 'm-{u}', labels: { app: 'web' } }, data: { a: 'b' } } },
  { collection: `${ns}/secrets`, body: { metadata: { name: 's-{u}' }, stringData: { a: 'b' } } },
  { collection: `${ns}/serviceaccounts`, body: { metadata: { name: 'a-{u}' } } },
  {
    collection: `${ns}/pods`,
    body: { metadata: { name: 'p-{u}' }, spec: { containers: [{ name: 'a', image: 'b' }], nodeName: 'nowhere' } },
  },
  { collection: `${ns}/services`, body: { metadata: { name: 'v-{u}' }, spec: { ports: [{ port: 80 }] } } },
  {
    collection: '/apis/apps/v1/namespaces/{ns}/deployments',
    body: {
      metadata: { name: 'd-{u}' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
      },
    },
  },
  { collection: '/api/v1/nodes', body: { metadata: { name: 'n-{u}' } } },
  { collection: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', body: { metadata: { name: 'l-{u}' } } },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: { metadata: { name: 'r-{u}' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  },
  {
    collection: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
    body: {
      metadata: { name: 'h-{u}' },
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
    },
  },
];

const methods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function next({ random }: Case, made: Made): RequestStep {
  const method = random.pick(methods);
  const path = randomPath(random, made, method);
  const query = random.chance(45) ? randomQuery(random) : {};
  const headers = randomHeaders(random);
  const body = bodyFor(method, made, random);
  const type = method === 'PATCH' && headers['content-type'] === undefined ? random.pick(patchTypes) : undefined;
  const isBig =
    /^\/(openapi|openid|\.well-known|metrics|debug|logs|swagger|index)/.test(path) || /^\/(api|apis)?\/?$/.test(path);
  return {
    method,
    path,
    query,
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
    ...(isBig && { only: ['status', 'headers'] }),
    ...(query['watch'] !== undefined && { query: { timeoutSeconds: '1', ...query } }),
  };
}

const subresources = [
  'status',
  'scale',
  'log',
  'exec',
  'proxy',
  'token',
  'eviction',
  'binding',
  'finalize',
  'nope',
  'x/y',
];
const reviews = [
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  '/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/localsubjectaccessreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
];
const others = [
  '/',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v2',
  '/apis',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/apps/v2',
  '/apis/nope',
  '/apis/nope/v1/things',
  '/healthz',
  '/healthz/ping',
  '/healthz/nope',
  '/livez',
  '/readyz/etcd',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/apis/nope/v1',
  '/openid/v1/jwks',
  '/.well-known/openid-configuration',
  '/index.html',
  '/logs',
  '/favicon.ico',
  '/api/v1/namespaces/{ns}/bindings',
  '/api/v1/bindings',
  '/api/v1/namespaces/{ns}/namespaces',
  '/api/v1/namespaces/{ns}/nodes',
  '/api/v1/namespaces/{ns}',
  '/api/v1/namespaces/{ns}/status',
  '/api/v1/namespaces/{ns}/finalize',
  '/api/v1/watch/namespaces/{ns}/configmaps',
  '/api/v1/proxy/nodes/x',
  '//api/v1',
  '/api//v1',
  '/api/v1/namespaces//pods',
  '/api/v1/../v1',
  '/API/v1',
  '/api/v1/Pods',
  '/api/v1/%6eamespaces/{ns}',
  '/api/v1/namespaces/{ns}/configmaps/a%2Fb',
  '/api/v1/namespaces/{ns}/configmaps/%zz',
  '/api/v1/namespaces/{ns}/configmaps/%00',
  '/api/v1/namespaces/{ns}/configmaps/..',
  '/api/v1/namespaces/{ns}/configmaps/a b',
];

function randomPath(random: SeededRandom, { collection, body }: Made, method: string): string {
  const object = `${collection}/${body.metadata.name}`;
  const kind = random.below(100);
  if (kind < 40) return object;
  // A cluster-scoped collection contains objects of other conversations.
  if (kind < 55 && (collection.includes('{ns}') || method === 'POST')) return collection;
  if (kind < 60) return `${object}/`;
  if (kind < 75) return `${object}/${random.pick(subresources)}`;
  if (kind < 80) return random.pick(reviews);
  const path = random.pick(others).replaceAll(' ', '%20');
  // An empty path segment sometimes means all namespaces to the reference: a write there would affect other
  // conversations.
  return path.includes('s//') && method !== 'GET' && method !== 'HEAD' ? '/api/v1' : path;
}

const queryValues: Readonly<Record<string, readonly string[]>> = {
  pretty: ['true', 'false', '1', '0', 't', 'T', 'F', 'TRUE', 'yes', '', 'x'],
  limit: ['0', '1', '-1', 'x', '', '99999999999999999999'],
  continue: ['x', 'e30', ''],
  resourceVersion: ['0', '1', '', 'x', '-1', '99999999'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x', ''],
  labelSelector: [
    'a=b',
    'app=web',
    'app in (web)',
    '!a',
    'a in (',
    'app==web,x!=y',
    'a=b=c',
    'Bad Key=x',
    'a notin (b)',
  ],
  fieldSelector: [
    'metadata.name=x',
    'a=b',
    '=',
    'metadata.namespace=x',
    'status.phase=Running',
    'metadata.name!=x',
    'x',
  ],
  watch: ['1', 'true', 'false', 'x', ''],
  timeoutSeconds: ['1', 'x', '-1'],
  dryRun: ['All', 'x', 'All,All'],
  fieldManager: ['m', 'x'.repeat(129), 'ü', 'a\tb'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'x', ''],
  force: ['true', 'false', 'x'],
  propagationPolicy: ['Foreground', 'Background', 'Orphan', 'x'],
  gracePeriodSeconds: ['0', '1', '-1', 'x'],
  orphanDependents: ['true', 'x'],
  sendInitialEvents: ['true', 'false', 'x'],
  allowWatchBookmarks: ['true', 'x'],
  includeObject: ['None', 'Object', 'Metadata', 'x'],
  container: ['a', 'nope'],
  tailLines: ['1', '-1', 'x'],
  command: ['ls'],
  unknown: ['x'],
};

function randomQuery(random: SeededRandom): Record<string, string> {
  const names = Object.keys(queryValues);
  const chosen = Array.from({ length: random.pick([1, 1, 2]) }, () => random.pick(names));
  return Object.fromEntries(chosen.map((name) => [name, random.pick(queryValues[name]!)]));
}

const accepts = [
  'application/json',
  '*/*',
  '',
  'application/*',
  'text/*',
  'text/html',
  'application/yaml',
  'text/yaml',
  'application/yaml, application/json',
  'application/json;q=0.1, application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf, application/json',
  'application/cbor',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io, application/json',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=x',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/json;pretty=1',
  'application/json; charset=utf-8',
  'application/json;stream=watch',
  'application/json;x',
  ';',
  'x/y',
  'application/xml, */*;q=0.1',
];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;',
  'application/json; x',
  'application/json; a=b; a=c',
  'application/yaml',
  'text/yaml',
  'application/x-yaml',
  'application/octet-stream',
  'text/plain',
  '',
  ';',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
  'application/apply-patch+yaml',
  'application/apply-patch+json',
  'Application/JSON',
  '*/*',
];
const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];

function randomHeaders(random: SeededRandom): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(45)) headers['accept'] = random.pick(accepts);
  if (random.chance(15)) headers['content-type'] = random.pick(contentTypes);
  if (random.chance(8))
    headers['accept-encoding'] = random.pick(['gzip', 'gzip, deflate', 'gzip;q=0', '*', 'br', 'identity']);
  if (random.chance(6))
    headers['user-agent'] = random.pick(['curl/8.0', 'kubectl/v1.34', 'Mozilla/5.0', 'Wget/1', 'curly']);
  if (random.chance(4)) headers['if-none-match'] = random.pick(['"x"', '*']);
  if (random.chance(4)) headers['impersonate-user'] = random.pick(['alice', 'system:admin', '']);
  if (random.chance(3)) headers['impersonate-group'] = random.pick(['system:masters', 'dev']);
  if (random.chance(2)) headers['impersonate-uid'] = 'x';
  if (random.chance(2)) headers['impersonate-extra-a'] = 'b';
  if (random.chance(4))
    headers['authorization'] = random.pick(['Bearer nope', 'Basic eDp5', 'Bearer', 'bearer admin-token', 'x']);
  if (random.chance(2)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'x']);
  if (random.chance(2)) headers['x-remote-user'] = 'admin';
  return headers;
}

function bodyFor(method: string, { body }: Made, random: SeededRandom): unknown {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  if (random.chance(10))
    return random.pick<unknown>(['', '{', 'null', '[]', '"x"', '{"kind":"x"}', 'a: b', '---\n', '\ufeff{}']);
  if (method === 'DELETE')
    return random.chance(60)
      ? undefined
      : random.pick<unknown>([
          {},
          { kind: 'DeleteOptions', apiVersion: 'v1' },
          { gracePeriodSeconds: -1 },
          { preconditions: { uid: 'x' } },
          { dryRun: ['All'] },
          { propagationPolicy: 'x' },
          { kind: 'x' },
        ]);
  if (method === 'PATCH')
    return random.pick<unknown>([
      { metadata: { labels: { x: 'y' } } },
      [{ op: 'add', path: '/metadata/labels', value: { x: 'y' } }],
      {},
      [],
      { spec: 1 },
    ]);
  return random.pick<unknown>([body, body, { ...body, metadata: {} }, { ...body, kind: 'Nope' }, { spec: {} }, {}]);
}
