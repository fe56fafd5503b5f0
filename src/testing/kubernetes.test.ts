import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { customResource } from './custom-resource.ts';
import { kubernetesFixture } from './fixture.ts';
import type { TestServer } from './test-server.ts';

const fixture = kubernetesFixture({
  controllers: '',
  runtimeConfig: { 'api/all': 'true' },
  featureGates: { AllAlpha: true, AllBeta: true },
});

const Widget = customResource({
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size', 'color'],
                properties: {
                  size: { type: 'integer' },
                  color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
                  tags: { type: 'array', items: { type: 'string' } },
                  port: { 'x-kubernetes-int-or-string': true },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  note: { type: 'string', nullable: true },
                },
              },
            },
          },
        },
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', properties: { old: { type: 'boolean' } } } },
      },
    ],
  },
});

/** Fails to compile unless the types are the same. */
function sameType<One, Other>(
  _: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false,
) {}

suite('typed requests of a test', () => {
  after(() => fixture.close());

  test('typed requests of a test create, read, update, apply, list and delete objects by verb and kind', async () => {
    await fixture.run(async ({ request }) => {
      const created = await request('create', 'ConfigMap', { metadata: { name: 'a' }, data: { x: '1' } });
      sameType<typeof created.data, Readonly<Record<string, string>> | undefined>(true);
      assert.deepEqual([created.apiVersion, created.kind, created.metadata.namespace], ['v1', 'ConfigMap', 'default']);
      assert.deepEqual(await request('get', 'v1/ConfigMap', { name: 'a' }), created);
      const updated = await request('update', 'ConfigMap', { ...created, data: { x: '2' } });
      assert.equal(updated.data?.['x'], '2');
      const patched = await request('patch', 'ConfigMap', { name: 'a', patch: { data: { y: '3' } } });
      assert.deepEqual(patched.data, { x: '2', y: '3' });
      const patch = [{ op: 'remove', path: '/data/y' }];
      const cut = await request('patch', 'ConfigMap', { name: 'a', patch, type: 'json' }, { dryRun: true });
      assert.deepEqual(cut.data, { x: '2' });
      const options = { fieldManager: 'other', force: true };
      const applied = await request('apply', 'ConfigMap', { metadata: { name: 'a' }, data: { x: '4' } }, options);
      assert.deepEqual(applied.data, { x: '4', y: '3' });
      await request('delete', 'ConfigMap', { name: 'a', gracePeriodSeconds: 0 });
      await request('create', 'Namespace', { metadata: { name: 'far' } });
      await request('create', 'ConfigMap', { metadata: { name: 'b', namespace: 'far', labels: { l: '1' } } });
      assert.deepEqual((await request('list', 'ConfigMap')).items, []);
      const all = await request('list', 'ConfigMap', { allNamespaces: true, labelSelector: 'l=1' });
      assert.deepEqual(
        all.items.map(({ metadata }) => metadata.name),
        ['b'],
      );
      await request('deletecollection', 'ConfigMap', { namespace: 'far' });
      assert.deepEqual((await request('list', 'ConfigMap', { namespace: 'far' })).items, []);
    });
  });

  test('typed requests of a test update the status through its subresource', async () => {
    await fixture.run(async ({ request }) => {
      const budget = await request('create', 'PodDisruptionBudget', {
        metadata: { name: 'a' },
        spec: { minAvailable: 1 },
      });
      const conditions = [
        { type: 'Ready', status: 'True', reason: 'Tested', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ];
      const status = { ...budget.status, conditions };
      const written = await request('update', 'PodDisruptionBudget', { ...budget, status }, { subresource: 'status' });
      assert.equal(written.status?.conditions?.[0]?.reason, 'Tested');
    });
  });

  test('typed requests of a test throw errors of the server with status and reason', async () => {
    await fixture.run(async ({ request }) => {
      const expected = { status: 404, reason: 'NotFound', message: 'pods "none" not found', name: 'RefusedRequest' };
      await assert.rejects(request('get', 'Pod', { name: 'none' }), expected);
      const options = { fieldValidation: 'Strict' } as const;
      // @ts-expect-error There is no such member.
      const misspelt = request('create', 'ConfigMap', { metadata: { name: 'x' }, daat: {} }, options);
      await assert.rejects(misspelt, { status: 400, reason: 'BadRequest' });
    });
  });

  test('typed requests for unknown kinds and verbs do not compile, and fail at run time', async () => {
    await fixture.run(async ({ request }) => {
      // @ts-expect-error Reviews are created only.
      await assert.rejects(request('get', 'TokenReview', { name: 'x' }), { status: 404 });
      // @ts-expect-error There is no such kind.
      await assert.rejects(request('get', 'Podd', { name: 'x' }), /this server has no kind Podd/);
      // @ts-expect-error There is no such verb.
      await assert.rejects(request('updaet', 'Pod', {}), /there is no verb updaet; there are get, list, create/);
      // @ts-expect-error A deletion needs a name.
      await assert.rejects(request('delete', 'Pod', {}), /delete needs the name of a Pod/);
      // @ts-expect-error A Namespace is in none.
      await request('create', 'Namespace', { metadata: { name: 'a', namespace: 'b' } });
      // @ts-expect-error Nodes have no namespace.
      await assert.rejects(request('get', 'Node', { name: 'x', namespace: 'y' }), { status: 404 });
    });
  });

  test('typed requests have the types of a CustomResourceDefinition for its custom resources', async () => {
    await fixture.run(async ({ request, define }) => {
      await define(Widget);
      const made = await request('create', Widget, { metadata: { name: 'a' }, spec: { size: 3, port: 'http' } });
      sameType<typeof made.spec.color, 'red' | 'blue'>(true);
      sameType<typeof made.spec.tags, readonly string[] | undefined>(true);
      sameType<typeof made.spec.port, string | number | undefined>(true);
      sameType<typeof made.spec.note, string | null | undefined>(true);
      assert.deepEqual(made.spec, { size: 3, port: 'http', color: 'red' });
      // @ts-expect-error There is no such colour.
      const green = request('create', Widget, { metadata: { name: 'b' }, spec: { size: 1, color: 'green' } });
      await assert.rejects(green, { status: 422, reason: 'Invalid' });
      const former = customResource(Widget.definition, 'v1alpha1');
      assert.equal((await request('get', former, { name: 'a' })).apiVersion, 'example.com/v1alpha1');
      assert.throws(() => customResource(Widget.definition, 'v2'), /widgets\.example\.com has no version v2/);
    });
  });

  test('typed requests of a test find every typed kind by discovery, and a kind alone in its preferred version', async () => {
    const text = readFileSync(new URL('./builtin-kinds.ts', import.meta.url), 'utf8');
    const kinds = [...text.matchAll(/^ {2}'?([\w./]+)'?: (?:Kind|BuiltinKindsByVersion\['(.*)'\])/gm)];
    assert.ok(kinds.length > 100);
    await fixture.run(async ({ server }) => {
      const [all, preferred] = [await apiVersions(server), new Map<string, string>()];
      for (const name of all) {
        const kind = name.slice(name.lastIndexOf('/') + 1);
        if (!preferred.has(kind)) preferred.set(kind, name);
      }
      for (const [, name = '', meant] of kinds) {
        if (meant === undefined) assert.ok(all.includes(name), name);
        else assert.equal(preferred.get(name), meant);
      }
    });
  });
});

/** Returns `group/version/Kind` of all that is served, in the order of discovery. */
async function apiVersions(server: TestServer): Promise<string[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const headers = { authorization: `Bearer ${server.token}`, accept };
  const lists = await Promise.all(
    ['/api', '/apis'].map(async (path) => (await server.fetch(new Request(`https://x${path}`, { headers }))).json()),
  );
  const groups = (lists as { items: { metadata?: { name?: string }; versions: Version[] }[] }[]).flatMap(
    (list) => list.items,
  );
  return groups.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) => {
      const group = metadata?.name ?? '';
      return resources.map(({ responseKind }) => `${group === '' ? '' : `${group}/`}${version}/${responseKind.kind}`);
    }),
  );
}

interface Version {
  readonly version: string;
  readonly resources: readonly { readonly responseKind: { readonly kind: string } }[];
}
