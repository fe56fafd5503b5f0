// The matrix of rights: for every resource and subresource that discovery offers, each verb and each scope, a user with
// just that right may, and a user who has all but that may not. New resources enter it by themselves, and a verb that
// nobody here knows how to ask for fails it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCatalog } from '../../src/resources/catalog.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { created } from '../created.ts';

const ALL_APIS = { 'api/all': 'true' };
const ALL_GATES = { AllAlpha: true, AllBeta: true };
const HERE = 'default';
const ELSEWHERE = 'kube-public';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Offer {
  readonly group: string;
  readonly version: string;
  /** `pods`, `pods/log` */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A right, without the scope that it is given at. */
interface Right {
  readonly index: number;
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

const METHODS: Readonly<Record<string, string>> = {
  ...{ get: 'GET', list: 'GET', watch: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH' },
  ...{ delete: 'DELETE', deletecollection: 'DELETE' },
};
/** A deletion with a body would go by its options, and be no dry run. */
const BODIES = ['POST', 'PUT', 'PATCH'];
const OF_COLLECTIONS = ['list', 'watch', 'deletecollection'];

/** What everybody may who has logged in, by the role system:basic-user. */
const EVERYBODYS = [
  'selfsubjectreviews.authentication.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
];

async function offers(server: TestServer): Promise<Offer[]> {
  const groups = (await server.request('GET', '/apis')).body as { groups: { versions: { groupVersion: string }[] }[] };
  const versions = ['v1', ...groups.groups.flatMap((each) => each.versions.map(({ groupVersion }) => groupVersion))];
  const lists = await Promise.all(
    versions.map(async (text) => {
      const { body } = await server.request('GET', text === 'v1' ? '/api/v1' : `/apis/${text}`);
      const [group, version] = text === 'v1' ? ['', 'v1'] : (text.split('/') as [string, string]);
      const { resources } = body as { resources: { name: string; namespaced: boolean; verbs: string[] }[] };
      return resources.map(({ name, namespaced, verbs }) => ({ group, version, resource: name, namespaced, verbs }));
    }),
  );
  return lists.flat();
}

/** Every right that can be asked for: none depends on the version. */
function rightsOf(all: readonly Offer[]): Map<string, Right> {
  const rights = new Map<string, Right>();
  for (const { group, resource, verbs } of all) {
    for (const verb of verbs) {
      const key = keyOf(group, resource, verb);
      if (!rights.has(key)) rights.set(key, { index: rights.size, group, resource, verb });
    }
  }
  return rights;
}

function keyOf(group: string, resource: string, verb: string): string {
  return `${verb} ${resource}.${group}`;
}

type Scope = 'namespace' | 'cluster';

function user(may: boolean, scope: Scope, { index }: Right): string {
  return `${may ? 'may' : 'may-not'}-${scope}-${index}`;
}

/** Gives a right to those who may, and all around it to those who may not. */
async function grant(server: TestServer, right: Right): Promise<void> {
  const { index, group, resource, verb } = right;
  const [parent = '', subresource] = resource.split('/');
  const neighbours = subresource === undefined ? [`${resource}/*`] : [parent, `${parent}/other`];
  const others = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'use'];
  const role = (name: string, rules: object[]) =>
    created(server, `${RBAC}/clusterroles`, { metadata: { name }, rules });
  const bind = (path: string, name: string, to: string, names: string[]) =>
    created(server, `${RBAC}/${path}`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
      subjects: names.map((each) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: each })),
    });
  const [exact, around] = [`exact-${index}`, `around-${index}`];
  const unlucky = [user(false, 'namespace', right), user(false, 'cluster', right)];
  await Promise.all([
    role(exact, [{ apiGroups: [group], resources: [resource], verbs: [verb] }]),
    role(around, [
      { apiGroups: [group], resources: [resource], verbs: others.filter((each) => each !== verb) },
      { apiGroups: [group], resources: neighbours, verbs: [verb] },
      { apiGroups: ['another.example'], resources: [resource], verbs: [verb] },
      { apiGroups: [group], resources: [resource], resourceNames: ['another'], verbs: [verb] },
    ]),
    bind('clusterrolebindings', exact, exact, [user(true, 'cluster', right)]),
    bind('clusterrolebindings', around, around, unlucky),
    bind(`namespaces/${HERE}/rolebindings`, exact, exact, [user(true, 'namespace', right), unlucky[1]!]),
    bind(`namespaces/${ELSEWHERE}/rolebindings`, exact, exact, unlucky),
  ]);
}

interface Asking {
  readonly as: string;
  readonly offer: Offer;
  readonly verb: string;
  readonly scope: Scope;
}

/** The message of a refusal by authorization; '' where there was none, whatever else was wrong with the request. */
async function refusalOf(server: TestServer, { as, offer, verb, scope }: Asking): Promise<string> {
  const { group, version, resource, namespaced } = offer;
  const method = METHODS[verb];
  assert.ok(method !== undefined, `nobody knows how to ask for the verb ${verb} of ${resource}`);
  const [plural, subresource] = resource.split('/');
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced && scope === 'namespace' ? `/namespaces/${HERE}` : '';
  const isNamed = subresource !== undefined || !(OF_COLLECTIONS.includes(verb) || verb === 'create');
  const object = isNamed ? `/nobody${subresource === undefined ? '' : `/${subresource}`}` : '';
  const query = verb === 'watch' ? '?watch=1&timeoutSeconds=1' : method === 'GET' ? '' : '?dryRun=All';
  const headers: Record<string, string> = { authorization: `Bearer ${server.token}`, 'impersonate-user': as };
  if (method !== 'GET') headers['content-type'] = `application/${verb === 'patch' ? 'merge-patch+json' : 'json'}`;
  const url = `https://x${prefix}${place}/${plural}${object}${query}`;
  const answer = await server.fetch(
    new Request(url, { method, headers, ...(BODIES.includes(method) ? { body: '{}' } : {}) }),
  );
  if (answer.status !== 403) {
    await answer.body?.cancel();
    return '';
  }
  const { message } = (await answer.json()) as { message: string };
  return message.includes(`User "${as}" cannot `) ? message : '';
}

/** Where a refusal says that the user cannot. A namespace is in itself. */
function placeOf({ group, resource, namespaced }: Offer, verb: string, scope: Scope): string {
  if (namespaced && scope === 'namespace') return `in the namespace "${HERE}"`;
  const isNamespace = group === '' && resource.split('/')[0] === 'namespaces';
  const isNamed = resource.includes('/') || !(OF_COLLECTIONS.includes(verb) || verb === 'create');
  return isNamespace && isNamed ? 'in the namespace "nobody"' : 'at the cluster scope';
}

/** Whether there is a request for a right at a scope: objects in namespaces have none that names no namespace. */
function scopesOf({ namespaced, resource }: Offer, verb: string): Scope[] {
  if (!namespaced) return ['cluster'];
  return ['list', 'watch'].includes(verb) && !resource.includes('/') ? ['namespace', 'cluster'] : ['namespace'];
}

test('exactly the users with a permission are allowed, for every resource, subresource, verb and scope', async () => {
  await using server = await startTestServer({
    runtimeConfig: ALL_APIS,
    featureGates: ALL_GATES,
    controllers: '',
    enablePriorityAndFairness: false,
  });
  const all = await offers(server);
  const rights = rightsOf(all);
  for (const { group, versions } of createCatalog({ runtimeConfig: ALL_APIS }).groups) {
    for (const { definition } of versions.flatMap(({ entries }) => entries)) {
      const { resource, verbs, subresources } = definition;
      for (const verb of verbs) assert.ok(rights.has(keyOf(group, resource, verb)), `${verb} ${resource}: untested`);
      for (const [name, each] of Object.entries(subresources)) {
        const sub = `${resource}/${name}`;
        for (const verb of each.verbs) assert.ok(rights.has(keyOf(group, sub, verb)), `${verb} ${sub}: untested`);
      }
    }
  }
  await Promise.all([...rights.values()].map((right) => grant(server, right)));
  let cells = 0;
  for (const offer of all) {
    const { group, resource, verbs } = offer;
    for (const verb of verbs) {
      const right = rights.get(keyOf(group, resource, verb))!;
      for (const scope of scopesOf(offer, verb)) {
        const cell = `${verb} ${resource}.${group}/${offer.version} (${scope})`;
        const [mays, mayNots] = await Promise.all([
          refusalOf(server, { as: user(true, scope, right), offer, verb, scope }),
          refusalOf(server, { as: user(false, scope, right), offer, verb, scope }),
        ]);
        cells++;
        assert.equal(mays, '', cell);
        if (EVERYBODYS.includes(`${resource}.${group}`)) assert.equal(mayNots, '', cell);
        else {
          const where = placeOf(offer, verb, scope);
          const said = `cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
          assert.ok(mayNots.endsWith(said), `${cell}: ${mayNots}`);
        }
      }
    }
  }
  assert.ok(cells > 700, `only ${cells} cells`);
});
