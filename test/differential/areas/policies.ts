// Admission policies and webhook configurations: random ones, valid and nearly valid, and the effect of active policies
// on objects.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';
import { type Leaves, randomExpression, type Type } from '../cel.ts';

const tried = 5;
const judged = 6;
const group = '/apis/admissionregistration.k8s.io';

const leaves: Leaves = {
  string: [
    'object.metadata.name',
    'object.data.a',
    'request.name',
    'request.namespace',
    'request.userInfo.username',
    'request.operation',
    'namespaceObject.metadata.name',
    'variables.text',
    'object.metadata.labels.app',
    'request.kind.kind',
  ],
  bool: [
    'request.dryRun',
    'variables.flag',
    'has(object.data)',
    'oldObject == null',
    'params == null',
    'authorizer.group("").resource("pods").namespace("{ns}").check("get").allowed()',
    'authorizer.path("/healthz").check("get").allowed()',
    'authorizer.requestResource.check("update").allowed()',
  ],
  map: ['object.data', 'object.metadata.labels'],
  list: ['request.userInfo.groups', 'object.data.map(k, k)'],
  int: ['size(object.data)', 'object.data.size()', 'object.metadata.?labels.orValue({}).size()'],
  dyn: [
    'object.metadata',
    'object',
    'oldObject',
    'request.options',
    'variables.nope',
    'object.spec',
    'object.metadata.?labels[?"app"].hasValue()',
  ],
};

export const policies: Area = {
  name: 'policies',
  async run(given) {
    const { session, random } = given;
    for (let left = tried; left > 0; left--) {
      const [path, body] = random.pick([validating, validating, mutating, binding, webhooks])(random);
      await session.ask({ method: 'POST', path, query: { dryRun: 'All' }, body });
    }
    await inForce(given);
  },
};

/** A policy with a binding, and creates of ConfigMaps that it applies to. */
async function inForce({ session, random }: Case): Promise<void> {
  const path = `${group}/v1/validatingadmissionpolicies`;
  const spec: Body = { ...validationSpec(random), matchConstraints: constraints, paramKind: undefined };
  const validations = [
    ...((spec['validations'] as Body[]) ?? []),
    { expression: '!object.metadata.name.startsWith("marker")', message: 'marker' },
  ];
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p-{u}' },
    spec: { ...spec, validations, matchConditions: undefined },
  };
  const { status } = await session.ask({ method: 'POST', path, body });
  if (status !== 201) return;
  const actions = random.pick([['Deny'], ['Deny'], ['Deny', 'Audit'], ['Warn'], ['Warn', 'Audit']]);
  const bound = {
    policyName: 'p-{u}',
    validationActions: actions,
    matchResources: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
      objectSelector: { matchLabels: { u: '{u}' } },
    },
  };
  await session.ask({
    method: 'POST',
    path: `${group}/v1/validatingadmissionpolicybindings`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'p-{u}' },
      spec: bound,
    },
  });
  if (!actions.includes('Deny')) return;
  const configMaps = '/api/v1/namespaces/{ns}/configmaps';
  const objectOf = (name: string, rest: Body) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { u: '{u}', ...(rest['labels'] as Body) } },
    ...(rest['data'] !== undefined && { data: rest['data'] }),
  });
  await session.until(
    { method: 'POST', path: configMaps, query: { dryRun: 'All' }, body: objectOf('marker-{u}', {}) },
    (code) => code === 422,
  );
  for (let index = 0; index < judged; index++) {
    const rest = {
      labels: random.pick([{}, { app: 'web' }]),
      data: random.pick<Body | undefined>([undefined, {}, { a: 'b' }, { a: '1', b: '2' }, { a: 'b,c', c: '1h' }]),
    };
    await session.ask({
      method: 'POST',
      path: configMaps,
      query: { dryRun: 'All' },
      body: objectOf(`o${index}-{u}`, rest),
    });
  }
}

const constraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
};

function expressionOf(random: SeededRandom, type: Type): string {
  return random.chance(3) ? random.pick(['', ' ', '\n']) : randomExpression(random, type, leaves);
}

function validationSpec(random: SeededRandom): Body {
  const validation = () => ({
    expression: expressionOf(random, 'bool'),
    ...(random.chance(25) && { message: random.pick(['no', '', 'a\nb', ' ']) }),
    ...(random.chance(20) && { messageExpression: expressionOf(random, random.chance(90) ? 'string' : 'int') }),
    ...(random.chance(15) && {
      reason: random.pick(['Forbidden', 'Invalid', 'Unauthorized', 'RequestEntityTooLarge', 'x']),
    }),
  });
  const list = (most: number) => Array.from({ length: 1 + random.below(most) });
  return {
    failurePolicy: random.pick(['Fail', 'Fail', 'Ignore', ...(random.chance(10) ? ['x'] : [])]),
    ...(random.chance(95) && { validations: list(3).map(validation) }),
    ...variablesOf(random),
    ...(random.chance(20) && {
      matchConditions: list(2).map((_, index) => ({
        name: random.pick([`c${index}`, 'a b', '', 'c0']),
        expression: expressionOf(random, 'bool'),
      })),
    }),
    ...(random.chance(20) && {
      auditAnnotations: list(2).map((_, index) => ({
        key: random.pick([`k${index}`, 'Bad Key', '']),
        valueExpression: expressionOf(random, 'string'),
      })),
    }),
    ...(random.chance(10) && {
      paramKind: random.pick([{ apiVersion: 'v1', kind: 'ConfigMap' }, { apiVersion: 'x/y/z', kind: '' }, {}]),
    }),
  };
}

function variablesOf(random: SeededRandom): Body {
  if (!random.chance(65)) return {};
  return {
    variables: [
      { name: 'text', expression: expressionOf(random, 'string') },
      {
        name: random.pick(['flag', 'flag', 'flag', 'text', '1x', 'a-b', '']),
        expression: expressionOf(random, 'bool'),
      },
    ],
  };
}

function validating(random: SeededRandom): [string, Body] {
  const matchConstraints = random.chance(70) ? constraints : matchOf(random);
  const spec = { matchConstraints, ...validationSpec(random) };
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'v-{u}' },
    spec,
  };
  return [`${group}/v1/validatingadmissionpolicies`, body];
}

function matchOf(random: SeededRandom): unknown {
  if (random.chance(10)) return undefined;
  const selector = () =>
    random.pick<unknown>([
      {},
      { matchLabels: { a: 'b' } },
      { matchLabels: { 'Bad Key': 'x' } },
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
      { matchExpressions: [{ key: 'a', operator: 'x' }] },
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    ]);
  return {
    ...(random.chance(90) && { resourceRules: [ruleOf(random), ...(random.chance(30) ? [ruleOf(random)] : [])] }),
    ...(random.chance(20) && { excludeResourceRules: [ruleOf(random)] }),
    ...(random.chance(30) && { namespaceSelector: selector() }),
    ...(random.chance(30) && { objectSelector: selector() }),
    ...(random.chance(30) && { matchPolicy: random.pick(['Exact', 'Equivalent', 'x', '']) }),
  };
}

function ruleOf(random: SeededRandom): Body {
  return {
    ...(random.chance(95) && { apiGroups: random.pick([[''], ['*'], ['apps'], ['*', 'apps'], [], ['apps', 'apps']]) }),
    ...(random.chance(95) && { apiVersions: random.pick([['v1'], ['*'], ['v1', '*'], [], ['']]) }),
    ...(random.chance(95) && {
      operations: random.pick([
        ['CREATE'],
        ['*'],
        ['CREATE', '*'],
        ['x'],
        [],
        ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
        [''],
      ]),
    }),
    ...(random.chance(95) && {
      resources: random.pick([
        ['pods'],
        ['*'],
        ['*/*'],
        ['pods', '*'],
        ['pods/*', 'pods/status'],
        ['*/status', 'pods/status'],
        ['pods/'],
        [],
        [''],
        ['a/b/c'],
        ['*/*', 'pods'],
      ]),
    }),
    ...(random.chance(20) && { scope: random.pick(['*', 'Namespaced', 'Cluster', 'x', '']) }),
    ...(random.chance(15) && { resourceNames: random.pick([['a'], ['a', 'a'], [''], ['Bad Name']]) }),
  };
}

function mutating(random: SeededRandom): [string, Body] {
  const version = random.pick(['v1beta1', 'v1alpha1']);
  const mutation = () =>
    random.pick<unknown>([
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
      },
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: expressionOf(random, 'dyn') } },
      { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", path: "/data/x", value: "y"}]' } },
      { patchType: 'JSONPatch', jsonPatch: { expression: expressionOf(random, 'list') } },
      { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } },
      { patchType: 'x' },
      { patchType: 'ApplyConfiguration' },
      { jsonPatch: { expression: '[]' } },
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{spec: Object.spec{}}' } },
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: `[JSONPatch{op: ${randomExpression(random, 'string', leaves)}}]` },
      },
    ]);
  const { validations: _, auditAnnotations: __, ...rest } = validationSpec(random);
  const spec = {
    ...rest,
    matchConstraints: random.chance(75) ? constraints : matchOf(random),
    ...(random.chance(95) && { mutations: [mutation(), ...(random.chance(30) ? [mutation()] : [])] }),
    ...(random.chance(92) && { reinvocationPolicy: random.pick(['Never', 'IfNeeded', 'x', '']) }),
  };
  const body = {
    apiVersion: `admissionregistration.k8s.io/${version}`,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'm-{u}' },
    spec,
  };
  return [`${group}/${version}/mutatingadmissionpolicies`, body];
}

function binding(random: SeededRandom): [string, Body] {
  const [type, version] = random.pick([
    ['Validating', 'v1'],
    ['Mutating', 'v1beta1'],
    ['Mutating', 'v1alpha1'],
  ]);
  const spec = {
    ...(random.chance(95) && { policyName: random.pick(['p', '', 'Bad Name', 'p.q']) }),
    ...(random.chance(type === 'Validating' ? 95 : 5) && {
      validationActions: random.pick([['Deny'], ['Warn', 'Deny'], ['Audit'], [], ['x'], ['Deny', 'Deny'], ['']]),
    }),
    ...(random.chance(40) && { matchResources: matchOf(random) }),
    ...(random.chance(40) && {
      paramRef: random.pick<unknown>([
        { name: 'a', parameterNotFoundAction: 'Deny' },
        { name: 'a' },
        { selector: {}, parameterNotFoundAction: 'Allow' },
        { name: 'a', selector: {}, parameterNotFoundAction: 'x' },
        {},
        { name: '', namespace: 'Bad Name', parameterNotFoundAction: 'Deny' },
        { selector: { matchLabels: { 'Bad Key': 'x' } }, parameterNotFoundAction: '' },
      ]),
    }),
  };
  const body = {
    apiVersion: `admissionregistration.k8s.io/${version}`,
    kind: `${type}AdmissionPolicyBinding`,
    metadata: { name: 'b-{u}' },
    spec,
  };
  return [`${group}/${version}/${type.toLowerCase()}admissionpolicybindings`, body];
}

function webhooks(random: SeededRandom): [string, Body] {
  const isMutating = random.chance(50);
  const kind = isMutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const webhook = () => ({
    ...(random.chance(95) && {
      name: random.pick(['a.b.example.com', 'a.b.example.com', 'c.d.example.com', 'a.b', 'Bad', '']),
    }),
    ...(random.chance(95) && { clientConfig: clientOf(random) }),
    ...(random.chance(95) && {
      sideEffects: random.pick(['None', 'None', 'NoneOnDryRun', 'Some', 'Unknown', 'x', '']),
    }),
    ...(random.chance(95) && {
      admissionReviewVersions: random.pick([
        ['v1'],
        ['v1', 'v1beta1'],
        ['v2'],
        [],
        ['v1', 'v1'],
        ['Bad!', 'v1'],
        ['v2', 'v1'],
      ]),
    }),
    // Nothing requested here matches.
    ...(random.chance(90) && { rules: [{ ...ruleOf(random) }] }),
    ...(random.chance(20) && { failurePolicy: random.pick(['Fail', 'Ignore', 'x', '']) }),
    ...(random.chance(20) && { matchPolicy: random.pick(['Exact', 'Equivalent', 'x', '']) }),
    ...(random.chance(20) && { timeoutSeconds: random.pick<unknown>([1, 30, 31, 0, -1, '5']) }),
    ...(random.chance(20) && {
      matchConditions: Array.from({ length: 1 + random.below(2) }, () => ({
        name: random.pick(['c', 'd', '', 'a b']),
        expression: expressionOf(random, 'bool'),
      })),
    }),
    ...(isMutating && random.chance(20) && { reinvocationPolicy: random.pick(['Never', 'IfNeeded', 'x', '']) }),
    ...(random.chance(15) && {
      namespaceSelector: random.pick<unknown>([
        {},
        { matchLabels: { 'Bad Key': 'x' } },
        { matchExpressions: [{ key: 'a', operator: 'x' }] },
      ]),
    }),
  });
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'w-{u}' },
    webhooks: Array.from({ length: random.pick([1, 1, 1, 2, 0]) }, webhook),
  };
  return [`${group}/v1/${kind.toLowerCase()}s`, body];
}

function clientOf(random: SeededRandom): unknown {
  return random.pick<unknown>([
    { url: 'https://example.com/x' },
    { url: 'https://example.com/x' },
    { url: 'http://example.com/x' },
    { url: 'https://example.com/x?y=z#f' },
    { url: 'https://u:p@example.com/' },
    { url: 'x' },
    { url: '' },
    { url: 'https://' },
    { url: 'https://exa mple.com' },
    { service: { name: 'a', namespace: 'b' } },
    { service: { name: 'a', namespace: 'b', path: '/x/y', port: 443 } },
    { service: { name: 'a', namespace: 'b', path: 'x', port: 0 } },
    { service: { name: 'a', namespace: 'b', path: '//x', port: 70_000 } },
    { service: { name: 'a', namespace: 'b', path: '/x/Bad!/' } },
    { service: { name: '', namespace: '' } },
    { service: { name: 'a', namespace: 'b' }, url: 'https://example.com' },
    { url: 'https://example.com', caBundle: 'YWJj' },
    {},
  ]);
}
