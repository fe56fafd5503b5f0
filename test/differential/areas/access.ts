// Access control: random roles and bindings, requests that impersonate their subjects, access reviews, and attempts at
// privilege escalation.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';

const requests = 14;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reviews = '/apis/authorization.k8s.io/v1';
const api = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const user = 'u-{u}';

export const access: Area = {
  name: 'access',
  async run(given) {
    const { session, random } = given;
    const wide = { ...api, kind: 'ClusterRole', metadata: { name: 'w-{u}' }, rules: rulesOf(random, true) };
    const narrow = {
      ...api,
      kind: 'Role',
      metadata: { name: 'n-{u}', namespace: '{ns}' },
      rules: rulesOf(random, false),
    };
    await session.ask({ method: 'POST', path: `${rbac}/clusterroles`, body: wide });
    await session.ask({ method: 'POST', path: `${rbac}/namespaces/{ns}/roles`, body: narrow });
    await session.ask({ method: 'POST', path: `${rbac}/clusterrolebindings`, body: bindingOf('ClusterRole', 'w-{u}') });
    const path = `${rbac}/namespaces/{ns}/rolebindings`;
    await session.ask({ method: 'POST', path, body: bindingOf('Role', 'n-{u}') });
    // Authorizers see roles and bindings some time after they were written: until then the user may do nothing.
    const headers = { 'impersonate-user': user };
    const isAllowed = (status: number) => status !== 403;
    await session.until({ path: '/marker-{u}', headers }, isAllowed);
    await session.until({ path: '/api/v1/namespaces/{ns}/configmaps/marker-{u}', headers }, isAllowed);
    for (let left = requests; left > 0; left--) await session.ask(next(given));
  },
};

function bindingOf(kind: string, name: string): Body {
  const isWide = kind === 'ClusterRole';
  const metadata = { name: `${name}`, ...(!isWide && { namespace: '{ns}' }) };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
  const subjects = [
    { kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'ServiceAccount', name: 'default', namespace: '{ns}' },
  ];
  return { ...api, kind: isWide ? 'ClusterRoleBinding' : 'RoleBinding', metadata, roleRef, subjects };
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'];
const more = ['bind', 'escalate', 'impersonate', 'use', 'approve', 'sign'];
const groups = ['', 'apps', 'batch', 'rbac.authorization.k8s.io', '*', 'example.com', 'authentication.k8s.io'];
const resources = [
  'pods',
  'pods/log',
  'pods/status',
  'pods/*',
  '*/scale',
  '*',
  'configmaps',
  'secrets',
  'deployments',
  'deployments/scale',
  'roles',
  'clusterroles',
  'rolebindings',
  'users',
  'groups',
  'serviceaccounts',
  'serviceaccounts/token',
  'namespaces',
  'nodes',
];
const urls = ['/metrics', '/healthz', '/healthz/*', '*', '/api*', '/logs/', '/version', 'x'];

function some(random: SeededRandom, from: readonly string[], most: number): string[] {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(from));
}

function ruleOf(random: SeededRandom, isWide: boolean): Body {
  if (isWide && random.chance(20)) return { verbs: some(random, verbs, 2), nonResourceURLs: some(random, urls, 2) };
  return {
    verbs: random.chance(20) ? some(random, more, 2) : some(random, verbs, 3),
    apiGroups: some(random, groups, 2),
    resources: some(random, resources, 3),
    ...(random.chance(20) && { resourceNames: some(random, ['a', 'b', 'marker-{u}', 'n-{u}'], 2) }),
  };
}

function rulesOf(random: SeededRandom, isWide: boolean): Body[] {
  const marker = isWide
    ? { verbs: ['get'], nonResourceURLs: ['/marker-{u}'] }
    : { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['marker-{u}'] };
  return [marker, ...Array.from({ length: random.below(4) }, () => ruleOf(random, isWide))];
}

function next({ random }: Case): RequestStep {
  const kind = random.below(100);
  if (kind < 30) return { method: 'POST', ...reviewOf(random) };
  if (kind < 40) return ruleReview(random);
  if (kind < 65) return asUser(random);
  if (kind < 85) return grant(random);
  if (kind < 93) return authentication(random);
  return {
    ...impersonated(random),
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    method: 'POST',
    body: {},
  };
}

function attributes(random: SeededRandom): Body {
  const resource = random.pick(resources).split('/');
  return {
    ...(random.chance(70) && { namespace: random.pick(['{ns}', '', 'other', 'kube-system']) }),
    ...(random.chance(92) && { verb: random.pick([...verbs, ...more, '']) }),
    ...(random.chance(80) && { group: random.pick(groups) }),
    ...(random.chance(20) && { version: random.pick(['v1', '*', 'x']) }),
    ...(random.chance(92) && { resource: resource[0] }),
    ...(resource[1] !== undefined && { subresource: resource[1] }),
    ...(random.chance(40) && { name: random.pick(['a', 'b', 'c', 'marker-{u}', '']) }),
    ...(random.chance(12) && { labelSelector: selectorOf(random) }),
    ...(random.chance(12) && { fieldSelector: selectorOf(random) }),
  };
}

function selectorOf(random: SeededRandom): unknown {
  const requirement = () => ({
    key: random.pick(['a', 'metadata.name', '', 'Bad Key']),
    operator: random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'x', '']),
    ...(random.chance(60) && { values: random.pick([['a'], ['a', 'b'], [], ['Bad Value!']]) }),
  });
  return random.pick<unknown>([
    { rawSelector: random.pick(['a=b', 'a in (b,c),!d', 'a in (', '', 'a!=b']) },
    { requirements: [requirement()] },
    { requirements: [requirement(), requirement()] },
    { rawSelector: 'a=b', requirements: [requirement()] },
    { requirements: [] },
    {},
  ]);
}

function specOf(random: SeededRandom, isSelf: boolean): Body {
  const nonResource = {
    path: random.pick(['/metrics', '/healthz/a', '/x', '', '/marker-{u}']),
    verb: random.pick(verbs),
  };
  const kind = random.below(20);
  return {
    ...(kind !== 0 && (kind < 15 || kind === 19) && { resourceAttributes: attributes(random) }),
    ...((kind >= 15 || kind === 19) && { nonResourceAttributes: nonResource }),
    ...(!isSelf &&
      random.chance(92) && { user: random.pick([user, user, 'system:serviceaccount:{ns}:default', 'nobody', '']) }),
    ...(!isSelf &&
      random.chance(25) && { groups: some(random, ['system:masters', 'system:authenticated', 'x', ''], 2) }),
    ...(!isSelf && random.chance(15) && { uid: 'x', extra: { 'a/b': ['c'], B: ['d'] } }),
    ...(random.chance(3) && { nope: 1 }),
  };
}

function reviewOf(random: SeededRandom): { path: string; body: Body; headers?: Record<string, string> } {
  const kind = random.pick([
    'SubjectAccessReview',
    'SubjectAccessReview',
    'SelfSubjectAccessReview',
    'LocalSubjectAccessReview',
  ]);
  const isLocal = kind.startsWith('Local');
  const isSelf = kind.startsWith('Self');
  const path = isLocal ? `${reviews}/namespaces/{ns}/localsubjectaccessreviews` : `${reviews}/${kind.toLowerCase()}s`;
  const metadata = random.pick<Body | undefined>([
    undefined,
    undefined,
    undefined,
    { name: 'x' },
    { namespace: '{ns}' },
    { labels: { a: 'b' } },
  ]);
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind,
    ...(metadata !== undefined && { metadata }),
    ...(random.chance(97) && { spec: specOf(random, isSelf) }),
    ...(random.chance(5) && { status: { allowed: true, reason: 'x' } }),
  };
  return { path, body, ...(isSelf && impersonated(random)) };
}

function ruleReview(random: SeededRandom): RequestStep {
  const spec = random.pick<unknown>([
    { namespace: '{ns}' },
    { namespace: '{ns}' },
    { namespace: 'other' },
    {},
    { namespace: '' },
  ]);
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec };
  return { method: 'POST', path: `${reviews}/selfsubjectrulesreviews`, body, ...impersonated(random) };
}

function impersonated(random: SeededRandom): { headers: Record<string, string> } {
  return {
    headers: {
      ...(random.chance(92) && {
        'impersonate-user': random.pick([
          user,
          user,
          user,
          'system:serviceaccount:{ns}:default',
          'system:anonymous',
          'nobody',
          'system:node:a',
          'system:serviceaccount:x',
        ]),
      }),
      ...(random.chance(15) && {
        'impersonate-group': random.pick(['system:masters', 'x', 'system:unauthenticated', 'system:authenticated']),
      }),
      ...(random.chance(6) && { 'impersonate-uid': 'x' }),
      ...(random.chance(8) && { [`impersonate-extra-${random.pick(['a', 'example.com%2fa', 'B', ''])}`]: 'b' }),
      ...(random.chance(6) && { authorization: `Bearer ${random.pick(['viewer-token', 'nope', ''])}` }),
    },
  };
}

function asUser(random: SeededRandom): RequestStep {
  const path = random.pick([
    '/api/v1/namespaces/{ns}/pods',
    '/api/v1/namespaces/{ns}/pods/a',
    '/api/v1/namespaces/{ns}/pods/a/log',
    '/api/v1/namespaces/{ns}/configmaps/a',
    '/api/v1/namespaces/{ns}/configmaps',
    '/api/v1/namespaces/{ns}/secrets',
    '/api/v1/namespaces/{ns}/secrets/b',
    '/apis/apps/v1/namespaces/{ns}/deployments/a/scale',
    '/apis/apps/v1/namespaces/{ns}/deployments',
    '/api/v1/namespaces/other/pods',
    '/api/v1/namespaces/{ns}',
    '/api/v1/nodes/a',
    '/api/v1/namespaces/{ns}/serviceaccounts/default/token',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/n-{u}',
    '/apis/example.com/v1/things',
    '/healthz',
    '/metrics/x',
    '/logs/',
    '/nope',
    '/api/v1',
  ]);
  const method = random.pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const { headers } = impersonated(random);
  return {
    method,
    path,
    query: {
      ...(method !== 'GET' && { dryRun: 'All' }),
      ...(method === 'GET' &&
        random.chance(25) && {
          [random.pick(['fieldSelector', 'labelSelector'])]: random.pick([
            'metadata.name=a',
            'metadata.name=b',
            'x=y',
            'x',
          ]),
        }),
    },
    headers: { ...headers, ...(method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }) },
    ...(isWrite && { body: { metadata: { name: 'a' } } }),
    // Objects there are not the subject of this area, and other conversations create and delete them.
    only: ['status', 'headers', ...(method === 'GET' && !path.endsWith('s') ? ['body'] : [])],
  };
}

function grant(random: SeededRandom): RequestStep {
  const isWide = random.chance(40);
  const { headers } = impersonated(random);
  const metadata = { name: `g-{u}-${random.below(3)}` };
  const place = isWide ? rbac : `${rbac}/namespaces/{ns}`;
  const role = { ...metadata };
  if (random.chance(50)) {
    const kind = isWide ? 'ClusterRole' : 'Role';
    const rules = Array.from({ length: 1 + random.below(2) }, () => ruleOf(random, isWide));
    const isUpdate = random.chance(35);
    const name = isUpdate ? (isWide ? 'w-{u}' : 'n-{u}') : role.name;
    const aggregationRule =
      isWide && random.chance(12) ? { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } : undefined;
    const body = { ...api, kind, metadata: { name }, rules, ...(aggregationRule !== undefined && { aggregationRule }) };
    const path = `${place}/${kind.toLowerCase()}s${isUpdate ? `/${name}` : ''}`;
    return { method: isUpdate ? 'PUT' : 'POST', path, query: { dryRun: 'All' }, headers, body };
  }
  const kind = isWide ? 'ClusterRoleBinding' : 'RoleBinding';
  const roleKind = isWide ? 'ClusterRole' : random.pick(['Role', 'ClusterRole', 'x']);
  const name = random.pick(['n-{u}', 'w-{u}', 'view', 'cluster-admin', 'nope', 'admin', '']);
  const roleRef = {
    apiGroup: random.pick(['rbac.authorization.k8s.io', 'rbac.authorization.k8s.io', 'x', '']),
    kind: roleKind,
    name,
  };
  const subject = () => ({
    kind: random.pick(['User', 'Group', 'ServiceAccount', 'x']),
    ...(random.chance(90) && { name: random.pick(['a', 'system:serviceaccounts', '', 'Bad Name']) }),
    ...(random.chance(40) && { namespace: random.pick(['{ns}', '']) }),
    ...(random.chance(50) && { apiGroup: random.pick(['rbac.authorization.k8s.io', '', 'x']) }),
  });
  const body = { ...api, kind, metadata, roleRef, subjects: [subject()] };
  return { method: 'POST', path: `${place}/${kind.toLowerCase()}s`, query: { dryRun: 'All' }, headers, body };
}

function authentication(random: SeededRandom): RequestStep {
  const spec = random.pick<unknown>([
    { token: 'admin-token' },
    { token: 'nope' },
    { token: '' },
    {},
    { token: 'admin-token', audiences: ['x'] },
    { token: 'admin-token', audiences: ['https://kubernetes.default.svc'] },
    { token: 'a.b.c' },
    { token: 'eyJhbGciOiJub25lIn0.e30.' },
  ]);
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
  return { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', body };
}
