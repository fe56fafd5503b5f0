// Tests of feature gates that are locked in v1.34, in the real pipeline: they can be off in the releases that are emulated.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { systemClock } from './system-clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

const SERVICES = '/api/v1/namespaces/default/services';

/** Older releases, in which gates that are locked today can be off. */
const OLD = { emulatedVersion: ['1.31'] };

async function post(server: TestServer, path: string, object: object): Promise<Body> {
  return (await server.request('POST', path, object)).body as Body;
}

/** Runs a case on a server where some gates are off, and on one where they are on. */
async function offAndOn(gates: string[], run: (server: TestServer, on: boolean) => Promise<void>): Promise<void> {
  for (const on of [false, true]) {
    const featureGates = Object.fromEntries(gates.map((gate) => [gate, on]));
    await using server = await startTestServer({ ...OLD, featureGates });
    await run(server, on);
  }
}

test('with LoadBalancerIPMode ingress addresses have an ipMode, which Services keep that have it', () =>
  offAndOn(['LoadBalancerIPMode'], async (server, on) => {
    const service = { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } };
    const made = await post(server, SERVICES, service);
    for (const given of [{ ip: '1.2.3.4' }, { ip: '1.2.3.4', ipMode: 'Proxy' }]) {
      const status = { loadBalancer: { ingress: [given] } };
      const { body } = await server.request('PUT', `${SERVICES}/a/status`, {
        ...made,
        status,
        metadata: { name: 'a' },
      });
      const expected = on ? { ipMode: 'VIP', ...given } : { ip: given.ip };
      assert.deepEqual((body as Body)['status'].loadBalancer.ingress, [expected]);
    }
  }));

test('with AllowServiceLBStatusOnNonLB Services of other types may have load balancer addresses', () =>
  offAndOn(['AllowServiceLBStatusOnNonLB'], async (server, on) => {
    const made = await post(server, SERVICES, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } });
    const status = { loadBalancer: { ingress: [{ hostname: 'a.example' }] } };
    const put = await server.request('PUT', `${SERVICES}/a/status`, { ...made, status, metadata: { name: 'a' } });
    assert.equal(put.status, on ? 200 : 422);
  }));

test('with MatchLabelKeysInPodAffinity and two other gates pods have their fields of affinity and spread', () =>
  offAndOn(
    ['MatchLabelKeysInPodAffinity', 'MatchLabelKeysInPodTopologySpread', 'NodeInclusionPolicyInPodTopologySpread'],
    async (server, on) => {
      const labelSelector = { matchLabels: { app: 'a' } };
      const term = { topologyKey: 'zone', labelSelector, matchLabelKeys: ['rev'] };
      const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector };
      const pod = {
        metadata: { name: 'a', labels: { app: 'a', rev: '1' } },
        spec: {
          containers: [{ name: 'a', image: 'a' }],
          affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
          topologySpreadConstraints: [
            { ...spread, matchLabelKeys: ['rev'], nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Honor' },
          ],
        },
      };
      const { spec } = await post(server, '/api/v1/namespaces/default/pods', pod);
      const [made] = spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      const merged = { ...labelSelector, matchExpressions: [{ key: 'rev', operator: 'In', values: ['1'] }] };
      assert.deepEqual(made, on ? { ...term, labelSelector: merged } : { topologyKey: 'zone', labelSelector });
      const [constraint] = spec.topologySpreadConstraints;
      const [given] = pod.spec.topologySpreadConstraints;
      assert.deepEqual({ ...constraint, labelSelector }, on ? given : spread);
    },
  ));

test('with AnyVolumeDataSource claims may have data sources of any kind', () =>
  offAndOn(['AnyVolumeDataSource'], async (server, on) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const source = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'b' };
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const older = await post(server, claims, { metadata: { name: 'a' }, spec: { ...spec, dataSource: source } });
    assert.deepEqual([older['spec'].dataSource, older['spec'].dataSourceRef], [source, on ? source : undefined]);
    const newer = await post(server, claims, { metadata: { name: 'c' }, spec: { ...spec, dataSourceRef: source } });
    assert.deepEqual(newer['spec'].dataSource, on ? source : undefined);
  }));

test('with ServiceAccountTokenJTI and ServiceAccountTokenPodNodeInfo tokens have an ID and the node of their pod', () =>
  offAndOn(['ServiceAccountTokenJTI', 'ServiceAccountTokenPodNodeInfo'], async (server, on) => {
    await post(server, '/api/v1/nodes', { metadata: { name: 'n' } });
    const spec = { nodeName: 'n', containers: [{ name: 'a', image: 'a' }] };
    await post(server, '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 's' } });
    const pod = { metadata: { name: 'a' }, spec: { ...spec, serviceAccountName: 's' } };
    await post(server, '/api/v1/namespaces/default/pods', pod);
    const asked = { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'a' } } };
    const { status } = await post(server, '/api/v1/namespaces/default/serviceaccounts/s/token', asked);
    const claims = JSON.parse(atob(status.token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    assert.equal('jti' in claims, on);
    assert.equal('node' in claims['kubernetes.io'], on);
    const review = { spec: { token: status.token } };
    const reviewed = await post(server, '/apis/authentication.k8s.io/v1/tokenreviews', review);
    const { extra } = reviewed['status'].user;
    assert.equal('authentication.kubernetes.io/credential-id' in extra, on);
    assert.equal('authentication.kubernetes.io/node-name' in extra, on);
  }));

test('with ServiceAccountTokenNodeBinding and its validation tokens may be bound to nodes', () =>
  offAndOn(['ServiceAccountTokenNodeBinding', 'ServiceAccountTokenNodeBindingValidation'], async (server, on) => {
    await post(server, '/api/v1/nodes', { metadata: { name: 'n', uid: 'u' } });
    await post(server, '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 's' } });
    const asked = { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'n' } } };
    const path = '/api/v1/namespaces/default/serviceaccounts/s/token';
    const { status, message } = await post(server, path, asked);
    if (on) return assert.ok(status.token);
    const why = 'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled';
    assert.equal(message, why);
  }));

test('without ServiceAccountTokenNodeBindingValidation tokens that are bound to nodes are rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  const key = join(folder, 'key.pem');
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  writeFileSync(key, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem));
  const own = { serviceAccountSigningKeyFile: key, serviceAccountKeyFile: [key] };
  const store = new MemoryStore({ clock: systemClock });
  store.close = async () => {};
  let token = '';
  const reviewed = async (on: boolean): Promise<Body> => {
    const gates = ['ServiceAccountTokenNodeBinding', 'ServiceAccountTokenNodeBindingValidation'];
    const featureGates = Object.fromEntries(gates.map((gate) => [gate, on]));
    await using server = await startTestServer({ ...OLD, ...own, featureGates }, { store: Promise.resolve(store) });
    if (on) {
      await post(server, '/api/v1/nodes', { metadata: { name: 'n' } });
      await post(server, '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 's' } });
      const asked = { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'n' } } };
      token = (await post(server, '/api/v1/namespaces/default/serviceaccounts/s/token', asked))['status'].token;
    }
    return (await post(server, '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } }))['status'];
  };
  assert.equal((await reviewed(true))['authenticated'], true);
  const why =
    'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled';
  assert.match((await reviewed(false))['error'], new RegExp(why));
  rmSync(folder, { recursive: true });
});

test('with CRDValidationRatcheting unchanged values of an update need not be valid', () =>
  offAndOn(['CRDValidationRatcheting'], async (server, on) => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const definition = (spec: object) => ({
      metadata: { name: 'tests.example.com' },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'tests', kind: 'Test' } },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...spec } } } },
          },
        ],
      },
    });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await post(server, definitions, definition({ properties }));
    const objects = '/apis/example.com/v1/namespaces/default/tests';
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Test',
      metadata: { name: 'a' },
      spec: { a: 'long', b: '1' },
    };
    await until('it is served', async () => (await server.request('POST', objects, object)).status === 201);
    const { metadata } = (await server.request('GET', `${definitions}/tests.example.com`)).body as Body;
    const { resourceVersion } = metadata;
    const narrow = definition({ properties: { ...properties, a: { type: 'string', maxLength: 1 } } });
    const put = { ...narrow, metadata: { ...narrow.metadata, resourceVersion } };
    assert.equal((await server.request('PUT', `${definitions}/tests.example.com`, put)).status, 200);
    const other = { ...object, metadata: { name: 'b' } };
    const refused = async () => (await server.request('POST', `${objects}?dryRun=All`, other)).status === 422;
    await until('the new schema applies', refused);
    const change = { spec: { b: '2' } };
    const patched = await server.fetch(
      new Request(`https://localhost${objects}/a`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify(change),
      }),
    );
    assert.equal(patched.status, on ? 200 : 422);
  }));

test('with StrictCostEnforcementForVAP library functions count with their costs in admission policies', () =>
  offAndOn(['StrictCostEnforcementForVAP'], async (server, on) => {
    const allowed = "authorizer.group('').resource('pods').check('get').allowed()";
    const spec = {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      validations: [{ expression: `[1, 2, 3, 4].all(i, ${allowed} || !${allowed})` }],
    };
    const group = '/apis/admissionregistration.k8s.io/v1';
    await post(server, `${group}/validatingadmissionpolicies`, { metadata: { name: 'a' }, spec });
    const binding = { metadata: { name: 'a' }, spec: { policyName: 'a', validationActions: ['Deny'] } };
    await post(server, `${group}/validatingadmissionpolicybindings`, binding);
    const made = await server.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    assert.equal(made.status, on ? 422 : 201);
    if (on) assert.match(JSON.stringify(made.body), /cost limit exceeded|budget/);
  }));

test('with StrictCostEnforcementForWebhooks library functions count with their costs in match conditions', () =>
  offAndOn(['StrictCostEnforcementForWebhooks'], async (server, on) => {
    const allowed = "authorizer.group('').resource('pods').check('get').allowed()";
    const webhook = {
      name: 'a.example.com',
      ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail' },
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      matchConditions: [{ name: 'a', expression: `![1, 2, 3, 4].all(i, ${allowed} || !${allowed})` }],
    };
    const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await post(server, configurations, { metadata: { name: 'a' }, webhooks: [webhook] });
    const made = await server.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    assert.equal(made.status, on ? 403 : 201);
  }));

test('the files of StructuredAuthenticationConfiguration and two other gates may be given with them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-gates-'));
  const missing = join(folder, 'missing');
  const starting = (gate: string, options: object) =>
    startTestServer({ ...OLD, featureGates: { [gate]: false }, ...options }).then(
      async (server) => {
        await server.close();
        return '';
      },
      (error: Error) => error.message,
    );
  assert.match(
    await starting('StructuredAuthenticationConfiguration', { authenticationConfig: missing }),
    /set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file/,
  );
  assert.match(
    await starting('StructuredAuthorizationConfiguration', { authorizationConfig: missing }),
    /--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag/,
  );
  assert.match(
    await starting('APIServerTracing', { tracingConfigFile: missing }),
    /APIServerTracing feature is not enabled, but tracing config file was provided/,
  );
  rmSync(folder, { recursive: true });
});

test('with AnonymousAuthConfigurableEndpoints a file may limit anonymous access', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-gates-'));
  const path = join(folder, 'authentication.yaml');
  writeFileSync(
    path,
    'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\nanonymous: {enabled: false}\n',
  );
  const why = 'anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate';
  const options = { authenticationConfig: path, emulatedVersion: ['1.32'] };
  await assert.rejects(
    startTestServer({ ...options, featureGates: { AnonymousAuthConfigurableEndpoints: false } }),
    (error: Error) => error.message.includes(why),
  );
  await using _ = await startTestServer(options);
  rmSync(folder, { recursive: true });
});

test('without CustomResourceFieldSelectors fields that a definition declared before cannot be selected', async () => {
  const names = { plural: 'shirts', singular: 'shirt', kind: 'Shirt' };
  const spec = { type: 'object', properties: { color: { type: 'string' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const selectableFields = [{ jsonPath: '.spec.color' }];
  const versions = [{ name: 'v1', served: true, storage: true, schema, selectableFields }];
  const definition = {
    metadata: { name: 'shirts.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  };
  await using before = await startTestServer(OLD);
  await post(before, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const shirts = '/apis/example.com/v1/namespaces/default/shirts?fieldSelector=spec.color%3Dblue';
  await until('the fields can be selected', async () => (await before.request('GET', shirts)).status === 200);
  const featureGates = { CustomResourceFieldSelectors: false };
  await using server = await startTestServer({ ...OLD, featureGates, from: before.snapshot() });
  const { status, body } = await server.request('GET', shirts);
  assert.deepEqual([status, (body as Body).message], [400, 'field label not supported: spec.color']);
  const document = await server.request('GET', '/openapi/v3/apis/example.com/v1');
  assert.equal(document.status, 200);
  assert.ok(!JSON.stringify(document.body).includes('x-kubernetes-selectable-fields'));
});
