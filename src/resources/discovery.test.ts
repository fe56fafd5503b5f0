import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Catalog, createCatalog } from './catalog.ts';
import type { ResourceDefinition } from './definition.ts';
import { aggregatedCore, aggregatedGroups, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts';

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const OWN = ['get', 'patch', 'update'];

function named({ groups }: Catalog) {
  return groups.filter(({ group }) => group !== '');
}

function widgets(): ResourceDefinition {
  const deployments = createCatalog().find('apps', 'deployments');
  assert.ok(deployments);
  return {
    ...deployments,
    group: 'example.com',
    resource: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    shortNames: ['wd'],
    categories: ['all', 'tools'],
    verbs: ['delete', 'get'],
    subresources: {
      status: { verbs: OWN, group: '', version: '', kind: 'Widget' },
      scale: { verbs: OWN, group: 'autoscaling', version: 'v1', kind: 'Scale' },
    },
    hashedStorage: 'tools/v1/Widget',
    custom: true,
  };
}

const hash = (text: string) => `hash of ${text}`;

describe('unaggregated discovery', () => {
  const catalog = createCatalog();

  test('unaggregated discovery lists the versions of the core group', () => {
    assert.deepEqual(apiVersions(catalog, '192.0.2.1:6443'), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '192.0.2.1:6443' }],
    });
  });

  test('unaggregated discovery shows a group with two versions, the preferred one first', () => {
    const versions = [
      { groupVersion: 'autoscaling/v2', version: 'v2' },
      { groupVersion: 'autoscaling/v1', version: 'v1' },
    ];
    assert.deepEqual(apiGroup(named(catalog), 'autoscaling'), {
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'autoscaling',
      versions,
      preferredVersion: versions[0],
    });
    assert.equal(apiGroup(named(catalog), 'nope'), undefined);
    assert.equal(apiGroup(named(catalog), ''), undefined);
  });

  test('unaggregated discovery lists the groups without the core group, by priority', () => {
    const list = apiGroupList(named(catalog));
    const names = (list['groups'] as { name: string }[]).map((group) => group.name);
    assert.equal(names.length, 20);
    assert.deepEqual(names.slice(0, 3), ['apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    assert.equal(names.at(-1), 'flowcontrol.apiserver.k8s.io');
  });

  test('unaggregated discovery lists the resources of a version and their subresources', () => {
    assert.deepEqual(apiResourceList(catalog, { group: 'batch', version: 'v1' }, hash), {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'batch/v1',
      resources: [
        {
          name: 'cronjobs',
          singularName: 'cronjob',
          namespaced: true,
          kind: 'CronJob',
          verbs: ALL,
          shortNames: ['cj'],
          categories: ['all'],
          storageVersionHash: 'hash of batch/v1/CronJob',
        },
        { name: 'cronjobs/status', singularName: '', namespaced: true, kind: 'CronJob', verbs: OWN },
        {
          name: 'jobs',
          singularName: 'job',
          namespaced: true,
          kind: 'Job',
          verbs: ALL,
          categories: ['all'],
          storageVersionHash: 'hash of batch/v1/Job',
        },
        { name: 'jobs/status', singularName: '', namespaced: true, kind: 'Job', verbs: OWN },
      ],
    });
    assert.equal(apiResourceList(catalog, { group: 'batch', version: 'v2' }, hash), undefined);
  });

  test('unaggregated discovery names the group and version of a kind from another group', () => {
    const list = apiResourceList(catalog, { group: '', version: 'v1' }, hash);
    assert.equal(list?.['apiVersion'], undefined);
    const resources = list?.['resources'] as { name: string }[];
    assert.deepEqual(
      resources.find((each) => each.name === 'pods/eviction'),
      {
        name: 'pods/eviction',
        singularName: '',
        namespaced: true,
        group: 'policy',
        version: 'v1',
        kind: 'Eviction',
        verbs: ['create'],
      },
    );
  });
});

describe('aggregated discovery', () => {
  test('aggregated discovery shows the core group alone, without a name', () => {
    const { items } = aggregatedCore(createCatalog()) as { items: unknown };
    const [core, ...rest] = items as { metadata: unknown; versions: { version: string; resources: unknown[] }[] }[];
    assert.equal(rest.length, 0);
    assert.deepEqual(core?.metadata, {});
    assert.equal(core?.versions[0]?.version, 'v1');
    assert.deepEqual(core?.versions[0]?.resources[0], {
      resource: 'bindings',
      responseKind: { group: '', version: '', kind: 'Binding' },
      scope: 'Namespaced',
      singularResource: 'binding',
      verbs: ['create'],
    });
  });

  test('aggregated discovery shows a custom group last, with the group and version of its kinds', () => {
    const catalog = createCatalog();
    catalog.add(widgets());
    const { items } = aggregatedGroups(catalog, named(catalog), () => undefined) as { items: unknown };
    const own = { group: 'example.com', version: 'v1', kind: 'Widget' };
    assert.deepEqual((items as unknown[]).at(-1), {
      metadata: { name: 'example.com' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'widgets',
              responseKind: own,
              scope: 'Namespaced',
              singularResource: 'widget',
              verbs: ['delete', 'get'],
              shortNames: ['wd'],
              categories: ['all', 'tools'],
              subresources: [
                { subresource: 'status', responseKind: own, verbs: OWN },
                {
                  subresource: 'scale',
                  responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                  verbs: OWN,
                },
              ],
            },
          ],
        },
      ],
    });
  });
});
