import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../testing.ts';

const PODS = '/api/v1/namespaces/default/pods';
const STATUS = {
  resize: 'Proposed',
  containerStatuses: [
    {
      ...{ name: 'a', image: 'b', imageID: '', ready: false, restartCount: 0 },
      allocatedResources: { cpu: '1' },
      resources: { requests: { cpu: '1' } },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      user: { linux: { uid: 1, gid: 1 } },
    },
  ],
};

interface Seen {
  readonly status: { readonly containerStatuses: readonly object[] };
}

/** The members of the status, and of that of the container, after a write to the status and one to the pod. */
async function statusAfterUpdate(release: string): Promise<string[]> {
  await using server = await startTestServer({
    kubernetesVersion: release,
    disableAdmissionPlugins: ['ServiceAccount'],
    featureGates: { SupplementalGroupsPolicy: false },
  });
  const spec = { containers: [{ name: 'a', image: 'b' }] };
  await server.request('POST', PODS, { metadata: { name: 'a' }, spec });
  const written = await server.patch(`${PODS}/a/status`, { status: STATUS });
  assert.equal(written.status, 200, JSON.stringify(written.body));
  const { body } = await server.patch(`${PODS}/a`, { metadata: { labels: { a: 'b' } } });
  const { status } = body as Seen;
  return [...Object.keys(status), ...Object.keys(status.containerStatuses[0] ?? {})].filter(
    (name) => name in STATUS || name in STATUS.containerStatuses[0]!,
  );
}

const ALWAYS = ['containerStatuses', 'name', 'ready', 'restartCount', 'image', 'imageID'];

test('an update of a pod drops status fields behind disabled gates before 1.33', async () => {
  assert.deepEqual((await statusAfterUpdate('1.32')).sort(), [...ALWAYS, 'volumeMounts'].sort());
  assert.ok((await statusAfterUpdate('1.33')).includes('resources'));
});
