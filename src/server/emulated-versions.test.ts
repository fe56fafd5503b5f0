// Servers that emulate older releases: what they serve, in the real pipeline.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { readEnvelope } from '../api/protobuf-envelope.ts';
import { anyProtobufType, PROTOBUF_TYPE, protobufBytes } from '../http/response/protobuf-bytes.ts';
import { decodeProtobuf } from '../schema/protobuf-decode.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are decoded JSON of many shapes.
type Body = Record<string, any>;

async function emulating(release: string, more: object = {}): Promise<TestServer> {
  return startTestServer({ emulatedVersion: [release], ...more });
}

async function resourcesOf(server: TestServer, groupVersion: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await server.fetch(new Request(`https://localhost/apis/${groupVersion}`, { headers }));
  if (response.status === 404) return [];
  return ((await response.json()) as Body)['resources'].map((each: Body) => each['name']);
}

describe('the emulated version', () => {
  test('the emulated version starts for every release that can be emulated, and stores objects', async () => {
    for (let minor = 24; minor <= 34; minor++) {
      await using server = await emulating(`1.${minor}`);
      const { body: version } = await server.request('GET', '/version');
      assert.equal((version as Body)['emulationMinor'], String(minor));
      assert.equal((version as Body)['minor'], '34');
      const made = await server.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
      assert.equal(made.status, 201, `1.${minor}`);
      const service = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
      const { body: given } = await server.request('POST', '/api/v1/namespaces/default/services', service);
      assert.match((given as Body)['spec'].clusterIP ?? '', /^10\./, `1.${minor}`);
    }
  });

  test('the emulated version determines the OpenAPI documents, with removed versions', async () => {
    for (const [release, groupVersion] of [
      ['1.31', 'flowcontrol.apiserver.k8s.io/v1beta3'],
      ['1.25', 'autoscaling/v2beta2'],
      ['1.24', 'policy/v1beta1'],
    ] as const) {
      await using server = await emulating(release, { runtimeConfig: { 'api/all': 'true' } });
      const { status, body } = await server.request('GET', '/openapi/v2');
      assert.equal(status, 200, release);
      const { info, paths } = body as Body;
      assert.equal(info.version, release);
      assert.ok(
        Object.keys(paths).some((path) => path.startsWith(`/apis/${groupVersion}/`)),
        groupVersion,
      );
      const { body: root } = await server.request('GET', '/openapi/v3');
      const documents = Object.keys((root as Body)['paths']);
      assert.ok(documents.includes(`apis/${groupVersion}`), groupVersion);
      for (const path of documents) {
        assert.equal((await server.request('GET', `/openapi/v3/${path}`)).status, 200, `${release} ${path}`);
      }
    }
  });

  test('the emulated version removes later resources and subresources', async () => {
    await using at33 = await emulating('1.33');
    assert.deepEqual(await resourcesOf(at33, 'resource.k8s.io/v1'), []);
    assert.ok(!(await resourcesOf(at33, 'storage.k8s.io/v1')).includes('volumeattributesclasses'));
    assert.ok((await resourcesOf(at33, 'networking.k8s.io/v1')).includes('servicecidrs/status'));
    await using at32 = await emulating('1.32');
    assert.ok(!(await resourcesOf(at32, 'networking.k8s.io/v1')).some((name) => name.startsWith('servicecidrs')));
    const { body } = await at32.request('GET', '/api/v1');
    assert.ok(!(body as Body)['resources'].some((each: Body) => each['name'] === 'pods/resize'));
  });

  test('the emulated version determines the StorageVersion hashes by the minimum compatibility version', async () => {
    const hashOf = async (server: TestServer, resource: string) => {
      const { body } = await server.request('GET', '/apis/networking.k8s.io/v1');
      return (body as Body)['resources'].find((each: Body) => each['name'] === resource)['storageVersionHash'];
    };
    await using at33 = await emulating('1.33');
    assert.equal(await hashOf(at33, 'ipaddresses'), 'O4H8VxQhW5Y=');
    await using current = await startTestServer();
    assert.equal(await hashOf(current, 'ipaddresses'), '3f/plJFChNE=');
    await using without = await startTestServer({ featureGates: { StorageVersionHash: false } });
    assert.equal(await hashOf(without, 'ipaddresses'), undefined);
    const made = await without.request('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' } });
    assert.equal(made.status, 201, 'secrets are stored all the same');
  });

  test('the emulated version includes versions that were removed later, if they are enabled', async () => {
    await using server = await emulating('1.31', { runtimeConfig: { 'api/all': 'true' } });
    assert.deepEqual(await resourcesOf(server, 'admissionregistration.k8s.io/v1beta1'), [
      'validatingadmissionpolicies',
      'validatingadmissionpolicies/status',
      'validatingadmissionpolicybindings',
    ]);
    assert.deepEqual(await resourcesOf(server, 'authentication.k8s.io/v1beta1'), ['selfsubjectreviews']);
    assert.equal((await resourcesOf(server, 'flowcontrol.apiserver.k8s.io/v1beta3')).length, 4);
    const review = await server.request('POST', '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1beta1',
      kind: 'SelfSubjectReview',
    });
    assert.equal((review.body as Body)['status'].userInfo.username, 'admin');
  });

  test('the emulated version rejects CEL functions that the minimum compatibility version does not have', async () => {
    await using server = await emulating('1.33');
    const { status, body } = await server.request(
      'POST',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      {
        metadata: { name: 'p' },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['*'] }],
          },
          validations: [{ expression: 'semver("1.0.0").isLessThan(semver("2.0.0"))' }],
        },
      },
    );
    assert.equal(status, 422);
    assert.match((body as Body)['message'], /undeclared reference to 'semver'/);
  });

  test('the emulated version serves newer versions that are enabled with forward compatibility', async () => {
    await using named = await emulating('1.33', {
      runtimeConfig: { 'resource.k8s.io/v1': 'true' },
      runtimeConfigEmulationForwardCompatible: true,
    });
    assert.ok((await resourcesOf(named, 'resource.k8s.io/v1')).includes('deviceclasses'));
    await using newer = await emulating('1.33', {
      runtimeConfig: { 'storage.k8s.io/v1beta1': 'true' },
      emulationForwardCompatible: true,
    });
    assert.ok((await resourcesOf(newer, 'storage.k8s.io/v1')).includes('volumeattributesclasses'));
    await assert.rejects(
      emulating('1.33', { runtimeConfig: { 'resource.k8s.io/v1': 'true' } }),
      /^RuntimeConfigError: cannot enable version resource\.k8s\.io\/v1 in runtime-config because all the resources have been introduced after the current version 1\.33\. Consider setting --runtime-config-emulation-forward-compatible=true$/,
    );
  });
});

describe('removed API versions', () => {
  test('removed API versions are served for one more release if the server is told so, and not longer', async () => {
    const named = 'admissionregistration.k8s.io/v1beta1';
    const served = async (release: string, more: object) => {
      await using server = await emulating(release, { runtimeConfig: { [named]: 'true' }, ...more });
      return (await resourcesOf(server, named)).includes('validatingadmissionpolicies');
    };
    assert.equal(await served('1.33', {}), true);
    assert.equal(await served('1.34', {}), false);
    assert.equal(await served('1.34', { serveRemovedApisForOneRelease: true }), true);
    await using older = await emulating('1.34', { serveRemovedApisForOneRelease: true });
    assert.deepEqual(await resourcesOf(older, 'flowcontrol.apiserver.k8s.io/v1beta3'), []);
  });

  test('removed API versions include policy/v1beta1, whose empty selector selects nothing, unlike that of policy/v1', async () => {
    await using server = await emulating('1.24');
    const path = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
    const made = await server.request('POST', path, {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'none' },
      spec: { selector: {}, minAvailable: 1 },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual((made.body as Body)['spec'].selector, {});
    const read = await server.request('GET', path.replace('v1beta1', 'v1').concat('/none'));
    assert.deepEqual((read.body as Body)['spec'].selector, {
      matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' }],
    });
  });

  test('removed API versions include flowcontrol v1beta2 without zero shares, and v1beta3 with an annotation for them', async () => {
    await using server = await emulating('1.28', { runtimeConfig: { 'flowcontrol.apiserver.k8s.io/v1beta3': 'true' } });
    const level = (version: string, limited: object, annotations?: object) => ({
      apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'mine', annotations },
      spec: { type: 'Limited', limited: { ...limited, limitResponse: { type: 'Reject' } } },
    });
    const path = (version: string) => `/apis/flowcontrol.apiserver.k8s.io/${version}/prioritylevelconfigurations`;
    const zero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
    const made = await server.request('POST', path('v1beta2'), level('v1beta2', { assuredConcurrencyShares: 0 }));
    assert.equal((made.body as Body)['spec'].limited.assuredConcurrencyShares, 30, JSON.stringify(made.body));
    await server.request('DELETE', `${path('v1beta2')}/mine`);
    const kept = await server.request('POST', path('v1beta3'), level('v1beta3', {}, { [zero]: '' }));
    assert.equal((kept.body as Body)['spec'].limited.nominalConcurrencyShares, 0, JSON.stringify(kept.body));
    assert.deepEqual((kept.body as Body)['metadata'].annotations, { [zero]: '' });
  });

  test('removed API versions are read and written in protobuf, as clients of their time do', async () => {
    await using server = await emulating('1.24');
    const object = {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '0 4 * * *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } },
        },
      },
    };
    const type = await anyProtobufType(object, 34);
    const headers = {
      authorization: `Bearer ${server.token}`,
      accept: PROTOBUF_TYPE,
      'content-type': PROTOBUF_TYPE,
    };
    const url = 'https://localhost/apis/batch/v1beta1/namespaces/default/cronjobs';
    const body = new Uint8Array(protobufBytes(object, type));
    const response = await server.fetch(new Request(url, { method: 'POST', headers, body }));
    assert.equal(response.status, 201);
    const { raw, ...names } = readEnvelope(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual([names.apiVersion, names.kind], ['batch/v1beta1', 'CronJob']);
    const made = decodeProtobuf(type!, raw) as Body;
    assert.deepEqual([made['spec'].schedule, made['spec'].concurrencyPolicy], ['0 4 * * *', 'Allow']);
  });

  test('removed API versions keep the topology of endpoints, which discovery/v1 drops', async () => {
    await using server = await emulating('1.24');
    const path = (version: string) => `/apis/discovery.k8s.io/${version}/namespaces/default/endpointslices`;
    const topology = { 'example.com/rack': '7', 'topology.kubernetes.io/zone': 'a' };
    const endpoints = [{ addresses: ['10.1.2.3'], topology }];
    const slice = { metadata: { name: 'a' }, addressType: 'IPv4', endpoints, ports: [] };
    const made = await server.request('POST', path('v1beta1'), slice);
    assert.deepEqual((made.body as Body)['endpoints'][0].topology, topology, JSON.stringify(made.body));
    const [read] = ((await server.request('GET', `${path('v1')}/a`)).body as Body)['endpoints'];
    assert.deepEqual([read.deprecatedTopology, read.zone], [{ 'example.com/rack': '7' }, 'a']);
    const moved = await server.patch(`${path('v1')}/a`, { endpoints: [{ ...read, addresses: ['10.1.2.4'] }] });
    assert.equal((moved.body as Body)['endpoints'][0].deprecatedTopology, undefined);
  });

  test('removed API versions are served to clients that request them, with a warning', async () => {
    await using server = await startTestServer({ runtimeConfig: { 'batch/v1beta1': 'true' } });
    assert.deepEqual(await resourcesOf(server, 'batch/v1beta1'), ['cronjobs', 'cronjobs/status']);
    const response = await server.fetch(
      new Request('https://localhost/apis/batch/v1beta1/cronjobs', {
        headers: { authorization: `Bearer ${server.token}` },
      }),
    );
    assert.equal(
      response.headers.get('warning'),
      '299 - "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob"',
    );
  });

  test('removed API versions do not include PodSecurityPolicies, and a client is told what replaces them', async () => {
    await using server = await emulating('1.24');
    assert.ok(!(await resourcesOf(server, 'policy/v1beta1')).includes('podsecuritypolicies'));
    for (const path of ['podsecuritypolicies', 'podsecuritypolicies/restricted', 'podsecuritypolicies?watch=1']) {
      const { status, body } = await server.request('GET', `/apis/policy/v1beta1/${path}`);
      assert.deepEqual([status, (body as Body)['reason']], [404, 'NotFound'], path);
      assert.match((body as Body)['message'], /PodSecurityPolicy is gone: .* pod security admission/, path);
    }
    const { body } = await server.request('GET', '/apis/policy/v1beta1/evictions');
    assert.equal((body as Body)['message'], 'the server could not find the requested resource');
  });

  test('removed API versions are not served unless they are enabled', async () => {
    await using server = await startTestServer({ runtimeConfig: { 'api/all': 'true' } });
    assert.deepEqual(await resourcesOf(server, 'batch/v1beta1'), []);
    assert.deepEqual(await resourcesOf(server, 'policy/v1beta1'), []);
  });
});
