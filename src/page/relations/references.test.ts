import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referencesOf } from './references.ts';

const named = (name: string, members: object) => ({
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1' },
  ...members,
});
const shown = (kind: string, object: ReturnType<typeof named>) =>
  referencesOf(kind, object).map((one) => `${one.kind} ${one.namespace}/${one.name}: ${one.use}`);

const POD_SPEC = {
  serviceAccountName: 'runner',
  imagePullSecrets: [{ name: 'registry' }],
  initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'password', key: 'p' } } }] }],
  containers: [
    {
      env: [
        { name: 'PLAIN', value: 'x' },
        { valueFrom: { configMapKeyRef: { name: 'settings', key: 'a', optional: true } } },
      ],
      envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'password', optional: true } }],
    },
  ],
  volumes: [
    { name: 'data', persistentVolumeClaim: { claimName: 'data-0' } },
    { name: 'files', configMap: { name: 'settings' } },
    { name: 'key', secret: { secretName: 'key', optional: true } },
    { name: 'all', projected: { sources: [{ secret: { name: 'tls' } }, { serviceAccountToken: { path: 't' } }] } },
    { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
  ],
};

test('a pod refers to its node, identity, claims, and the ConfigMaps and Secrets of volumes and environment', () => {
  const pod = named('web', { spec: { ...POD_SPEC, nodeName: 'node-1' } });
  assert.deepEqual(shown('/pods', pod), [
    'Node /node-1: runs on',
    'ServiceAccount shop/runner: identity',
    'Secret shop/registry: image pulls',
    'PersistentVolumeClaim shop/data-0: volume',
    'ConfigMap shop/settings: volume, environment',
    'Secret shop/key: volume',
    'Secret shop/tls: volume',
    'Secret shop/password: environment',
    'PersistentVolumeClaim shop/web-scratch: volume',
  ]);
});

test('a reference is optional only if every use of it is', () => {
  const references = referencesOf('/pods', named('web', { spec: POD_SPEC }));
  const optional = references.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  assert.deepEqual(optional, ['registry', 'key']);
});

test('workloads refer to what their pods will need', () => {
  const template = { spec: { containers: [{ envFrom: [{ secretRef: { name: 'password' } }] }] } };
  assert.deepEqual(shown('apps/deployments', named('web', { spec: { template } })), [
    'Secret shop/password: environment',
  ]);
  assert.deepEqual(shown('batch/cronjobs', named('report', { spec: { jobTemplate: { spec: { template } } } })), [
    'Secret shop/password: environment',
  ]);
  assert.deepEqual(shown('apps/statefulsets', named('db', { spec: { serviceName: 'db', template } })), [
    'Service shop/db: names of pods',
    'Secret shop/password: environment',
  ]);
});

test('an Ingress refers to the Services behind it, its certificates and its class', () => {
  const paths = [{ path: '/', backend: { service: { name: 'web', port: { number: 80 } } } }];
  const spec = { rules: [{ http: { paths } }, {}], tls: [{ secretName: 'tls' }], ingressClassName: 'nginx' };
  assert.deepEqual(shown('networking.k8s.io/ingresses', named('shop', { spec })), [
    'Service shop/web: backend',
    'Secret shop/tls: TLS',
    'IngressClass /nginx: class',
  ]);
});

test('a RoleBinding refers to its role and to the service accounts among its subjects', () => {
  const binding = named('readers', {
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', name: 'jane' },
      { kind: 'ServiceAccount', name: 'runner', namespace: 'build' },
    ],
  });
  assert.deepEqual(shown('rbac.authorization.k8s.io/rolebindings', binding), [
    'ClusterRole /view: role',
    'ServiceAccount build/runner: subject',
  ]);
});

test('objects of other kinds and malformed ones refer to nothing', () => {
  assert.deepEqual(shown('/configmaps', named('a', { spec: POD_SPEC })), []);
  assert.deepEqual(shown('constructor', named('a', {})), []);
  assert.deepEqual(shown('/pods', named('a', { spec: { volumes: { x: 1 }, containers: [null, 'x'] } })), []);
});
