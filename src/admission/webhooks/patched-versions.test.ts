import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { CONFIG_MAPS, configure, create, named, QUIET } from '../../../test/admission-webhooks.ts';
import { patching, startWebhook } from '../../../test/webhook-server.ts';
import type { JsonObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';

/** A server with a webhook that sets the resource version of the objects of some operations. */
async function changingVersion(operations: readonly string[], version: string) {
  const server = await startTestServer(QUIET);
  const path = '/metadata/resourceVersion';
  const webhook = await startWebhook((seen) => patching(seen, { op: 'add', path, value: version }));
  const rules = [{ apiGroups: ['', 'apps'], apiVersions: ['v1'], operations, resources: ['configmaps', '*/scale'] }];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await webhook[Symbol.asyncDispose]();
  };
  return { server, [Symbol.asyncDispose]: close };
}

type Refusal = JsonObject & { readonly message: string };
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

test('a webhook that gives a new object a resource version prevents its creation', async () => {
  await using at = await changingVersion(['CREATE'], '12');
  const { status, body } = await create(at.server, named('a', { x: 'y' }));
  assert.deepEqual([status, body.message], [500, 'resourceVersion should not be set on objects to be created']);
  const dryRun = await create(at.server, named('a', { x: 'y' }), '?dryRun=All');
  assert.deepEqual([dryRun.status, dryRun.body.metadata.resourceVersion], [201, '12']);
});

test('an apply or update that creates ignores the resource version of a webhook, unless it is invalid', async () => {
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } };
  const path = `${CONFIG_MAPS}/a?fieldManager=me`;
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  await using ignored = await changingVersion(['CREATE'], '12');
  assert.equal((await ignored.server.patch(path, applied, apply['content-type'])).status, 201);
  await using invalid = await changingVersion(['CREATE'], 'x');
  const { status, body } = await invalid.server.patch(path, applied, apply['content-type']);
  assert.deepEqual([status, (body as Refusal).message], [500, 'strconv.ParseUint: parsing "x": invalid syntax']);
});

test('a webhook that changes the resource version of an update causes a conflict', async () => {
  await using at = await changingVersion(['UPDATE'], '12345');
  await create(at.server, named('a', { x: 'y' }));
  const update = await at.server.request('PUT', `${CONFIG_MAPS}/a`, named('a', { x: 'z' }));
  const message = `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`;
  assert.deepEqual([update.status, (update.body as Refusal).message], [409, message]);
  assert.equal((await at.server.patch(`${CONFIG_MAPS}/a`, { data: { x: 'z' } })).status, 409);
});

test('a webhook that changes the resource version of a scale causes a conflict', async () => {
  await using at = await changingVersion(['UPDATE'], '12345');
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  assert.equal((await at.server.request('POST', deployments, { metadata: { name: 'd' }, spec })).status, 201);
  assert.equal((await at.server.patch(`${deployments}/d/scale`, { spec: { replicas: 9 } })).status, 409);
});

test('an object that a webhook changes keeps the fields that the version of the webhook lacks', async () => {
  const runtimeConfig = { 'certificates.k8s.io/v1beta1': 'true' };
  await using server = await startTestServer({ ...QUIET, kubernetesVersion: '1.37', runtimeConfig });
  await using webhook = await startWebhook((seen) => {
    const { version = '' } = seen.review.request['kind'] as { version?: string };
    return patching(seen, { op: 'add', path: '/metadata/labels', value: { seen: version } });
  });
  const rules = [
    {
      ...{ apiGroups: ['certificates.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'] },
      resources: ['podcertificaterequests'],
    },
  ];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spec = {
    ...{ signerName: 'example.com/a', maxExpirationSeconds: 86_400 },
    ...{ podName: 'p', podUID: 'p-uid', serviceAccountName: 's', serviceAccountUID: 's-uid' },
    ...{ nodeName: 'n', nodeUID: 'n-uid' },
    pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign(null, Buffer.from('p-uid'), privateKey).toString('base64'),
  };
  const path = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests';
  const made = await server.request('POST', path, { metadata: { name: 'r' }, spec });
  const { metadata, spec: stored } = made.body as { metadata: JsonObject; spec: JsonObject };
  assert.deepEqual([made.status, metadata?.labels], [201, { seen: 'v1' }], JSON.stringify(made.body));
  assert.equal(stored['pkixPublicKey'], spec.pkixPublicKey);
});
