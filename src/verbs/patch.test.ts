import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Narration } from '../../test/narration.ts';
import type { JsonObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { createObject } from './create.ts';
import { type PatchType, patchObject } from './patch.ts';

const path = '/apis/networking.k8s.io/v1/ingressclasses';
const ingressClass = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'a' },
  spec: { controller: 'example.com/a' },
};

async function patched(server: TestServer, operations: readonly object[]) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json-patch+json' };
  const init = { method: 'PATCH', headers, body: JSON.stringify(operations) };
  const response = await server.fetch(new Request(`https://localhost${path}/a`, init));
  const { message = '' } = (await response.json()) as { message?: string };
  return { status: response.status, warning: response.headers.get('warning') ?? '', message };
}

describe('the generation of an object', () => {
  it('the generation increases with an empty field that Kubernetes distinguishes from an absent one', async () => {
    await using server = await startTestServer();
    const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
    const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'a' } };
    await server.request('POST', policies, { ...policy, spec: { podSelector: {} } });
    const generations: unknown[] = [];
    for (const podSelector of [{}, { matchExpressions: [] }, { matchExpressions: [] }]) {
      const { body } = await server.patch(`${policies}/a`, { spec: { podSelector } });
      generations.push((body as { metadata: { generation?: number } }).metadata.generation);
    }
    assert.deepEqual(generations, [1, 2, 3]);
  });
});

describe('a patch of kind or apiVersion', () => {
  it('a patch that removes apiVersion is rejected, with warnings about unknown fields', async () => {
    await using server = await startTestServer();
    await server.request('POST', path, ingressClass);
    const { status, warning, message } = await patched(server, [{ op: 'remove', path: '/apiVersion' }]);
    assert.equal(status, 400);
    assert.match(message, /a based on URL\) was undeterminable/);
    assert.match(warning, /unknown field \\"metadata\\"".*unknown field \\"spec\\"/);
  });

  it('a patch that sets kind to a number, or to one that is not registered, is rejected', async () => {
    await using server = await startTestServer();
    await server.request('POST', path, ingressClass);
    const number = await patched(server, [{ op: 'replace', path: '/kind', value: 1 }]);
    assert.equal(number.status, 422);
    assert.match(number.message, /cannot unmarshal number into Go struct field \.kind of type string$/);
    const moved = await patched(server, [{ op: 'move', path: '/kind', from: '/apiVersion' }]);
    assert.match(moved.message, /is registered for the internal version of group \\?"networking.k8s.io\\?" in scheme/);
  });
});

describe('the patch verb', () => {
  /** A story in which an object `a` has been created. */
  async function begun(): Promise<Narration> {
    const story = new Narration();
    const metadata = { name: 'a', labels: { app: 'web' } };
    await createObject(story.context, story.request(''), story.body(metadata, { minAvailable: 1 }));
    story.told();
    return story;
  }

  async function patch(story: Narration, type: PatchType, value: object, { name = 'a', query = '' } = {}) {
    const request = story.request(name, { query });
    const stored = await patchObject(story.context, request, { type, text: JSON.stringify(value) });
    return { object: story.read(stored), warnings: request.warnings };
  }

  it('a patch is applied to the stored object and takes the steps of an update', async () => {
    await using story = await begun();
    const { object } = await patch(story, 'merge', { spec: { minAvailable: 2 } });
    assert.deepEqual(object.spec, { minAvailable: 2 });
    assert.deepEqual(object.metadata.labels, { app: 'web' });
    assert.deepEqual(story.told(), [
      'rules: defaults',
      'rules: load',
      'admission: mutating',
      'rules: prepareForUpdate',
      'rules: validate',
      'rules: validateUpdate',
      'rules: warnings',
      'admission: validating',
      'quota: charged',
      'store: put if unchanged',
    ]);
  });

  it('a JSON patch, a merge patch and a strategic merge patch can remove the same label', async () => {
    const patches: readonly [PatchType, object][] = [
      ['json', [{ op: 'remove', path: '/metadata/labels/app' }]],
      ['merge', { metadata: { labels: { app: null } } }],
      ['strategic', { metadata: { labels: { $patch: 'replace' } } }],
    ];
    for (const [type, value] of patches) {
      await using story = await begun();
      const { object } = await patch(story, type, value);
      assert.deepEqual(object.metadata.labels ?? {}, {}, type);
    }
  });

  it('a patch is applied again to the result of a concurrent write', async () => {
    await using story = await begun();
    let other: Promise<unknown> = Promise.resolve();
    story.once('admission: validating', () => {
      other = patch(story, 'merge', { metadata: { labels: { other: 'yes' } } });
    });
    await patch(story, 'merge', { metadata: { labels: { own: 'yes' } } });
    await other;
    const { object } = await patch(story, 'merge', {});
    assert.deepEqual(object.metadata.labels, { app: 'web', own: 'yes', other: 'yes' });
  });

  it('a patch that changes nothing is not stored', async () => {
    await using story = await begun();
    await patch(story, 'merge', { metadata: { labels: { app: 'web' } } });
    assert.ok(!story.told().includes('store: put if unchanged'));
  });

  it('a patch with an old resourceVersion is a conflict', async () => {
    await using story = await begun();
    const { object } = await patch(story, 'merge', { spec: { minAvailable: 2 } });
    const { resourceVersion } = object.metadata;
    await patch(story, 'merge', { spec: { minAvailable: 3 } });
    await assert.rejects(patch(story, 'merge', { metadata: { resourceVersion }, spec: { minAvailable: 4 } }), {
      code: 409,
      reason: 'Conflict',
    });
  });

  it('a patch of a missing object is answered with 404 even if it cannot be parsed', async () => {
    await using story = await begun();
    await assert.rejects(patch(story, 'json', { no: 'patch' }, { name: 'b' }), { code: 404 });
  });

  it('a patch that changes the name or kind, or sets a field to the wrong type, is rejected', async () => {
    await using story = await begun();
    await assert.rejects(patch(story, 'merge', { metadata: { name: 'b' } }), { code: 400 });
    await assert.rejects(patch(story, 'merge', { kind: 'Pod' }), { code: 422 });
    await assert.rejects(patch(story, 'merge', { spec: { minAvailable: [] } } satisfies JsonObject), { code: 422 });
    assert.deepEqual(
      story.told().filter((step) => step.startsWith('store')),
      [],
    );
  });

  it('a patch of unknown fields causes a warning, or an error with fieldValidation=Strict', async () => {
    await using story = await begun();
    const value = { spec: { minAvailabel: 2 } };
    assert.deepEqual((await patch(story, 'merge', value)).warnings, ['unknown field "spec.minAvailabel"']);
    assert.deepEqual((await patch(story, 'merge', value, { query: 'fieldValidation=Ignore' })).warnings, []);
    await assert.rejects(patch(story, 'merge', value, { query: 'fieldValidation=Strict' }), { code: 422 });
  });
});

test('a patch to an apiVersion that is none is refused in the words of its parts', async () => {
  await using server = await startTestServer();
  const path = '/api/v1/namespaces/default/configmaps';
  await server.request('POST', path, { metadata: { name: 'a' } });
  const why = async (apiVersion: string) => {
    const { status, body } = await server.patch(`${path}/a`, { apiVersion });
    assert.equal(status, 422);
    return (body as { message: string }).message.replace(/^.*}": /, '').replace(/\{.*\}/, '{}');
  };
  assert.equal(await why('https://example.com'), 'unexpected GroupVersion string: https://example.com');
  assert.equal(await why('v1/'), "Object 'apiVersion' is missing in '{}'");
  const unknown = 'no kind "ConfigMap" is registered for version "b/v1" in scheme "pkg/runtime/scheme.go:110"';
  assert.equal(await why('b/v1'), unknown);
});
