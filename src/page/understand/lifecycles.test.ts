import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../cluster/discovery.ts';
import { deprecatedUses, hasReached, isLifecycleMetric, oldWriters, servedVersions, stageOf } from './lifecycles.ts';
import { parseMetrics } from './metrics-text.ts';

const resource = (group: string, version: string, name: string, kind: string): Resource => ({
  ...{ group, version, name, kind, singular: '', shortNames: [], categories: [] },
  ...{ namespaced: true, verbs: ['list'], subresources: [] },
});

test('the stage of an API version follows from its name', () => {
  assert.deepEqual(['v1', 'v1alpha1', 'v2beta3', 'v12', '2024-01'].map(stageOf), ['GA', 'alpha', 'beta', 'GA', 'GA']);
});

test('the first version of a group with a resource is preferred, and deprecations are shown', () => {
  const served = servedVersions([
    resource('batch', 'v1', 'jobs', 'Job'),
    resource('batch', 'v1beta1', 'jobs', 'Job'),
    resource('', 'v1', 'endpoints', 'Endpoints'),
    resource('batch', 'v1beta1', 'others', 'Other'),
  ]);
  assert.deepEqual(
    served.map(({ preferred }) => preferred),
    [true, false, true, true],
  );
  assert.equal(served[2]?.lifecycle?.deprecated, '1.33');
  assert.equal(served[0]?.lifecycle, undefined);
});

test('releases are compared by their minor version', () => {
  assert.equal(hasReached('1.34', '1.9'), true);
  assert.equal(hasReached('1.34', '1.34'), true);
  assert.equal(hasReached('1.34', '1.35'), false);
  assert.equal(hasReached('34+', '1.33'), true);
  assert.equal(hasReached('1.34', undefined), false);
});

test('requested deprecated API versions are listed with their requests, sorted by removal', () => {
  const text = `apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1
apiserver_requested_deprecated_apis{group="x.io",removed_release="1.36",resource="as",subresource="",version="v1beta1"} 1
apiserver_requested_deprecated_apis{group="x.io",removed_release="1.40",resource="bs",subresource="",version="v1beta1"} 0
apiserver_request_total{group="x.io",version="v1beta1",resource="as",subresource="",verb="LIST",code="200"} 3
apiserver_request_total{group="x.io",version="v1beta1",resource="as",subresource="",verb="LIST",code="403"} 1
apiserver_request_total{group="x.io",version="v1",resource="as",subresource="",verb="LIST",code="200"} 9
`;
  const uses = deprecatedUses(parseMetrics(text, isLifecycleMetric));
  assert.deepEqual(
    uses.map(({ resource: name, removedIn, requests }) => [name, removedIn, Object.fromEntries(requests)]),
    [
      ['as', '1.36', { LIST: 4 }],
      ['endpoints', '', {}],
    ],
  );
});

test('field managers that wrote in another API version are counted once per object', () => {
  const jobs = resource('batch', 'v1', 'jobs', 'Job');
  const by = (manager: string, apiVersion: string) => ({ manager, apiVersion });
  const versions = { served: new Set(['batch/v1', 'batch/v1beta1']), current: new Set(['batch/v1']) };
  const found = oldWriters(jobs, versions, [
    { name: 'a', managedFields: [by('kubectl', 'batch/v1'), by('old', 'batch/v1beta1'), by('old', 'batch/v1beta1')] },
    { name: 'b', managedFields: [by('old', 'batch/v1beta1'), by('ancient', 'batch/v1alpha1')] },
    { name: 'c' },
  ]);
  assert.deepEqual(
    found.map(({ manager, apiVersion, served, objects, example }) => [
      manager,
      apiVersion,
      served,
      objects,
      example.name,
    ]),
    [
      ['old', 'batch/v1beta1', true, 2, 'a'],
      ['ancient', 'batch/v1alpha1', false, 1, 'b'],
    ],
  );
});
