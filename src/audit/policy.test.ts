import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AuditAttributes, PolicyEvaluator } from './policy.ts';
import { PolicyError, readPolicy } from './policy-reader.ts';

const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';

const pods: AuditAttributes = {
  user: { name: 'alice', uid: '', groups: ['dev', 'system:authenticated'], extra: {} },
  verb: 'get',
  isResource: true,
  path: '/api/v1/namespaces/x/pods/p',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'x',
  name: 'p',
};
const status = { ...pods, subresource: 'status' };
const path = { ...pods, isResource: false, path: '/healthz/ping', resource: '', namespace: '', name: '', version: '' };

/** Whether a rule with these fields, in YAML, is about a request. */
async function matches(fields: string, attributes: AuditAttributes): Promise<boolean> {
  const { policy } = await readPolicy(`${HEAD}rules:\n- {level: Metadata, ${fields}}\n`);
  return new PolicyEvaluator(policy).evaluate(attributes).level === 'Metadata';
}

suite('rules of an audit policy', () => {
  const cases: [fields: string, attributes: AuditAttributes, expected: boolean][] = [
    ['', pods, true],
    ['users: [alice, bob]', pods, true],
    ['users: [bob]', pods, false],
    ['users: [alice]', { ...pods, user: undefined }, false],
    ['userGroups: [qa, dev]', pods, true],
    ['userGroups: [qa]', pods, false],
    ['verbs: [get]', pods, true],
    ['verbs: [list]', pods, false],
    ['namespaces: [x]', pods, true],
    ['namespaces: [""]', pods, false],
    ['namespaces: [""]', { ...pods, namespace: '' }, true],
    ['namespaces: [""]', path, false],
    ['resources: [{group: ""}]', pods, true],
    ['resources: [{group: apps}]', pods, false],
    ['resources: [{resources: [pods]}]', pods, true],
    ['resources: [{resources: [pods]}]', status, false],
    ['resources: [{resources: ["*"]}]', status, true],
    ['resources: [{resources: ["pods/*"]}]', status, true],
    ['resources: [{resources: ["pods/*"]}]', pods, true],
    ['resources: [{resources: ["pods/status"]}]', status, true],
    ['resources: [{resources: ["*/status"]}]', status, true],
    ['resources: [{resources: ["*/status"]}]', pods, false],
    ['resources: [{resources: [pods], resourceNames: [p]}]', pods, true],
    ['resources: [{resources: [pods], resourceNames: [q]}]', pods, false],
    ['nonResourceURLs: ["/healthz*"]', path, true],
    ['nonResourceURLs: ["/healthz"]', path, false],
    ['nonResourceURLs: ["*"]', path, true],
    ['nonResourceURLs: ["*"]', pods, false],
  ];
  for (const [fields, attributes, expected] of cases) {
    const about = attributes.isResource ? `${attributes.resource}/${attributes.subresource}` : attributes.path;
    test(`${fields || 'everything'}: ${about} ${expected ? 'is' : 'is not'} recorded`, async () => {
      assert.equal(await matches(fields, attributes), expected);
    });
  }
});

test('the first matching audit rule decides, with the omitted stages of rule and policy', async () => {
  const { policy } = await readPolicy(
    `${HEAD}omitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n` +
      '- {level: Request, verbs: [get], omitStages: [Panic], omitManagedFields: false}\n- {level: Metadata}\n',
  );
  const evaluator = new PolicyEvaluator(policy);
  const first = evaluator.evaluate(pods);
  assert.deepEqual(
    [first.level, [...first.omitStages], first.omitManagedFields],
    ['Request', ['RequestReceived', 'Panic'], false],
  );
  const second = evaluator.evaluate({ ...pods, verb: 'list' });
  assert.deepEqual([second.level, second.omitManagedFields], ['Metadata', true]);
});

test('a request that no audit rule matches is not recorded', async () => {
  const { policy } = await readPolicy(`${HEAD}rules: [{level: Metadata, verbs: [list]}]`);
  assert.equal(new PolicyEvaluator(policy).evaluate(pods).level, 'None');
});

suite('an invalid audit policy', () => {
  const cases: [text: string, message: string | RegExp][] = [
    [`${HEAD}rules: []`, 'loaded illegal policy with 0 rules'],
    [
      'kind: Policy\nrules: [{level: None}]',
      'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy',
    ],
    ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
    [
      'apiVersion: v1\nkind: Pod',
      'failed decoding: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
    [
      'apiVersion: audit.k8s.io/v2\nrules: []',
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v2" in scheme "pkg/runtime/scheme.go:110"',
    ],
    [
      'apiVersion: audit.k8s.io/v1\nkind: Event',
      'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion',
    ],
    [
      'apiVersion: [x]\nkind: Policy',
      "failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .apiVersion of type string",
    ],
    ['apiVersion: a/b/c\nkind: Policy', 'failed decoding: unexpected GroupVersion string: a/b/c'],
    [
      '{"apiVersion": "audit.k8s.io/v1", "rules": [',
      "failed decoding: couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      '[]',
      "failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type " +
        String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [`${HEAD}rules: {`, /^failed decoding: yaml: /],
    [
      `${HEAD}rules: [{level: 5}]`,
      'failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level',
    ],
    [
      `${HEAD}rules: [{level: Bad}]`,
      'rules[0].level: Unsupported value: "Bad": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      `${HEAD}omitStages: [Yy]\nrules: [{}, {level: None, nonResourceURLs: [x, /a*b, "*"], namespaces: [a]}]`,
      '[omitStages[0]: Invalid value: "Yy": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic, ' +
        'rules[0].level: Required value, ' +
        'rules[1].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a \'/\' character, ' +
        'rules[1].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule, ' +
        'rules[1].nonResourceURLs: Invalid value: ["x","/a*b","*"]: rules cannot apply to both regular resources and non-resource URLs]',
    ],
    [
      `${HEAD}rules: [{level: None, resources: [{group: a/b, resourceNames: [x]}]}]`,
      /^\[rules\[0\]\.resources\.group: Invalid value: "a\/b": .*, rules\[0\]\.resources\.resourceNames: Invalid value: \["x"\]: using resourceNames requires at least one resource\]$/,
    ],
  ];
  for (const [text, message] of cases) {
    test(`an audit policy is rejected with ${JSON.stringify(text.replace(HEAD, ''))}`, async () => {
      await assert.rejects(readPolicy(text), (error) => {
        assert.ok(error instanceof PolicyError);
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        return true;
      });
    });
  }
});

test('the kind of an audit policy may be omitted', async () => {
  const { policy } = await readPolicy('apiVersion: audit.k8s.io/v1\nrules: [{level: None}]');
  assert.equal(policy.rules.length, 1);
});

test('unknown and duplicate fields of an audit policy are reported and ignored', async () => {
  const { warning, policy } = await readPolicy(`${HEAD}rules: [{level: None, bad: 1}]`);
  assert.equal(warning, 'strict decoding error: unknown field "rules[0].bad"');
  assert.equal(policy.rules.length, 1);
});

test('a rule of an audit policy can be for all groups from 1.36 on', async () => {
  const text = `${HEAD}rules: [{level: Metadata, resources: [{group: "*", resources: [pods]}]}]`;
  await assert.rejects(
    readPolicy(text, { minor: 35 }),
    /^PolicyError: rules\[0\]\.resources\.group: Invalid value: "\*": /,
  );
  const { policy } = await readPolicy(text, { minor: 36 });
  const evaluator = new PolicyEvaluator(policy);
  for (const group of ['', 'metrics.k8s.io']) assert.equal(evaluator.evaluate({ ...pods, group }).level, 'Metadata');
  assert.equal(evaluator.evaluate({ ...pods, resource: 'nodes' }).level, 'None');
  assert.equal(evaluator.evaluate(path).level, 'None');
});
