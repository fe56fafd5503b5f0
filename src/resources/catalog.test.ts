import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unsupportedField } from '../api/field-selector.ts';
import { createCatalog } from './catalog.ts';
import { keepsStatus } from './strategy-rules.ts';

/** How many resources each version has: [served by default, served with everything on]. */
const COUNTS: Record<string, [number, number]> = {
  v1: [17, 17],
  'apiregistration.k8s.io/v1': [1, 1],
  'apps/v1': [5, 5],
  'events.k8s.io/v1': [1, 1],
  'authentication.k8s.io/v1': [2, 2],
  'authorization.k8s.io/v1': [4, 4],
  'autoscaling/v2': [1, 1],
  'autoscaling/v1': [1, 1],
  'batch/v1': [2, 2],
  'certificates.k8s.io/v1': [1, 1],
  'certificates.k8s.io/v1beta1': [0, 1],
  'certificates.k8s.io/v1alpha1': [0, 2],
  'networking.k8s.io/v1': [5, 5],
  'networking.k8s.io/v1beta1': [0, 2],
  'policy/v1': [1, 1],
  'rbac.authorization.k8s.io/v1': [4, 4],
  'storage.k8s.io/v1': [6, 6],
  'storage.k8s.io/v1beta1': [0, 1],
  'storage.k8s.io/v1alpha1': [0, 1],
  'admissionregistration.k8s.io/v1': [4, 4],
  'admissionregistration.k8s.io/v1beta1': [0, 2],
  'admissionregistration.k8s.io/v1alpha1': [0, 2],
  'apiextensions.k8s.io/v1': [1, 1],
  'scheduling.k8s.io/v1': [1, 1],
  'coordination.k8s.io/v1': [1, 1],
  'coordination.k8s.io/v1beta1': [0, 1],
  'coordination.k8s.io/v1alpha2': [0, 1],
  'node.k8s.io/v1': [1, 1],
  'discovery.k8s.io/v1': [1, 1],
  'resource.k8s.io/v1': [4, 4],
  'resource.k8s.io/v1beta2': [0, 4],
  'resource.k8s.io/v1beta1': [0, 4],
  'resource.k8s.io/v1alpha3': [0, 1],
  'flowcontrol.apiserver.k8s.io/v1': [2, 2],
  'internal.apiserver.k8s.io/v1alpha1': [0, 1],
  'storagemigration.k8s.io/v1alpha1': [0, 1],
};

function counted(runtimeConfig: Record<string, string>): [string, number][] {
  return createCatalog({ runtimeConfig }).groups.flatMap(({ group, versions }) =>
    versions.map(({ version, entries }): [string, number] => [
      group === '' ? version : `${group}/${version}`,
      entries.length,
    ]),
  );
}

describe('the served resources', () => {
  test('the served resources by default are the stable versions, with groups in the order of their priority', () => {
    const expected = Object.entries(COUNTS).flatMap(([name, [count]]) => (count > 0 ? [[name, count]] : []));
    assert.deepEqual(counted({}), expected);
  });

  test('the served resources with api/all=true are all versions', () => {
    const expected = Object.entries(COUNTS).map(([name, [, count]]) => [name, count]);
    assert.deepEqual(counted({ 'api/all': 'true' }), expected);
  });

  test('the served resources with --runtime-config are decided by stages, then versions, then resources', () => {
    const { groups } = createCatalog({
      runtimeConfig: {
        'api/beta': 'true',
        'resource.k8s.io/v1beta1': 'false',
        'resource.k8s.io/v1beta1/deviceclasses': 'true',
        'apps/v1/deployments': '0',
        '/v1/bindings': 'false',
      },
    });
    const served = (group: string, version: string) =>
      groups
        .find((each) => each.group === group)
        ?.versions.find((each) => each.version === version)
        ?.entries.map((entry) => entry.definition.resource);
    assert.deepEqual(served('resource.k8s.io', 'v1beta1'), ['deviceclasses']);
    assert.equal(served('resource.k8s.io', 'v1beta2')?.length, 4);
    assert.equal(served('resource.k8s.io', 'v1alpha3'), undefined);
    assert.ok(!served('apps', 'v1')?.includes('deployments'));
    assert.ok(!served('', 'v1')?.includes('bindings'));
  });

  const nonsense: [Record<string, string>, string][] = [
    [{ 'api/all': 'false' }, 'invalid key with only api/all=false'],
    [{ 'api/beta': '1' }, 'invalid value api/beta=1'],
    [{ apps: 'true' }, 'runtime-config invalid key apps'],
    [{ 'a/b/c/d': 'true' }, 'runtime-config invalid key a/b/c/d'],
    [{ 'nope/v1': 'true', 'nada/v1': 'true' }, 'unknown api groups nope,nada'],
    [{ 'apps/v9': 'true' }, 'group version apps/v9 that has not been registered'],
    [
      { 'apps/v1': 'maybe' },
      'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      { 'apps/v1/Deployments': 'true' },
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
  ];
  nonsense.push(
    [{ '': 'true' }, 'runtime-config invalid key '],
    [{ '//': 'true' }, 'group version  that has not been registered'],
    // What is malformed is told before what is unknown.
    [{ 'apps/v9': 'true', 'foo/v1': 'true', apps: 'true' }, 'runtime-config invalid key apps'],
    [{ 'apps/v9': 'true', 'foo/v1': 'true' }, 'unknown api groups foo'],
    [{ 'api/v2': 'true' }, 'unknown api groups api'],
    [{ 'v1/pods': 'maybe' }, 'invalid value of /v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
  );

  test('the served resources always include the core group', () => {
    for (const key of ['v1', '/v1', 'v1/pods', 'api/v1', 'api/v1/pods', 'api/legacy']) {
      assert.ok(createCatalog({ runtimeConfig: { [key]: 'false' } }).lookup('', 'v1', 'pods') !== undefined, key);
    }
  });

  for (const [runtimeConfig, message] of nonsense) {
    test(`the served resources cannot be chosen with the invalid ${JSON.stringify(runtimeConfig)}`, () => {
      assert.throws(() => createCatalog({ runtimeConfig }), { name: 'RuntimeConfigError', message });
    });
  }
});

const catalog = createCatalog({ runtimeConfig: { 'api/all': 'true' } });

function definition(group: string, resource: string) {
  const found = catalog.find(group, resource);
  assert.ok(found, `${resource}.${group}`);
  return found;
}

describe('declarations of resources', () => {
  test('declarations of resources have a storage version for every stored resource, and a type for every version', () => {
    for (const each of catalog.definitions) {
      const name = `${each.resource}.${each.group}`;
      assert.equal(each.storage.schema.kind, 'struct', name);
      for (const version of each.versions) assert.equal(version.schema.kind, 'struct', `${name} ${version.version}`);
      assert.equal(each.hashedStorage !== '', each.verbs.includes('watch'), name);
      const ownsStatus = 'status' in each.subresources && each.resource !== 'servicecidrs';
      assert.equal(keepsStatus(each.strategy), ownsStatus, name);
    }
  });

  test('declarations of resources have the store keys of kube-apiserver', () => {
    const prefixes = [
      ['', 'pods', '/registry/pods'],
      ['', 'services', '/registry/services/specs'],
      ['', 'endpoints', '/registry/services/endpoints'],
      ['', 'nodes', '/registry/minions'],
      ['', 'replicationcontrollers', '/registry/controllers'],
      ['networking.k8s.io', 'ingresses', '/registry/ingress'],
      ['apps', 'deployments', '/registry/deployments'],
      ['apiextensions.k8s.io', 'customresourcedefinitions', '/registry/apiextensions.k8s.io/customresourcedefinitions'],
      ['apiregistration.k8s.io', 'apiservices', '/registry/apiregistration.k8s.io/apiservices'],
    ] as const;
    for (const [group, resource, prefix] of prefixes) assert.equal(definition(group, resource).storagePrefix, prefix);
  });

  test('declarations of resources share a storage prefix for the two resources of events only', () => {
    const byPrefix = Map.groupBy(
      catalog.definitions.filter((each) => each.hashedStorage !== ''),
      (each) => each.storagePrefix,
    );
    const shared = [...byPrefix.values()].filter((definitions) => definitions.length > 1);
    assert.deepEqual(
      shared.map((definitions) => definitions.map((each) => `${each.resource}.${each.group}`)),
      [['events.', 'events.events.k8s.io']],
    );
    assert.deepEqual(
      [definition('events.k8s.io', 'events').storage.group, definition('events.k8s.io', 'events').storage.version],
      ['', 'v1'],
    );
  });
});

describe('strategies', () => {
  test('strategies have the facts of kinds that Kubernetes gives them', () => {
    const facts = (group: string, resource: string) => {
      const {
        generation = false,
        createOnUpdate,
        unconditionalUpdate,
        nameRule,
      } = definition(group, resource).strategy;
      return {
        generation,
        createOnUpdate,
        unconditionalUpdate,
        nameRule: typeof nameRule === 'string' ? nameRule : 'own',
      };
    };
    assert.deepEqual(facts('', 'pods'), {
      generation: true,
      createOnUpdate: false,
      unconditionalUpdate: true,
      nameRule: 'subdomain',
    });
    assert.deepEqual(facts('', 'services'), {
      generation: false,
      createOnUpdate: true,
      unconditionalUpdate: true,
      nameRule: 'own',
    });
    assert.deepEqual(facts('coordination.k8s.io', 'leases'), {
      generation: false,
      createOnUpdate: true,
      unconditionalUpdate: false,
      nameRule: 'subdomain',
    });
    assert.deepEqual(facts('rbac.authorization.k8s.io', 'clusterroles'), {
      generation: false,
      createOnUpdate: true,
      unconditionalUpdate: true,
      nameRule: 'pathSegment',
    });
  });

  test('strategies reject unknown field selectors in the words of the kind', () => {
    assert.equal(
      unsupportedField(definition('', 'configmaps'), 'data.a'),
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    assert.equal(unsupportedField(definition('', 'pods'), 'status.hostIP'), 'field label not supported: status.hostIP');
    assert.equal(
      unsupportedField(definition('resource.k8s.io', 'resourceslices'), 'spec.pool.name'),
      'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.pool.name',
    );
  });

  test('strategies select events by the field names of either group', () => {
    const core = definition('', 'events').strategy;
    const newer = definition('events.k8s.io', 'events').strategy;
    const event = { metadata: {}, involvedObject: { name: 'a' }, reason: 'Started', reportingComponent: 'c' };
    const values = core.selection?.values?.(event);
    assert.deepEqual(newer.selection?.values?.(event), values);
    assert.equal(values?.['involvedObject.name'], 'a');
    assert.equal(values?.['regarding.name'], 'a');
    assert.equal(values?.['source'], 'c');
    assert.equal(core.selection?.names.includes('involvedObject.name'), true);
    assert.equal(core.selection?.names.includes('regarding.name'), false);
    assert.equal(newer.selection?.names.includes('reportingController'), true);
    assert.equal(newer.selection?.names.includes('source'), false);
  });
});

describe('a catalog that changes', () => {
  test('a catalog that changes has a new generation when resources are added and removed', () => {
    const catalog = createCatalog();
    const pods = catalog.find('', 'pods');
    assert.ok(pods);
    const custom = { ...pods, group: 'example.com', resource: 'widgets', custom: true };
    const before = catalog.generation;
    catalog.add(custom);
    assert.ok(catalog.generation > before);
    assert.equal(catalog.lookup('example.com', 'v1', 'widgets')?.definition, custom);
    assert.equal(catalog.groups.at(-1)?.group, 'example.com');
    assert.ok(catalog.hasVersion('example.com', 'v1'));

    const added = catalog.generation;
    catalog.remove({ group: 'example.com', resource: 'widgets', custom: true });
    assert.ok(catalog.generation > added);
    assert.equal(catalog.lookup('example.com', 'v1', 'widgets'), undefined);
    assert.ok(!catalog.hasGroup('example.com'));
  });

  test('a catalog that changes sorts the versions of custom resources by name', () => {
    const catalog = createCatalog();
    const [version] = catalog.find('', 'pods')?.versions ?? [];
    assert.ok(version);
    const names = ['v1alpha1', 'foo10', 'v1', 'v12alpha1', 'v3beta1', 'foo1', 'v10beta3', 'v10', 'v11beta2', 'v2'];
    const pods = catalog.find('', 'pods');
    assert.ok(pods);
    catalog.add({
      ...pods,
      group: 'example.com',
      versions: names.map((each) => ({ ...version, version: each })),
    });
    assert.deepEqual(
      catalog.groups.at(-1)?.versions.map((each) => each.version),
      ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v1alpha1', 'foo1', 'foo10'],
    );
  });

  test('a catalog that changes replaces a resource that is added again, and removes versions that it no longer has', () => {
    const catalog = createCatalog();
    const autoscalers = catalog.find('autoscaling', 'horizontalpodautoscalers');
    assert.ok(autoscalers);
    catalog.add(autoscalers, autoscalers.versions.slice(0, 1));
    assert.deepEqual([catalog.hasVersion('autoscaling', 'v2'), catalog.hasVersion('autoscaling', 'v1')], [true, false]);
  });

  test('a catalog that changes publishes other versions of a built-in resource from a CustomResourceDefinition and does not serve them', () => {
    const catalog = createCatalog();
    const roles = catalog.find('rbac.authorization.k8s.io', 'clusterroles');
    const [version] = roles?.versions ?? [];
    assert.ok(roles && version);
    const custom = { ...roles, custom: true, storagePrefix: '/registry/rbac.authorization.k8s.io/clusterroles' };
    const entries = ['v1', 'v9'].map((name) => ({ definition: custom, version: { ...version, version: name } }));
    catalog.addEntries(entries);
    const { group } = roles;
    assert.equal(catalog.lookup(group, 'v1', 'clusterroles')?.definition, roles);
    assert.equal(catalog.lookup(group, 'v9', 'clusterroles'), undefined);
    assert.equal(catalog.find(group, 'clusterroles'), roles);
    assert.ok(!catalog.isCustom(group) && !catalog.hasVersion(group, 'v9') && catalog.publishesVersion(group, 'v9'));
    const shown = catalog.published.find((each) => each.group === group)?.versions ?? [];
    assert.deepEqual(shown.map((each) => each.version).sort(), ['v1', 'v9']);
    assert.ok(shown.find((each) => each.version === 'v1')?.entries.every(({ definition }) => !definition.custom));
    assert.ok(!catalog.overlapsBuiltin(custom));
    assert.ok(catalog.overlapsBuiltin({ ...custom, storagePrefix: roles.storagePrefix }));

    catalog.remove(custom);
    assert.equal(catalog.lookup(group, 'v1', 'clusterroles')?.definition, roles);
    assert.ok(!catalog.publishesVersion(group, 'v9'));
  });
});
