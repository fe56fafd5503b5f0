// Servers with the behavior of a release of Kubernetes before 1.34 (--kubernetes-version), in the real pipeline: what
// later releases changed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

async function serving(kubernetesVersion: string, more: object = {}): Promise<TestServer> {
  return startTestServer({ kubernetesVersion, ...more });
}

async function create(server: TestServer, path: string, object: object): Promise<Body> {
  const { body } = await server.request('POST', path, object);
  return body as Body;
}

const PODS = '/api/v1/namespaces/default/pods';

describe('validation and fields of releases before 1.34', () => {
  test('templates of StatefulSets have little validation before 1.34', async () => {
    const labels = { app: 'a' };
    const set = {
      metadata: { name: 'a' },
      spec: {
        serviceName: 'Not_A_Label',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [] } },
        revisionHistoryLimit: -1,
      },
    };
    const told = async (version: string): Promise<string[]> => {
      await using server = await serving(version);
      const { details } = await create(server, '/apis/apps/v1/namespaces/default/statefulsets', set);
      return details?.['causes'].map(({ field }: Body) => field) ?? [];
    };
    assert.deepEqual(await told('1.32'), []);
    assert.deepEqual(await told('1.33'), ['spec.serviceName']);
    assert.deepEqual(await told('1.34'), ['spec.serviceName', 'spec.template.spec.containers']);
  });

  test('a pod with hostUsers false may use block devices before 1.34', async () => {
    const labels = { app: 'a' };
    const volumeDevices = [{ name: 'data', devicePath: '/dev/a' }];
    const spec = {
      hostUsers: false,
      containers: [{ name: 'a', image: 'b', volumeDevices }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    };
    const template = { metadata: { name: 'a' }, template: { metadata: { labels }, spec } };
    const told = async (version: string): Promise<string> => {
      await using server = await serving(version);
      return (await create(server, '/api/v1/namespaces/default/podtemplates', template))['message'] ?? 'created';
    };
    assert.equal(await told('1.33'), 'created');
    assert.match(await told('1.34'), /containers\[0\]\.volumeDevices: Forbidden: when `hostUsers` is false$/);
  });

  test('lists of 1.29 are owned by the keys that strategic merge has for them', async () => {
    const owned = async (version: string): Promise<Body> => {
      await using server = await serving(version);
      const template = {
        metadata: { name: 'a', finalizers: ['example.com/f'] },
        template: { spec: { containers: [] } },
      };
      template.template.spec.containers.push({ name: 'web', image: 'b' } as never);
      const { metadata } = await create(server, '/api/v1/namespaces/default/podtemplates', template);
      return metadata['managedFields'][0].fieldsV1;
    };
    for (const version of ['1.29', '1.30']) {
      const fields = await owned(version);
      assert.deepEqual(Object.keys(fields['f:template']['f:spec']['f:containers']), ['k:{"name":"web"}'], version);
      assert.deepEqual(fields['f:metadata']['f:finalizers'], { '.': {}, 'v:"example.com/f"': {} }, version);
    }
  });

  test('a pod failure policy of 1.29 has nulls for what is absent', async () => {
    await using server = await serving('1.29');
    const rules = [
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
    ];
    const job = {
      metadata: { name: 'a' },
      spec: {
        podFailurePolicy: { rules },
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } },
      },
    };
    const { spec } = await create(server, '/apis/batch/v1/namespaces/default/jobs', job);
    assert.deepEqual(spec['podFailurePolicy'].rules, [
      {
        action: 'FailJob',
        onExitCodes: { containerName: null, operator: 'In', values: [1] },
        onPodConditions: null,
      },
      { action: 'Ignore', onExitCodes: null, onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ]);
  });

  test('checks of health have the names of their release, and discovery its hashes', async () => {
    const told = async (version: string): Promise<[hash: string, names: string[]]> => {
      await using server = await serving(version);
      const { body } = await server.request('GET', '/apis/discovery.k8s.io/v1');
      const { body: paths } = await server.request('GET', '/');
      const names = ((paths as Body)['paths'] as string[]).filter((path) => /^\/livez.*(admission|status)/.test(path));
      return [(body as Body)['resources'][0].storageVersionHash, names.map((path) => path.split('/')[3] as string)];
    };
    const [one, kubernetes] = ['apiservice-status-available-controller', 'start-kube-apiserver-admission-initializer'];
    const each = ['apiservice-status-local-available-controller', 'apiservice-status-remote-available-controller'];
    const initializer = 'start-apiserver-admission-initializer';
    assert.deepEqual(await told('1.29'), ['Nx3SIv6I0mE=', [one, kubernetes]]);
    assert.deepEqual(await told('1.30'), ['Nx3SIv6I0mE=', [one, initializer]]);
    assert.deepEqual(await told('1.31'), ['qgS0xkrxYAI=', [...each, initializer]]);
  });

  test('an invalid embedded object of a custom object is quoted in the syntax of Go before 1.34', async () => {
    const told = async (version: string, inner: object): Promise<string> => {
      await using server = await serving(version);
      const embedded = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      };
      await create(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { inner: embedded } } },
            },
          ],
        },
      });
      const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, inner };
      let message = '';
      await until('it is served', async () => {
        const { status, body } = await server.request('POST', '/apis/example.com/v1/things', thing);
        message = (body as Body)['message'] ?? '';
        return status === 400;
      });
      return message.replace(/^.* handled as a Thing: (.*?): (?:json|must).*$/, '$1');
    };
    const unnamed = { apiVersion: 'v1', kind: 'A', metadata: { name: 1 } };
    assert.equal(await told('1.33', unnamed), 'inner.metadata: Invalid value: map[string]interface {}{"name":1}');
    assert.equal(await told('1.34', unnamed), 'inner.metadata: Invalid value: {"name":1}');
    assert.equal(await told('1.33', { apiVersion: 'v1', kind: null }), 'inner.kind: Invalid value: "null"');
  });

  test('a status of a Job is only counted before 1.30', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      const jobs = '/apis/batch/v1/namespaces/default/jobs';
      const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } };
      const job = await create(server, jobs, { metadata: { name: 'a' }, spec });
      const conditions = [{ type: 'SuccessCriteriaMet', status: 'True' }];
      return (await server.request('PUT', `${jobs}/a/status`, { ...job, status: { conditions } })).status;
    };
    assert.deepEqual([await status('1.29'), await status('1.30')], [200, 422]);
  });

  test('a priority level without shares is refused before 1.30', async () => {
    const status = async (version: string, nominalConcurrencyShares: number): Promise<string> => {
      await using server = await serving(version);
      const limited = { nominalConcurrencyShares, limitResponse: { type: 'Reject' } };
      const level = { metadata: { name: 'a' }, spec: { type: 'Limited', limited } };
      const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
      return (await create(server, path, level))['details']?.causes[0].message;
    };
    assert.equal(await status('1.29', 0), 'Invalid value: 0: must be positive');
    assert.equal(await status('1.30', 0), undefined);
    assert.equal(await status('1.30', -1), 'Invalid value: -1: must be a non-negative integer');
  });

  test('a CSIDriver keeps its group policy before 1.30', async () => {
    const told = async (version: string): Promise<[number, number | undefined]> => {
      await using server = await serving(version);
      const path = '/apis/storage.k8s.io/v1/csidrivers';
      const driver = await create(server, path, { metadata: { name: 'a' }, spec: { fsGroupPolicy: 'File' } });
      const spec = { ...driver['spec'], fsGroupPolicy: 'None' };
      const { status, body } = await server.request('PUT', `${path}/a`, { ...driver, spec });
      return [status, (body as Body)['metadata'].generation];
    };
    assert.deepEqual(await told('1.29'), [422, undefined]);
    assert.deepEqual(await told('1.30'), [200, 1]);
  });

  test('the restartPolicy of a container is an error before 1.34, and ignored in 1.34 without its gate', async () => {
    const restarting = (container: object, sidecar: object) => ({
      metadata: { name: 'a' },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'a', image: 'b', ...container }],
        initContainers: [{ name: 'c', image: 'b', ...sidecar }],
      },
    });
    const told = async (version: string): Promise<string[]> => {
      await using server = await serving(version, { disableAdmissionPlugins: ['ServiceAccount'] });
      const body = restarting({ restartPolicy: 'Always' }, { restartPolicy: 'Never' });
      const { details } = await create(server, PODS, body);
      return details?.['causes'].map(({ field, message }: Body) => `${field}: ${message}`) ?? [];
    };
    assert.deepEqual(await told('1.33'), [
      'spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
      'spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
    assert.deepEqual(await told('1.34'), []);
  });

  test('a pod has a generation from 1.33 on, and AppArmor annotations for its fields before 1.34', async () => {
    const stored = async (version: string): Promise<unknown[]> => {
      await using server = await serving(version, { disableAdmissionPlugins: ['ServiceAccount'] });
      const securityContext = { appArmorProfile: { type: 'Unconfined' } };
      const spec = { containers: [{ name: 'a', image: 'b', securityContext }] };
      const { metadata } = await create(server, PODS, { metadata: { name: 'a' }, spec });
      return [metadata.generation, Object.values(metadata.annotations ?? {})];
    };
    assert.deepEqual(await stored('1.32'), [undefined, ['unconfined']]);
    assert.deepEqual(await stored('1.33'), [1, ['unconfined']]);
    assert.deepEqual(await stored('1.34'), [1, []]);
  });

  test('the apiVersion of the scaleTargetRef of a HorizontalPodAutoscaler is validated from 1.34 on', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      const spec = { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'v1' } };
      const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
      return (await server.request('POST', path, { metadata: { name: 'a' }, spec })).status;
    };
    assert.deepEqual([await status('1.33'), await status('1.34')], [201, 422]);
  });

  test('values in the node affinity of a PersistentVolume must be label values from 1.33 on', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      const matchExpressions = [{ key: 'a', operator: 'In', values: ['-'] }];
      const spec = {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1' },
        csi: { driver: 'a.b', volumeHandle: 'v' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      };
      return (await server.request('POST', '/api/v1/persistentvolumes', { metadata: { name: 'a' }, spec })).status;
    };
    assert.deepEqual([await status('1.32'), await status('1.33')], [201, 422]);
  });

  test('an address of the wrong family is reported with its index in an EndpointSlice before 1.33', async () => {
    const told = async (version: string): Promise<string> => {
      await using server = await serving(version);
      const slice = { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [{ addresses: ['1::2'] }] };
      const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      const { field, message } = (await create(server, path, slice))['details'].causes[0];
      return `${field}: ${message}`;
    };
    const value = 'Invalid value: "1::2"';
    assert.equal(await told('1.32'), `endpoints[0].addresses[0]: ${value}: must be a valid IPv4 address`);
    assert.equal(await told('1.33'), `endpoints[0].addresses: ${value}: must be an IPv4 address`);
  });

  test('errors of a changed selector of a DaemonSet follow all others and are repeated before 1.34', async () => {
    const told = async (version: string): Promise<string[]> => {
      await using server = await serving(version);
      const set = (app: string, more: object = {}) => ({
        metadata: { name: 'a' },
        spec: {
          selector: { matchLabels: { app } },
          template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
          ...more,
        },
      });
      const path = '/apis/apps/v1/namespaces/default/daemonsets';
      await create(server, path, set('a'));
      const { body } = await server.request('PUT', `${path}/a`, set('b', { minReadySeconds: -1 }));
      return (body as Body)['details'].causes.map(({ field }: Body) => field);
    };
    assert.deepEqual(await told('1.33'), ['spec.minReadySeconds', 'spec.minReadySeconds', 'spec.selector']);
    assert.deepEqual(await told('1.34'), ['spec.selector', 'spec.minReadySeconds']);
  });

  test('an access review ignores selectors in 1.31, where the gate is off', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      const resourceAttributes = { verb: 'get', resource: 'pods', fieldSelector: {} };
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      return (await server.request('POST', path, { spec: { resourceAttributes } })).status;
    };
    assert.deepEqual([await status('1.31'), await status('1.32')], [201, 422]);
  });

  test('a TokenRequest contains the UID of its ServiceAccount from 1.34 on', async () => {
    const uid = async (version: string): Promise<boolean> => {
      await using server = await serving(version);
      const path = '/api/v1/namespaces/default/serviceaccounts';
      await create(server, path, { metadata: { name: 'a' } });
      const { metadata } = await create(server, `${path}/a/token`, { spec: {} });
      return metadata.uid !== undefined;
    };
    assert.deepEqual([await uid('1.33'), await uid('1.34')], [false, true]);
  });

  test('a status update of a pod may change its QoS class before 1.32', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version, { disableAdmissionPlugins: ['ServiceAccount'] });
      const spec = { containers: [{ name: 'a', image: 'b' }] };
      const stored = await create(server, PODS, { metadata: { name: 'a' }, spec });
      const next = { ...stored, status: { ...stored['status'], qosClass: 'Guaranteed' } };
      return (await server.request('PUT', `${PODS}/a/status`, next)).status;
    };
    assert.deepEqual([await status('1.31'), await status('1.32')], [200, 422]);
  });

  test('an apply of a list item without its key is rejected with the key before 1.34', async () => {
    const told = async (version: string): Promise<string> => {
      await using server = await serving(version);
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{}] };
      const url = 'https://localhost/api/v1/namespaces/default/serviceaccounts/a?fieldManager=m';
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' };
      const answer = await server.fetch(new Request(url, { method: 'PATCH', headers, body: JSON.stringify(account) }));
      return ((await answer.json()) as Body)['message'].replace(/^.*an element that /, '');
    };
    assert.equal(await told('1.33'), 'omits key field "name" (and doesn\'t have default value)');
    assert.equal(
      await told('1.34'),
      'omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    );
  });

  test('an update of a pod reports a changed QoS class before 1.32', async () => {
    const fields = async (version: string): Promise<string[]> => {
      await using server = await serving(version, { disableAdmissionPlugins: ['ServiceAccount'] });
      const pod = (resources: object) => ({
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'a', image: 'b', resources }] },
      });
      await create(server, PODS, pod({}));
      const { body } = await server.request('PUT', `${PODS}/a`, pod({ requests: { cpu: '1' } }));
      return (body as Body)['details'].causes.map(({ field }: Body) => field);
    };
    assert.deepEqual(await fields('1.31'), ['metadata', 'spec']);
    assert.deepEqual(await fields('1.32'), ['spec']);
  });

  test('an invalid resourceVersion of a list is an error of the watch cache before 1.34', async () => {
    const codes = async (version: string): Promise<number[]> => {
      await using server = await serving(version);
      const listed = async (query: string) => (await server.request('GET', `${PODS}?${query}`)).status;
      return [await listed('resourceVersion=x'), await listed('resourceVersion=x&limit=1')];
    };
    assert.deepEqual(await codes('1.33'), [500, 400]);
    assert.deepEqual(await codes('1.34'), [400, 400]);
  });

  test('the scale of a missing Deployment is not found by the name of the subresource before 1.33', async () => {
    const told = async (version: string): Promise<string> => {
      await using server = await serving(version);
      const { body } = await server.request('GET', '/apis/apps/v1/namespaces/default/deployments/a/scale');
      return (body as Body)['message'];
    };
    assert.equal(await told('1.32'), 'deployments/scale.apps "a" not found');
    assert.equal(await told('1.33'), 'deployments.apps "a" not found');
  });
});
