import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { longestTurn } from './longest-turn.ts';

function many<Item>(count: number, of: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => of(index));
}

const NAMESPACE = 'namespaces/default';
const MAPS = `/api/v1/${NAMESPACE}/configmaps`;
const PODS = `/api/v1/${NAMESPACE}/pods`;
const SERVICES = `/api/v1/${NAMESPACE}/services`;
const TERMS = 'requiredDuringSchedulingIgnoredDuringExecution';

const pod = (spec: object, container: object = {}) => ({
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});
const faultyLabels = Object.fromEntries(many(10_000, (index) => [`a b${index}`, 'v v']));

/** Long lists and maps of each kind, and the status of their creation. */
const LONG: Readonly<Record<string, readonly [path: string, body: object, status: number]>> = {
  'rules of a Role': [
    `/apis/rbac.authorization.k8s.io/v1/${NAMESPACE}/roles`,
    { rules: many(20_000, (index) => ({ verbs: ['get'], apiGroups: [`g${index}`], resources: ['r'] })) },
    201,
  ],
  'rules of an Ingress': [
    `/apis/networking.k8s.io/v1/${NAMESPACE}/ingresses`,
    {
      spec: {
        rules: many(6_000, (index) => ({
          host: `h${index}.x`,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }],
          },
        })),
      },
    },
    201,
  ],
  'owner references': [
    MAPS,
    { metadata: { ownerReferences: many(8_000, (i) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${i}`, uid: 'u' })) } },
    201,
  ],
  finalizers: [MAPS, { metadata: { finalizers: many(20_000, (index) => `a.b/f${index}`) } }, 201],
  'labels with faulty keys': [MAPS, { metadata: { labels: faultyLabels } }, 422],
  'annotations with faulty keys': [MAPS, { metadata: { annotations: faultyLabels } }, 422],
  'faulty keys of a ConfigMap': [MAPS, { data: faultyLabels }, 422],
  'ports of a Service': [
    SERVICES,
    { spec: { ports: many(5_000, (index) => ({ port: index + 1, name: `p${index}` })) } },
    201,
  ],
  tolerations: [PODS, pod({ tolerations: many(20_000, (index) => ({ key: `k${index}`, operator: 'Exists' })) }), 201],
  'affinity terms': [
    PODS,
    pod({
      affinity: {
        podAntiAffinity: {
          [TERMS]: many(5_000, (i) => ({ topologyKey: 'k', labelSelector: { matchLabels: { a: `b${i}` } } })),
        },
      },
    }),
    201,
  ],
  'topology spread constraints': [
    PODS,
    pod({
      topologySpreadConstraints: many(5_000, (index) => ({
        ...{ maxSkew: 1, topologyKey: `k${index}`, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      })),
    }),
    201,
  ],
  'conditions of a webhook': [
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      webhooks: [
        {
          ...{ name: 'a.b.c', clientConfig: { url: 'https://a.b/' }, admissionReviewVersions: ['v1'] },
          ...{ sideEffects: 'None' },
          matchConditions: many(64, (index) => ({
            name: `c${index}`,
            expression: many(200, (other) => `object.spec.a == ${other}`).join(' || '),
          })),
        },
      ],
    },
    201,
  ],
  'dates of a CronJob': [
    `/apis/batch/v1/${NAMESPACE}/cronjobs`,
    {
      spec: {
        schedule: `${many(200_000, (index) => index % 60).join()} * * * *`,
        jobTemplate: { spec: { template: pod({ restartPolicy: 'Never' }) } },
      },
    },
    201,
  ],
  variables: [PODS, pod({}, { env: many(10_000, (index) => ({ name: `A${index}`, value: '1' })) }), 201],
  volumes: [PODS, pod({ volumes: many(10_000, (index) => ({ name: `v${index}`, emptyDir: {} })) }), 201],
};

for (const [name, [path, body, status]] of Object.entries(LONG)) {
  test(`other requests run while many ${name} are validated`, async () => {
    await using server = await startTestServer();
    const { metadata = {}, ...rest } = body as { metadata?: object };
    const object = { metadata: { name: 'long', ...metadata }, ...rest };
    let answered = 0;
    const { rounds } = await longestTurn(async () => {
      answered = (await server.request('POST', `${path}?dryRun=All`, object)).status;
    });
    assert.equal(answered, status);
    assert.ok(rounds > 8, `${rounds} rounds`);
  });
}

const review = (attributes: object) => ({
  spec: { resourceAttributes: { verb: 'list', resource: 'pods', ...attributes } },
});

test('other requests run while long access reviews and token requests are answered', async () => {
  await using server = await startTestServer();
  const requirements = many(10_000, (index) => ({ key: `k${index}`, operator: 'In', values: ['a'] }));
  const { spec } = review({});
  const authorization = '/apis/authorization.k8s.io/v1';
  const bodies: Readonly<Record<string, object>> = {
    [`${authorization}/selfsubjectaccessreviews`]: review({ labelSelector: { requirements } }),
    [`${authorization}/subjectaccessreviews`]: {
      spec: { ...spec, user: 'u', extra: Object.fromEntries(many(20_000, (index) => [`k${index}`, ['x']])) },
    },
    [`/api/v1/${NAMESPACE}/serviceaccounts/default/token`]: {
      spec: { audiences: many(200_000, (index) => `a${index}`) },
    },
  };
  await until('the account is there', async () => {
    return (await server.request('GET', `/api/v1/${NAMESPACE}/serviceaccounts/default`)).status === 200;
  });
  for (const [path, body] of Object.entries(bodies)) {
    let answered = 0;
    const { rounds } = await longestTurn(async () => {
      answered = (await server.request('POST', path, body)).status;
    });
    assert.equal(answered, 201, path);
    assert.ok(rounds > 8, `${path}: ${rounds} rounds`);
  }
});

/** Items that must be unique, and the fields of those that are not: the last three repeat the first three. */
const COUNT = 4_000;
const repeated = <Item>(of: (index: number) => Item) => many(COUNT + 3, (index) => of(index % COUNT));
const places = (field: (index: number) => string) => [COUNT, COUNT + 1, COUNT + 2].map(field);

const UNIQUE: Readonly<Record<string, readonly [path: string, body: object, fields: readonly string[]]>> = {
  'names of the ports of a Service': [
    SERVICES,
    {
      spec: {
        ports: repeated((index) => ({ port: 1, name: `p${index}` })).map((each, i) => ({ ...each, port: i + 1 })),
      },
    },
    places((index) => `spec.ports[${index}].name`),
  ],
  'numbers of the ports of a Service': [
    SERVICES,
    { spec: { ports: repeated((index) => ({ port: index + 1 })).map((each, i) => ({ ...each, name: `p${i}` })) } },
    places((index) => `spec.ports[${index}]`),
  ],
  'names of volumes': [
    PODS,
    pod({ volumes: repeated((index) => ({ name: `v${index}`, emptyDir: {} })) }),
    places((index) => `spec.volumes[${index}].name`),
  ],
  'host ports': [
    PODS,
    pod({}, { ports: repeated((index) => ({ containerPort: index + 1, hostPort: index + 1 })) }),
    places((index) => `spec.containers[0].ports[${index}].hostPort`),
  ],
  'paths of mounts': [
    PODS,
    pod(
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumeMounts: repeated((index) => ({ name: 'v', mountPath: `/m${index}` })) },
    ),
    places((index) => `spec.containers[0].volumeMounts[${index}].mountPath`),
  ],
  'topology spread constraints': [
    PODS,
    pod({
      topologySpreadConstraints: repeated((index) => ({
        ...{ maxSkew: 1, topologyKey: `k${index}`, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      })),
    }),
    [0, 1, 2].map((index) => `spec.topologySpreadConstraints[${index}].{topologyKey, whenUnsatisfiable}`),
  ],
  'audiences of a CSIDriver': [
    '/apis/storage.k8s.io/v1/csidrivers',
    { spec: { tokenRequests: repeated((index) => ({ audience: `a${index}` })) } },
    places((index) => `spec.tokenRequests[${index}].audience`),
  ],
};

test('duplicates in long lists are found, each once, with other requests in between', async () => {
  await using server = await startTestServer();
  for (const [name, [path, body, fields]] of Object.entries(UNIQUE)) {
    const answer = await server.request('POST', path, { metadata: { name: 'long' }, ...body });
    const { details } = answer.body as { details?: { causes: { field: string }[] } };
    assert.deepEqual(
      details?.causes.map(({ field }) => field),
      fields,
      name,
    );
  }
});

test('of several ownerReferences with controller: true all but the first are rejected', async () => {
  await using server = await startTestServer();
  const ownerReferences = many(100, (index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', name: `p${index}`, uid: 'u', controller: index % 40 === 30 },
  }));
  const { body } = await server.request('POST', MAPS, { metadata: { name: 'm', ownerReferences } });
  const { details } = body as { details: { causes: { message: string }[] } };
  assert.deepEqual(
    details.causes.map(({ message }) => message.slice(message.lastIndexOf('Found'))),
    ['Found "true" in references for Pod/p30 and Pod/p70'],
  );
});

function definition(name: string, spec: object): object {
  return {
    metadata: { name: `${name}s.turns.example` },
    spec: {
      ...{ group: 'turns.example', scope: 'Namespaced', names: { plural: `${name}s`, kind: 'Long' } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

const properties = Object.fromEntries(many(15_000, (index) => [`p${index}`, { type: 'string', maxLength: 3 }]));
const anyOf = many(20_000, (index) => ({ required: [`a${index}`] }));

for (const [name, schema, spec, status] of [
  ['property', { properties }, Object.fromEntries(many(15_000, (index) => [`p${index}`, 'x'])), 201],
  ['alternative', { anyOf, properties: { x: { type: 'string' } } }, { x: 'y' }, 422],
] as const) {
  test(`other requests run while a definition with many ${name}s, and objects of it, are validated`, async () => {
    await using server = await startTestServer();
    const made = definition(name, { type: 'object', ...schema });
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const answers: number[] = [];
    const send = async (to: string, body: object) => answers.push((await server.request('POST', to, body)).status);
    const ofDefinition = await longestTurn(() => send(path, made));
    const objects = `/apis/turns.example/v1/namespaces/default/${name}s`;
    await until('the definition is served', async () => {
      server.clock?.advance('1s');
      return (await server.request('GET', objects)).status === 200;
    });
    const object = { apiVersion: 'turns.example/v1', kind: 'Long', metadata: { name: 'o' }, spec };
    const ofObject = await longestTurn(() => send(objects, object));
    assert.deepEqual(answers, [201, status]);
    assert.ok(ofDefinition.rounds > 8, `${ofDefinition.rounds} rounds`);
    assert.ok(ofObject.rounds > 3, `${ofObject.rounds} rounds`);
  });
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AS_TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

test('other requests run while a large custom resource is listed, described, marked and deleted', async () => {
  await using server = await startTestServer({ controllers: '', featureGates: { CBORServingAndStorage: true } });
  const objects = '/apis/turns.example/v1/namespaces/default/kepts';
  await server.request('POST', CRDS, definition('kept', { type: 'object', properties }));
  await until('the definition is served', async () => {
    server.clock?.advance('1s');
    return (await server.request('GET', objects)).status === 200;
  });
  const spec = Object.fromEntries(many(15_000, (index) => [`p${index}`, 'x']));
  const object = { apiVersion: 'turns.example/v1', kind: 'Long', metadata: { name: 'o', finalizers: ['a.b/c'] }, spec };
  assert.equal((await server.request('POST', objects, object)).status, 201);
  const send = async (method: string, to: string, { accept = 'application/json', body = '' } = {}) => {
    const type = 'application/merge-patch+json';
    const headers = { authorization: `Bearer ${server.token}`, accept, 'content-type': type };
    const request = new Request(`https://localhost${to}`, { method, headers, ...(body !== '' && { body }) });
    const response = await server.fetch(request);
    await response.arrayBuffer();
    return response.status;
  };
  const item = `${objects}/o`;
  const steps: Readonly<Record<string, readonly [least: number, run: () => Promise<number>]>> = {
    description: [8, () => send('GET', '/openapi/v3/apis/turns.example/v1')],
    'definition in YAML': [8, () => send('GET', `${CRDS}/kepts.turns.example`, { accept: 'application/yaml' })],
    'list in YAML': [8, () => send('GET', objects, { accept: 'application/yaml' })],
    'list in CBOR': [8, () => send('GET', objects, { accept: 'application/cbor' })],
    'list as a table': [10, () => send('GET', objects, { accept: AS_TABLE })],
    'object as a table': [10, () => send('GET', item, { accept: AS_TABLE })],
    label: [8, () => send('PATCH', item, { body: '{"metadata":{"labels":{"a":"b"}}}' })],
    mark: [6, () => send('DELETE', item)],
    removal: [25, () => send('PATCH', item, { body: '{"metadata":{"finalizers":null}}' })],
    absence: [0, async () => ((await send('GET', item)) === 404 ? 200 : 500)],
  };
  const outcomes: Record<string, string> = {};
  for (const [what, [least, run]] of Object.entries(steps)) {
    let status = 0;
    const { rounds } = await longestTurn(async () => {
      status = await run();
    });
    if (status !== 200 || rounds < least) outcomes[what] = `${status} in ${rounds} rounds`;
  }
  assert.deepEqual(outcomes, {});
});

const entries = (of: (index: number) => string) => Object.fromEntries(many(16_000, (index) => [of(index), 'v']));
const managed = many(5_000, (index) => ({
  ...{ manager: `m${index}`, operation: 'Apply', apiVersion: 'v1', time: '2020-01-01T00:00:00Z' },
  ...{ fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { [`f:k${index}`]: {} } } },
}));

/** Long objects that are changed, applied and read. */
const KEPT: Readonly<Record<string, readonly [path: string, kind: string, body: object]>> = {
  'owner references': [
    MAPS,
    'ConfigMap',
    {
      metadata: {
        ownerReferences: many(8_000, (i) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${i}`, uid: `u${i}` })),
      },
    },
  ],
  finalizers: [MAPS, 'ConfigMap', LONG['finalizers']?.[1] as object],
  entries: [MAPS, 'ConfigMap', { data: entries((index) => `k${(index * 7_919) % 20_011}`) }],
  managers: [MAPS, 'ConfigMap', { data: entries((index) => `k${index}`), metadata: { managedFields: managed } }],
  variables: [PODS, 'Pod', LONG['variables']?.[1] as object],
  'ports with node ports': [
    SERVICES,
    'Service',
    { spec: { type: 'NodePort', ports: many(2_500, (index) => ({ port: index + 1, name: `p${index}` })) } },
  ],
};

const APPLY = 'application/apply-patch+yaml';
const JSON_TYPE = 'application/json';
const FORMATS = [
  'application/yaml',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
  `${JSON_TYPE};pretty=1`,
];

for (const [name, [path, kind, body]] of Object.entries(KEPT)) {
  test(`other requests run while an object with many ${name} is updated, applied and read in any format`, async () => {
    await using server = await startTestServer({ controllers: '', featureGates: { CBORServingAndStorage: true } });
    const { metadata = {}, ...rest } = body as { metadata?: object };
    const object = { apiVersion: 'v1', kind, metadata: { name: 'long', ...metadata }, ...rest };
    const whole = JSON.stringify(object);
    const { managedFields: _entries, ...applied } = object.metadata as { managedFields?: unknown };
    const configuration = JSON.stringify({ ...object, metadata: applied });
    const item = `${path}/long`;
    const send = async (method: string, to: string, type: string, sent?: string | Buffer, accept = JSON_TYPE) => {
      const [media = '', parameter] = accept.split(';');
      const target = parameter === undefined ? to : `${to}?${parameter.replace('1', 'true')}`;
      const headers = { authorization: `Bearer ${server.token}`, accept: media, 'content-type': type };
      const request = new Request(`https://localhost${target}`, { method, headers, ...(sent && { body: sent }) });
      const response = await server.fetch(request);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const outcomes: Record<string, string> = {};
    const measure = async (what: string, least: number, run: () => ReturnType<typeof send>) => {
      let answered = 0;
      const { rounds } = await longestTurn(async () => (answered = (await run()).status));
      if (answered > 201 || rounds < least) outcomes[what] = `${answered} in ${rounds} rounds`;
    };
    await measure('create', 8, () => send('POST', path, JSON_TYPE, whole));
    const { bytes } = await send('GET', item, JSON_TYPE);
    const current = bytes.toString();
    await measure('update', 8, () =>
      send('PUT', item, JSON_TYPE, current.replace('"metadata":{', '"metadata":{"annotations":{"a":"b"},')),
    );
    const forced = `${item}?fieldManager=test&force=true`;
    await measure('apply', 8, () => send('PATCH', forced, APPLY, configuration));
    await measure('apply again', 8, () => send('PATCH', forced, APPLY, configuration));
    await measure('merge patch', 4, () =>
      send('PATCH', item, 'application/merge-patch+json', '{"metadata":{"annotations":{"a":"c"}}}'),
    );
    await measure('strategic merge patch', 3, () =>
      send('PATCH', item, 'application/strategic-merge-patch+json', configuration),
    );
    for (const format of FORMATS) {
      await measure(`get ${format}`, 3, () => send('GET', item, JSON_TYPE, undefined, format));
      // Bodies in CBOR have few items, as in kube-apiserver.
      if (format.includes('pretty') || format.includes('cbor')) continue;
      const there = await send('GET', item, JSON_TYPE, undefined, format);
      await measure(`update ${format}`, 4, () => send('PUT', item, format, there.bytes));
    }
    assert.deepEqual(outcomes, {});
  });
}

test('validation rules that take long to compile apply at their own paths from the first object on', async () => {
  await using server = await startTestServer({ controllers: '' });
  const rules = many(150, (index) => ({ rule: `self.matches("^[a-z]{1,200}${index}$")`, message: `not ${index}` }));
  const properties = Object.fromEntries(
    rules.map((rule, index) => [`p${index}`, { type: 'string', maxLength: 9, 'x-kubernetes-validations': [rule] }]),
  );
  assert.equal((await server.request('POST', CRDS, definition('ruled', { type: 'object', properties }))).status, 201);
  const objects = '/apis/turns.example/v1/namespaces/default/ruleds';
  await until('the definition is served', async () => {
    server.clock?.advance('1s');
    return (await server.request('GET', objects)).status === 200;
  });
  const spec = Object.fromEntries(rules.map((_, index) => [`p${index}`, `a${index}`]));
  const object = { apiVersion: 'turns.example/v1', kind: 'Long', metadata: { name: 'o' }, spec };
  const { status, body } = await server.request('POST', objects, object);
  assert.equal(status, 201, JSON.stringify(body).slice(0, 500));
});
