import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCatalog } from '../catalog.ts';
import type { OperationDescription, PathDescription } from './description.ts';
import { resourcePaths } from './resource-paths.ts';

const catalog = createCatalog();

function pathsOf(group: string, version: string, resource: string): Map<string, PathDescription> {
  const entry = catalog.lookup(group, version, resource);
  assert.ok(entry, resource);
  return new Map(resourcePaths(entry).map((path) => [path.path, path]));
}

/** `get listAppsV1NamespacedDeployment list Deployment` */
function operations(path: PathDescription | undefined): string[] {
  const written = Object.entries(path?.operations ?? {}) as [string, OperationDescription][];
  return written.map(([method, { id, about }]) => `${method} ${id} ${about?.action} ${about?.kind.kind}`);
}

const names = (parameters: readonly { name: string }[] = []) => parameters.map(({ name }) => name);

function descriptions(path: PathDescription | undefined): (string | undefined)[] {
  return Object.values(path?.operations ?? {}).map(({ description }) => description);
}

test("operations and names of objects have kube-apiserver's descriptions", () => {
  const [pods, pod] = ['/api/v1/namespaces/{namespace}/pods', '/api/v1/namespaces/{namespace}/pods/{name}'] as const;
  const paths = pathsOf('', 'v1', 'pods');
  assert.deepEqual(descriptions(paths.get(pods)), [
    'list or watch objects of kind Pod',
    'create a Pod',
    'delete collection of Pod',
  ]);
  const read = ['read', 'replace', 'partially update'];
  const ofPod = read.map((verb) => `${verb} the specified Pod`);
  assert.deepEqual(descriptions(paths.get(pod)), [...ofPod, 'delete a Pod']);
  const ofStatus = read.map((verb) => `${verb} status of the specified Pod`);
  assert.deepEqual(descriptions(paths.get(`${pod}/status`)), ofStatus);
  assert.deepEqual(descriptions(paths.get(`${pod}/eviction`)), ['create eviction of a Pod']);
  assert.deepEqual(descriptions(paths.get(`${pod}/log`)), ['read log of the specified Pod']);
  assert.deepEqual(descriptions(paths.get(`${pod}/exec`)), [
    'connect GET requests to exec of Pod',
    'connect POST requests to exec of Pod',
  ]);
  assert.equal(paths.get(pod)?.parameters[0]?.description, 'name of the Pod');
  const created = (resource: string) =>
    descriptions(pathsOf('', 'v1', resource).get(`/api/v1/namespaces/{namespace}/${resource}`))[1];
  assert.deepEqual(['events', 'endpoints'].map(created), ['create an Event', 'create Endpoints']);
});

describe('OpenAPI paths of a namespaced resource', () => {
  const paths = pathsOf('apps', 'v1', 'deployments');
  const collection = '/apis/apps/v1/namespaces/{namespace}/deployments';

  test('OpenAPI paths of a namespaced resource exist for the collection, objects, all namespaces, subresources and deprecated watches', () => {
    assert.deepEqual(
      [...paths.keys()],
      [
        collection,
        '/apis/apps/v1/deployments',
        `${collection}/{name}`,
        `${collection}/{name}/scale`,
        `${collection}/{name}/status`,
        '/apis/apps/v1/watch/namespaces/{namespace}/deployments',
        '/apis/apps/v1/watch/namespaces/{namespace}/deployments/{name}',
        '/apis/apps/v1/watch/deployments',
      ],
    );
  });

  test('OpenAPI paths of a namespaced resource have operations named by what they do', () => {
    assert.deepEqual(operations(paths.get(collection)), [
      'get listAppsV1NamespacedDeployment list Deployment',
      'post createAppsV1NamespacedDeployment post Deployment',
      'delete deleteAppsV1CollectionNamespacedDeployment deletecollection Deployment',
    ]);
    assert.deepEqual(operations(paths.get('/apis/apps/v1/watch/deployments')), [
      'get watchAppsV1DeploymentListForAllNamespaces watchlist Deployment',
    ]);
    assert.deepEqual(operations(paths.get(`${collection}/{name}/scale`)), [
      'get readAppsV1NamespacedDeploymentScale get Scale',
      'put replaceAppsV1NamespacedDeploymentScale put Scale',
      'patch patchAppsV1NamespacedDeploymentScale patch Scale',
    ]);
  });

  test('OpenAPI paths of a namespaced resource hold the parameters that all their operations take', () => {
    const item = paths.get(`${collection}/{name}`);
    assert.deepEqual(names(item?.parameters), ['name', 'namespace', 'pretty']);
    assert.deepEqual(names(item?.operations.get?.parameters), []);
    assert.deepEqual(names(item?.operations.patch?.parameters), ['dryRun', 'fieldManager', 'fieldValidation', 'force']);
  });
});

describe('OpenAPI paths of pods', () => {
  const paths = pathsOf('', 'v1', 'pods');
  const item = '/api/v1/namespaces/{namespace}/pods/{name}';

  test('OpenAPI paths of pods connect with the fields of an options type as query parameters', () => {
    const exec = paths.get(`${item}/exec`);
    assert.deepEqual(operations(exec), [
      'get connectCoreV1GetNamespacedPodExec connect PodExecOptions',
      'post connectCoreV1PostNamespacedPodExec connect PodExecOptions',
    ]);
    assert.deepEqual(names(exec?.parameters), [
      'command',
      'container',
      'name',
      'namespace',
      'stderr',
      'stdin',
      'stdout',
      'tty',
    ]);
    assert.equal(exec?.operations.get?.returns, 'text');
  });

  test('OpenAPI paths of pods proxy every method, and any path below', () => {
    const proxied = paths.get(`${item}/proxy/{path}`);
    assert.deepEqual(Object.keys(proxied?.operations ?? {}).sort(), [
      'delete',
      'get',
      'head',
      'options',
      'patch',
      'post',
      'put',
    ]);
    assert.equal(proxied?.operations.head?.id, 'connectCoreV1HeadNamespacedPodProxyWithPath');
    assert.deepEqual(
      proxied?.parameters.filter(({ name }) => name === 'path').map((parameter) => parameter.in),
      ['path', 'query'],
    );
  });

  test('OpenAPI paths of pods serve logs as text, with those fields of PodLogOptions that a query can hold', () => {
    const log = paths.get(`${item}/log`);
    assert.equal(log?.operations.get?.produces[0], 'text/plain');
    assert.ok(names(log?.parameters).includes('tailLines'));
    assert.ok(!names(log?.parameters).includes('sinceTime'));
  });

  test('OpenAPI paths of pods have one operation for subresources that can only be created, with the kind that is sent', () => {
    assert.deepEqual(operations(paths.get(`${item}/eviction`)), [
      'post createCoreV1NamespacedPodEviction post Eviction',
    ]);
    assert.equal(paths.get(`${item}/eviction`)?.operations.post?.about?.kind.group, 'policy');
  });
});

test('OpenAPI paths of a custom resource have the parameters of reads and its scale subresource', () => {
  const entry = catalog.lookup('apps', 'v1', 'deployments')!;
  const custom = { ...entry, definition: { ...entry.definition, custom: true } };
  const paths = new Map(resourcePaths(custom).map((path) => [path.path, path.operations]));
  const collection = '/apis/apps/v1/namespaces/{namespace}/deployments';
  const { get: list, delete: deletion } = paths.get(collection)!;
  assert.deepEqual(names(deletion?.parameters), names(list?.parameters));
  assert.deepEqual(names(paths.get(`${collection}/{name}`)?.get?.parameters), ['resourceVersion']);
  assert.equal(paths.get(`${collection}/{name}/scale`)?.get?.about?.kind.kind, 'Deployment');
});

test('OpenAPI paths of a resource that can only be created have no objects to read', () => {
  const paths = pathsOf('authorization.k8s.io', 'v1', 'subjectaccessreviews');
  assert.deepEqual([...paths.keys()], ['/apis/authorization.k8s.io/v1/subjectaccessreviews']);
  assert.deepEqual(operations([...paths.values()][0]), [
    'post createAuthorizationV1SubjectAccessReview post SubjectAccessReview',
  ]);
});

test('OpenAPI paths of a cluster-scoped resource have no namespace parameter', () => {
  const paths = pathsOf('', 'v1', 'nodes');
  assert.deepEqual(operations(paths.get('/api/v1/nodes/{name}'))[0], 'get readCoreV1Node get Node');
  assert.ok(!paths.has('/api/v1/namespaces/{namespace}/nodes'));
});

test('OpenAPI paths of built-in resources have CBOR where it is served', () => {
  const entry = catalog.lookup('apps', 'v1', 'deployments')!;
  const published = (cbor: boolean) =>
    resourcePaths(entry, cbor).flatMap(({ operations: all }) =>
      Object.values(all).flatMap((each) => [...(each?.consumes ?? []), ...(each?.produces ?? [])]),
    );
  const types = ['application/cbor', 'application/cbor-seq', 'application/apply-patch+cbor'];
  assert.ok(types.every((type) => published(true).includes(type)));
  assert.ok(types.every((type) => !published(false).includes(type)));
});
