// Servers with the behavior of a release of Kubernetes before 1.34 (--kubernetes-version): answers to requests whose
// objects are valid, and to options.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(server: TestServer, sent: Sent): Promise<Body> {
  return (await (await answerTo(server, sent)).json()) as Body;
}

function answerTo(server: TestServer, { path, method = 'GET', body, headers = {} }: Sent): Promise<Response> {
  const init = {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': JSON_TYPE, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return server.fetch(new Request(`https://localhost${path}`, init));
}

/** What servers of two releases answer. */
async function answers(
  versions: readonly string[],
  ask: (server: TestServer) => Promise<unknown>,
  options: object = {},
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const kubernetesVersion of versions) {
    await using server = await startTestServer({ kubernetesVersion, ...options });
    found.push(await ask(server));
  }
  return found;
}

describe('responses of releases before 1.34', () => {
  test('invalid options of a write are reported in the words of the release', async () => {
    const causes = async (server: TestServer): Promise<string[]> => {
      const path = `${CONFIG_MAPS}?dryRun=Some&fieldManager=${'x'.repeat(129)}`;
      const { details } = await send(server, { method: 'POST', path, body: { metadata: { name: 'a' } } });
      return details.causes.map(({ message }: Body) => message);
    };
    const expected = (value: string, length: string) => [
      `Too long: ${length}`,
      `Unsupported value: ${value}: supported values: "All"`,
    ];
    assert.deepEqual(await answers(['1.31', '1.32', '1.34'], causes), [
      expected('[]string{"Some"}', 'must have at most 128 bytes'),
      expected('[]string{"Some"}', 'may not be more than 128 bytes'),
      expected('["Some"]', 'may not be more than 128 bytes'),
    ]);
  });

  test('a forbidden create by an update or an apply has no explanation before 1.32', async () => {
    const refused = async (server: TestServer): Promise<string> => {
      const rules = [{ verbs: ['patch'], apiGroups: [''], resources: ['configmaps'] }];
      const named = { metadata: { name: 'a' } };
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await send(server, { method: 'POST', path: `${rbac}/clusterroles`, body: { ...named, rules } });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' };
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }];
      const body = { ...named, roleRef, subjects };
      await send(server, { method: 'POST', path: `${rbac}/clusterrolebindings`, body });
      const { message } = await send(server, {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/a?fieldManager=m`,
        body: { apiVersion: 'v1', kind: 'ConfigMap', ...named },
        headers: { 'content-type': 'application/apply-patch+yaml', 'impersonate-user': 'alice' },
      });
      return message;
    };
    assert.deepEqual(await answers(['1.31', '1.32'], refused), [
      'configmaps "a" is forbidden: ',
      'configmaps "a" is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
    ]);
  });

  test('a binding to a missing role reports the missing role before 1.32', async () => {
    const told = async (server: TestServer): Promise<string> => {
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      const role = {
        metadata: { name: 'a' },
        rules: [{ verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'] }],
      };
      await send(server, { method: 'POST', path: `${rbac}/clusterroles`, body: role });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' };
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }];
      const body = { metadata: { name: 'a' }, roleRef, subjects };
      await send(server, { method: 'POST', path: `${rbac}/clusterrolebindings`, body });
      const { message } = await send(server, {
        method: 'POST',
        path: `${rbac}/namespaces/default/rolebindings`,
        body: { ...body, roleRef: { ...roleRef, kind: 'Role', name: 'absent' } },
        headers: { 'impersonate-user': 'alice' },
      });
      return message;
    };
    assert.deepEqual(await answers(['1.31', '1.32'], told), [
      'roles.rbac.authorization.k8s.io "absent" not found',
      'rolebindings.rbac.authorization.k8s.io "absent" not found',
    ]);
  });

  test('an update with a UID of an object that does not exist is a conflict before 1.34', async () => {
    const updated = async (server: TestServer): Promise<[number, string]> => {
      const body = { metadata: { name: 'a', uid: 'u' } };
      const { code, message } = await send(server, { method: 'PUT', path: `${CONFIG_MAPS}/a`, body });
      return [code, message];
    };
    assert.deepEqual(await answers(['1.33', '1.34'], updated), [
      [
        409,
        'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: ' +
          '/registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in ' +
          'precondition: u, UID in object meta: ',
      ],
      [404, 'configmaps "a" not found'],
    ]);
  });

  test('a list at a future resourceVersion with match Exact fails in the words of etcd before 1.34', async () => {
    const listed = async (server: TestServer): Promise<string[]> => {
      const path = `${CONFIG_MAPS}?resourceVersion=999999999&resourceVersionMatch=Exact`;
      const told = async (query: string) => {
        const { code, message } = await send(server, { path: `${path}${query}` });
        return `${code} ${message.slice(0, 35)}`;
      };
      return [await told(''), await told('&fieldSelector=metadata.name=a')];
    };
    const ofStore = '500 etcdserver: mvcc: required revision';
    const ofServer = '504 Timeout: Too large resource version';
    assert.deepEqual(await answers(['1.33', '1.34'], listed), [
      [ofStore, ofServer],
      [ofServer, ofServer],
    ]);
  });

  test('aggregated discovery, component statuses and bookmarks have a null creationTimestamp before 1.34', async () => {
    const times = async (server: TestServer): Promise<unknown[]> => {
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { items } = await send(server, { path: '/apis', headers: { accept } });
      const [{ metadata }] = (await send(server, { path: '/api/v1/componentstatuses' }))['items'];
      const watch = '?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      const answer = await answerTo(server, { path: `${CONFIG_MAPS}${watch}&timeoutSeconds=1&labelSelector=a` });
      const [bookmark = ''] = (await answer.text()).split('\n');
      const { object } = JSON.parse(bookmark) as Body;
      return [items[0].metadata, metadata, object.metadata].map(({ creationTimestamp }) => creationTimestamp);
    };
    assert.deepEqual(await answers(['1.32', '1.34'], times), [
      [null, null, null],
      [undefined, undefined, undefined],
    ]);
  });

  test('the bookmark after initial events holds an empty list in 1.32 and 1.33', async () => {
    const held = async (server: TestServer): Promise<unknown> => {
      const watch = 'watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      const list = async (accept: string): Promise<unknown> => {
        const path = `${CONFIG_MAPS}?${watch}&timeoutSeconds=1&labelSelector=a`;
        const answer = await answerTo(server, { path, headers: { accept } });
        const [bookmark = ''] = (await answer.text()).split('\n');
        const { annotations } = (JSON.parse(bookmark) as Body)['object'].metadata;
        const bytes = annotations['kubernetes.io/initial-events-list-blueprint'];
        return bytes === undefined ? undefined : JSON.parse(atob(bytes));
      };
      return [
        await list(JSON_TYPE),
        await list('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, application/json'),
      ];
    };
    assert.deepEqual(await answers(['1.32', '1.34'], held), [
      [
        { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: null },
        { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: {}, items: null },
      ],
      [undefined, undefined],
    ]);
  });

  test('the cost of comparing values of Kubernetes CEL types is estimated as unlimited before 1.32', async () => {
    const judged = async (server: TestServer): Promise<string[]> => {
      const told: string[] = [];
      for (const rule of ['ip(self.s) == ip("::")', 'quantity(self.s) == quantity("1")', 'url(self.s) == url("a:b")']) {
        const properties = { s: { type: 'string', maxLength: 20 } };
        const openAPIV3Schema = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
        const { kind, message = '' } = await send(server, {
          method: 'POST',
          path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
          body: {
            metadata: { name: 'things.x.io' },
            spec: {
              group: 'x.io',
              names: { plural: 'things', kind: 'Thing' },
              scope: 'Cluster',
              versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
            },
          },
        });
        told.push(/estimated rule cost exceeds budget by factor of more than 100x/.exec(message)?.[0] ?? kind);
      }
      return told;
    };
    const refused = 'estimated rule cost exceeds budget by factor of more than 100x';
    const accepted = 'CustomResourceDefinition';
    assert.deepEqual(await answers(['1.31', '1.32'], judged), [
      [refused, refused, refused],
      [accepted, accepted, accepted],
    ]);
  });

  test('an update of ephemeral containers has no managed fields before 1.33', async () => {
    const owners = async (server: TestServer): Promise<unknown[]> => {
      const path = '/api/v1/namespaces/default/pods';
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
      await server.request('POST', `${path}?fieldManager=first`, pod);
      const { metadata } = await send(server, {
        method: 'PATCH',
        path: `${path}/a/ephemeralcontainers?fieldManager=second`,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: { spec: { ephemeralContainers: [{ name: 'c', image: 'd' }] } },
      });
      return metadata.managedFields.map(({ manager }: Body) => manager);
    };
    const options = { disableAdmissionPlugins: ['ServiceAccount'] };
    assert.deepEqual(await answers(['1.32', '1.34'], owners, options), [['first'], ['first', 'second']]);
  });

  test('podFailurePolicy in the template of a CronJob gets no defaults before 1.34', async () => {
    const status = async (server: TestServer): Promise<number> => {
      const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }];
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
      const jobTemplate = { spec: { podFailurePolicy: { rules }, template } };
      const body = { metadata: { name: 'a' }, spec: { schedule: '* * * * *', jobTemplate } };
      return (await server.request('POST', '/apis/batch/v1/namespaces/default/cronjobs', body)).status;
    };
    assert.deepEqual(await answers(['1.33', '1.34'], status), [422, 201]);
  });

  test('a podCIDR that a node has twice is also reported as a duplicate before 1.33', async () => {
    const told = async (server: TestServer): Promise<string[]> => {
      const podCIDRs = ['192.0.2.0/24', '192.0.2.0/24'];
      const body = { metadata: { name: 'a' }, spec: { podCIDR: podCIDRs[0], podCIDRs } };
      const { details } = await send(server, { method: 'POST', path: '/api/v1/nodes', body });
      return details.causes.map(({ field }: Body) => field);
    };
    assert.deepEqual(await answers(['1.32', '1.33'], told), [['spec.podCIDRs', 'spec.podCIDRs[1]'], ['spec.podCIDRs']]);
  });

  test('a status update of a pod keeps fields behind disabled gates before 1.33', async () => {
    const kept = async (server: TestServer): Promise<unknown> => {
      const path = '/api/v1/namespaces/default/pods';
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
      await server.request('POST', path, pod);
      const status = { name: 'a', image: 'b', imageID: 'c', ready: true, restartCount: 0 };
      const { body } = await server.request('PUT', `${path}/a/status`, {
        ...pod,
        status: { phase: 'Running', containerStatuses: [{ ...status, allocatedResources: { cpu: '1' } }] },
      });
      return (body as Body)['status'].containerStatuses[0].allocatedResources;
    };
    const options = {
      disableAdmissionPlugins: ['ServiceAccount'],
      featureGates: { InPlacePodVerticalScaling: false },
    };
    assert.deepEqual(await answers(['1.32', '1.33'], kept, options), [{ cpu: '1' }, undefined]);
  });

  test('a pod log has no choice of streams before 1.32', async () => {
    const told = async (server: TestServer): Promise<unknown> => {
      const { reason, message } = await send(server, { path: '/api/v1/namespaces/default/pods/a/log?stream=Odd' });
      return [reason, message.replace(/^.*: /, '')];
    };
    assert.deepEqual(await answers(['1.31', '1.32'], told), [
      ['NotFound', 'pods "a" not found'],
      ['Invalid', 'may not be specified'],
    ]);
  });

  test('loadBalancerSourceRanges with spaces cause a warning before 1.33', async () => {
    const warned = async (server: TestServer): Promise<readonly string[]> => {
      const range = async (text: string): Promise<string> => {
        const spec = { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: [text] };
        const body = { metadata: { name: 'a' }, spec };
        const path = '/api/v1/namespaces/default/services?dryRun=All';
        const { headers } = await answerTo(server, { method: 'POST', path, body });
        return (headers.get('warning') ?? '').replace(/^.*future Kubernetes release: /, '').replaceAll('\\"', "'");
      };
      return [await range(' 192.0.2.0/24'), await range('192.0.2.0/24 ')];
    };
    assert.deepEqual(await answers(['1.32', '1.33'], warned), [
      [
        "netip.ParsePrefix(' 192.0.2.0/24'): ParseAddr(' 192.0.2.0'): unexpected character (at ' 192.0.2.0')\"",
        "netip.ParsePrefix('192.0.2.0/24 '): bad bits after slash: '24 '\"",
      ],
      ['', ''],
    ]);
  });

  test('an apply of an item of a list with two keys needs both before 1.34', async () => {
    const applied = async (server: TestServer): Promise<[number, string]> => {
      const items = {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a', 'b'],
      };
      const list = {
        type: 'array',
        items,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a', 'b'],
      };
      const openAPIV3Schema = { type: 'object', properties: { list } };
      await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.x.io' },
        spec: {
          group: 'x.io',
          names: { plural: 'things', kind: 'Thing' },
          scope: 'Cluster',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
        },
      });
      const things = '/apis/x.io/v1/things';
      await until('it is served', async () => (await server.request('GET', things)).status === 200);
      const { code, message } = await send(server, {
        method: 'PATCH',
        path: '/apis/x.io/v1/things/a?fieldManager=m',
        body: { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' }, list: [{ a: 'x' }] },
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
      return [code, message.replace(/^.*: /, '')];
    };
    assert.deepEqual(await answers(['1.33', '1.34'], applied), [
      [500, 'associative list with keys has an element that omits key field "b" (and doesn\'t have default value)'],
      [422, 'Required value'],
    ]);
  });

  test('Services have no further field selectors before 1.31', async () => {
    const status = async (server: TestServer): Promise<number> =>
      (await server.request('GET', '/api/v1/namespaces/default/services?fieldSelector=spec.clusterIP%3Dx')).status;
    assert.deepEqual(await answers(['1.30', '1.31'], status), [400, 200]);
  });

  test('the condition of a pod with scheduling gates has no lastTransitionTime before 1.31', async () => {
    const time = async (server: TestServer): Promise<unknown> => {
      const spec = { containers: [{ name: 'a', image: 'b' }], schedulingGates: [{ name: 'a' }] };
      const path = '/api/v1/namespaces/default/pods';
      const { body } = await server.request('POST', path, { metadata: { name: 'a' }, spec });
      return (body as Body)['status'].conditions[0].lastTransitionTime === null;
    };
    const options = { disableAdmissionPlugins: ['ServiceAccount'] };
    assert.deepEqual(await answers(['1.30', '1.31'], time, options), [true, false]);
  });

  test('only an Indexed Job with a successPolicy has the condition SuccessCriteriaMet before 1.31', async () => {
    const status = async (server: TestServer): Promise<number> => {
      const path = '/apis/batch/v1/namespaces/default/jobs';
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
      const job = { metadata: { name: 'a' }, spec: { template } };
      await server.request('POST', path, job);
      const times = { lastTransitionTime: '2026-01-01T00:00:00Z', lastProbeTime: '2026-01-01T00:00:00Z' };
      const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', ...times }));
      const ended = { startTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T00:01:00Z', succeeded: 1 };
      const sent = { status: { ...ended, uncountedTerminatedPods: {}, conditions } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      const { code = 200 } = await send(server, { method: 'PATCH', path: `${path}/a/status`, body: sent, headers });
      return code;
    };
    assert.deepEqual(await answers(['1.30', '1.31'], status), [422, 200]);
  });

  test('the version of OpenAPI documents has the patch release before 1.31', async () => {
    const version = async (server: TestServer): Promise<unknown> =>
      (await send(server, { path: '/openapi/v2' }))['info'].version;
    assert.deepEqual(await answers(['1.30', '1.31'], version), ['v1.30.14', '1.31']);
  });

  test('DeleteOptions fields of 1.32 are unknown before 1.32', async () => {
    const deleted = async (server: TestServer): Promise<number> => {
      await server.request('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
      const options = { ignoreStoreReadErrorWithClusterBreakingPotential: 'x' };
      return (await server.request('DELETE', `${CONFIG_MAPS}/a`, options)).status;
    };
    assert.deepEqual(await answers(['1.31', '1.32'], deleted), [200, 500]);
  });

  test('errors in the status of a custom resource have no field path before 1.31', async () => {
    const told = async (server: TestServer): Promise<string> => {
      const status = { type: 'object', properties: { phase: { type: 'string', enum: ['a'] } } };
      await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.x.io' },
        spec: {
          group: 'x.io',
          names: { plural: 'things', kind: 'Thing' },
          scope: 'Cluster',
          versions: [
            {
              ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
              schema: { openAPIV3Schema: { type: 'object', properties: { status } } },
            },
          ],
        },
      });
      const things = '/apis/x.io/v1/things';
      await until('it is served', async () => (await server.request('GET', things)).status === 200);
      const type = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' } };
      await server.request('POST', things, type);
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { status: { phase: 'b' } };
      const { details } = await send(server, { method: 'PATCH', path: `${things}/a/status`, headers, body });
      return details.causes[0].field;
    };
    assert.deepEqual(await answers(['1.30', '1.31'], told), ['phase', 'status.phase']);
  });

  test('a volume with several removed sources causes a warning for each in a template with little validation', async () => {
    const warned = async (server: TestServer): Promise<number> => {
      const volume = { name: 'a', scaleIO: {}, quobyte: {}, glusterfs: {} };
      const template = { metadata: { labels: { a: 'b' } }, spec: { volumes: [volume], containers: [{ name: 'a' }] } };
      const spec = { serviceName: 'a', selector: { matchLabels: { a: 'b' } }, template };
      const path = '/apis/apps/v1/namespaces/default/statefulsets?dryRun=All';
      const answer = await answerTo(server, { method: 'POST', path, body: { metadata: { name: 'a' }, spec } });
      return (answer.headers.get('warning') ?? '').split('non-functional in').length - 1;
    };
    assert.deepEqual(await answers(['1.32'], warned), [3]);
  });

  test('the data of a ControllerRevision may be any JSON before 1.31', async () => {
    const status = async (server: TestServer): Promise<number> => {
      const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
      return (await server.request('POST', path, { metadata: { name: 'a' }, data: [], revision: 1 })).status;
    };
    assert.deepEqual(await answers(['1.30', '1.31'], status), [201, 422]);
  });

  test('the backend port of an Ingress has managed fields for each field before 1.31', async () => {
    const owned = async (server: TestServer): Promise<unknown> => {
      const spec = { defaultBackend: { service: { name: 'a', port: { number: 80 } } } };
      const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
      const { body } = await server.request('POST', path, { metadata: { name: 'a' }, spec });
      const [{ fieldsV1 }] = (body as Body)['metadata'].managedFields;
      return fieldsV1['f:spec']['f:defaultBackend']['f:service']['f:port'];
    };
    assert.deepEqual(await answers(['1.30', '1.31'], owned), [{ '.': {}, 'f:number': {} }, {}]);
  });
});
