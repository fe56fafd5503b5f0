import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';

const labelled = (...names: string[]) => ({ 'f:labels': keys(...names) });
const keys = (...names: string[]) =>
  Object.fromEntries(['.', ...names.map((name) => `f:${name}`)].map((key) => [key, {}]));
const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
const bootstrapped = {
  'f:annotations': keys('rbac.authorization.kubernetes.io/autoupdate'),
  ...labelled('kubernetes.io/bootstrapping'),
};
const condition = (...names: string[]) => ({ '.': {}, ...fields(...names) });
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** By path of an object: its managers, with what each owns. As kube-apiserver 1.34 has them. */
const made: Record<string, Record<string, unknown>> = {
  '/api/v1/namespaces/default': {
    'kube-apiserver Update': { 'f:metadata': labelled('kubernetes.io/metadata.name') },
  },
  [`${RBAC}/clusterroles/system:node`]: { 'kube-apiserver Update': { 'f:metadata': bootstrapped, 'f:rules': {} } },
  [`${RBAC}/clusterroles/admin`]: {
    'kube-apiserver Update': { 'f:metadata': bootstrapped, 'f:aggregationRule': keys('clusterRoleSelectors') },
  },
  [`${RBAC}/clusterrolebindings/cluster-admin`]: {
    'kube-apiserver Update': { 'f:metadata': bootstrapped, ...fields('roleRef', 'subjects') },
  },
  '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical': {
    'kube-apiserver Update': fields('description', 'preemptionPolicy', 'value'),
  },
  '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps': {
    'kube-apiserver Update': {
      'f:metadata': labelled('kube-aggregator.kubernetes.io/automanaged'),
      'f:spec': fields('group', 'groupPriorityMinimum', 'version', 'versionPriority'),
    },
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt': {
    'api-priority-and-fairness-config-producer-v1 Update': {
      'f:metadata': { 'f:annotations': keys('apf.kubernetes.io/autoupdate-spec') },
      'f:spec': { 'f:exempt': keys('lendablePercent', 'nominalConcurrencyShares'), 'f:type': {} },
    },
  },
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt': {
    'api-priority-and-fairness-config-consumer-v1 Apply status': {
      'f:status': {
        'f:conditions': {
          'k:{"type":"Dangling"}': condition('lastTransitionTime', 'message', 'reason', 'status', 'type'),
        },
      },
    },
    'api-priority-and-fairness-config-producer-v1 Update': {
      'f:metadata': { 'f:annotations': keys('apf.kubernetes.io/autoupdate-spec') },
      'f:spec': {
        ...fields('matchingPrecedence', 'rules'),
        'f:priorityLevelConfiguration': fields('name'),
      },
    },
  },
  '/apis/networking.k8s.io/v1/servicecidrs/kubernetes': {
    'kubernetes-service-cidr-controller Apply status': {
      'f:status': {
        'f:conditions': { 'k:{"type":"Ready"}': condition('lastTransitionTime', 'message', 'status', 'type') },
      },
    },
    'kube-apiserver Update': { 'f:spec': fields('cidrs') },
  },
  '/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1': {
    'kube-apiserver Update': {
      'f:metadata': labelled('ipaddress.kubernetes.io/ip-family', 'ipaddress.kubernetes.io/managed-by'),
      'f:spec': { 'f:parentRef': keys('name', 'namespace', 'resource') },
    },
  },
  '/api/v1/namespaces/default/services/kubernetes': {
    'kube-apiserver Update': {
      'f:metadata': labelled('component', 'provider'),
      'f:spec': {
        ...fields('clusterIP', 'internalTrafficPolicy', 'ipFamilyPolicy', 'sessionAffinity', 'type'),
        'f:ports': {
          '.': {},
          'k:{"port":443,"protocol":"TCP"}': condition('name', 'port', 'protocol', 'targetPort'),
        },
      },
    },
  },
};

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: unknown;
}

test('objects that the server creates name their field managers', async () => {
  await using server = await startTestServer({ controllers: '' });
  for (const [path, owners] of Object.entries(made)) {
    const { body } = await server.request('GET', path);
    const { managedFields = [] } = (body as { metadata: { managedFields?: Entry[] } }).metadata;
    const found = managedFields.map(({ manager, operation, subresource, fieldsV1 }) => {
      return [[manager, operation, subresource].filter((part) => part !== undefined).join(' '), fieldsV1];
    });
    assert.deepEqual(Object.fromEntries(found), owners, path);
  }
});
