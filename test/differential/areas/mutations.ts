// Mutating admission policies in force, in both versions: objects that they change, and what they answer where they fail.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body } from '../bodies.ts';
import { type Leaves, randomExpression } from '../cel.ts';

const judged = 6;
const group = 'admissionregistration.k8s.io';
const kinds = ['configmaps', 'pods', 'deployments'] as const;
type Kind = (typeof kinds)[number];

const leaves: Leaves = {
  string: ['object.metadata.name', 'request.operation', 'variables.text', 'object.metadata.labels.u', '"x"', '"a-b"'],
  bool: ['request.dryRun', 'oldObject == null', 'has(object.metadata.annotations)', 'params == null'],
  map: ['object.metadata.labels', '{"a": "b"}'],
  list: ['request.userInfo.groups', '["a"]'],
  int: ['size(object.metadata.labels)', '2'],
  dyn: ['object.metadata', 'object', 'oldObject', 'variables.text'],
};

/** Needs the gate MutatingAdmissionPolicy and its versions: --gates. */
export const mutations: Area = {
  name: 'mutations',
  async run(given) {
    const { session, random } = given;
    const version = random.pick(['v1beta1', 'v1alpha1']);
    const kind = random.pick(kinds);
    const policy = {
      apiVersion: `${group}/${version}`,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'm-{u}' },
      spec: policySpec(random, kind),
    };
    const path = `/apis/${group}/${version}`;
    const { status } = await session.ask({ method: 'POST', path: `${path}/mutatingadmissionpolicies`, body: policy });
    if (status !== 201) return;
    await bind(given, path, version);
    await session.until(
      { method: 'POST', path: pathOf(kind), query: { dryRun: 'All' }, body: objectOf(kind, 'marker-{u}', random) },
      (_, body) => JSON.stringify(body ?? '').includes('marked'),
    );
    for (let index = 0; index < judged; index++) await judge(given, kind, index);
    await session.tidy({ method: 'DELETE', path: `${path}/mutatingadmissionpolicies/m-{u}` });
    await session.tidy({ method: 'DELETE', path: `${path}/mutatingadmissionpolicybindings/m-{u}` });
  },
};

async function bind({ session }: Case, path: string, version: string): Promise<void> {
  await session.ask({
    method: 'POST',
    path: `${path}/mutatingadmissionpolicybindings`,
    body: {
      apiVersion: `${group}/${version}`,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'm-{u}' },
      spec: {
        policyName: 'm-{u}',
        matchResources: {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
          objectSelector: { matchLabels: { u: '{u}' } },
        },
      },
    },
  });
}

/** Creates an object, or changes it. */
async function judge({ session, random }: Case, kind: Kind, index: number): Promise<void> {
  const name = random.pick(['o-{u}', `o${index}-{u}`]);
  const path = pathOf(kind);
  const body = objectOf(kind, name, random);
  const contentType = random.pick(['application/merge-patch+json', 'application/strategic-merge-patch+json']);
  await session.ask(
    random.pick<RequestStep>([
      { method: 'POST', path, ...(random.chance(50) && { query: { dryRun: 'All' } }), body },
      { method: 'POST', path, body },
      { method: 'PUT', path: `${path}/${name}`, body },
      {
        method: 'PATCH',
        path: `${path}/${name}`,
        headers: { 'content-type': contentType },
        body: { metadata: { labels: { changed: `${index}` } } },
      },
      {
        method: 'PATCH',
        path: `${path}/${name}`,
        query: { fieldManager: random.pick(['one', 'two']), ...(random.chance(30) && { force: 'true' }) },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body,
      },
    ]),
  );
}

function pathOf(kind: Kind): string {
  return kind === 'deployments' ? '/apis/apps/v1/namespaces/{ns}/deployments' : `/api/v1/namespaces/{ns}/${kind}`;
}

function objectOf(kind: Kind, name: string, random: SeededRandom): Body {
  const metadata = { name, labels: { u: '{u}', ...(random.chance(30) && { app: 'web' }) } };
  if (kind === 'configmaps') {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...(random.chance(70) && { data: { a: '1', b: '2' } }) };
  }
  const containers = [
    { name: 'a', image: 'one' },
    ...(random.chance(50) ? [{ name: 'b', image: 'two', env: [{ name: 'E', value: 'e' }] }] : []),
  ];
  const spec = {
    containers,
    ...(random.chance(40) && { tolerations: [{ key: 'k', operator: 'Exists' }] }),
    ...(random.chance(40) && { nodeSelector: { disk: 'ssd' } }),
    ...(random.chance(30) && { volumes: [{ name: 'v', emptyDir: {} }] }),
  };
  if (kind === 'pods') return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      ...(random.chance(50) && { replicas: 2 }),
      selector: { matchLabels: { p: 'q' } },
      template: { metadata: { labels: { p: 'q' } }, spec },
    },
  };
}

function policySpec(random: SeededRandom, kind: Kind): Body {
  const mutation = () => (random.chance(60) ? applied(random, kind) : patched(random, kind));
  const marked = `object.metadata.name.startsWith("marker") ? Object{metadata: Object.metadata{labels: {"marked": "y"}}} : Object{}`;
  return {
    failurePolicy: random.pick(['Fail', 'Fail', 'Ignore']),
    reinvocationPolicy: random.pick(['Never', 'Never', 'IfNeeded']),
    matchConstraints: {
      resourceRules: [
        { apiGroups: ['', 'apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [kind] },
      ],
    },
    variables: [{ name: 'text', expression: random.pick(['"t"', 'object.metadata.name', '"1" + "2"']) }],
    ...(random.chance(20) && {
      matchConditions: [{ name: 'c', expression: `object.metadata.name.startsWith("marker") || ${bool(random)}` }],
    }),
    mutations: [
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: marked } },
      mutation(),
      ...(random.chance(40) ? [mutation()] : []),
    ],
  };
}

const bool = (random: SeededRandom) => randomExpression(random, 'bool', leaves);
const text = (random: SeededRandom) => (random.chance(60) ? '"v"' : randomExpression(random, 'string', leaves));
const number = (random: SeededRandom) => (random.chance(60) ? '3' : randomExpression(random, 'int', leaves));

function applied(random: SeededRandom, kind: Kind): Body {
  const own = kind === 'configmaps' ? configured(random) : specified(random, kind);
  const general = [
    `Object{metadata: Object.metadata{labels: {"l": ${text(random)}}}}`,
    `Object{metadata: Object.metadata{annotations: {"n/m": ${text(random)}, "o": "p"}}}`,
    `Object{metadata: Object.metadata{finalizers: ["a.example.com/f"]}}`,
    `Object{metadata: Object.metadata{ownerReferences: []}}`,
    `Object{metadata: Object.metadata{generateName: ${text(random)}, nope: 1}}`,
    `Object{apiVersion: "v1", kind: ${text(random)}}`,
    'Object{}',
    `${bool(random)} ? Object{} : Object{metadata: Object.metadata{labels: {"t": "f"}}}`,
    randomExpression(random, 'dyn', leaves),
    `Object{metadata: Object.metadata{labels: object.metadata.labels}}`,
    `Object{metadata: Object.metadata{labels: {"d": ${number(random)}}}}`,
    `Object{metadata: Object.metadata{?labels: optional.of({"opt": ${text(random)}})}}`,
  ];
  const expression = random.chance(65) ? random.pick(own) : random.pick(general);
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
}

function configured(random: SeededRandom): string[] {
  return [
    `Object{data: {"x": ${text(random)}}}`,
    `Object{data: object.?data.orValue({})}`,
    `Object{data: {"a": ${text(random)}}, immutable: ${bool(random)}}`,
    `Object{binaryData: {"b": b"x"}}`,
    `Object{binaryData: {"b": "eA=="}}`,
    `Object{data: Object.data{a: "b"}}`,
    `Object{immutable: "x"}`,
    `Object{data: null}`,
  ];
}

function specified(random: SeededRandom, kind: Kind): string[] {
  const at = kind === 'pods' ? 'Object.spec' : 'Object.spec.template.spec';
  const object = kind === 'pods' ? 'object.spec' : 'object.spec.template.spec';
  const within = (members: string) =>
    kind === 'pods'
      ? `Object{spec: Object.spec{${members}}}`
      : `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${members}}}}}`;
  const container = `${at}.containers`;
  return [
    within(`containers: [${container}{name: "a", image: ${text(random)}}]`),
    within(`containers: [${container}{name: "new", image: "n"}]`),
    within(
      `containers: ${object}.containers.map(c, ${container}{name: c.name, env: [${container}.env{name: "X", value: ${text(random)}}]})`,
    ),
    within(`containers: [${container}{image: "nameless"}]`),
    within(
      `containers: [${container}{name: "a", ports: [${container}.ports{containerPort: ${number(random)}, protocol: "UDP"}]}]`,
    ),
    within(`containers: [${container}{name: "a", ports: [${container}.ports{containerPort: 80}]}]`),
    within(
      `containers: [${container}{name: "a", resources: ${container}.resources{limits: {"cpu": "1", "memory": ${text(random)}}}}]`,
    ),
    within(`initContainers: [${at}.initContainers{name: "i", image: "j", restartPolicy: "Always"}]`),
    within(`initContainers: [${at}.initContainers{name: "i", image: "j"}] + ${object}.?initContainers.orValue([])`),
    within(`nodeSelector: {"zone": ${text(random)}}`),
    within(`tolerations: [${at}.tolerations{key: "t", operator: "Exists"}]`),
    within(`volumes: [${at}.volumes{name: "v", emptyDir: ${at}.volumes.emptyDir{medium: "Memory"}}]`),
    within(`volumes: [${at}.volumes{name: "w", configMap: ${at}.volumes.configMap{name: ${text(random)}}}]`),
    within(`hostNetwork: ${bool(random)}`),
    within(`terminationGracePeriodSeconds: ${number(random)}`),
    within(`securityContext: ${at}.securityContext{runAsUser: ${number(random)}}`),
    within(`imagePullSecrets: [${at}.imagePullSecrets{name: "s"}]`),
    within(`nope: 1`),
    within(`hostNetwork: "x"`),
    within(`hostAliases: [${at}.hostAliases{ip: "1.2.3.4", hostnames: ["h"]}]`),
    within(
      `topologySpreadConstraints: [${at}.topologySpreadConstraints{maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule"}]`,
    ),
    ...(kind === 'pods'
      ? [`Object{status: Object.status{phase: "Running"}}`]
      : [
          `Object{spec: Object.spec{replicas: ${number(random)}}}`,
          `Object{spec: Object.spec{replicas: ${number(random)}, minReadySeconds: 1, paused: ${bool(random)}}}`,
          `Object{spec: Object.spec{strategy: Object.spec.strategy{type: "Recreate"}}}`,
          `Object{spec: Object.spec{strategy: Object.spec.strategy{rollingUpdate: Object.spec.strategy.rollingUpdate{maxSurge: 1}}}}`,
          `Object{spec: Object.spec{strategy: Object.spec.strategy{rollingUpdate: Object.spec.strategy.rollingUpdate{maxSurge: "10%"}}}}`,
        ]),
  ];
}

function patched(random: SeededRandom, kind: Kind): Body {
  const spec = kind === 'configmaps' ? '/data' : kind === 'pods' ? '/spec' : '/spec/template/spec';
  const operation = () => {
    const op = random.pick(['add', 'add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'x']);
    const path = random.pick([
      '"/metadata/labels/j"',
      '"/metadata/labels/" + jsonpatch.escapeKey("a/b~c")',
      '"/metadata/annotations"',
      `"${spec}/x"`,
      `"${spec}/a"`,
      `"${spec}/nodeSelector"`,
      `"${spec}/containers/0/image"`,
      `"${spec}/containers/-"`,
      `"${spec}/tolerations/0"`,
      '"/spec/replicas"',
      '"/metadata/labels/app"',
      '"nope"',
      '""',
      text(random),
    ]);
    const value = random.pick([
      '"v"',
      text(random),
      number(random),
      bool(random),
      '{"k": "v"}',
      '{"name": "c", "image": "d"}',
      kind === 'pods' ? 'Object.spec.containers{name: "c", image: "d"}' : 'Object{}',
      '["l"]',
      'null',
      'object.metadata.labels',
      'Object.metadata{name: "x"}',
    ]);
    const from = op === 'copy' || op === 'move' ? ', from: "/metadata/labels/u"' : '';
    const given = op === 'remove' || from !== '' ? '' : `, value: ${value}`;
    return `JSONPatch{op: "${op}", path: ${path}${from}${given}}`;
  };
  const operations = () => Array.from({ length: 1 + random.below(2) }, operation).join(', ');
  const expression = random.pick([
    `[${operations()}]`,
    `[${operations()}]`,
    `${bool(random)} ? [${operations()}] : []`,
    `has(object.metadata.annotations) ? [${operations()}] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {"made": "y"}}]`,
    '[]',
    'object.metadata.labels.map(l, JSONPatch{op: "add", path: "/metadata/labels/" + l + "-copy", value: "c"})',
    randomExpression(random, 'list', leaves),
  ]);
  return { patchType: 'JSONPatch', jsonPatch: { expression } };
}
