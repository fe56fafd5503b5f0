// Requests whose audit events were recorded from kube-apiserver under a policy with rules for users, verbs, resources,
// names, namespaces and paths, and with omitted stages. Patches that are not JSON are excluded: kube-apiserver loses
// their events.

import type { JsonObject } from '../../src/api/object.ts';
import { APPLY, JSON_PATCH, MAPS, MERGE, map, ONE, PODS, pod, post, STRATEGIC, WIDGETS } from './selective-objects.ts';
import { refusals } from './selective-refusals.ts';
import { otherSubresources, podSubresources, reviews } from './selective-subresources.ts';
import type { Step } from './step.ts';

export const selectivePolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: ["RequestReceived"]
omitManagedFields: true
rules:
- level: None
  nonResourceURLs: ["/readyz*", "/healthz*"]
- level: None
  users: ["system:apiserver"]
- level: Metadata
  users: ["alice"]
  verbs: ["list", "watch"]
- level: Request
  userGroups: ["qa"]
  omitStages: ["ResponseStarted"]
- level: None
  resources: [{group: "", resources: ["secrets"], resourceNames: ["hidden"]}]
- level: Metadata
  resources: [{group: "", resources: ["*/status", "pods/log"]}]
- level: Request
  omitManagedFields: false
  resources: [{group: "apps"}]
- level: Metadata
  verbs: ["get"]
  resources: [{group: "", resources: ["pods/*"]}]
- level: Metadata
  namespaces: [""]
  verbs: ["list", "deletecollection"]
- level: Request
  nonResourceURLs: ["/version", "/api*"]
- level: None
  nonResourceURLs: ["*"]
- level: RequestResponse
  omitManagedFields: false
  resources: [{group: "", resources: ["configmaps", "*"]}, {group: "example.com", resources: ["*"]}]
- level: RequestResponse
`;

export function selectiveSteps(): readonly Step[] {
  return [
    ...beginning(),
    ...patches('map', `${MAPS}/m`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { z: '1' } }),
    ...patches('widget', `${WIDGETS}/w`, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { z: 1 },
    }),
    ...patches('deployment', '/apis/apps/v1/namespaces/one/deployments/d', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 3 },
    }),
    ...people(),
    ...impersonations(),
    ...names(),
    ...podSubresources(),
    ...otherSubresources(),
    ...reviews(),
    ...refusals(),
    ...paths(),
    ...collections(),
    { name: 'last', path: '/version' },
  ];
}

function beginning(): Step[] {
  return [
    post('namespace', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'one' } }),
    post('account', `${ONE}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    }),
    post('definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition()),
    { name: 'definition-pause', path: '' },
    post('map', MAPS, map('m')),
    post('widget', WIDGETS, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { replicas: 1, z: 0 },
    }),
    post('deployment', '/apis/apps/v1/namespaces/one/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
    post('pod', PODS, pod('p')),
    post('service', `${ONE}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: 'None', ports: [{ port: 80 }] },
    }),
    post('node', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }),
  ];
}

function definition(): JsonObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
        {
          name: 'v1beta1',
          served: true,
          storage: false,
          deprecated: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}

/** Patches of all kinds of one object. */
function patches(of: string, path: string, applied: JsonObject): Step[] {
  const patch = (name: string, type: string, body: string | JsonObject, query = ''): Step => {
    return { name: `${of}-${name}`, method: 'PATCH', path: path + query, type, body };
  };
  const label = { metadata: { labels: { 'a<b': 'x' } } };
  const add = '[{"op": "add", "path": "/metadata/labels", "value": {"l": "1"}}]';
  return [
    patch('merge', MERGE, '{"metadata": {"annotations": {"n": "<1>"}}}'),
    patch('merge-invalid', MERGE, label),
    patch('merge-list', MERGE, '[1]'),
    patch('json', JSON_PATCH, add),
    patch('json-test', JSON_PATCH, '[{"op":"test","path":"/metadata/name","value":"other"}]'),
    patch('json-object', JSON_PATCH, '{"op":"test"}'),
    patch('strategic', STRATEGIC, '{"metadata":{"labels":{"s":"1","$patch":"merge"}}}'),
    patch('apply', APPLY, applied, '?fieldManager=me&force=true'),
    patch('apply-validated', APPLY, applied, '?fieldManager=me&fieldValidation=Strict&dryRun=All'),
    patch('type', 'text/plain', '{}'),
    patch('conflict', MERGE, { metadata: { resourceVersion: '1' } }),
    patch('uid', MERGE, { metadata: { uid: 'other' } }),
    patch('name', MERGE, { metadata: { name: 'other' } }),
  ];
}

function people(): Step[] {
  const as = (name: string, token: string, step: Omit<Step, 'name'>): Step => ({ name, token, ...step });
  return [
    as('alice-list', 'alice-token', { path: MAPS }),
    as('alice-get', 'alice-token', { path: `${MAPS}/m` }),
    as('alice-watch', 'alice-token', { path: `${MAPS}?watch=true&timeoutSeconds=1` }),
    as('alice-post', 'alice-token', { method: 'POST', path: MAPS, body: map('alice') }),
    as('bob-get', 'bob-token', { path: `${MAPS}/m` }),
    as('bob-path', 'bob-token', { path: '/api' }),
    as('bob-review', 'bob-token', {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    }),
    as('alice-exec', 'alice-token', { method: 'POST', path: `${PODS}/p/exec?command=a&command=b` }),
    as('wrong', 'wrong-token', { path: '/version' }),
  ];
}

function impersonations(): Step[] {
  const as = (name: string, headers: Record<string, string>, more: Partial<Step> = {}): Step => {
    return { name: `as-${name}`, path: `${MAPS}/m`, headers, ...more };
  };
  return [
    as('user', { 'impersonate-user': 'eve' }),
    as('admin', { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' }),
    as('all', {
      'impersonate-user': 'eve',
      'impersonate-uid': 'u<1>',
      'impersonate-group': 'system:masters',
      'impersonate-extra-scopes.example.com%2fx': 'y',
    }),
    as('account', { 'impersonate-user': 'system:serviceaccount:one:default' }),
    as('anonymous', { 'impersonate-user': 'system:anonymous' }),
    as('no-user', { 'impersonate-group': 'x' }),
    as('extra-alone', { 'impersonate-extra-a': 'x' }),
    as('forbidden', { 'impersonate-user': 'eve' }, { token: 'alice-token' }),
    as('forbidden-list', { 'impersonate-user': 'eve', 'impersonate-group': 'a' }, { token: 'bob-token', path: MAPS }),
    as(
      'create',
      { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' },
      { method: 'POST', path: MAPS, body: map('eves') },
    ),
    as('path', { 'impersonate-user': 'eve' }, { path: '/apis' }),
    as('alice', { 'impersonate-user': 'alice' }, { path: MAPS }),
  ];
}

function names(): Step[] {
  const secret = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
  const path = `${ONE}/secrets`;
  return [
    post('hidden-create', path, secret('hidden')),
    { name: 'hidden-get', path: `${path}/hidden` },
    { name: 'hidden-list', path: `${path}?fieldSelector=metadata.name%3Dhidden` },
    { name: 'hidden-watch', path: `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dhidden` },
    { name: 'hidden-missing', path: `${path}/hidden2` },
    { name: 'hidden-delete', method: 'DELETE', path: `${path}/hidden` },
    post('named-namespace', `${path}`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', namespace: 'two' } }),
    post('secret', path, { ...secret('shown'), stringData: { a: 'b' } }),
  ];
}

function paths(): Step[] {
  return [
    '/version',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/example.com',
    '/openapi/v2?x=1',
    '/livez',
    '/metrics2',
    '/',
    '/apix',
    '/logs/x',
    '/.well-known/openid-configuration',
    '/openid/v1/jwks',
  ].map((path): Step => ({ name: `path-${path}`, path, ...(path === '/openapi/v2?x=1' ? { method: 'HEAD' } : {}) }));
}

function collections(): Step[] {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  return [
    { name: 'all-maps', path: '/api/v1/configmaps?labelSelector=of%3Dmaps' },
    { name: 'all-maps-watch', path: '/api/v1/configmaps?watch=1&timeoutSeconds=1&labelSelector=of%3Dmaps' },
    { name: 'widgets', path: WIDGETS },
    { name: 'widgets-table', path: WIDGETS, headers: { accept: table } },
    { name: 'deployments', path: '/apis/apps/v1/namespaces/one/deployments' },
    { name: 'nodes', path: '/api/v1/nodes' },
    { name: 'nodes-delete', method: 'DELETE', path: '/api/v1/nodes' },
    {
      name: 'maps-delete',
      method: 'DELETE',
      path: `${MAPS}?labelSelector=of%3Dmaps`,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
    },
    { name: 'maps-delete-dry', method: 'DELETE', path: `${MAPS}?dryRun=All` },
    { name: 'maps-delete-bad', method: 'DELETE', path: `${MAPS}?labelSelector=%21%21` },
    { name: 'maps-delete-policy', method: 'DELETE', path: MAPS, body: { propagationPolicy: 'None' } },
    {
      name: 'maps-delete-partial',
      method: 'DELETE',
      path: MAPS,
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    },
    { name: 'widgets-delete', method: 'DELETE', path: WIDGETS },
    {
      name: 'deployments-delete',
      method: 'DELETE',
      path: '/apis/apps/v1/namespaces/one/deployments',
      headers: { accept: table },
    },
    { name: 'alice-delete', method: 'DELETE', path: MAPS, token: 'alice-token' },
  ];
}
