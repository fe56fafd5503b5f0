import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import type { ApiObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const PATH = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

function role(name: string, more: object): object {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels: {} }, ...more };
}

function reads(resource: string) {
  return { apiGroups: [''], resources: [resource], verbs: ['get'] };
}

/** Waits until the role reads just these resources. */
async function sumsUp(server: TestServer, name: string, resources: string[]): Promise<void> {
  let seen: string | undefined;
  const same = async () => {
    const { body } = await server.request('GET', `${PATH}/${name}`);
    const rules = (body as { rules?: { resources: string[] }[] | null }).rules ?? [];
    seen = rules.flatMap((rule) => rule.resources).join();
    return seen === resources.join();
  };
  await until(`${name} sums up ${resources}`, same).catch(() => assert.equal(seen, resources.join()));
}

test('an aggregated ClusterRole has the rules of those that it selects, each once, and follows their changes', async () => {
  await using server = await startTestServer();
  const labels = { part: 'yes' };
  const make = (name: string, resources: string[]) =>
    server.request('POST', PATH, role(name, { metadata: { name, labels }, rules: resources.map(reads) }));
  await make('b', ['secrets', 'pods']);
  await make('a', ['pods', 'nodes']);
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
  await server.request('POST', PATH, role('sum', { aggregationRule, rules: [reads('events')] }));
  await sumsUp(server, 'sum', ['pods', 'nodes', 'secrets']);
  await make('c', ['services']);
  await sumsUp(server, 'sum', ['pods', 'nodes', 'secrets', 'services']);
  await server.request('DELETE', `${PATH}/a`);
  await sumsUp(server, 'sum', ['secrets', 'pods', 'services']);
});

test('the aggregated ClusterRoles of a new server need no update', async () => {
  await using server = await startTestServer();
  const admin = async () => ((await server.request('GET', `${PATH}/admin`)).body as ApiObject).metadata.resourceVersion;
  const before = await admin();
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { none: 'such' } }] };
  await server.request('POST', PATH, role('sum', { aggregationRule }));
  await server.request(
    'POST',
    PATH,
    role('part', { metadata: { name: 'part', labels: { none: 'such' } }, rules: [reads('events')] }),
  );
  await sumsUp(server, 'sum', ['events']);
  assert.equal(await admin(), before);
});

test('an aggregated ClusterRole that selects nothing loses what was aggregated, and keeps what somebody else wrote', async () => {
  await using server = await startTestServer();
  const labels = { part: 'yes' };
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
  const write = (name: string, more: object) => server.request('POST', PATH, role(name, more));
  await write('part', { metadata: { name: 'part', labels }, rules: [reads('pods')] });
  await write('sum', { aggregationRule });
  await sumsUp(server, 'sum', ['pods']);
  await server.request('DELETE', `${PATH}/part`);
  await sumsUp(server, 'sum', []);
  const managers = async () => ((await server.request('GET', `${PATH}/sum`)).body as ApiObject).metadata.managedFields;
  assert.equal((await managers())?.length, 1);
  await write('own', { aggregationRule, rules: [reads('events')] });
  const others = { other: 'yes' };
  await write('other', { metadata: { name: 'other', labels: others }, rules: [reads('nodes')] });
  await write('witness', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: others }] } });
  await sumsUp(server, 'witness', ['nodes']);
  await sumsUp(server, 'own', ['events']);
});

test('an aggregated ClusterRole may select another one, and is applied by its own field manager', async () => {
  await using server = await startTestServer();
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
  await server.request('POST', PATH, role('more', { metadata: { name: 'more', labels }, rules: [reads('things')] }));
  await until('admin has what view has', async () => {
    const { body } = await server.request('GET', `${PATH}/admin`);
    return JSON.stringify(body).includes('"things"');
  });
  const { body } = await server.request('GET', `${PATH}/admin`);
  const managers = (body as ApiObject).metadata.managedFields?.map((each) => each['manager']);
  assert.ok(managers?.includes('clusterrole-aggregation-controller'), String(managers));
});
