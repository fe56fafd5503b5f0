import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** A server on which nothing happens but what the test does. */
function start(): Promise<TestServer> {
  return startTestServer({ controllers: '' });
}

function configMap(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
}

/** Sends a request and answers its status and warnings. */
async function send(server: TestServer, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  return { status: response.status, warning: response.headers.get('warning') ?? '' };
}

test('a deletion with orphanDependents=false of an object that a finalizer holds is answered with 202', async () => {
  await using server = await start();
  const cases: [query: string, finalizers: string[], status: number][] = [
    ['?orphanDependents=false', ['example.com/hold'], 202],
    ['?orphanDependents=0', ['example.com/hold'], 202],
    ['?orphanDependents=true', ['example.com/hold'], 200],
    ['?propagationPolicy=Background', ['example.com/hold'], 200],
    ['?orphanDependents=false', [], 200],
  ];
  for (const [index, [query, finalizers, status]] of cases.entries()) {
    await server.request('POST', CONFIG_MAPS, configMap(`c${index}`, { finalizers }));
    const answer = await server.request('DELETE', `${CONFIG_MAPS}/c${index}${query}`);
    assert.equal(answer.status, status, `${query} of ${finalizers}`);
  }
});

test('a deletion keeps the order of finalizers that already request its propagation policy', async () => {
  await using server = await start();
  await server.request('POST', CONFIG_MAPS, configMap('c', { finalizers: ['orphan', 'example.com/hold'] }));
  const { body } = await server.request('DELETE', `${CONFIG_MAPS}/c`);
  assert.deepEqual((body as ApiObject).metadata.finalizers, ['orphan', 'example.com/hold']);
});

test('a deletion of Jobs without a propagation policy causes one warning about their pods', async () => {
  await using server = await start();
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } };
  for (const name of ['a', 'b', 'c']) {
    await server.request('POST', path, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template } });
  }
  const told = await send(server, 'DELETE', `${path}/a?propagationPolicy=Background`);
  assert.deepEqual(told, { status: 200, warning: '' });
  const { warning } = await send(server, 'DELETE', path);
  assert.equal(warning.split('child pods are preserved by default').length, 2, warning);
});

test('a namespace without finalizers in its spec is removed by the second deletion', async () => {
  await using server = await start();
  const path = '/api/v1/namespaces/mine';
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } };
  await server.request('POST', '/api/v1/namespaces', namespace);
  assert.equal((await server.request('PUT', `${path}/finalize`, { ...namespace, spec: {} })).status, 200);
  for (const left of [200, 404]) {
    assert.equal(((await server.request('DELETE', path)).body as ApiObject)['kind'], 'Namespace');
    assert.equal((await server.request('GET', path)).status, left);
  }
});

test('a failed precondition of a deletion names the resource and both UIDs', async () => {
  await using server = await start();
  await server.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'mine' },
  });
  const preconditions = { uid: 'other' };
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions };
  const { status, body } = await server.request('DELETE', '/api/v1/namespaces/mine', options);
  assert.equal(status, 409);
  assert.match(
    String((body as ApiObject)['message']),
    /^Operation cannot be fulfilled on namespaces "mine": Precondition failed: UID in precondition: other, UID in object meta: /,
  );
});

test('duplicate owner references are stored once, with a warning', async () => {
  await using server = await start();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' };
  const ownerReferences = [owner, { ...owner, uid: 'u2' }, owner, { ...owner, controller: true }];
  const { status, warning } = await send(server, 'POST', CONFIG_MAPS, configMap('c', { ownerReferences }));
  assert.equal(status, 201);
  assert.match(warning, /ownerReferences contains duplicate entries; .*duplicate UID\(s\) observed: u1/);
  const { body } = await server.request('GET', `${CONFIG_MAPS}/c`);
  assert.deepEqual(
    (body as ApiObject).metadata.ownerReferences?.map((each) => [each.uid, each['controller'] === true]),
    [
      ['u1', false],
      ['u2', false],
      ['u1', true],
    ],
  );
  const patch = { metadata: { ownerReferences: [owner, owner] } };
  const patched = await server.patch(`${CONFIG_MAPS}/c`, patch);
  assert.equal((patched.body as ApiObject).metadata.ownerReferences?.length, 1);
});

test('an invalid change of metadata has two causes in its error, as in Kubernetes', async () => {
  await using server = await start();
  await server.request('POST', CONFIG_MAPS, configMap('c'));
  const { status, body } = await server.patch(`${CONFIG_MAPS}/c`, { metadata: { uid: 'other' } });
  assert.equal(status, 422);
  const { message, details } = body as { message: string; details: { causes: { field: string }[] } };
  assert.deepEqual(
    details.causes.map((cause) => cause.field),
    ['metadata.uid', 'metadata.uid'],
  );
  assert.equal(message.split('field is immutable').length, 2);
});

test('an invalid kind or apiVersion of DeleteOptions is rejected before anything else in them', async () => {
  await using server = await start();
  const cases: [body: object, message: string][] = [
    [
      { kind: 1 },
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      { kind: 'Pod', apiVersion: 'v1', gracePeriodSeconds: 'x' },
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
    [{ kind: 'DeleteOptions', apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
    [
      { gracePeriodSeconds: 'x' },
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
  ];
  for (const [options, message] of cases) {
    const { status, body } = await server.request('DELETE', `${CONFIG_MAPS}/c`, options);
    assert.deepEqual([status, (body as ApiObject)['message']], [500, message]);
  }
});

test('a number of DeleteOptions must be an integer, and is quoted as it was written', async () => {
  await using server = await start();
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  for (const number of ['1.0', '1e0', '-0.0', '99999999999999999999', '1e400']) {
    const body = `{"gracePeriodSeconds":${number}}`;
    const answer = await server.fetch(
      new Request(`https://localhost${CONFIG_MAPS}/c`, { method: 'DELETE', headers, body }),
    );
    const { message } = (await answer.json()) as { message: string };
    const field = 'Go struct field DeleteOptions.gracePeriodSeconds of type int64';
    assert.equal(message, `json: cannot unmarshal number ${number} into ${field}`);
  }
});

test('DeleteOptions in protobuf that cannot be decoded are rejected with the reason', async () => {
  await using server = await start();
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/vnd.kubernetes.protobuf' };
  const refusal = async (text: string) => {
    const init = { method: 'DELETE', headers, body: new TextEncoder().encode(text) };
    const answer = await server.fetch(new Request(`https://localhost${CONFIG_MAPS}/c`, init));
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };
  assert.deepEqual(await refusal('k8s'), [
    500,
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  ]);
  const pod = '\n\t\n\u0002v1\u0012\u0003Pod\u0012\u0003abc';
  assert.deepEqual(await refusal(`k8s\0${pod}`), [
    500,
    'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  ]);
  const options = '\n\u0013\n\u0002v1\u0012\rDeleteOptions\u0012\u0003abc';
  assert.deepEqual(await refusal(`k8s\0${options}`), [500, 'unexpected EOF']);
});

test('a deletecollection at a resourceVersion deletes the objects that existed at that version', async () => {
  await using server = await start();
  const made = await server.request('POST', CONFIG_MAPS, configMap('a'));
  await server.request('POST', CONFIG_MAPS, configMap('b'));
  const version = (made.body as ApiObject).metadata.resourceVersion;
  const query = `?resourceVersion=${version}`;
  const { body } = await server.request('DELETE', `${CONFIG_MAPS}${query}`);
  assert.deepEqual(
    (body as unknown as { items: ApiObject[] }).items.map(({ metadata }) => metadata.name),
    ['a'],
  );
  assert.equal((await server.request('GET', `${CONFIG_MAPS}/b`)).status, 200);
  // With a negative limit it finds the newest, which are not of this version.
  const newest = await server.request('DELETE', `${CONFIG_MAPS}${query}&limit=-1`);
  assert.deepEqual([newest.status, (newest.body as { details?: { name?: string } }).details?.name], [409, 'b']);
});

test('a deletecollection stops at the first object that does not meet its preconditions', async () => {
  await using server = await start();
  await server.request('POST', CONFIG_MAPS, configMap('a'));
  const { body } = await server.request('POST', CONFIG_MAPS, configMap('b'));
  const { uid } = (body as ApiObject).metadata;
  assert.equal((await server.request('DELETE', `${CONFIG_MAPS}?uid=${uid}`)).status, 409);
  assert.equal((await server.request('GET', `${CONFIG_MAPS}/b`)).status, 200);
});

test('a first deletion of a namespace with orphanDependents=false adds the finalizer foregroundDeletion', async () => {
  await using server = await start();
  const finalizersOf = async (name: string, query: string) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await server.request('POST', '/api/v1/namespaces', namespace);
    const { body } = await server.request('DELETE', `/api/v1/namespaces/${name}${query}`);
    return (body as ApiObject).metadata.finalizers;
  };
  assert.deepEqual(await finalizersOf('a', '?orphanDependents=false'), ['foregroundDeletion']);
  assert.deepEqual(await finalizersOf('b', '?propagationPolicy=Background'), undefined);
});

test('a deletecollection stops at the first object whose deletion a policy denies', async () => {
  await using server = await start();
  for (const name of ['a', 'b', 'c', 'd']) await server.request('POST', CONFIG_MAPS, configMap(name));
  const admission = '/apis/admissionregistration.k8s.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] };
  await server.request('POST', `${admission}/validatingadmissionpolicies`, {
    metadata: { name: 'keep' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'oldObject.metadata.name != "b"' }],
    },
  });
  await server.request('POST', `${admission}/validatingadmissionpolicybindings`, {
    metadata: { name: 'keep' },
    spec: { policyName: 'keep', validationActions: ['Deny'] },
  });
  assert.equal((await server.request('DELETE', CONFIG_MAPS)).status, 422);
  const { items } = (await server.request('GET', CONFIG_MAPS)).body as unknown as { items: ApiObject[] };
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['b', 'c', 'd'],
  );
});
