import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { startTestServer } from '../../testing.ts';

const WATCHES = 'subresource="",verb="WATCH",version="v1"';

test('the metrics of requests, watches and the store follow what the server does', async () => {
  await using server = await startTestServer();
  // No controller writes any.
  const maps = '/api/v1/namespaces/default/limitranges';
  const ask = (path: string) => {
    const headers = { authorization: `Bearer ${server.token}` };
    return server.fetch(new Request(`https://localhost${path}`, { headers }));
  };
  assert.equal((await server.request('POST', maps, { metadata: { name: 'a' } })).status, 201);
  assert.equal((await server.request('GET', maps)).status, 200);
  assert.equal((await server.request('DELETE', `${maps}/a`)).status, 200);
  await server.request('POST', maps, { metadata: { name: 'b' } });
  const query =
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=';
  const watch = await ask(`${maps}?${query}`);
  const reader = watch.body!.getReader();
  for (let text = ''; !text.includes('k8s.io/initial-events-end'); ) {
    const { value } = await reader.read();
    text += new TextDecoder().decode(value);
  }
  const page = await ask('/metrics');
  assert.match(String(page.headers.get('process-start-time-unix')), /^\d{10}$/);
  const text = await page.text();
  const of = 'group="",resource="limitranges"';
  for (const [sample, value] of [
    [`etcd_requests_total{group="",operation="create",resource="limitranges"}`, '2'],
    [`etcd_request_duration_seconds_count{group="",operation="delete",resource="limitranges"}`, '1'],
    [`apiserver_watch_cache_initializations_total{${of}}`, '1'],
    [`apiserver_watch_cache_events_received_total{${of}}`, '3'],
    [`apiserver_storage_list_total{${of}}`, '1'],
    [`apiserver_longrunning_requests{component="apiserver",${of},scope="namespace",${WATCHES}}`, '1'],
    [`apiserver_cache_list_total{group="",index="",resource="limitranges"}`, '1'],
    [`apiserver_watch_cache_consistent_read_total{fallback="false",${of},success="true"}`, '1'],
    [`apiserver_watch_cache_read_wait_seconds_count{${of}}`, '1'],
    [`apiserver_init_events_total{${of}}`, '1'],
    [`apiserver_watch_list_duration_seconds_count{${of},scope="namespace",version="v1"}`, '1'],
    [`apiserver_request_body_size_bytes_count{${of},verb="create"}`, '2'],
  ] as const) {
    assert.ok(text.includes(`${sample} ${value}\n`), `${sample} ${value}`);
  }
  assert.match(text, /^authorization_attempts_total\{result="allowed"\} \d+$/m);
  assert.match(text, /^authorization_duration_seconds_count\{result="allowed"\} \d+$/m);
  await reader.cancel();
});

test('from 1.37 on metrics count lists of the store and of the watch cache together, with initialization times', async () => {
  await using server = await startTestServer({ kubernetesVersion: '1.37' });
  const maps = '/api/v1/namespaces/default/limitranges';
  for (let times = 0; times < 2; times++) assert.equal((await server.request('GET', maps)).status, 200);
  const text = String((await server.request('GET', '/metrics')).body);
  const of = 'group="",resource="limitranges"';
  const indexed = 'group="",index="",resource="limitranges"';
  for (const [sample, value] of [
    [`apiserver_storage_list_total{${indexed},storage="etcd"}`, '1'],
    [`apiserver_storage_list_total{${indexed},storage="watchcache"}`, '2'],
    [`apiserver_storage_list_fetched_objects_total{${indexed},storage="etcd"}`, '0'],
    [`apiserver_storage_list_returned_objects_total{${of},storage="etcd"}`, '0'],
    [`apiserver_storage_list_duration_seconds_count{${of},streamed="false"}`, '1'],
    [`apiserver_watch_cache_initialization_duration_seconds_count{${of}}`, '1'],
  ] as const) {
    assert.ok(text.includes(`${sample} ${value}\n`), `${sample} ${value}`);
  }
  assert.doesNotMatch(text, /apiserver_cache_list_total|apiserver_storage_objects|apiserver_request_slo_duration/);
  assert.match(text, /^# HELP workqueue_depth \[BETA\] Current depth of workqueue$/m);
});

test('the validation rules of custom resources have metrics', async () => {
  await using server = await startTestServer();
  const group = 'stable.example.com';
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.size > 1' }],
      },
    },
  };
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `widgets.${group}` },
    spec: { group, names, scope: 'Cluster', versions },
  });
  await until(
    'the definition is served',
    async () => (await server.request('GET', `/apis/${group}/v1/widgets`)).status === 200,
  );
  for (const [name, size, status] of [
    ['a', 2, 201],
    ['b', 1, 422],
  ] as const) {
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name }, spec: { size } };
    assert.equal((await server.request('POST', `/apis/${group}/v1/widgets`, widget)).status, status);
  }
  const text = String((await server.request('GET', '/metrics')).body);
  assert.match(text, /^apiserver_cel_compilation_duration_seconds_count 1$/m);
  assert.match(text, /^apiserver_cel_evaluation_duration_seconds_count 1$/m);
});
