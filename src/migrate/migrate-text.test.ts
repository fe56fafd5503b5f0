import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MigrationError, migrateText } from './migrate-text.ts';

/** Migrates to v1.34; the text and the notes. */
function migrated(text: string, minor = 34) {
  const { text: after, manifests } = migrateText(text, minor);
  return { text: after, notes: manifests.flatMap(({ notes }) => notes), manifests };
}

describe('migration of YAML', () => {
  test('migration of YAML keeps comments, order, blank lines and quotes', () => {
    const { text } = migrated(`# The budget of the shop.
apiVersion: policy/v1beta1 # old
kind: PodDisruptionBudget
metadata:
  name: 'web' # its name

spec:
  # at least one
  minAvailable: "50%"
  selector:
    matchLabels: { app: web }
`);
    assert.equal(
      text,
      `# The budget of the shop.
apiVersion: policy/v1 # old
kind: PodDisruptionBudget
metadata:
  name: 'web' # its name

spec:
  # at least one
  minAvailable: "50%"
  selector:
    matchLabels: { app: web }
`,
    );
  });

  test('migration of YAML keeps documents unchanged that need no migration, byte for byte', () => {
    const untouched = `---\n# first\napiVersion: v1\nkind:   ConfigMap\nmetadata: {name: a}\ndata:\n  k:   "v"   # odd\n---\n`;
    const { text, manifests } = migrated(
      `${untouched}apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: c\n---\n${untouched}`,
    );
    assert.equal(text, `${untouched}apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: c\n---\n${untouched}`);
    assert.deepEqual(
      manifests.map(({ line, kind, name, from, to }) => [line, kind, name, from, to]),
      [[9, 'CronJob', 'c', 'batch/v1beta1', 'batch/v1']],
    );
  });

  test('migration of YAML keeps lists that are not indented', () => {
    const { text } = migrated(`apiVersion: rbac.authorization.k8s.io/v1beta1
kind: Role
metadata:
  name: r
rules:
- apiGroups: [""]
  resources: ["pods"]
  verbs:
  - get
`);
    assert.equal(
      text,
      `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: r
rules:
- apiGroups: [""]
  resources: ["pods"]
  verbs:
  - get
`,
    );
  });

  test('migration of YAML migrates the items of Lists', () => {
    const { text } = migrated(`apiVersion: v1
kind: List
items:
  - apiVersion: batch/v1beta1
    kind: CronJob
    metadata: { name: c }
`);
    assert.match(text, /- apiVersion: batch\/v1\n/);
  });
});

test('migration of JSON keeps its order and indentation', () => {
  const job = '{"kind": "CronJob", "apiVersion": "batch/v1beta1", "metadata": {"name": "c"}}';
  assert.equal(migrated(job).text, job.replace('v1beta1', 'v1'));
  const { text } = migrated(
    '{\n    "kind": "PodDisruptionBudget",\n    "apiVersion": "policy/v1beta1",\n    "spec": {"selector": {}}\n}\n',
  );
  assert.match(
    text,
    /^\{\n {4}"kind": "PodDisruptionBudget",\n {4}"apiVersion": "policy\/v1",\n {4}"spec": \{\n {8}"sel/,
  );
});

describe('migration to newer API versions', () => {
  test('migration to newer API versions keeps the meaning of an empty selector', () => {
    const { text, notes } = migrated(
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata:\n  name: a\nspec:\n  selector: {}\n',
    );
    assert.match(text, /deprecated-v1beta1-empty-selector-match/);
    assert.match(notes.join(), /selected no pod/);
  });

  test('migration to newer API versions moves the services of an Ingress to their new fields', () => {
    const { text, notes } = migrated(`apiVersion: extensions/v1beta1
kind: Ingress
metadata:
  name: web
spec:
  backend:
    serviceName: fallback
    servicePort: http
  rules:
    - host: example.com
      http:
        paths:
          - path: / # all
            backend:
              serviceName: web
              servicePort: 80
`);
    assert.equal(
      text,
      `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  defaultBackend:
    service:
      name: fallback
      port:
        name: http
  rules:
    - host: example.com
      http:
        paths:
          - path: / # all
            backend:
              service:
                name: web
                port:
                  number: 80
            pathType: ImplementationSpecific
`,
    );
    assert.equal(notes.length, 1);
  });

  test('migration to newer API versions gives metrics of a HorizontalPodAutoscaler a target and a metric', () => {
    const { text } = migrated(`apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  maxReplicas: 3
  metrics:
    - type: Resource
      resource:
        name: cpu
        targetAverageUtilization: 60 # percent
    - type: Object
      object:
        target: { kind: Service, name: s }
        metricName: hits
        targetValue: 1k
`);
    assert.match(text, /name: cpu\n {8}target:\n {10}type: Utilization\n {10}averageUtilization: 60/);
    assert.match(
      text,
      /describedObject: \{ kind: Service, name: s \}\n {8}metric:\n {10}name: hits\n {8}target:\n {10}type: Value/,
    );
  });

  test('migration to newer API versions writes 0 shares of a PriorityLevelConfiguration as the shares that they meant', () => {
    const level = (version: string, member: string) =>
      `apiVersion: flowcontrol.apiserver.k8s.io/${version}\nkind: PriorityLevelConfiguration\nmetadata:\n  name: a\nspec:\n  type: Limited\n  limited:\n    ${member}: 0\n`;
    assert.match(migrated(level('v1beta1', 'assuredConcurrencyShares')).text, /nominalConcurrencyShares: 30/);
    assert.match(
      migrated(level('v1beta3', 'nominalConcurrencyShares')).text,
      /\/v1\n(?:.*\n)*.*nominalConcurrencyShares: 30/,
    );
    assert.match(migrated(level('v1beta1', 'assuredConcurrencyShares'), 28).text, /v1beta3\n/, 'v1 came with 1.29');
  });

  test('migration to newer API versions copies common fields of a CustomResourceDefinition into each version', () => {
    const { text } = migrated(`apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  version: v1
  names: { plural: widgets, kind: Widget }
  scope: Namespaced
  subresources: { status: {} }
  additionalPrinterColumns:
    - name: Age
      type: date
      JSONPath: .metadata.creationTimestamp
  validation:
    openAPIV3Schema:
      type: object
`);
    assert.match(text, /versions:\n {4}- name: v1\n {6}served: true\n {6}storage: true\n {6}schema:/);
    assert.match(text, /jsonPath: \.metadata\.creationTimestamp/);
    assert.match(text, /x-kubernetes-preserve-unknown-fields: true/);
    assert.doesNotMatch(text, /^ {2}(?:version|validation|subresources):/m);
  });

  test('migration to newer API versions reports a kind without a successor and keeps it', () => {
    const policy = 'apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata:\n  name: restricted\n';
    const { text, manifests } = migrated(policy);
    assert.equal(text, policy);
    assert.equal(manifests[0]?.to, undefined);
    assert.match(manifests[0]?.notes.join() ?? '', /pod security admission/);
  });
});

test('migration rejects an object that cannot be migrated with its line', () => {
  assert.throws(
    () => migrateText('apiVersion: batch/v1beta1\nkind: {{ .Values.kind }}\n', 34),
    new MigrationError("line 2: this is a Helm template: render it first, as with 'helm template'"),
  );
  assert.throws(() => migrateText('apiVersion: batch/v1beta1\nkind: [\n', 34), MigrationError);
  const template = '{{- if .Values.enabled }}\napiVersion: batch/v1beta1\nkind: CronJob\n{{- end }}\n';
  for (const text of [template, template.replace('v1beta1', 'v1')]) {
    assert.throws(() => migrateText(text, 34), /^MigrationError: line 1: this is a Helm template/);
  }
  assert.throws(() => migrateText('apiVersion: v1\nkind: [\n', 34), MigrationError, 'though nothing would change');
  assert.throws(() => migrateText('{"apiVersion": "v1"', 34), MigrationError);
  const dashboard = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "{{ $labels.pod }}"\n';
  assert.equal(migrateText(dashboard, 34).text, dashboard, 'braces in values are not a template');
});

test('migration takes less than a second for 1,000 documents', () => {
  const one = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: c\nspec:\n  schedule: "* * * * *"\n---\n';
  assert.equal(migrateText(one.repeat(1000), 34).manifests.length, 1000);
});
