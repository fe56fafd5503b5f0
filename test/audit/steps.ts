// Requests whose audit events were recorded from kube-apiserver: one for each case that its audit distinguishes.

import type { JsonObject } from '../../src/api/object.ts';
import { protobufBytes } from '../../src/http/response/protobuf-bytes.ts';
import { faultSteps } from './fault-steps.ts';
import type { Step } from './step.ts';

export const policy = `
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: None
  nonResourceURLs: ["/readyz*", "/healthz*"]
- level: None
  users: ["system:apiserver"]
- level: Metadata
  namespaces: ["meta"]
- level: Request
  namespaces: ["request"]
  omitManagedFields: true
- level: RequestResponse
  namespaces: ["bare"]
  omitManagedFields: true
- level: RequestResponse
`;

/** @param webhook the address of a webhook, and its CA */
export function steps(webhook: { readonly url: string; readonly caBundle: string }): readonly Step[] {
  return [
    ...namespaces(),
    ...maps(),
    ...refusals(),
    ...forms(),
    ...subresources(),
    ...security(),
    ...policies(),
    ...webhooks(webhook),
    ...paths(),
    ...faultSteps(),
    { name: 'last', path: '/version' },
  ];
}

const MAPS = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

function map(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' }, ...more };
}

function post(name: string, path: string, body: JsonObject): Step {
  return { name, method: 'POST', path, body };
}

function namespaces(): Step[] {
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/audit': 'restricted' };
  const create = (name: string, metadata: JsonObject) =>
    post(`namespace-${name}`, '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, ...metadata },
    });
  return [
    ...['meta', 'request', 'bare', 'full'].map((name) => create(name, {})),
    create('secure', { labels }),
    { name: 'namespace-get', path: '/api/v1/namespaces/full' },
  ];
}

function maps(): Step[] {
  return ['meta', 'request', 'bare', 'full'].flatMap((namespace): Step[] => {
    const path = MAPS(namespace);
    const of = (name: string, step: Omit<Step, 'name'>): Step => ({ name: `${namespace}-${name}`, ...step });
    return [
      of('create', { method: 'POST', path, body: map('one') }),
      of('generate', { method: 'POST', path, body: map('', { metadata: { generateName: 'made-' } }) }),
      of('get', { path: `${path}/one` }),
      of('update', { method: 'PUT', path: `${path}/one`, body: map('one', { data: { a: '2' }, unknown: true }) }),
      of('patch', {
        method: 'PATCH',
        path: `${path}/one?fieldManager=me&pretty=false`,
        type: 'application/merge-patch+json',
        body: '{"data": {"b": "<&>"}}',
      }),
      of('patch-strategic', {
        method: 'PATCH',
        path: `${path}/one`,
        type: 'application/strategic-merge-patch+json',
        body: { data: { b: null } },
      }),
      of('apply', {
        method: 'PATCH',
        path: `${path}/applied?fieldManager=me`,
        type: 'application/apply-patch+yaml',
        body: map('applied'),
      }),
      of('apply-conflict', {
        method: 'PATCH',
        path: `${path}/applied?fieldManager=you`,
        type: 'application/apply-patch+yaml',
        body: map('applied', { data: { a: 'x' } }),
      }),
      of('list', { path: `${path}?limit=5&fieldSelector=metadata.name%3Done` }),
      of('list-label', { path: `${path}?labelSelector=none` }),
      of('watch', { path: `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Done` }),
      of('delete', { method: 'DELETE', path: `${path}/one` }),
      of('delete-again', { method: 'DELETE', path: `${path}/one` }),
      of('delete-options', {
        method: 'DELETE',
        path: `${path}/applied`,
        body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' },
      }),
      of('delete-collection', { method: 'DELETE', path: `${path}?labelSelector=none` }),
    ];
  });
}

function refusals(): Step[] {
  const path = MAPS('full');
  return [
    { name: 'unauthorized', path: `${path}/x`, token: 'nobody' },
    { name: 'unauthorized-write', method: 'POST', path: `${MAPS('meta')}?dryRun=All`, token: 'nobody', body: map('x') },
    { name: 'anonymous', path: `${path}/x`, token: '' },
    { name: 'forbidden', path: `${path}/x`, token: 'alice-token' },
    { name: 'forbidden-list', path: `${path}?fieldSelector=metadata.name%3Dx`, token: 'alice-token' },
    { name: 'forbidden-path', path: '/metrics', token: 'alice-token' },
    { name: 'not-found', path: `${path}/missing` },
    { name: 'not-found-meta', path: `${MAPS('meta')}/missing` },
    { name: 'no-resource', path: '/api/v1/namespaces/full/nothings/x' },
    { name: 'no-group', path: '/apis/no.group/v1/things' },
    post('exists', path, map('kube-root')),
    post('exists-again', path, map('kube-root')),
    post('invalid', path, map('No Name')),
    post('invalid-meta', MAPS('meta'), map('No Name')),
    { name: 'garbage', method: 'POST', path, body: '{"kind', type: 'application/json' },
    post('other-namespace', path, map('x', { metadata: { name: 'x', namespace: 'meta' } })),
    post('no-namespace', MAPS('missing'), map('x')),
    { name: 'media-type', method: 'POST', path, body: 'x', type: 'text/plain' },
    { name: 'method', method: 'PUT', path, body: map('x') },
    { name: 'not-acceptable', path, headers: { accept: 'text/html' } },
    { name: 'no-selector', path: `${path}?fieldSelector=bad` },
    {
      name: 'conflict',
      method: 'PUT',
      path: `${path}/kube-root`,
      body: map('kube-root', { metadata: { name: 'kube-root', resourceVersion: '1' } }),
    },
    {
      name: 'patch-garbage',
      method: 'PATCH',
      path: `${path}/kube-root`,
      type: 'application/json-patch+json',
      body: '[{"op": "nothing"}]',
    },
    {
      name: 'impersonate',
      path: `${path}/kube-root`,
      headers: { 'impersonate-user': 'bob', 'impersonate-group': 'qa', 'impersonate-extra-reason': 'why' },
    },
    {
      name: 'impersonate-admin',
      path: `${path}/kube-root`,
      headers: { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters', 'impersonate-uid': 'u1' },
    },
    {
      name: 'impersonate-forbidden',
      path: `${path}/kube-root`,
      token: 'alice-token',
      headers: { 'impersonate-user': 'bob' },
    },
    { name: 'impersonate-nobody', path: `${path}/kube-root`, headers: { 'impersonate-group': 'qa' } },
  ];
}

function forms(): Step[] {
  const path = MAPS('full');
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  const partials = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  return [
    {
      name: 'yaml',
      method: 'POST',
      path,
      type: 'application/yaml',
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n',
    },
    {
      name: 'protobuf',
      method: 'POST',
      path,
      type: 'application/vnd.kubernetes.protobuf',
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
      body: protobufBytes(map('protobuf')),
    },
    { name: 'get-yaml', path: `${path}/yaml`, headers: { accept: 'application/yaml' } },
    { name: 'get-protobuf', path: `${path}/yaml`, headers: { accept: 'application/vnd.kubernetes.protobuf' } },
    { name: 'get-table', path: `${path}/yaml`, headers: { accept: table } },
    { name: 'list-table', path: `${MAPS('bare')}`, headers: { accept: table } },
    { name: 'list-table-meta', path: `${MAPS('meta')}`, headers: { accept: table } },
    { name: 'get-partial', path: `${path}/yaml`, headers: { accept: partial } },
    { name: 'list-partial', path, headers: { accept: partials } },
    { name: 'list-protobuf', path, headers: { accept: 'application/vnd.kubernetes.protobuf' } },
    { name: 'list', path },
    { name: 'list-namespaces', path: '/api/v1/namespaces?labelSelector=none%3Dx' },
    { name: 'head', method: 'HEAD', path },
    post('dry-run', `${path}?dryRun=All`, map('dry')),
    {
      name: 'deployment',
      method: 'POST',
      path: '/apis/apps/v1/namespaces/full/deployments',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
          },
        },
      },
    },
    {
      name: 'scale',
      method: 'PUT',
      path: '/apis/apps/v1/namespaces/full/deployments/web/scale',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 2 } },
    },
    { name: 'scale-get', path: '/apis/apps/v1/namespaces/full/deployments/web/scale' },
    {
      name: 'status',
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/full/deployments/web/status',
      type: 'application/merge-patch+json',
      body: { status: { replicas: 1 } },
    },
    { name: 'deprecated', path: '/api/v1/namespaces/full/endpoints' },
  ];
}

const PODS = '/api/v1/namespaces/full/pods';

function subresources(): Step[] {
  return [
    {
      name: 'account',
      method: 'POST',
      path: '/api/v1/namespaces/full/serviceaccounts',
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
    },
    post('token', '/api/v1/namespaces/full/serviceaccounts/default/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['x'] },
    }),
    post('pod', PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
    }),
    { name: 'log', path: `${PODS}/p/log` },
    { name: 'exec', method: 'POST', path: `${PODS}/p/exec?command=ls&stdout=true` },
    { name: 'exec-missing', path: `${PODS}/missing/exec?command=ls&stdout=true` },
    { name: 'log-missing', path: `${PODS}/missing/log` },
    { name: 'attach-forbidden', method: 'POST', path: `${PODS}/p/attach`, token: 'alice-token' },
    { name: 'proxy-missing', path: `${PODS}/missing/proxy/a/b?c=d` },
    post('eviction', `${PODS}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
    }),
    post('review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    { name: 'old-watch', path: '/api/v1/watch/namespaces/full/pods/p?timeoutSeconds=1' },
  ];
}

function security(): Step[] {
  const path = '/api/v1/namespaces/secure';
  const pod = (name: string, spec: JsonObject): Step =>
    post(`secure-${name}`, `${path}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { automountServiceAccountToken: false, ...spec },
    });
  return [
    post('secure-account', `${path}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    }),
    pod('allowed', { containers: [{ name: 'c', image: 'i' }] }),
    pod('refused', { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] }),
    post('secure-deployment', '/apis/apps/v1/namespaces/secure/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
  ];
}

function policies(): Step[] {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const api = { apiVersion: 'admissionregistration.k8s.io/v1' };
  const policy = (name: string, spec: JsonObject): Step =>
    post(`policy-${name}`, `${group}/validatingadmissionpolicies`, {
      ...api,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
        },
        ...spec,
      },
    });
  const binding = (name: string, actions: readonly string[]): Step =>
    post(`binding-${name}`, `${group}/validatingadmissionpolicybindings`, {
      ...api,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: [...actions] },
    });
  const secret = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
  return [
    policy('notes', {
      validations: [{ expression: 'object.metadata.name != "audited"', message: 'not <that> name' }],
      auditAnnotations: [
        { key: 'name', valueExpression: "'it is ' + object.metadata.name" },
        { key: 'none', valueExpression: 'null' },
      ],
    }),
    binding('notes', ['Audit', 'Warn']),
    policy('denies', { validations: [{ expression: 'object.metadata.name != "denied"', reason: 'Forbidden' }] }),
    binding('denies', ['Deny', 'Audit']),
    post('policy-pause', '/api/v1/namespaces/full/secrets', secret('pause')),
    post('policy-fine', '/api/v1/namespaces/full/secrets', secret('fine')),
    post('policy-audited', '/api/v1/namespaces/full/secrets', secret('audited')),
    post('policy-denied', '/api/v1/namespaces/full/secrets', secret('denied')),
    post('policy-meta', '/api/v1/namespaces/meta/secrets', secret('audited')),
  ];
}

function webhooks({ url, caBundle }: { readonly url: string; readonly caBundle: string }): Step[] {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const hook = (name: string, path: string, more: JsonObject = {}): JsonObject => ({
    name: `${name}.example.com`,
    clientConfig: { url: `${url}/${path}`, caBundle },
    rules: [{ apiGroups: ['batch'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['cronjobs'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  });
  const configuration = (kind: string, hooks: readonly JsonObject[]): Step =>
    post(`webhook-${kind}`, `${group}/${kind.toLowerCase()}s`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'hooks' },
      webhooks: [...hooks],
    });
  const job = (name: string): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    },
  });
  const jobs = (namespace: string) => `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
  return [
    configuration('MutatingWebhookConfiguration', [
      hook('labels', 'label', { reinvocationPolicy: 'IfNeeded' }),
      hook('idle', 'allow'),
      hook('annotates', 'annotate'),
      hook('broken', 'broken', { failurePolicy: 'Ignore' }),
    ]),
    configuration('ValidatingWebhookConfiguration', [
      hook('checks', 'annotations'),
      hook('broken', 'broken', { failurePolicy: 'Ignore' }),
      hook('denies', 'deny'),
    ]),
    post('webhook-pause', jobs('full'), job('pause')),
    post('webhook-full', jobs('full'), job('fine')),
    post('webhook-meta', jobs('meta'), job('fine')),
    post('webhook-request', jobs('request'), job('fine')),
    post('webhook-denied', jobs('full'), job('denied')),
  ];
}

function paths(): Step[] {
  return [
    { name: 'version', path: '/version' },
    { name: 'version-slash', path: '/version/?x=%2F&y=%20' },
    { name: 'discovery', path: '/api' },
    { name: 'discovery-group', path: '/apis/apps/v1' },
    { name: 'nowhere', path: '/nowhere' },
    { name: 'post-nowhere', method: 'POST', path: '/nowhere', body: '{}', type: 'application/json' },
    { name: 'options', method: 'OPTIONS', path: MAPS('full') },
    { name: 'healthz', path: '/healthz' },
    {
      name: 'forwarded',
      path: '/version',
      headers: { 'x-forwarded-for': '10.0.0.1, nonsense, 10.0.0.2', 'x-real-ip': '10.0.0.3' },
    },
    { name: 'agent', path: '/version', headers: { 'user-agent': 'x'.repeat(1100) } },
  ];
}
