// OpenAPI documents of a release of Kubernetes before 1.34 (--kubernetes-version): what its generators published
// otherwise.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are decoded JSON of many shapes.
type Body = Record<string, any>;

async function document(kubernetesVersion: string, path = '/api/v1'): Promise<Body> {
  await using server = await startTestServer({ kubernetesVersion });
  return (await server.request('GET', `/openapi/v3${path}`)).body as Body;
}

describe('the OpenAPI documents of releases before 1.34', () => {
  test('values of items are published from 1.30 on, and repeated values of an enumeration before', async () => {
    const values = async (version: string): Promise<unknown[]> => {
      const { schemas } = (await document(version))['components'];
      const claim = schemas['io.k8s.api.core.v1.PersistentVolumeClaimSpec'].properties;
      const service = schemas['io.k8s.api.core.v1.ServiceSpec'].properties;
      return [claim.accessModes.items.enum?.length, service.externalTrafficPolicy.enum];
    };
    assert.deepEqual(await values('1.29'), [undefined, ['Cluster', 'Cluster', 'Local', 'Local']]);
    assert.deepEqual(await values('1.30'), [4, ['Cluster', 'Local']]);
  });

  test('a reference stands alone in the releases that do not describe its field', async () => {
    const published = async (version: string): Promise<string[]> => {
      const { schemas } = (await document(version))['components'];
      return Object.keys(schemas['io.k8s.api.core.v1.NamespaceCondition'].properties.lastTransitionTime);
    };
    assert.deepEqual(await published('1.31'), ['$ref']);
    assert.ok((await published('1.32')).includes('allOf'));
  });

  test('the option of unsafe deletions is published from 1.32 on', async () => {
    const name = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    const published = async (version: string): Promise<number> =>
      JSON.stringify((await document(version))['paths']).split(`"${name}"`).length - 1;
    assert.equal(await published('1.31'), 0);
    assert.ok((await published('1.32')) > 10);
  });

  test('Status is a kind of resource.k8s.io/v1alpha2, too, up to 1.30', async () => {
    const kinds = async (version: string): Promise<string[]> => {
      const { schemas } = (await document(version))['components'];
      const told: Body[] = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.Status']['x-kubernetes-group-version-kind'];
      return told.map(({ group, version: of }) => `${group}/${of}`);
    };
    assert.deepEqual(await kinds('1.30'), ['/v1', 'resource.k8s.io/v1alpha2']);
    assert.deepEqual(await kinds('1.31'), ['/v1']);
  });

  test('the logs of the machine are published up to 1.30', async () => {
    const { paths } = await document('1.30', '/logs');
    assert.deepEqual(Object.keys(paths), ['/logs/', '/logs/{logpath}']);
    const listed = async (version: string) => Object.hasOwn((await document(version, ''))['paths'], 'logs');
    assert.deepEqual([await listed('1.30'), await listed('1.31')], [true, false]);
  });
});
