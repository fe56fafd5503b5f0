// Numbers past the largest, which JSON.parse makes Infinity.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const THINGS = '/apis/example.com/v1/things';

async function send(server: TestServer, method: string, path: string, { type = 'application/json', body = '' }) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': type };
  const answer = await server.fetch(new Request(`https://localhost${path}`, { method, headers, body }));
  const { code, message } = (await answer.json()) as { code: number; message: string };
  return `${code} ${message}`;
}

test('a number out of range in a built-in object is reported with the name of its field', async () => {
  await using server = await startTestServer();
  for (const [spec, field] of [
    ['"replicas":1e400', 'DeploymentSpec.spec.replicas of type int32'],
    [
      '"strategy":{"rollingUpdate":{"maxSurge":1e400}}',
      'RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
  ] as const) {
    for (const more of ['', ',"paused":true,"paused":true']) {
      const answer = await send(server, 'POST', DEPLOYMENTS, {
        body: `{"metadata":{"name":"a"},"spec":{${spec}${more}}}`,
      });
      assert.equal(
        answer,
        `400 Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number 1e400 into Go struct field ${field}`,
      );
    }
  }
});

test('a number out of range in a patch or a custom resource is reported without a field type', async () => {
  await using server = await startTestServer();
  const number = 'json: cannot unmarshal number 1e400 into Go';
  const path = '/api/v1/namespaces/default';
  for (const [type, body, message] of [
    ['merge-patch+json', '{"data":{"a":1e400}}', `error decoding patch: ${number} value of type float64`],
    ['strategic-merge-patch+json', '{"data":{"a":1e400}}', `${number} value of type float64`],
    [
      'json-patch+json',
      '[{"op":"add","path":"/data","value":1e400}]',
      `error decoding patch: ${number} struct field jsonPatchOp.value of type float64`,
    ],
  ] as const) {
    assert.equal(await send(server, 'PATCH', path, { type: `application/${type}`, body }), `400 ${message}`);
  }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await until('it is served', async () => (await server.request('GET', THINGS)).status === 200);
  const body = '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"a":1e400}}';
  assert.equal(
    await send(server, 'POST', THINGS, { body }),
    `400 Thing in version "v1" cannot be handled as a Thing: ${number} value of type float64`,
  );
});
