import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAPS, configure, create, GROUP, named, QUIET, RULE } from '../../../test/admission-webhooks.ts';
import { patching, respond, startWebhook } from '../../../test/webhook-server.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { startTestServer } from '../../testing.ts';

test('a validating webhook gets an AdmissionReview of the request and may deny it', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    respond(seen, { allowed: false, status: { code: 418, reason: 'Teapot', message: 'not today' } }),
  );
  await configure(server, 'validating', [{ at: webhook, path: '/check', timeoutSeconds: 7 }]);
  const { status, body } = await create(server, named('a', { x: 'y' }));
  assert.equal(status, 418);
  assert.equal(body.reason, 'Teapot');
  assert.equal(body.message, 'admission webhook "h0.example.com" denied the request: not today');
  const [seen] = webhook.seen;
  assert.equal(seen?.url, '/check?timeout=7s');
  const { uid, object, ...request } = seen?.review.request ?? {};
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.deepEqual(request, {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'a',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  });
  assert.equal((object as unknown as ApiObject).metadata.uid?.length, 36);
  assert.deepEqual((object as JsonObject)['data'], { x: 'y' });
});

test('a webhook is called with the smaller of its timeout and the remaining time of the request', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  await configure(server, 'validating', [{ at: webhook, path: '/check', timeoutSeconds: 7 }]);
  assert.equal((await create(server, named('a'), '?timeout=4s')).status, 201);
  assert.equal((await create(server, named('b'), '?timeout=30s')).status, 201);
  assert.equal((await create(server, named('c'))).status, 201);
  assert.deepEqual(
    webhook.seen.map(({ url }) => url),
    ['/check?timeout=4s', '/check?timeout=7s', '/check?timeout=7s'],
  );
});

test('the failurePolicy of a webhook applies if it answers with status 101', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook(() => ({
    ...{ status: 101, text: '' },
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  }));
  await configure(server, 'validating', [{ at: webhook, failurePolicy: 'Ignore' }]);
  assert.equal((await create(server, named('a'))).status, 201);
  await configure(server, 'validating', [{ at: webhook, failurePolicy: 'Fail' }], 'strict');
  const { status, body } = await create(server, named('b'));
  assert.equal(status, 500);
  assert.match(String(body.message), /backend tried to switch protocol "websocket" when "" was requested$/);
});

test('mutating webhooks run one after the other, and the fields that they add have no manager', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    seen.url.startsWith('/first')
      ? patching(seen, { op: 'add', path: '/data', value: { first: 'yes' } })
      : patching(seen, { op: 'add', path: '/data/second', value: 'yes' }),
  );
  await configure(server, 'mutating', [{ at: webhook, path: '/second' }], 'b');
  await configure(server, 'mutating', [{ at: webhook, path: '/first' }], 'a');
  const { status, body } = await create(server, { metadata: { name: 'a', labels: { own: 'yes' } } });
  assert.equal(status, 201);
  assert.deepEqual(body['data'], { first: 'yes', second: 'yes' });
  const owned = JSON.stringify(body.metadata.managedFields);
  assert.ok(owned.includes('f:own') && !owned.includes('f:data'), owned);
});

test('a webhook with reinvocationPolicy IfNeeded is called again after a later one changed the object', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    seen.url.startsWith('/late')
      ? patching(seen, { op: 'add', path: '/data/late', value: 'yes' })
      : respond(seen, { allowed: true }),
  );
  await configure(server, 'mutating', [
    { at: webhook, path: '/again', reinvocationPolicy: 'IfNeeded' },
    { at: webhook, path: '/once' },
    { at: webhook, path: '/late', reinvocationPolicy: 'IfNeeded' },
  ]);
  assert.equal((await create(server, named('a', { x: 'y' }))).status, 201);
  assert.deepEqual(
    webhook.seen.map(({ url }) => url.slice(1, url.indexOf('?'))),
    ['again', 'once', 'late', 'again'],
  );
  const { object } = webhook.seen[3]?.review.request ?? {};
  assert.deepEqual((object as JsonObject)['data'], { x: 'y', late: 'yes' });
});

test('a mutating webhook of a status update cannot change the spec', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    patching(
      seen,
      { op: 'replace', path: '/spec/replicas', value: 7 },
      { op: 'add', path: '/metadata/labels', value: { seen: 'yes' } },
    ),
  );
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  await server.request('POST', deployments, { metadata: { name: 'd' }, spec });
  const rules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments/status'] }];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const { status, body } = await server.patch(`${deployments}/d/status`, { status: { observedGeneration: 1 } });
  assert.equal(status, 200, JSON.stringify(body));
  const changed = body as ApiObject & { spec: { replicas: number } };
  assert.equal(webhook.seen.length, 1);
  assert.equal(changed.spec.replicas, 1);
  assert.equal(changed.metadata.generation, 1);
});

test('a mutating webhook sees the scale subresource as a Scale and may change its replicas', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'replace', path: '/spec/replicas', value: 3 }),
  );
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  await server.request('POST', deployments, { metadata: { name: 'd' }, spec });
  const rules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments/scale'] }];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const { body } = await server.patch(`${deployments}/d/scale`, { spec: { replicas: 9 } });
  assert.deepEqual((body as ApiObject)['spec'], { replicas: 3 });
  assert.deepEqual(webhook.seen[0]?.review.request['kind'], { group: 'autoscaling', version: 'v1', kind: 'Scale' });
  const { body: stored } = await server.request('GET', `${deployments}/d`);
  assert.equal(((stored as ApiObject)['spec'] as JsonObject)['replicas'], 3);
});

test('an object is converted to the API version in the rule of a webhook, and its patch is applied in that version', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'replace', path: '/spec/targetCPUUtilizationPercentage', value: 60 }),
  );
  const rules = [
    {
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['horizontalpodautoscalers'],
    },
  ];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } };
  const spec = {
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    maxReplicas: 3,
    metrics: [{ type: 'Resource', resource }],
  };
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const { status, body } = await server.request('POST', path, { metadata: { name: 'h' }, spec });
  assert.equal(status, 201, JSON.stringify(body));
  const { metrics } = (body as ApiObject)['spec'] as { metrics: (typeof spec)['metrics'] };
  assert.equal(metrics[0]?.resource.target.averageUtilization, 60);
  const { object, requestKind } = webhook.seen[0]?.review.request ?? {};
  assert.equal((object as JsonObject)['apiVersion'], 'autoscaling/v1');
  assert.deepEqual(requestKind, {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
  });
});

test('a webhook is called for requests that match its selectors, rules and match conditions', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  await configure(server, 'validating', [
    { at: webhook, path: '/labelled', objectSelector: { matchLabels: { hook: 'yes' } } },
    { at: webhook, path: '/elsewhere', namespaceSelector: { matchLabels: { none: 'such' } } },
    { at: webhook, path: '/free', matchConditions: [{ name: 'c', expression: "object.data.mode == 'free'" }] },
  ]);
  assert.equal((await create(server, named('a', { mode: 'x' }))).status, 201);
  assert.equal(webhook.seen.length, 0);
  assert.equal((await create(server, { ...named('b', { mode: 'free' }) })).status, 201);
  const labelled = { metadata: { name: 'c', labels: { hook: 'yes' } }, data: { mode: 'x' } };
  assert.equal((await create(server, labelled)).status, 201);
  assert.deepEqual(
    webhook.seen.map(({ url }) => url.slice(1, url.indexOf('?'))),
    ['free', 'labelled'],
  );
  const { status, body } = await create(server, named('d', {}));
  assert.equal(status, 403);
  assert.match(body.message, /^configmaps "d" is forbidden: expression '.*' resulted in error: no such key: /);
});

test('a webhook for deletions gets the object as oldObject', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: false }));
  await create(server, named('a', { x: 'y' }));
  await configure(server, 'validating', [{ at: webhook, rules: [{ ...RULE, operations: ['DELETE'] }] }]);
  const { status, body } = await server.request('DELETE', `${CONFIG_MAPS}/a`);
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /denied the request without explanation/);
  const { object, oldObject, operation } = webhook.seen[0]?.review.request ?? {};
  assert.deepEqual([object, (oldObject as JsonObject)['data'], operation], [null, { x: 'y' }, 'DELETE']);
});

test('a webhook gets an AdmissionReview in the first supported version that it lists, such as v1beta1', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook(({ review }) => {
    assert.equal(review['apiVersion'], 'admission.k8s.io/v1beta1');
    const patch = Buffer.from('[{"op":"add","path":"/data","value":{"x":"y"}}]').toString('base64');
    return { response: { allowed: true, patch, warnings: ['old'] } };
  });
  await configure(server, 'mutating', [{ at: webhook, admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }]);
  const { body } = await create(server, named('a'));
  assert.deepEqual(body['data'], { x: 'y' });
});

test('a patch of a webhook that cannot be applied is an error even with failurePolicy Ignore', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => patching(seen, { op: 'remove', path: '/data/none' }));
  await configure(server, 'mutating', [{ at: webhook, failurePolicy: 'Ignore' }]);
  const { status, body } = await create(server, named('a', { x: 'y' }));
  assert.deepEqual([status, body.message.split(': ')[1]], [500, 'error in remove for path']);
});

test('a patch of a webhook without operations is accepted with any patchType, and any other one must be a JSONPatch', async () => {
  await using server = await startTestServer(QUIET);
  let patch = '[]';
  await using webhook = await startWebhook((seen) =>
    respond(seen, { allowed: true, patchType: 'Merge', patch: Buffer.from(patch).toString('base64') }),
  );
  await configure(server, 'mutating', [{ at: webhook }]);
  assert.equal((await create(server, named('a'))).status, 201);
  patch = '[{"op":"add","path":"/data","value":{}}]';
  const { status, body } = await create(server, named('b'));
  assert.deepEqual([status, body.message.split(': ').at(-1)], [500, 'unsupported patch type "Merge"']);
});

test('a mutating webhook sees an update as the client sent it, and a validating one as it is stored', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  await create(server, named('a', { x: 'y' }));
  await configure(server, 'mutating', [{ at: webhook, path: '/mutating' }]);
  await configure(server, 'validating', [{ at: webhook, path: '/validating' }]);
  assert.equal((await server.request('PUT', `${CONFIG_MAPS}/a`, named('a', { x: 'z' }))).status, 200);
  const shown = webhook.seen.map(({ review }) => (review.request['object'] as ApiObject).metadata);
  const of = ({ uid, resourceVersion, creationTimestamp }: ApiObject['metadata']) =>
    [uid, resourceVersion, creationTimestamp].map((value) => value !== undefined);
  assert.deepEqual(shown.map(of), [
    [false, false, false],
    [true, true, true],
  ]);
});

test('an eviction calls webhooks for the eviction and not for the deletion of the pod', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  assert.equal((await server.request('POST', pods, { metadata: { name: 'p' }, spec })).status, 201);
  await configure(server, 'validating', [{ at: webhook, rules: [{ ...RULE, resources: ['pods', 'pods/*'] }] }]);
  assert.equal((await server.request('POST', `${pods}/p/eviction`, { metadata: { name: 'p' } })).status, 201);
  assert.deepEqual(
    webhook.seen.map(({ review: { request } }) => [request['operation'], request['subResource']]),
    [['CREATE', 'eviction']],
  );
});

test('an object that a webhook moves to another namespace is rejected', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'replace', path: '/metadata/namespace', value: 'kube-system' }),
  );
  await configure(server, 'mutating', [{ at: webhook }]);
  assert.equal((await create(server, named('a'))).status, 400);
  assert.equal((await server.request('GET', '/api/v1/namespaces/kube-system/configmaps/a')).status, 404);
});

test('webhooks are not called for webhook configurations, nor after theirs is deleted', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: false }));
  const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  await configure(server, 'validating', [{ at: webhook, rules: [everything] }]);
  assert.equal((await create(server, named('a'))).status, 400);
  assert.equal((await server.request('DELETE', `${GROUP}/validatingwebhookconfigurations/c`)).status, 200);
  assert.equal((await create(server, named('a'))).status, 201);
});

test('a CONNECT request calls webhooks with its options', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    respond(seen, { allowed: false, status: { message: 'no shells' } }),
  );
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n', automountServiceAccountToken: false };
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const made = await server.request('POST', pods, { metadata: { name: 'a' }, spec });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] }];
  await configure(server, 'validating', [{ at: webhook, rules }]);
  const { status, body } = await server.request('POST', `${pods}/a/exec?command=ls&container=c`);
  assert.equal(status, 400, JSON.stringify(body));
  assert.match((body as { message: string }).message, /no shells$/);
  const { object, kind, subResource, operation, options } = webhook.seen[0]?.review.request ?? {};
  assert.deepEqual([subResource, operation, options], ['exec', 'CONNECT', null]);
  assert.deepEqual(kind, { group: '', version: 'v1', kind: 'PodExecOptions' });
  assert.deepEqual((object as JsonObject)['command'], ['ls']);
});

test('a mutating webhook may change the options of a CONNECT request', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'replace', path: '/container', value: 'other' }),
  );
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n', automountServiceAccountToken: false };
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  assert.equal((await server.request('POST', pods, { metadata: { name: 'a' }, spec })).status, 201);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] }];
  await configure(server, 'mutating', [{ at: webhook, rules }]);
  const { status, body } = await server.request('POST', `${pods}/a/exec?command=ls&container=c`);
  assert.deepEqual([status, (body as { message: string }).message], [400, 'container other is not valid for pod a']);
});

test('metrics count the calls, denials and failures of webhooks', async () => {
  await using server = await startTestServer();
  await using webhook = await startWebhook((seen) =>
    respond(seen, seen.url.startsWith('/no') ? { allowed: false, status: { code: 403 } } : { allowed: true }),
  );
  await configure(server, 'mutating', [{ at: webhook, path: '/yes' }], 'a');
  assert.equal((await create(server, named('a'))).status, 201);
  await configure(server, 'validating', [{ at: webhook, path: '/no' }], 'b');
  assert.equal((await create(server, named('b'))).status, 403);
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const counted = (name: string, labels: string) =>
    text.split('\n').filter((line) => line.startsWith(`${name}{`) && new RegExp(labels).test(line)).length;
  const webhooks = 'apiserver_admission_webhook';
  assert.equal(
    counted(`${webhooks}_request_total`, 'code="200",.*operation="CREATE",rejected="false",type="admit"'),
    1,
  );
  assert.equal(counted(`${webhooks}_request_total`, 'code="403",.*rejected="true",type="validating"'), 1);
  assert.equal(counted(`${webhooks}_rejection_count`, 'error_type="no_error",.*rejection_code="403"'), 1);
  assert.equal(
    counted(`${webhooks}_admission_duration_seconds_bucket`, 'le="25",.*type="admit"|type="admit",le="25"'),
    1,
  );
  const plugin = 'name="ValidatingAdmissionWebhook",operation="CREATE",rejected="true",type="validate"';
  assert.equal(counted('apiserver_admission_controller_admission_duration_seconds_count', plugin), 1);
  const step = 'operation="CREATE",rejected="true",type="validate"';
  assert.equal(counted('apiserver_admission_step_admission_duration_seconds_count', step), 1);
});

test('a SelfSubjectAccessReview calls webhooks', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: false }));
  const rules = [
    { apiGroups: ['authorization.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] },
  ];
  await configure(server, 'validating', [{ at: webhook, rules }]);
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  assert.equal((await server.request('POST', path, review)).status, 400);
});

test('a webhook behind a Service is called at its endpoints, or at its cluster IP', async () => {
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: false, status: { message: 'found' } }));
  const { dial } = await import('../../outbound/dial.ts');
  const asked: string[] = [];
  await using server = await startTestServer(QUIET, {
    dial: ({ host, port, globalOnly }) => {
      asked.push(`${host}:${port}`);
      return dial({ host: '127.0.0.1', port: webhook.port, globalOnly });
    },
  });
  const services = '/api/v1/namespaces/default/services';
  const spec = { clusterIP: '10.0.0.77', ports: [{ name: 'https', port: 443, targetPort: 8443 }] };
  assert.equal((await server.request('POST', services, { metadata: { name: 'hooks' }, spec })).status, 201);
  const clientConfig = { service: { namespace: 'default', name: 'hooks', path: '/in' }, caBundle: webhook.caBundle };
  await configure(server, 'validating', [{ at: webhook, clientConfig }]);
  assert.match((await create(server, named('a'))).body.message, /found$/);
  assert.deepEqual(asked, ['10.0.0.77:443']);
  const endpoints = {
    metadata: { name: 'hooks' },
    subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'https', port: 8443 }] }],
  };
  await server.request('POST', '/api/v1/namespaces/default/endpoints', endpoints);
  await create(server, named('a'));
  assert.deepEqual(asked, ['10.0.0.77:443', '10.1.2.3:8443']);
  await create(server, named('a'));
  assert.equal(asked.length, 2, 'connections are kept');
  assert.equal(webhook.seen[0]?.url, '/in?timeout=10s');
});

test('a webhook rule for events of one API group matches those of the other, converted to its group', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    patching(seen, { op: 'add', path: '/note', value: 'from the webhook' }),
  );
  const rule = { apiGroups: ['events.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['events'] };
  await configure(server, 'mutating', [{ at: webhook, path: '/', rules: [rule] }]);
  const event = { metadata: { name: 'a' }, involvedObject: { namespace: 'default' }, message: 'from the client' };
  const { status, body } = await server.request('POST', '/api/v1/namespaces/default/events', event);
  assert.deepEqual([status, (body as JsonObject)['message']], [201, 'from the webhook']);
  const { kind, resource, requestKind, object } = webhook.seen[0]?.review.request ?? {};
  assert.deepEqual(
    { kind, resource, requestKind },
    {
      kind: { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
      resource: { group: 'events.k8s.io', version: 'v1', resource: 'events' },
      requestKind: { group: '', version: 'v1', kind: 'Event' },
    },
  );
  const { apiVersion, note, message, reportingController } = object as unknown as ApiObject;
  assert.deepEqual([apiVersion, note], ['events.k8s.io/v1', 'from the client']);
  assert.deepEqual([message, reportingController], [undefined, undefined]);
});

test('metrics count a failed call of a webhook by the status of its answer, and as 503 without one', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) =>
    seen.url.startsWith('/404') ? { status: 404, text: 'not here' } : { status: 200, text: '{' },
  );
  const headers = { authorization: `Bearer ${server.token}` };
  for (const path of ['/404', '/broken']) {
    await configure(server, 'validating', [{ at: webhook, path }], path.slice(1));
    if (path !== '/404') await server.request('DELETE', `${GROUP}/validatingwebhookconfigurations/404`);
    assert.equal((await create(server, named('a'))).status, 500);
  }
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const codes = [...text.matchAll(/^apiserver_admission_webhook_rejection_count\{.*rejection_code="(\d+)".*\} 1$/gm)];
  assert.deepEqual(codes.map(([, code]) => code).sort(), ['404', '503']);
});

test('metrics count evaluations, exclusions and errors of match conditions', async () => {
  await using server = await startTestServer(QUIET);
  await using webhook = await startWebhook((seen) => respond(seen, { allowed: true }));
  const conditionsOf = (expression: string) => [{ name: 'c', expression }];
  await configure(server, 'validating', [
    { at: webhook, path: '/', matchConditions: conditionsOf("object.metadata.name == 'other'") },
    { at: webhook, path: '/', matchConditions: conditionsOf('object.nope.x == 1'), failurePolicy: 'Ignore' },
  ]);
  assert.equal((await create(server, named('a'))).status, 201);
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await server.fetch(new Request('https://localhost/metrics', { headers }))).text();
  const found = [...text.matchAll(/^apiserver_admission_match_condition_(?!.*_(?:bucket|sum))(\w+)\{(.*)\} 1$/gm)];
  const labels = (name: string, type: string) =>
    `kind="webhook",name="${name}.example.com",operation="CREATE",type="${type}"`;
  assert.deepEqual(found.map(([, what, of]) => `${what} ${of}`).sort(), [
    `evaluation_errors_total ${labels('h1', 'validating')}`,
    `evaluation_seconds_count ${labels('h0', 'validating')}`,
    `evaluation_seconds_count ${labels('h1', 'validating')}`,
    `exclusions_total ${labels('h0', 'validate')}`,
    `exclusions_total ${labels('h1', 'validate')}`,
  ]);
});
