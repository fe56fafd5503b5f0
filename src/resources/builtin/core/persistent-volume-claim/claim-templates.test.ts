import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

test('claim templates keep the name of a VolumeAttributesClass up to 1.33, unchecked, and claims drop it', async () => {
  const name = 'Not a name';
  await using server = await startTestServer({
    kubernetesVersion: '1.33',
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  const create = async (path: string, object: object): Promise<Body> => {
    const { body } = await server.request('POST', path, { metadata: { name: 'a' }, ...object });
    return (body as Body)['spec'];
  };
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeAttributesClassName: name,
  };
  const containers = [{ name: 'a', image: 'b' }];
  const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }];
  const pod = await create('/api/v1/namespaces/default/pods', { spec: { containers, volumes } });
  assert.equal(pod['volumes'][0].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName, name);
  const set = await create('/apis/apps/v1/namespaces/default/statefulsets', {
    spec: {
      serviceName: 'a',
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec }],
    },
  });
  assert.equal(set['volumeClaimTemplates'][0].spec.volumeAttributesClassName, name);
  const claim = await create('/api/v1/namespaces/default/persistentvolumeclaims', { spec });
  assert.equal(claim['volumeAttributesClassName'], undefined);
});
