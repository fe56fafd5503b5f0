// Servers with the behavior of a named release of Kubernetes (--kubernetes-version), in the real pipeline.

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

const pod = {
  metadata: { name: 'a' },
  spec: {
    containers: [
      { name: 'a', image: 'b', volumeMounts: [{ name: 'v', mountPath: '/v', bindMountOptions: ['noexec'] }] },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};
const PODS = '/api/v1/namespaces/default/pods';

describe('a named release of Kubernetes', () => {
  test('starts as every release from 1.24 to 1.37, and reports its version', async () => {
    for (let minor = 24; minor <= 37; minor++) {
      await using server = await serving(`1.${minor}`);
      const { body } = await server.request('GET', '/version');
      const { minor: binary, emulationMinor } = body as Body;
      assert.deepEqual([binary, emulationMinor], [String(minor), minor < 33 ? undefined : String(minor)]);
      const { status } = await server.request('GET', '/openapi/v2');
      assert.equal(status, 200);
    }
  });

  test('has its own suggested FlowSchemas', async () => {
    const names = async (version: string): Promise<string[]> => {
      await using server = await serving(version);
      const { body } = await server.request('GET', '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas');
      return (body as Body)['items'].map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    assert.ok((await names('1.33')).includes('endpoint-controller'));
    assert.ok((await names('1.33')).includes('workload-leader-election'));
    assert.ok(!(await names('1.34')).includes('endpoint-controller'));
  });

  test('serves flowcontrol v1beta3 by default in 1.31, and not in 1.32', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      return (await server.request('GET', '/apis/flowcontrol.apiserver.k8s.io/v1beta3')).status;
    };
    assert.deepEqual([await status('1.31'), await status('1.32')], [200, 404]);
  });

  test('reports fields of later releases as unknown', async () => {
    const kept = async (version: string, more: object = {}): Promise<unknown> => {
      await using server = await serving(version, more);
      await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
      const { spec } = await create(server, PODS, pod);
      return spec?.['containers'][0].volumeMounts[0].bindMountOptions;
    };
    const featureGates = { VolumeBindMountOptions: true };
    assert.deepEqual(await kept('1.37', { featureGates }), ['noexec']);
    assert.equal(await kept('1.37'), undefined, 'its gate is off');
    assert.equal(await kept('1.36'), undefined);
    assert.equal(await kept(''), undefined);
  });

  test('serves its API versions', async () => {
    const resources = async (version: string, groupVersion: string): Promise<string[]> => {
      await using server = await serving(version);
      const { status, body } = await server.request('GET', `/apis/${groupVersion}`);
      return status === 404 ? [] : (body as Body)['resources'].map((each: Body) => each['name']);
    };
    assert.ok((await resources('1.37', 'certificates.k8s.io/v1')).includes('podcertificaterequests'));
    assert.ok(!(await resources('1.34', 'certificates.k8s.io/v1')).includes('podcertificaterequests'));
    assert.ok((await resources('1.36', 'admissionregistration.k8s.io/v1')).includes('mutatingadmissionpolicies'));
    assert.deepEqual(await resources('1.37', 'networking.k8s.io/v1beta1'), []);
    assert.ok((await resources('1.24', 'batch/v1beta1')).includes('cronjobs'));
    assert.deepEqual(await resources('1.25', 'batch/v1beta1'), []);
  });

  test('may emulate an older one with its fields and messages', async () => {
    await using server = await serving('1.37', { emulatedVersion: ['1.35'] });
    const { body } = await server.request('GET', '/version');
    const { minor, emulationMinor, minCompatibilityMinor } = body as Body;
    assert.deepEqual([minor, emulationMinor, minCompatibilityMinor], ['37', '35', '34']);
  });

  test('enforces declarative validation from 1.36 on, and its beta rules from 1.37 on', async () => {
    const message = async (version: string): Promise<string> => {
      await using server = await serving(version);
      const role = { metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] };
      const { details } = await create(server, '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', role);
      return details['causes'][0].message;
    };
    assert.equal(await message('1.34'), 'Required value: verbs must contain at least one value');
    assert.equal(await message('1.36'), 'Required value: verbs must contain at least one value');
    assert.equal(await message('1.37'), 'Required value');
  });

  test('quotes the value in an error of a validation rule of a custom resource from 1.35 on', async () => {
    const message = async (version: string): Promise<string> => {
      await using server = await serving(version);
      const schema = {
        type: 'object',
        properties: { n: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] } },
      };
      await create(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      });
      const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, n: 1 };
      let told = '';
      await until('it is served', async () => {
        const { status, body } = await server.request('POST', '/apis/example.com/v1/things', thing);
        if (status === 422) told = (body as Body)['details'].causes[0].message;
        return status === 422;
      });
      return told;
    };
    assert.equal(await message('1.34'), 'Invalid value: "integer": failed rule: self > 1');
    assert.equal(await message('1.35'), 'Invalid value: 1: failed rule: self > 1');
  });

  test('has its own columns in Tables', async () => {
    const columns = async (version: string, path: string): Promise<string[]> => {
      await using server = await serving(version);
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const headers = { accept, authorization: `Bearer ${server.token}` };
      const url = new Request(`https://localhost${path}`, { headers });
      const body = await (await server.fetch(url)).json();
      return (body as Body)['columnDefinitions'].map((each: Body) => each['name']);
    };
    assert.ok(!(await columns('1.29', '/apis/batch/v1/jobs')).includes('Status'));
    assert.ok((await columns('1.30', '/apis/batch/v1/jobs')).includes('Status'));
    assert.ok(!(await columns('1.29', '/apis/batch/v1/cronjobs')).includes('Timezone'));
    assert.ok((await columns('1.30', '/apis/batch/v1/cronjobs')).includes('Timezone'));
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    assert.ok(!(await columns('1.31', classes)).includes('PreemptionPolicy'));
    assert.ok((await columns('1.32', classes)).includes('PreemptionPolicy'));
    const quotas = '/api/v1/resourcequotas';
    assert.deepEqual(await columns('1.32', quotas), ['Name', 'Age', 'Request', 'Limit']);
    assert.deepEqual(await columns('1.33', quotas), ['Name', 'Request', 'Limit', 'Age']);
    const accounts = '/api/v1/serviceaccounts';
    assert.deepEqual(await columns('1.34', accounts), ['Name', 'Secrets', 'Age']);
    assert.deepEqual(await columns('1.35', accounts), ['Name', 'Age']);
    const requests = '/apis/certificates.k8s.io/v1/podcertificaterequests';
    assert.deepEqual((await columns('1.37', requests)).slice(-2), ['State', 'UnverifiedUserAnnotations']);
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.deepEqual(await columns('1.36', definitions), ['Name', 'Created At']);
    assert.deepEqual((await columns('1.37', definitions)).slice(0, 4), ['Name', 'Scope', 'Versions', 'Created At']);
  });

  test('accepts a device toleration of the effect None from 1.35 on', async () => {
    const status = async (version: string): Promise<number> => {
      await using server = await serving(version);
      const exactly = { deviceClassName: 'a', tolerations: [{ operator: 'Exists', effect: 'None' }] };
      const spec = { spec: { devices: { requests: [{ name: 'a', exactly }] } } };
      const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates';
      const query = '?dryRun=All';
      return (await server.request('POST', `${path}${query}`, { metadata: { name: 'a' }, spec })).status;
    };
    assert.deepEqual([await status('1.35'), await status('1.36')], [201, 201]);
  });

  test('rejects DeleteOptions that cannot be decoded with 400 from 1.35 on', async () => {
    const answer = async (version: string): Promise<[number, string]> => {
      await using server = await serving(version);
      const { status, body } = await server.request('DELETE', `${PODS}/a`, { gracePeriodSeconds: 'x' });
      return [status, (body as Body)['reason']];
    };
    assert.equal((await answer('1.34'))[0], 500);
    assert.deepEqual(await answer('1.35'), [400, 'BadRequest']);
  });
});

test('tolerations of device requests are dropped with their gate off from 1.35 on', async () => {
  const kept = async (kubernetesVersion: string): Promise<unknown> => {
    await using server = await startTestServer({ kubernetesVersion, controllers: '' });
    const tolerations = [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }];
    const exactly = { deviceClassName: 'gpu.example.com', tolerations };
    const spec = { devices: { requests: [{ name: 'gpu', exactly }] } };
    const claim = { metadata: { name: 'c' }, spec };
    const { body } = await server.request('POST', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', claim);
    return (body as Body)['spec'].devices.requests[0].exactly.tolerations;
  };
  assert.ok(await kept('1.34'));
  assert.equal(await kept('1.35'), undefined);
  assert.ok(await kept('1.36'));
});

test('an update of a ReplicationController reports each error twice until 1.34', async () => {
  const faults = async (kubernetesVersion: string): Promise<number> => {
    await using server = await startTestServer({ kubernetesVersion, controllers: '' });
    const path = '/api/v1/namespaces/default/replicationcontrollers';
    const containers = [{ name: 'a', image: 'b' }];
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
    const spec = { selector: { app: 'a' }, template };
    const { body } = await server.request('POST', path, { metadata: { name: 'a' }, spec });
    const next = { ...(body as Body), spec: { ...spec, replicas: -1 } };
    const answer = await server.request('PUT', `${path}/a`, next);
    return (answer.body as Body)['details'].causes.length;
  };
  assert.equal(await faults('1.34'), 2);
  assert.equal(await faults('1.35'), 1);
});

test('a ComponentStatus that does not exist is an internal error until 1.32', async () => {
  const status = async (kubernetesVersion: string): Promise<number> => {
    await using server = await startTestServer({ kubernetesVersion, controllers: '' });
    return (await server.request('GET', '/api/v1/componentstatuses/nobody')).status;
  };
  assert.deepEqual([await status('1.32'), await status('1.33')], [500, 404]);
});

test('the attribute of a device constraint is reported in the words of the release', async () => {
  const message = async (kubernetesVersion: string): Promise<string> => {
    await using server = await startTestServer({ kubernetesVersion, controllers: '' });
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }];
    const spec = { devices: { requests, constraints: [{ matchAttribute: 'numa' }] } };
    const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const { body } = await server.request('POST', path, { metadata: { name: 'c' }, spec });
    return (body as Body)['details'].causes[0].message;
  };
  assert.match(await message('1.34'), /must include a domain$/);
  assert.match(await message('1.35'), /a fully qualified name must be a domain and a name separated by a slash$/);
});
