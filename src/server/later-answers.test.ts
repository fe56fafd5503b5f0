// Servers with the behavior of a release of Kubernetes after 1.34 (--kubernetes-version): answers that it words otherwise.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** What servers of several releases answer. */
async function answers<T>(versions: readonly string[], ask: (server: TestServer) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const kubernetesVersion of versions) {
    await using server = await startTestServer({ kubernetesVersion });
    found.push(await ask(server));
  }
  return found;
}

describe('responses of releases after 1.34', () => {
  test('a failed precondition of the deletion of a definition begins in lower case from 1.37 on', async () => {
    const refused = async (server: TestServer): Promise<string> => {
      await server.request('POST', DEFINITIONS, DEFINITION);
      const { body } = await server.request('DELETE', `${DEFINITIONS}/things.example.com`, {
        preconditions: { uid: 'other' },
      });
      return (body as Body)['message'].replace(/^.*": (.*), UID in object meta.*$/, '$1');
    };
    const told = 'recondition failed: UID in precondition: other';
    assert.deepEqual(await answers(['1.36', '1.37'], refused), [`P${told}`, `p${told}`]);
  });

  test('an update of a ResourceSlice with counters and an empty list of devices is refused in 1.37', async () => {
    const updated = async (server: TestServer): Promise<unknown> => {
      const slices = '/apis/resource.k8s.io/v1/resourceslices';
      const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
      const sharedCounters = [{ name: 's', counters: { c: { value: '1' } } }];
      const slice = { metadata: { name: 's' }, spec: { driver: 'a.b', pool, allNodes: true, sharedCounters } };
      await server.request('POST', slices, slice);
      const { status } = await server.request('PUT', `${slices}/s`, { ...slice, spec: { ...slice.spec, devices: [] } });
      return status;
    };
    assert.deepEqual(await answers(['1.34', '1.37'], updated), [200, 422]);
  });

  test('a VolumeAttachment is validated once from 1.35 on, and a new one without a driver is told twice in 1.35', async () => {
    const causes = async (server: TestServer): Promise<number[]> => {
      const path = '/apis/storage.k8s.io/v1/volumeattachments';
      const attachment = (attacher: string, nodeName = 'n') => ({
        metadata: { name: 'a' },
        spec: { attacher, nodeName, source: { persistentVolumeName: 'p' } },
      });
      const count = ({ body }: { body: unknown }) => (body as Body)['details'].causes.length;
      const refused = await server.request('POST', path, attachment(''));
      await server.request('POST', path, attachment('a'));
      const changed = await server.patch(`${path}/a`, attachment('a', 'A B'));
      return [count(refused), count(changed)];
    };
    assert.deepEqual(await answers(['1.34', '1.35', '1.36'], causes), [
      [3, 3],
      [2, 2],
      [1, 2],
    ]);
  });

  test('some kinds are validated once in an update from 1.35 or 1.36 on, their metadata too', async () => {
    const causes = async (server: TestServer): Promise<number[]> => {
      const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
      const nodes = '/apis/storage.k8s.io/v1/csinodes';
      const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' };
      const metadata = { name: 'a' };
      await server.request('POST', bindings, { metadata, roleRef });
      await server.request('POST', nodes, { metadata, spec: { drivers: [] } });
      await server.request('POST', claims, { metadata, spec });
      const found: number[] = [];
      for (const path of [bindings, nodes, claims]) {
        const { body } = await server.patch(`${path}/a`, { metadata: { finalizers: ['bad'] } });
        found.push((body as Body)['details'].causes.length);
      }
      return found;
    };
    assert.deepEqual(await answers(['1.34', '1.35', '1.36', '1.37'], causes), [
      [3, 2, 3],
      [2, 2, 2],
      [2, 1, 2],
      [1, 1, 1],
    ]);
  });

  test('a distinctAttribute without its gate is dropped from 1.35 on', async () => {
    const created = async (server: TestServer): Promise<unknown> => {
      const requests = [{ name: 'a', exactly: { deviceClassName: 'c' } }];
      const devices = { requests, constraints: [{ distinctAttribute: 'example.com/a' }] };
      const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
      const { status } = await server.request('POST', claims, { metadata: { name: 'a' }, spec: { devices } });
      return status;
    };
    // In 1.36 the gate is on by default.
    assert.deepEqual(await answers(['1.34', '1.35', '1.36'], created), [201, 422, 201]);
  });

  test('impersonation without a user is an error of the client from 1.35 on', async () => {
    const refused = async (server: TestServer): Promise<unknown[]> => {
      const headers = { authorization: `Bearer ${server.token}`, 'impersonate-group': 'dev' };
      const response = await server.fetch(new Request('https://localhost/version', { headers }));
      return [response.status, /"message": ?"requested \[\{Group/.test(await response.text())];
    };
    assert.deepEqual(await answers(['1.34', '1.35'], refused), [
      [500, false],
      [400, true],
    ]);
  });

  test('a field of a wrong type within additionalProperties is named from 1.35 on', async () => {
    const refused = async (server: TestServer): Promise<string> => {
      const openAPIV3Schema = { type: 'object', additionalProperties: { properties: { a: { pattern: 1 } } } };
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
      const { body } = await server.request('POST', DEFINITIONS, {
        ...DEFINITION,
        spec: { ...DEFINITION.spec, versions },
      });
      return (body as Body)['message'].replace(/^.* JSONSchemaProps\./, '');
    };
    const path = 'spec.versions.schema.openAPIV3Schema.additionalProperties';
    assert.deepEqual(await answers(['1.34', '1.35'], refused), [
      `${path} of type string`,
      `${path}.properties.pattern of type string`,
    ]);
  });

  test('the body of an eviction is decoded as in the release, which names embedded structs from 1.35 on', async () => {
    const refused = async (server: TestServer): Promise<string> => {
      const { body } = await server.request('POST', '/api/v1/namespaces/default/pods/a/eviction', {
        deleteOptions: { apiVersion: true },
      });
      return (body as Body)['message'].replace(/^.* DeleteOptions\./, '');
    };
    assert.deepEqual(await answers(['1.34', '1.35'], refused), [
      'deleteOptions.apiVersion of type string',
      'deleteOptions.TypeMeta.apiVersion of type string',
    ]);
  });
});
